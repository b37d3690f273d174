//go:build unix

package desktop

import (
	"sync"
	"syscall"
	"testing"
)

func TestSignal_QuitsWithoutAsking(t *testing.T) {
	w, _ := newRunningAppEnv(t)
	quit := make(chan struct{})
	w.changeWindow(func(d *Window) {
		d.Quit = sync.OnceFunc(func() { close(quit) }) // it is called again if quitting takes long
		d.Ask = func(string, string, string, string) bool {
			t.Error("the user is asked")
			return false
		}
	})
	stop := w.d.QuitOnSignals()
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-quit
	if w.d.beforeClose(t.Context()) {
		t.Error("the window stays")
	}
	for _, e := range w.Events() {
		if e.QuitRequested != nil {
			t.Error("the page asks")
		}
	}
}
