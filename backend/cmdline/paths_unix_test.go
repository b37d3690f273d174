//go:build unix

package cmdline_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestBeyond_DoesNotOpenPipes checks that pipes aren't opened, because opening one that
// has no writer would block forever.
func TestBeyond_DoesNotOpenPipes(t *testing.T) {
	folder := newProject(t)
	noErr(t, syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600))
	if why := beyond(t, folder, "cat", "cat pipe/*"); why != "" {
		t.Errorf("got %q, want no reason: there is nothing in a pipe", why)
	}
	if why := beyond(t, folder, "cat", "cat ../pipe/*"); why == "" {
		t.Error("a pattern outside of the folder is covered")
	}
}
