package quick

import (
	"context"
	"unsafe"

	"github.com/wailsapp/wails/v2/pkg/runtime"
	"golang.org/x/sys/windows"
)

// hasRoundCorners returns false: Windows rounds the corners itself.
func hasRoundCorners() bool { return false }

// presentWindow brings the window to the front, on the user's current screen.
func presentWindow(ctx context.Context) {
	user := windows.NewLazySystemDLL("user32.dll")
	title, err := windows.UTF16PtrFromString("VoxPilot quick prompt")
	if err != nil {
		return
	}
	window, _, _ := user.NewProc("FindWindowW").Call(0, uintptr(unsafe.Pointer(title)))
	if window != 0 {
		// Find the size of the screen that contains the pointer.
		var pointer struct{ x, y int32 }
		_, _, _ = user.NewProc("GetCursorPos").Call(uintptr(unsafe.Pointer(&pointer)))
		const nearest = 2
		screen, _, _ := user.NewProc("MonitorFromPoint").Call(uintptr(uint32(pointer.x))|uintptr(uint32(pointer.y))<<32, nearest)
		info := struct {
			size          uint32
			monitor, work windows.Rect
			flags         uint32
		}{}
		info.size = uint32(unsafe.Sizeof(info))
		var at windows.Rect
		if got, _, _ := user.NewProc("GetMonitorInfoW").Call(screen, uintptr(unsafe.Pointer(&info))); got != 0 {
			_, _, _ = user.NewProc("GetWindowRect").Call(window, uintptr(unsafe.Pointer(&at)))
			m := info.monitor // not the work area: the design measures from the top of the screen
			x, y := m.Left+(m.Right-m.Left-(at.Right-at.Left))/2, m.Top+(m.Bottom-m.Top)*22/100
			const topmost, noSize, noActivate = ^uintptr(0), 0x1, 0x10
			_, _, _ = user.NewProc("SetWindowPos").Call(window, topmost, uintptr(x), uintptr(y), 0, 0, noSize|noActivate)
		}
		// A tool window has no taskbar button.
		const exStyle, toolWindow, appWindow = ^uintptr(19), 0x80, 0x40000
		style, _, _ := user.NewProc("GetWindowLongPtrW").Call(window, exStyle)
		_, _, _ = user.NewProc("SetWindowLongPtrW").Call(window, exStyle, style&^appWindow|toolWindow)
	}
	runtime.WindowShow(ctx)
	if window != 0 {
		_, _, _ = user.NewProc("SetForegroundWindow").Call(window)
	}
}
