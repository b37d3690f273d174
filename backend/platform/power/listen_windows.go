package power

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Window messages and their parameters, named as in the Windows API.
const (
	wmDestroy          = 0x0002
	wmClose            = 0x0010
	wmQueryEndSession  = 0x0011
	wmEndSession       = 0x0016
	wmPowerBroadcast   = 0x0218
	wmWTSSessionChange = 0x02B1

	pbtSuspend         = 0x04
	pbtResumeAutomatic = 0x12

	wtsSessionUnlock = 0x8
)

var (
	user32   = windows.NewLazySystemDLL("user32.dll")
	wtsapi32 = windows.NewLazySystemDLL("wtsapi32.dll")

	registerClass   = user32.NewProc("RegisterClassExW")
	unregisterClass = user32.NewProc("UnregisterClassW")
	createWindow    = user32.NewProc("CreateWindowExW")
	defWindowProc   = user32.NewProc("DefWindowProcW")
	destroyWindow   = user32.NewProc("DestroyWindow")
	getMessage      = user32.NewProc("GetMessageW")
	dispatchMessage = user32.NewProc("DispatchMessageW")
	postMessage     = user32.NewProc("PostMessageW")
	postQuitMessage = user32.NewProc("PostQuitMessage")
	registerSuspend = user32.NewProc("RegisterSuspendResumeNotification")
	registerSession = wtsapi32.NewProc("WTSRegisterSessionNotification")
)

// windowClass is the WNDCLASSEXW structure of the Windows API.
type windowClass struct {
	size, style                        uint32
	proc                               uintptr
	classExtra, windowExtra            int32
	instance, icon, cursor, background windows.Handle
	menuName, className                *uint16
	smallIcon                          windows.Handle
}

// message is the MSG structure of the Windows API.
type message struct {
	window         windows.HWND
	message        uint32
	wParam, lParam uintptr
	time           uint32
	x, y           int32
}

const className = "VoxPilotPower"

// listen reports the messages that the system sends to a hidden window, until ctx ends. The window
// can't be message-only, because a message-only window isn't notified of the end of the session.
func listen(ctx context.Context, tell func(eventKind), log *slog.Logger) {
	runtime.LockOSThread() // a window belongs to the thread that created it
	defer runtime.UnlockOSThread()
	defer listenToAddresses(tell, log)()
	name := windows.StringToUTF16Ptr(className)
	asleep := false
	class := windowClass{className: name}
	class.size = uint32(unsafe.Sizeof(class))
	class.proc = windows.NewCallback(func(window windows.HWND, msg uint32, wParam, lParam uintptr) uintptr {
		switch msg {
		case wmPowerBroadcast:
			switch {
			case wParam == pbtSuspend && !asleep: // a registered window receives it twice
				asleep = true
				tell(sleepStarts)
			case wParam == pbtResumeAutomatic && asleep:
				asleep = false
				tell(woke)
			}
			return 1
		case wmWTSSessionChange:
			if wParam == wtsSessionUnlock {
				tell(unlocked)
			}
			return 0
		case wmQueryEndSession:
			return 1
		case wmEndSession:
			if wParam != 0 {
				tell(shutdownStarts)
			}
			return 0
		case wmClose:
			_, _, _ = destroyWindow.Call(uintptr(window))
			return 0
		case wmDestroy:
			_, _, _ = postQuitMessage.Call(0)
			return 0
		}
		r, _, _ := defWindowProc.Call(uintptr(window), uintptr(msg), wParam, lParam)
		return r
	})
	if err := loop(ctx, &class, log); err != nil {
		log.Debug("no power events from the system; detecting sleep by comparing clocks", "err", err)
		<-ctx.Done()
	}
}

// loop creates the window and processes its messages.
func loop(ctx context.Context, class *windowClass, log *slog.Logger) error {
	if atom, _, err := registerClass.Call(uintptr(unsafe.Pointer(class))); atom == 0 {
		return fmt.Errorf("RegisterClassEx: %w", err)
	}
	name := uintptr(unsafe.Pointer(class.className))
	defer func() { _, _, _ = unregisterClass.Call(name, 0) }()
	window, _, err := createWindow.Call(0, name, name, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if window == 0 {
		return fmt.Errorf("CreateWindowEx: %w", err)
	}
	// Systems with Modern Standby notify registered windows only.
	for _, ask := range []*windows.LazyProc{registerSuspend, registerSession} {
		if err := ask.Find(); err != nil {
			log.Debug("couldn't subscribe to a power event", "err", err)
		} else if ok, _, err := ask.Call(window, 0); ok == 0 {
			log.Debug("couldn't subscribe to a power event", "call", ask.Name, "err", err)
		}
	}
	stop := context.AfterFunc(ctx, func() { _, _, _ = postMessage.Call(window, wmClose, 0, 0) })
	defer stop()
	var m message
	for {
		if more, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0); int32(more) <= 0 {
			return nil
		}
		_, _, _ = dispatchMessage.Call(uintptr(unsafe.Pointer(&m)))
	}
}

// listenToAddresses reports address changes until stop is called.
func listenToAddresses(tell func(eventKind), log *slog.Logger) (stop func()) {
	var handle windows.Handle
	changed := windows.NewCallback(func(_, _, _ uintptr) uintptr {
		go tell(addressChanged) // must not block the system's thread
		return 0
	})
	if err := windows.NotifyUnicastIpAddressChange(windows.AF_UNSPEC, changed, nil, false, &handle); err != nil {
		log.Debug("couldn't subscribe to network events", "err", err)
		return func() {}
	}
	return func() { _ = windows.CancelMibChangeNotify2(handle) }
}
