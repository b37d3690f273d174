package engine

import "testing"

// Who hears that an export has ended can begin the next one.
func TestExports_NextBeginsOnceEndIsTold(t *testing.T) {
	var x exports
	begun := make(chan bool, 1)
	if !x.begin("chat", func() {}) {
		t.Fatal("it is being exported")
	}
	x.ended("chat", func() {
		go func() { begun <- x.begin("chat", func() {}) }()
	})
	if !<-begun {
		t.Error("the next export was not begun")
	}
}
