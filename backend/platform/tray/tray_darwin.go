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

// begin is what voxpilotTrayStart calls.
var begin func()

//export voxpilotTrayStart
func voxpilotTrayStart(unsafe.Pointer) { begin() }

// run makes the item of the menu bar on the main thread, which the window's
// framework owns. What systray would call its end stops that framework's loop,
// so the item stays until the process ends.
func run(ready func()) {
	begin, _ = systray.RunWithExternalLoop(ready, nil)
	C.voxpilotTrayOnMain()
}

func (n *native) close() {}

// setTapped leaves the click to the menu, as every item of the menu bar does.
func setTapped(func()) {}

func label(text string) string { return text }

// setIcon shows the shape as a template: the menu bar gives it its colour.
func setIcon(s Shape) {
	icon, err := icons.ReadFile("icons/" + string(s) + "-template.png")
	if err != nil {
		panic(err) // every shape is embedded
	}
	systray.SetTemplateIcon(icon, icon)
}

// watchColours has nothing to watch: a template follows by itself.
func watchColours(func()) {}
