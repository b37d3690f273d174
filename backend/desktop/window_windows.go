package desktop

import (
	"context"
	"unsafe"

	"github.com/wailsapp/wails/v2/pkg/runtime"
	"golang.org/x/sys/windows"
)

var monitorFromRect = windows.NewLazySystemDLL("user32.dll").NewProc("MonitorFromRect")

// startupToken does nothing: there are no such tokens here.
func startupToken(string) {}

// placeWindow moves the window to where it was, if some of its upper edge is on a
// screen. Wails counts from the corner of the screen that the window is on, so
// that it takes a second move where that is not the corner of all.
func placeWindow(ctx context.Context, b Bounds) {
	bar := struct{ left, top, right, bottom int32 }{int32(b.X), int32(b.Y), int32(b.X + b.Width), int32(b.Y + 40)}
	if monitor, _, _ := monitorFromRect.Call(uintptr(unsafe.Pointer(&bar)), 0); monitor == 0 {
		return
	}
	runtime.WindowSetPosition(ctx, b.X, b.Y)
	if x, y := runtime.WindowGetPosition(ctx); x != b.X || y != b.Y {
		runtime.WindowSetPosition(ctx, 2*b.X-x, 2*b.Y-y)
	}
}
