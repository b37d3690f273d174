package trust_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// mask returns the mask for an agent in the folder repo.
func (a *managerEnv) mask() trust.Mask {
	a.Helper()
	k, err := a.manager.Mask(a.Context(), trust.Starter{ChatID: "one", Folder: a.path("repo"), Agent: "Copilot", Agents: trust.Copilot})
	if err != nil {
		a.Fatal(err)
	}
	return k
}

func TestMask_ListsUntrustedFiles(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	if k := a.mask(); !k.IsEmpty() {
		t.Errorf("got %q in a folder without code", k.Files)
	}
	repo.write(hookFile, hook("echo trusted"))
	a.check("one", "repo", true)
	a.trust()
	repo.write(".mcp.json", `{"mcpServers":{"a":{"command":"a"}}}`)
	repo.write(".git/hooks/pre-commit", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(repo.dir, ".git/hooks/pre-commit"), 0o700); err != nil { //nolint:gosec // a hook must be executable
		t.Fatal(err)
	}
	repo.git("config", "core.sshCommand", "evil")
	k := a.mask()
	if want := []string{filepath.Join(repo.dir, ".git/hooks/pre-commit"), filepath.Join(repo.dir, ".mcp.json")}; !slices.Equal(k.Files, want) || k.IsEmpty() {
		t.Errorf("got %q, want %q", k.Files, want)
	}
}

func TestMask_CoversOnlyTheSameFiles(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	file := repo.write(hookFile, hook("echo one"))
	before := a.mask()
	if err := os.WriteFile(file, []byte(hook("echo two")), 0o600); err != nil { // the same file is still masked
		t.Fatal(err)
	}
	if !before.Covers(a.mask()) {
		t.Error("got a changed file that isn't covered")
	}
	if err := errors.Join(os.WriteFile(file+".new", []byte(hook("echo one")), 0o600), os.Rename(file+".new", file)); err != nil {
		t.Fatal(err)
	}
	if before.Covers(a.mask()) {
		t.Error("got a replaced file covered, which the agent sees")
	}
	before = a.mask()
	repo.git("config", "core.sshCommand", "evil")
	if before.Covers(a.mask()) {
		t.Error("got a new setting of git covered")
	}
}

func TestManager_OpensWithoutRunning(t *testing.T) {
	a := newManagerEnv(t)
	repo := a.subfolder("repo")
	repo.write(hookFile, hook("echo one"))
	a.check("one", "repo", true)
	a.check("two", "repo", true)
	r := a.request()
	failed := errors.New("no space")
	if err := a.manager.OpenWithoutRunning(t.Context(), r.ID, func([]string) error { return failed }); !errors.Is(err, failed) || len(a.withdrawn) > 0 {
		t.Errorf("got %v and %q, want the error and no start", err, a.withdrawn)
	}
	var masked []string
	mask := func(chatIDs []string) error { masked = chatIDs; return nil }
	repo.write(hookFile, hook("echo two"))
	if err := a.manager.OpenWithoutRunning(t.Context(), r.ID, mask); backend.CodeOf(err) != backend.CodeInvalid || masked != nil {
		t.Errorf("got %v for a changed folder, and %q masked", err, masked)
	}
	if err := a.manager.OpenWithoutRunning(t.Context(), a.request().ID, mask); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one", "two"}; !slices.Equal(masked, want) || !slices.Equal(a.withdrawn, want) {
		t.Errorf("got %q masked and %q started, want %q", masked, a.withdrawn, want)
	}
	a.expectNoRequest()
	a.check("three", "repo", true) // nothing was trusted
	if err := a.manager.OpenWithoutRunning(t.Context(), r.ID, mask); backend.CodeOf(err) == "" {
		t.Error("got an old request accepted")
	}
}
