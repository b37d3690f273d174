//go:build linux && (dev || production)

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <stdlib.h>
#include <gtk/gtk.h>

typedef struct {
	int x, y, width;
} voxpilotPlace;

// Restores the position only if the user can reach the title bar there: part of the
// upper edge must be on a screen.
static gboolean voxpilotPlaceNow(gpointer data) {
	voxpilotPlace *at = data;
	GdkDisplay *display = gdk_display_get_default();
	GdkRectangle bar = {at->x, at->y, at->width, 40}, seen;
	gboolean reachable = FALSE;
	for (int i = 0; i < gdk_display_get_n_monitors(display); i++) {
		GdkRectangle screen;
		gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &screen);
		if (gdk_rectangle_intersect(&bar, &screen, &seen) && seen.width >= 120 && seen.height >= 20) reachable = TRUE;
	}
	GList *windows = gtk_window_list_toplevels();
	for (GList *w = windows; reachable && w != NULL; w = w->next) {
		const char *title = gtk_window_get_title(GTK_WINDOW(w->data));
		if (gtk_window_get_window_type(GTK_WINDOW(w->data)) == GTK_WINDOW_TOPLEVEL && g_strcmp0(title, "VoxPilot") == 0)
			gtk_window_move(GTK_WINDOW(w->data), at->x, at->y);
	}
	g_list_free(windows);
	free(at);
	return G_SOURCE_REMOVE;
}

// Sets the token for the next show or raise of the window. X11 uses it as startup ID,
// with the time of the click in it, Wayland for xdg-activation.
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

// It has the same priority as Wails' window calls, so it runs before them.
static void voxpilotToken(char *token) { g_idle_add(voxpilotTokenNow, token); }

static void voxpilotPlaceWindow(int x, int y, int width) {
	voxpilotPlace *at = malloc(sizeof *at);
	at->x = x;
	at->y = y;
	at->width = width;
	// Wails centers the window when showing it; this must run afterwards.
	g_idle_add_full(G_PRIORITY_LOW, voxpilotPlaceNow, at, NULL);
}
*/
import "C"

import "context"

// startupToken sets the desktop's activation token for the window.
func startupToken(token string) { C.voxpilotToken(C.CString(token)) }

// placeWindow moves the window to its previous position. It doesn't use Wails, whose positions are
// relative to a screen that Wails doesn't identify. Wayland doesn't let programs choose a position.
func placeWindow(_ context.Context, b Bounds) {
	C.voxpilotPlaceWindow(C.int(b.X), C.int(b.Y), C.int(b.Width))
}
