package export

import "testing"

// TestExports_NextStartsAfterEndEvent checks that once an export has published its end event, another export can
// start.
func TestExports_NextStartsAfterEndEvent(t *testing.T) {
	var x Jobs
	begun := make(chan bool, 1)
	if !x.Begin("chat", func() {}) {
		t.Fatal("it is being exported")
	}
	x.End("chat", func() {
		go func() { begun <- x.Begin("chat", func() {}) }()
	})
	if !<-begun {
		t.Error("the next export was not begun")
	}
}
