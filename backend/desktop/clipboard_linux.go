//go:build linux && (dev || production)

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

// The clipboard content. It is reference-counted: the reader and the main loop each hold a reference.
typedef struct {
	GMutex lock;
	GCond changed;
	gboolean done;
	GPtrArray *paths; // "" for files that aren't on this computer
	gboolean unusable; // there is an image in an unsupported format
	GdkAtom kind;
	guchar *image;
	gsize size;
} voxpilotCopied;

static void voxpilotCopiedClear(gpointer data) {
	voxpilotCopied *at = data;
	if (at->paths) g_ptr_array_unref(at->paths);
	g_free(at->image);
	g_mutex_clear(&at->lock);
	g_cond_clear(&at->changed);
}

static void voxpilotCopiedFree(voxpilotCopied *at) {
	g_atomic_rc_box_release_full(at, voxpilotCopiedClear);
}

static void voxpilotCopiedDone(voxpilotCopied *at) {
	g_mutex_lock(&at->lock);
	at->done = TRUE;
	g_cond_signal(&at->changed);
	g_mutex_unlock(&at->lock);
	voxpilotCopiedFree(at);
}

static void voxpilotCopiedImage(GtkClipboard *clipboard, GtkSelectionData *got, gpointer data) {
	voxpilotCopied *at = data;
	int size = gtk_selection_data_get_length(got);
	if (size > 0) {
		at->image = g_malloc(size);
		memcpy(at->image, gtk_selection_data_get_data(got), size);
		at->size = size;
	} else at->unusable = TRUE;
	voxpilotCopiedDone(at);
}

static void voxpilotCopiedNoFiles(GtkClipboard *clipboard, voxpilotCopied *at) {
	if (at->kind == GDK_NONE) {
		voxpilotCopiedDone(at);
		return;
	}
	if (at->paths) g_ptr_array_set_size(at->paths, 0); // a copied image may also have an address, which isn't needed
	gtk_clipboard_request_contents(clipboard, at->kind, voxpilotCopiedImage, at);
}

static void voxpilotCopiedFiles(GtkClipboard *clipboard, gchar **addresses, gpointer data) {
	voxpilotCopied *at = data;
	gboolean found = FALSE;
	at->paths = g_ptr_array_new_with_free_func(g_free);
	for (; addresses && *addresses; addresses++) {
		char *path = g_filename_from_uri(*addresses, NULL, NULL);
		if (path) found = TRUE;
		g_ptr_array_add(at->paths, path ? path : g_strdup(""));
	}
	if (found) voxpilotCopiedDone(at);
	else voxpilotCopiedNoFiles(clipboard, at);
}

static void voxpilotCopiedKinds(GtkClipboard *clipboard, GdkAtom *kinds, gint n, gpointer data) {
	static const char *images[] = {"image/png", "image/jpeg", "image/webp", "image/gif"};
	voxpilotCopied *at = data;
	// Programs that copy text may add an image of that text.
	gboolean text = n > 0 && gtk_targets_include_text(kinds, n);
	for (guint i = 0; i < G_N_ELEMENTS(images) && !text; i++)
		for (int k = 0; k < n && at->kind == GDK_NONE; k++)
			if (kinds[k] == gdk_atom_intern_static_string(images[i])) at->kind = kinds[k];
	for (int k = 0; k < n && !text && at->kind == GDK_NONE && !at->unusable; k++) {
		char *name = gdk_atom_name(kinds[k]);
		at->unusable = g_str_has_prefix(name, "image/");
		g_free(name);
	}
	if (n > 0 && gtk_targets_include_uri(kinds, n)) gtk_clipboard_request_uris(clipboard, voxpilotCopiedFiles, at);
	else voxpilotCopiedNoFiles(clipboard, at);
}

static gboolean voxpilotCopiedAsk(gpointer at) {
	gtk_clipboard_request_targets(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), voxpilotCopiedKinds, at);
	return G_SOURCE_REMOVE;
}

// The main loop requests the content; this thread waits for it.
static voxpilotCopied *voxpilotCopiedRead(int seconds) {
	voxpilotCopied *at = g_atomic_rc_box_new0(voxpilotCopied);
	g_mutex_init(&at->lock);
	g_cond_init(&at->changed);
	at->kind = GDK_NONE;
	g_idle_add(voxpilotCopiedAsk, g_atomic_rc_box_acquire(at));
	gint64 end = g_get_monotonic_time() + seconds * G_TIME_SPAN_SECOND;
	g_mutex_lock(&at->lock);
	while (!at->done && g_cond_wait_until(&at->changed, &at->lock, end)) {
	}
	gboolean done = at->done;
	g_mutex_unlock(&at->lock);
	if (done) return at;
	voxpilotCopiedFree(at);
	return NULL;
}

static gboolean voxpilotCopyNow(gpointer image) {
	GtkClipboard *clipboard = gtk_clipboard_get(GDK_SELECTION_CLIPBOARD);
	gtk_clipboard_set_image(clipboard, image);
	gtk_clipboard_set_can_store(clipboard, NULL, 0);
	g_object_unref(image);
	return G_SOURCE_REMOVE;
}

// This thread decodes the image; the main loop puts it on the clipboard.
static gboolean voxpilotCopyImage(const void *data, gsize size) {
	GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
	gboolean whole = gdk_pixbuf_loader_write(loader, data, size, NULL);
	whole = gdk_pixbuf_loader_close(loader, NULL) && whole;
	GdkPixbuf *image = whole ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
	if (image) g_idle_add(voxpilotCopyNow, g_object_ref(image));
	g_object_unref(loader);
	return image != NULL;
}

static int voxpilotCopiedCount(voxpilotCopied *at) { return at->paths ? at->paths->len : 0; }
static char *voxpilotCopiedPath(voxpilotCopied *at, int i) { return at->paths->pdata[i]; }
*/
import "C"

import (
	"time"
	"unsafe"

	"github.com/voxpilot/voxpilot/backend"
)

// copiedFiles returns the clipboard content: the paths of files ("" for those that aren't on this computer), or else
// an image. It returns an error if the content doesn't arrive within the time most, or if it is an image in an
// unsupported format. The page receives neither files nor images: since 2.50.3, WebKitGTK hides all files from pages
// (CVE-2025-13947), including clipboard images.
func copiedFiles(most time.Duration) (paths []string, image []byte, err error) {
	at := C.voxpilotCopiedRead(C.int(most.Seconds()))
	if at == nil {
		return nil, nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the clipboard. Copy the content again.")}
	}
	defer C.voxpilotCopiedFree(at)
	for i := range C.voxpilotCopiedCount(at) {
		paths = append(paths, C.GoString(C.voxpilotCopiedPath(at, i)))
	}
	if len(paths) == 0 && at.size == 0 && at.unusable != 0 {
		return nil, nil, backend.Invalid("Can't use the copied image. Copy it as PNG, JPEG, GIF or WebP, or save it and attach the file.")
	}
	return paths, C.GoBytes(unsafe.Pointer(at.image), C.int(at.size)), nil
}

// copyImage copies an image to the clipboard. WebKitGTK doesn't let pages do that.
func copyImage(data []byte) error {
	if len(data) == 0 || C.voxpilotCopyImage(unsafe.Pointer(&data[0]), C.gsize(len(data))) == 0 {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't copy the image. Save it instead.")}
	}
	return nil
}
