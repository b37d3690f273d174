//go:build linux && (dev || production)

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <stdlib.h>
#include <gtk/gtk.h>

typedef struct {
	int x, y, width, height, placed;
} voxpilotPlace;

// Returns whether the user could reach the title bar of a window at this place: part of the upper edge must be on a
// screen. Sets screen to the work area of that screen or, if there is none, of the primary or first one.
static gboolean voxpilotReachable(const voxpilotPlace *at, GdkRectangle *screen) {
	GdkDisplay *display = gdk_display_get_default();
	GdkRectangle bar = {at->x, at->y, at->width, 40}, seen;
	for (int i = 0; i < gdk_display_get_n_monitors(display); i++) {
		gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), screen);
		if (gdk_rectangle_intersect(&bar, screen, &seen) && seen.width >= 120 && seen.height >= 20) return TRUE;
	}
	GdkMonitor *first = gdk_display_get_primary_monitor(display);
	if (first == NULL) first = gdk_display_get_monitor(display, 0);
	if (first != NULL) gdk_monitor_get_workarea(first, screen);
	return FALSE;
}

// Restores the position if the user can reach the title bar there. Limits a window that is larger than
// the screen to the screen's size and centers it.
static gboolean voxpilotPlaceNow(gpointer data) {
	voxpilotPlace *at = data;
	GdkRectangle screen = {0};
	gboolean moves = voxpilotReachable(at, &screen) && at->placed;
	gboolean resizes = screen.width > 0 && (at->width > screen.width || at->height > screen.height);
	if (resizes) {
		at->width = MIN(at->width, screen.width);
		at->height = MIN(at->height, screen.height);
		at->x = screen.x + (screen.width - at->width) / 2;
		at->y = screen.y + (screen.height - at->height) / 2;
	}
	GList *windows = gtk_window_list_toplevels();
	for (GList *w = windows; w != NULL; w = w->next) {
		const char *title = gtk_window_get_title(GTK_WINDOW(w->data));
		if (gtk_window_get_window_type(GTK_WINDOW(w->data)) != GTK_WINDOW_TOPLEVEL || g_strcmp0(title, "VoxPilot") != 0)
			continue;
		if (resizes) gtk_window_resize(GTK_WINDOW(w->data), at->width, at->height);
		if (moves || resizes) gtk_window_move(GTK_WINDOW(w->data), at->x, at->y);
	}
	g_list_free(windows);
	free(at);
	return G_SOURCE_REMOVE;
}

// Sets the token for the next show or raise of the window. On X11, the token is a startup
// ID that contains the time of the click; on Wayland, it is used for xdg-activation.
static gboolean voxpilotTokenNow(gpointer token) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *w = windows; w != NULL; w = w->next) {
		const char *title = gtk_window_get_title(GTK_WINDOW(w->data));
		if (gtk_window_get_window_type(GTK_WINDOW(w->data)) == GTK_WINDOW_TOPLEVEL && g_strcmp0(title, "VoxPilot") == 0)
			gtk_window_set_startup_id(GTK_WINDOW(w->data), token);
	}
	g_list_free(windows);
	free(token);
	return G_SOURCE_REMOVE;
}

// Sets the token before any later window call: it is queued with the same priority as Wails' calls.
static void voxpilotToken(char *token) { g_idle_add(voxpilotTokenNow, token); }

static void voxpilotPlaceWindow(voxpilotPlace place) {
	voxpilotPlace *at = malloc(sizeof *at);
	*at = place;
	// Wails centers the window when showing it; this must run afterward.
	g_idle_add_full(G_PRIORITY_LOW, voxpilotPlaceNow, at, NULL);
}
*/
import "C"

import "context"

// startupToken sets the desktop's activation token for the window.
func startupToken(token string) { C.voxpilotToken(C.CString(token)) }

// restoreWindow moves the window to its saved position if that is still on a screen, and limits the
// window's size to that of the screen. It doesn't use Wails, whose positions are relative to a screen
// that Wails doesn't identify. Wails also resizes the window outside GTK's thread and centers it
// according to its previous size. Wayland doesn't let programs choose a position.
func restoreWindow(_ context.Context, kept savedPlacement) {
	place := C.voxpilotPlace{x: C.int(kept.X), y: C.int(kept.Y), width: C.int(kept.Width), height: C.int(kept.Height)}
	if kept.Placed {
		place.placed = 1
	}
	C.voxpilotPlaceWindow(place)
}
