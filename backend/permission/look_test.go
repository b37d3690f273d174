package permission_test

import (
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// TestBroker_SlowDiskDelaysNothingElse checks that other requests are answered while the files of a
// command are being resolved.
func TestBroker_SlowDiskDelaysNothingElse(t *testing.T) {
	r := newRecorder()
	d := newBroker(r, allow(backend.RulePrefix, "", "cat"))
	begun, disk := make(chan struct{}), make(chan struct{})
	var once sync.Once
	permission.OnInspect(d, func() {
		once.Do(func() { close(begun) })
		<-disk
	})
	slow := startAsk(t.Context(), d, command("slow", "cat a.go"))
	<-begun
	other := startAsk(t.Context(), d, edit("p", "/home/me/app/a.go"))
	<-r.requests
	if err := d.Answer(t.Context(), "p", "ao", false); err != nil {
		t.Fatal(err)
	}
	if got := <-other; got != (answer{"ao", true}) {
		t.Errorf("got %+v for the other request, want it allowed", got)
	}
	close(disk)
	if got := <-slow; got != (answer{"ao", true}) {
		t.Errorf("got %+v for the command, want it allowed by the rule", got)
	}
}

// TestBroker_RuleChangedDuringInspectionCounts checks that if a rule is added or removed while the files of a command
// are being resolved, the changed rules decide the request.
func TestBroker_RuleChangedDuringInspectionCounts(t *testing.T) {
	old := allow(backend.RulePrefix, "", "ls")
	for name, c := range map[string]struct {
		change func(d *permission.Broker) error
		state  backend.PermissionState
	}{
		"a rule that allows": {func(d *permission.Broker) error {
			_, err := d.SaveRule(t.Context(), backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "cat"}})
			return err
		}, backend.PermissionDecided},
		"a rule that denies": {func(d *permission.Broker) error {
			_, err := d.SaveRule(t.Context(), backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "cat"}})
			return err
		}, backend.PermissionDecided},
		"a rule that goes": {func(d *permission.Broker) error { return d.RemoveRule(t.Context(), old.ID) }, backend.PermissionOpen},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecorder()
			d := newBroker(r, old)
			var once sync.Once
			permission.OnInspect(d, func() {
				once.Do(func() {
					if err := c.change(d); err != nil {
						t.Error(err)
					}
				})
			})
			line := "cat a.go"
			if c.state == backend.PermissionOpen {
				line = "ls a.go"
			}
			got := startAsk(t.Context(), d, command("p", line))
			if row := <-r.requests; row.State != c.state {
				t.Errorf("got %s, want %s", row.State, c.state)
			}
			if c.state == backend.PermissionOpen {
				if err := d.Reject(t.Context(), "p", ""); err != nil {
					t.Error(err)
				}
			}
			<-got
		})
	}
}
