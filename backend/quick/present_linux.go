//go:build linux && cgo && (desktop || dev)

package quick

/*
#cgo linux pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

// Places the window on the screen that contains the pointer. On Wayland, the compositor
// does that, and windows don't know their position.
static void quick_place(GtkWindow *window, int width, int height) {
	GdkDisplay *display = gtk_widget_get_display(GTK_WIDGET(window));
	GdkSeat *seat = gdk_display_get_default_seat(display);
	GdkDevice *pointer = seat ? gdk_seat_get_pointer(seat) : NULL;
	gint x = 0, y = 0, now_x, now_y;
	if (pointer) gdk_device_get_position(pointer, NULL, &x, &y);
	GdkMonitor *monitor = gdk_display_get_monitor_at_point(display, x, y);
	if (!monitor) return;
	GdkRectangle m;
	gdk_monitor_get_geometry(monitor, &m);
	x = m.x + (m.width - width) / 2;
	y = m.y + m.height * 22 / 100;
	gtk_window_get_position(window, &now_x, &now_y);
	if (x != now_x || y != now_y) gtk_window_move(window, x, y);
}

static gboolean quick_present(gpointer size) {
	static gboolean before = FALSE;
	int width = GPOINTER_TO_INT(size) >> 16, height = GPOINTER_TO_INT(size) & 0xffff;
	GList *all = gtk_window_list_toplevels();
	for (GList *at = all; at; at = at->next) {
		GtkWindow *window = GTK_WINDOW(at->data);
		if (gtk_window_get_window_type(window) != GTK_WINDOW_TOPLEVEL) continue;
		if (!before) {
			gtk_window_set_skip_taskbar_hint(window, TRUE);
			gtk_window_set_skip_pager_hint(window, TRUE);
			gtk_window_stick(window);
			gtk_window_resize(window, width, height);
		}
		quick_place(window, width, height);
		gtk_widget_show(GTK_WIDGET(window));
		guint32 now = GDK_CURRENT_TIME;
#ifdef GDK_WINDOWING_X11
		// Window managers with focus stealing prevention compare the time of the last user action.
		GdkWindow *surface = gtk_widget_get_window(GTK_WIDGET(window));
		if (surface && GDK_IS_X11_WINDOW(surface)) now = gdk_x11_get_server_time(surface);
#endif
		gtk_window_present_with_time(window, now);
		if (!before) quick_place(window, width, height); // window managers place new windows themselves
		before = TRUE;
		break;
	}
	g_list_free(all);
	return G_SOURCE_REMOVE;
}

static void quick_present_soon(int width, int height) {
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, quick_present, GINT_TO_POINTER(width << 16 | height), NULL);
}

static int quick_composited(void) {
	if (!gtk_init_check(NULL, NULL)) return 0;
	GdkScreen *screen = gdk_screen_get_default();
	return screen && gdk_screen_is_composited(screen) && gdk_screen_get_rgba_visual(screen);
}
*/
import "C"

import (
	"context"
	"os"
	"runtime"
)

// hasRoundCorners reports whether the window can have rounded corners. It can on a composited desktop, where the area
// outside the corners is transparent. On other desktops, that area would be black.
func hasRoundCorners() bool {
	runtime.LockOSThread() // Wails creates its window on this thread
	session := os.Getenv("XDG_SESSION_TYPE")
	if os.Getenv("GDK_BACKEND") == "" && (session == "" || session == "unspecified" || session == "x11") {
		_ = os.Setenv("GDK_BACKEND", "x11") // like Wails
	}
	return C.quick_composited() != 0
}

// presentWindow brings the window to the front, on the user's current screen.
func presentWindow(context.Context) { C.quick_present_soon(width, height) }
