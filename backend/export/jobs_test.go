package export

import "testing"

// TestExports_NextStartsAfterEndEvent checks that the next export can start once an export's end event has been
// published.
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
