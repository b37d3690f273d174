package agent_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func equalDeep[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%v", got), fmt.Sprintf("%v", want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

// content returns a content item as a page would load it.
func (w *env) content(t *testing.T, itemID, id string) backend.Content {
	t.Helper()
	for _, it := range w.items(nil) {
		for _, c := range it.contents {
			if it.ID == itemID && c.ID == id {
				return c
			}
		}
	}
	t.Fatalf("there is no content %q of item %q", id, itemID)
	return backend.Content{}
}

// waitForText waits until the agent has sent text that starts with prefix.
func (w *env) waitForText(prefix string) {
	w.t.Helper()
	w.waitFor("the text "+prefix, func(events []backend.Event) bool {
		for _, e := range events {
			if e.Text != nil && strings.HasPrefix(e.Text.Text, prefix) {
				return true
			}
		}
		return false
	})
}

func (w *env) waitForBanner(kind backend.BannerKind) {
	w.t.Helper()
	w.waitFor("the banner "+string(kind), func(events []backend.Event) bool {
		for _, e := range events {
			if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == kind {
				return true
			}
		}
		return false
	})
}

// waitFor waits until the given condition is true. Use waitFor for conditions that no event reports.
func waitFor(t *testing.T, what string, see func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !see() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// waitForPID waits until a command has written a PID to the named file in the folder,
// and returns that PID.
func (w *env) waitForPID(name string) (pid int) {
	w.t.Helper()
	waitFor(w.t, "the file "+name, func() bool {
		n, err := strconv.Atoi(strings.TrimSpace(w.read(name)))
		pid = n
		return err == nil
	})
	return pid
}

func waitForProcessEnd(t *testing.T, pid int) {
	t.Helper()
	waitFor(t, fmt.Sprintf("the end of process %d", pid), func() bool { return !alive(pid) })
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}
