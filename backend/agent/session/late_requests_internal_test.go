package session

import (
	"fmt"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestStop_ForgetsOldestCalls(t *testing.T) {
	t.Parallel()
	s := &Session{tools: map[string]*toolItem{}}
	for i := range maxLate + 50 {
		id := fmt.Sprintf("c%d", i)
		s.tools[id] = &toolItem{isLate: true, item: backend.Item{CreatedAt: backend.Millis(i), Tool: &backend.Tool{CallID: id}}}
	}
	s.Begin(backend.Turn{})
	defer s.turnDone()
	if n := len(s.tools); n != maxLate {
		t.Errorf("got %d calls, want %d", n, maxLate)
	}
	for i, want := range map[int]bool{0: false, 49: false, 50: true, maxLate + 49: true} {
		if _, got := s.tools[fmt.Sprintf("c%d", i)]; got != want {
			t.Errorf("call %d: got %v, want %v", i, got, want)
		}
	}
}
