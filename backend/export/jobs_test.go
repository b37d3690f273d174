package export

import "testing"

// Who hears that an export has ended can begin the next one.
func TestExports_NextBeginsOnceEndIsTold(t *testing.T) {
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
