//go:build linux && (dev || production)

package webview

/*
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#include <webkit2/webkit2.h>

extern gboolean voxpilotPageDied(void);

static WebKitWebView *page;
static gboolean dead; // the web process crashed and the page wasn't reloaded

static void voxpilotDied(WebKitWebView *view, WebKitWebProcessTerminationReason why, gpointer data) {
	dead = !voxpilotPageDied();
	if (!dead) webkit_web_view_reload(view); // in a new process
}

static gboolean voxpilotReviveNow(gpointer view) {
	if (dead) webkit_web_view_reload(view);
	dead = FALSE;
	return G_SOURCE_REMOVE;
}

// Blocks navigation to other addresses: to files dropped on the page, which WebKit
// opens if the page doesn't handle them, and to the web.
static gboolean voxpilotLeaves(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
	if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
	WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const char *to = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	if (g_str_has_prefix(to, "wails://") || g_strcmp0(to, "about:blank") == 0) return FALSE;
	webkit_policy_decision_ignore(decision);
	return TRUE;
}

static void voxpilotHold(GtkWidget *widget, gpointer data) {
	if (WEBKIT_IS_WEB_VIEW(widget)) {
		page = WEBKIT_WEB_VIEW(widget);
		g_signal_connect(widget, "web-process-terminated", G_CALLBACK(voxpilotDied), NULL);
		g_signal_connect(widget, "decide-policy", G_CALLBACK(voxpilotLeaves), NULL);
	} else if (GTK_IS_CONTAINER(widget)) gtk_container_foreach(GTK_CONTAINER(widget), voxpilotHold, NULL);
}

static gboolean voxpilotHoldNow(gpointer data) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *w = windows; w != NULL; w = w->next) voxpilotHold(GTK_WIDGET(w->data), NULL);
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

static void voxpilotRevive(void) {
	if (page) g_idle_add(voxpilotReviveNow, page);
}

static void voxpilotHoldSoon(void) { g_idle_add_full(G_PRIORITY_HIGH, voxpilotHoldNow, NULL, NULL); }
*/
import "C"

import "sync/atomic"

// OnPageDied prevents the window's page from navigating away. Whenever the page's web process crashes, the given
// function is called in the main loop. If the function returns true, the page is reloaded in a new process.
func OnPageDied(died func() (again bool)) {
	onPageDied.Store(&died)
	C.voxpilotHoldSoon()
}

// ReloadPage reloads the page if its web process has crashed and the page hasn't been reloaded since.
func ReloadPage() { C.voxpilotRevive() }

var onPageDied atomic.Pointer[func() bool]

//export voxpilotPageDied
func voxpilotPageDied() C.gboolean {
	if died := onPageDied.Load(); died != nil && (*died)() {
		return C.TRUE
	}
	return C.FALSE
}
