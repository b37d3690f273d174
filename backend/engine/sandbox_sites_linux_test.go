package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestSandbox_SitesAreLookedUpOnce checks that VoxPilot doesn't run the package managers when it starts, that it runs
// them once when their sites are needed, and that it runs them again after the sandbox is tested again.
func TestSandbox_SitesAreLookedUpOnce(t *testing.T) {
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	noErr(t, os.WriteFile(filepath.Join(dir, "npm"), []byte("#!/bin/sh\necho call >> '"+calls+"'\necho 'registry = \"https://packages.example.test/\"'\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("SHELL", "")
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	ran := func(want int) {
		t.Helper()
		text, err := os.ReadFile(calls)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if got := bytes.Count(text, []byte("call")); got != want {
			t.Errorf("npm ran %d times, want %d", got, want)
		}
	}
	ran(0)
	for range 3 {
		noErr(t, w.App.FindSandboxSites())
	}
	found := func(of string) {
		t.Helper()
		s := w.WaitFor(of, func(e backend.Event) bool {
			return e.Sandbox != nil && e.Sandbox.SitesKnown && e.Sandbox.State == backend.SandboxReady
		}).Sandbox
		if len(s.Sites) == 0 || s.Sites[0].Host != "packages.example.test" {
			t.Errorf("got %+v", s.Sites)
		}
	}
	found("the sites")
	ran(1)
	noErr(t, os.Remove(calls))
	noErr(t, w.App.CheckSandbox())
	waitFor(t, "the package managers run again", func() bool {
		info, err := os.Stat(calls) // the shell creates the file before it writes to it
		return err == nil && info.Size() > 0
	})
	noErr(t, w.App.FindSandboxSites())
	ran(1)
}
