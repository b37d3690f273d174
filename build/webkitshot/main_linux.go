// Command webkitshot takes screenshots of pages in WebKitGTK, the engine of the app's window on Linux,
// with the settings of that window:
//
//	webkitshot URL PICTURE.png WIDTH HEIGHT …
//
// A page signals that it is ready by setting its title to "picture". If it doesn't do so within 20 seconds, or
// another error occurs, webkitshot stops and exits with a status other than 0. A display is required.
package main

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

typedef struct { const char *url, *out; int width, height; } job;
static job *jobs;
static int count, at, failed;
static GtkWidget *window;
static guint late;
static void next(void);

static void done(const char *problem) {
	if (problem) {
		g_printerr("%s: %s\n", jobs[at].out, problem);
		failed = 1;
	}
	if (late) g_source_remove(late);
	late = 0;
	gtk_widget_destroy(window);
	if (++at < count && !failed) next();
	else gtk_main_quit();
}

static void drawn(GObject *view, GAsyncResult *result, gpointer data) {
	GError *error = NULL;
	cairo_surface_t *surface = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(view), result, &error);
	if (!surface) { done(error->message); return; }
	cairo_status_t status = cairo_surface_write_to_png(surface, jobs[at].out);
	cairo_surface_destroy(surface);
	done(status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status));
}

static void titled(GObject *view, GParamSpec *spec, gpointer data) {
	const char *title = webkit_web_view_get_title(WEBKIT_WEB_VIEW(view));
	if (g_strcmp0(title, "picture") == 0)
		webkit_web_view_get_snapshot(WEBKIT_WEB_VIEW(view), WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, NULL, drawn, NULL);
}

static gboolean tooLate(gpointer data) {
	late = 0;
	done("the page wasn't painted in time");
	return FALSE;
}

static void next(void) {
	window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
	gtk_window_set_default_size(GTK_WINDOW(window), jobs[at].width, jobs[at].height);
	WebKitWebContext *context = webkit_web_context_new_ephemeral();
	GtkWidget *view = webkit_web_view_new_with_context(context);
	g_object_unref(context);
	WebKitSettings *settings = webkit_web_view_get_settings(WEBKIT_WEB_VIEW(view));
	webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER);
	webkit_settings_set_enable_write_console_messages_to_stdout(settings, TRUE);
	gtk_container_add(GTK_CONTAINER(window), view);
	g_signal_connect(view, "notify::title", G_CALLBACK(titled), NULL);
	webkit_web_view_load_uri(WEBKIT_WEB_VIEW(view), jobs[at].url);
	gtk_widget_set_size_request(view, jobs[at].width, jobs[at].height);
	gtk_widget_show_all(window);
	late = g_timeout_add_seconds(20, tooLate, NULL);
}

static void add(char *url, char *out, int width, int height) {
	jobs = g_renew(job, jobs, count + 1);
	jobs[count++] = (job){url, out, width, height};
}

static int take(void) {
	if (!gtk_init_check(NULL, NULL)) { g_printerr("no display\n"); return 1; }
	next();
	gtk_main();
	return failed;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func main() {
	runtime.LockOSThread() // GTK must stay on one thread
	args := os.Args[1:]
	if len(args) == 0 || len(args)%4 != 0 {
		fmt.Fprintln(os.Stderr, "usage: webkitshot URL PICTURE.png WIDTH HEIGHT …")
		os.Exit(2)
	}
	for ; len(args) > 0; args = args[4:] {
		width, err := strconv.Atoi(args[2])
		height, err2 := strconv.Atoi(args[3])
		if err != nil || err2 != nil {
			fmt.Fprintln(os.Stderr, "webkitshot: a size isn't a number")
			os.Exit(2)
		}
		C.add(C.CString(args[0]), C.CString(args[1]), C.int(width), C.int(height))
	}
	os.Exit(int(C.take()))
}
