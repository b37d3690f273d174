//go:build cgo

package tray

/*
#cgo CFLAGS: -x objective-c
#cgo LDFLAGS: -framework Foundation
#include <dispatch/dispatch.h>
extern void voxpilotTrayStart(void *);
static void voxpilotTrayOnMain(void) {
	dispatch_async_f(dispatch_get_main_queue(), 0, (dispatch_function_t)voxpilotTrayStart);
}
*/
import "C"

import (
	"embed"
	"unsafe"

	"fyne.io/systray"
)

//go:embed icons/*-template.png
var icons embed.FS

// begin is systray's function that creates the menu bar item.
var begin func()

//export voxpilotTrayStart
func voxpilotTrayStart(unsafe.Pointer) { begin() }

// run creates the menu bar item on the main thread, which belongs to the window's
// framework. systray's function for removing the item would stop that framework's loop,
// so the item remains until the process exits.
func run(ready func()) {
	begin, _ = systray.RunWithExternalLoop(ready, nil)
	C.voxpilotTrayOnMain()
}

func (n *native) close() {}

// setTapped does nothing: a click opens the menu, as for all menu bar items.
func setTapped(func()) {}

func label(text string) string { return text }

// setIcon shows the shape as a template image, which the menu bar colors.
func setIcon(s Shape) {
	icon, err := icons.ReadFile("icons/" + string(s) + "-template.png")
	if err != nil {
		panic(err) // every shape is embedded
	}
	systray.SetTemplateIcon(icon, icon)
}

// watchColors does nothing: template images adapt automatically.
func watchColors(func()) {}
