package assistant

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestWaits_OverlapCountsOnce(t *testing.T) {
	t.Parallel()
	var w waitTimes
	var asks []backend.Permission
	opens := func(id, turn string, at backend.Millis) {
		p := backend.Permission{ID: id, TurnID: turn, State: backend.PermissionOpen, CreatedAt: at}
		asks = append(asks, p)
		w.note(p, asks)
	}
	ends := func(id, turn string, at backend.Millis) {
		asks = slices.DeleteFunc(asks, func(p backend.Permission) bool { return p.ID == id })
		w.note(backend.Permission{ID: id, TurnID: turn, State: backend.PermissionDecided, DecidedAt: at}, asks)
	}
	w.begin("main", "")
	w.begin("work", "main")
	opens("a", "main", 100)
	opens("a", "main", 100) // told twice
	opens("b", "work", 150)
	ends("a", "main", 200)
	ends("b", "work", 300)
	ends("b", "work", 400)
	opens("c", "work", 500)
	opens("other", "unknown", 500)
	if got := w.end("work", 700); got != 150+200 {
		t.Errorf("the work waited %d, want 350", got)
	}
	ends("c", "work", 600) // decided while the work was being recorded
	if got := w.end("main", 1000); got != 200+100 {
		t.Errorf("the turn waited %d, want 300", got)
	}
	if got := w.end("main", 1000); got != 0 {
		t.Errorf("a turn that is not measured waited %d", got)
	}
}
