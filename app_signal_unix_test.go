//go:build unix

package main

import (
	"sync"
	"syscall"
	"testing"
)

func TestASignalEndsTheAppWithoutAQuestion(t *testing.T) {
	w, _ := atWork(t)
	quit := make(chan struct{})
	w.atDesk(func(d *desktop) {
		d.quit = sync.OnceFunc(func() { close(quit) }) // it is told again where it takes its time
		d.ask = func(string, string, string, string) bool {
			t.Error("the user is asked")
			return false
		}
	})
	stop := w.app.quitOnSignals()
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-quit
	if w.app.beforeClose(t.Context()) {
		t.Error("the window stays")
	}
	for _, e := range w.events() {
		if e.QuitAsked != nil {
			t.Error("the page asks")
		}
	}
}
