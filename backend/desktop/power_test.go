package desktop

import (
	"testing"
)

func TestSessionEnd_QuitsWithoutAsking(t *testing.T) {
	w, _ := newRunningAppEnv(t)
	quit := make(chan struct{})
	w.changeWindow(func(d *Window) { d.Quit = func() { close(quit) } })
	w.d.powerEvents().Ending()
	<-quit
	if w.d.beforeClose(t.Context()) {
		t.Error("the window stays")
	}
}
