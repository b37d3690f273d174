package sandbox

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
)

// TestCheck_CanceledEndsChildren checks that canceling a test of the sandbox, as when the app quits, ends the test's
// child processes.
func TestCheck_CanceledEndsChildren(t *testing.T) {
	w := newComputer(t)
	bin, mark := t.TempDir(), "mark-"+rand.Text()
	started := filepath.Join(bin, "started")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo bubblewrap 1 && exit\n(exec sh -c 'sleep 300; : " + mark + "') &\necho x > " + started + "\nwait\n"
	if err := os.WriteFile(filepath.Join(bin, "bwrap"), []byte(script), 0o700); err != nil { //nolint:gosec // must be executable
		t.Fatal(err)
	}
	w.s.cfg.Path = bin + ":" + w.s.cfg.Path
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.s.Check(ctx)
	}()
	w.until(func() bool { return exists(started) })
	cancel()
	w.wait(ended)
	w.until(func() bool { return !runs(mark) })
}
