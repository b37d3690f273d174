package eventbus_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func TestQueue_JoinsOnlyIndependentEvents(t *testing.T) {
	permission := func(state backend.PermissionState, raw string, commands ...string) backend.Event {
		p := &backend.Permission{ID: "p", ChatID: "c", ItemID: "a", State: state, Commands: commands}
		if raw != "" {
			p.Raw = []byte(raw)
		}
		return backend.Event{Permission: p}
	}
	session := func(name, mode string) backend.Event {
		return backend.Event{Session: &backend.Session{ChatID: "c", Name: name, Mode: mode}}
	}
	for name, test := range map[string]struct{ published, applied []backend.Event }{
		"text that follows": {
			[]backend.Event{text("a", 0, "one "), text("a", 4, "two "), text("a", 8, "three")},
			[]backend.Event{text("a", 0, "one two three")},
		},
		"text of two items": {
			[]backend.Event{text("a", 0, "one "), text("b", 0, "eins "), text("a", 4, "two"), text("b", 5, "zwei")},
			[]backend.Event{text("a", 0, "one two"), text("b", 0, "eins zwei")},
		},
		"text that does not follow": {
			[]backend.Event{text("a", 0, "one "), text("a", 2, "e "), text("a", 9, "gap"), text("a", 12, " on")},
			[]backend.Event{text("a", 0, "one "), text("a", 2, "e "), text("a", 9, "gap on")},
		},
		"text around its item": {
			[]backend.Event{item("a", 0), text("a", 0, "one "), item("b", 0), text("a", 4, "two"), item("a", 1), text("a", 7, "late")},
			[]backend.Event{item("a", 0), text("a", 0, "one two"), item("b", 0), item("a", 1), text("a", 7, "late")},
		},
		"items": {
			[]backend.Event{item("a", 1), item("b", 1), item("a", 2), item("b", 2), item("a", 3)},
			[]backend.Event{item("a", 3), item("b", 2)},
		},
		"bodies": {
			[]backend.Event{content("x", 1, "one"), item("a", 1), content("x", 2, "two"), content("x", 3, "")},
			[]backend.Event{content("x", 3, "two"), item("a", 1)},
		},
		"a decision keeps what the request had": {
			[]backend.Event{permission(backend.PermissionOpen, "raw", "ls"), permission(backend.PermissionDecided, "")},
			[]backend.Event{permission(backend.PermissionDecided, "raw", "ls")},
		},
		"connections of two chats": {
			[]backend.Event{connection("c", backend.ConnectionChecking), connection("d", backend.ConnectionChecking), connection("c", backend.ConnectionStarting), connection("c", backend.ConnectionReady)},
			[]backend.Event{connection("c", backend.ConnectionReady), connection("d", backend.ConnectionChecking)},
		},
		"sessions by name": {
			[]backend.Event{session("main", "1"), session("other", "1"), session("main", "2")},
			[]backend.Event{session("main", "2"), session("other", "1")},
		},
		"a thing that goes and comes": {
			[]backend.Event{queued("q", "1"), queued("q", "2"), {QueuedDeleted: &backend.Deleted{ID: "q"}}, queued("q", "3"), queued("q", "4")},
			[]backend.Event{queued("q", "2"), {QueuedDeleted: &backend.Deleted{ID: "q"}}, queued("q", "4")},
		},
		"nothing across a chat that goes": {
			[]backend.Event{chat("c", "1"), item("a", 1), text("a", 0, "one "), chatRemoved("c"), chat("c", "2"), item("a", 2), text("a", 4, "two")},
			[]backend.Event{chat("c", "1"), item("a", 1), text("a", 0, "one "), chatRemoved("c"), chat("c", "2"), item("a", 2), text("a", 4, "two")},
		},
		"answers one by one": {
			[]backend.Event{{DialogResult: &backend.DialogResult{Request: "1"}}, {DialogResult: &backend.DialogResult{Request: "2"}}},
			[]backend.Event{{DialogResult: &backend.DialogResult{Request: "1"}}, {DialogResult: &backend.DialogResult{Request: "2"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newEnv(t)
				defer d.close()
				d.bus.Publish(test.published...)
				synctest.Wait()
				if diff := cmp.Diff([][]string{names(test.applied)}, d.takeApplied()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}
