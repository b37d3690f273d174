package hotkey

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/windows"
)

var (
	user32            = windows.NewLazySystemDLL("user32.dll")
	registerHotKey    = user32.NewProc("RegisterHotKey")
	unregisterHotKey  = user32.NewProc("UnregisterHotKey")
	getMessage        = user32.NewProc("GetMessageW")
	peekMessage       = user32.NewProc("PeekMessageW")
	postThreadMessage = user32.NewProc("PostThreadMessageW")
)

// Constants of the Windows API.
const (
	wmHotkey = 0x0312
	wmApp    = 0x8000 // posted to the thread when a function is waiting in todo

	modAlt      = 0x0001
	modControl  = 0x0002
	modShift    = 0x0004
	modWin      = 0x0008
	modNoRepeat = 0x4000
)

// message is the MSG structure of the Windows API.
type message struct {
	window  uintptr
	kind    uint32
	w, l    uintptr
	time    uint32
	x, y    int32
	private uint32
}

// thread registers keys with RegisterHotKey, which binds them to the calling thread. All calls therefore run
// on one thread, which also receives the key presses.
type thread struct {
	id   uint32
	todo chan func()
	done chan struct{}
	quit bool // used only by the thread
	next uintptr

	posting sync.Mutex
}

func open(pressed, _ func()) (system, error) {
	t := &thread{todo: make(chan func(), 1), done: make(chan struct{})}
	ready := make(chan struct{})
	go t.run(pressed, ready)
	<-ready
	return t, nil
}

func (t *thread) run(pressed func(), ready chan<- struct{}) {
	runtime.LockOSThread() // the thread exits with the goroutine
	defer close(t.done)
	t.id = windows.GetCurrentThreadId()
	var m message
	// The first call creates the thread's message queue.
	_, _, _ = peekMessage.Call(uintptr(unsafe.Pointer(&m)), 0, wmApp, wmApp, 0)
	close(ready)
	for !t.quit {
		got, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
		switch {
		case int32(got) <= 0:
			return
		case m.kind == wmHotkey:
			pressed()
		case m.kind == wmApp:
			(<-t.todo)()
		}
	}
}

// do runs a function on the thread and waits until that function returns. If the thread has exited, do returns an
// error.
func (t *thread) do(work func()) error {
	t.posting.Lock()
	defer t.posting.Unlock()
	finished := make(chan struct{})
	t.todo <- func() { work(); close(finished) }
	if posted, _, err := postThreadMessage.Call(uintptr(t.id), wmApp, 0, 0); posted == 0 {
		<-t.todo
		return err
	}
	select {
	case <-finished:
		return nil
	case <-t.done:
		return backend.Problem("the shortcut's thread has exited")
	}
}

func (t *thread) close() {
	if t.do(func() { t.quit = true }) == nil {
		<-t.done
	}
}

func (t *thread) take(_ context.Context, keys Combo) (release func(), called string, err error) {
	var id uintptr
	var failed error
	err = t.do(func() {
		t.next++
		id = t.next
		if ok, _, err := registerHotKey.Call(0, id, modifiers(keys), virtualKey(keys)); ok == 0 {
			failed = err
		}
	})
	switch {
	case err != nil:
		return nil, "", err
	case errors.Is(failed, windows.ERROR_HOTKEY_ALREADY_REGISTERED):
		return nil, "", errInUse
	case failed != nil:
		return nil, "", failed
	}
	return func() { _ = t.do(func() { _, _, _ = unregisterHotKey.Call(0, id) }) }, "", nil
}

func modifiers(k Combo) uintptr {
	mods := uintptr(modNoRepeat)
	if k.Ctrl {
		mods |= modControl
	}
	if k.Alt {
		mods |= modAlt
	}
	if k.Shift {
		mods |= modShift
	}
	if k.Super {
		mods |= modWin
	}
	return mods
}

// virtualKey returns the virtual-key code of a key.
func virtualKey(k Combo) uintptr {
	switch k.Key {
	case "Space":
		return 0x20
	case "PageUp":
		return 0x21
	case "PageDown":
		return 0x22
	case "End":
		return 0x23
	case "Home":
		return 0x24
	case "Left":
		return 0x25
	case "Up":
		return 0x26
	case "Right":
		return 0x27
	case "Down":
		return 0x28
	case "Insert":
		return 0x2d
	}
	if n := k.function(); n > 0 {
		return 0x70 + uintptr(n-1)
	}
	return uintptr(k.Key[0]) // letters and digits are their own codes
}
