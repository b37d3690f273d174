package desktop

import (
	"context"
	"unsafe"

	"github.com/wailsapp/wails/v2/pkg/runtime"
	"golang.org/x/sys/windows"
)

var monitorFromRect = windows.NewLazySystemDLL("user32.dll").NewProc("MonitorFromRect")

// startupToken does nothing: the system has no such tokens.
func startupToken(string) {}

// placeWindow moves the window to its previous position if part of its upper edge is on
// a screen. Wails' positions are relative to the window's screen, so a second move is
// needed if that screen isn't at the origin.
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
