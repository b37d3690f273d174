package hostile_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// made is a repository on the disk.
type made struct {
	repository
	root, mark string
}

// folder is what is opened.
func (m made) folder() string { return filepath.Join(m.root, filepath.FromSlash(m.sub)) }

// fired reports whether the canary did anything.
func (m made) fired() bool { _, err := os.Stat(m.mark); return err == nil }

// build writes the files and settings of repositories into root, which is a
// repository with one commit of what is not in .git.
func build(t *testing.T, root string, all ...repository) (out []made) {
	t.Helper()
	marks := t.TempDir()
	for i, r := range all {
		out = append(out, made{r, root, filepath.Join(marks, strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
				return c
			}
			return '-'
		}, r.name)+"-"+string(rune('a'+i%26)))})
	}
	git(t, root, "init", "-q", "-b", "main")
	write := func(name, text string, m made) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "MARK", "touch "+m.mark)), 0o700); err != nil { //nolint:gosec // hooks have to be executable
			t.Fatal(err)
		}
	}
	for _, m := range out {
		for _, name := range slices.Sorted(maps.Keys(m.files)) {
			if !strings.HasPrefix(name, ".git/") {
				write(name, m.files[name], m)
			}
		}
	}
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "Begin", "--allow-empty")
	for _, m := range out {
		for name, text := range m.files {
			if strings.HasPrefix(name, ".git/") {
				write(name, text, m)
			}
		}
		for _, s := range m.config {
			script := m.mark + ".sh"
			if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+m.mark+"\n"), 0o700); err != nil { //nolint:gosec // it has to be executable
				t.Fatal(err)
			}
			git(t, root, "config", s[0], strings.NewReplacer("MARK", "touch "+m.mark, "SCRIPT", script).Replace(s[1]))
		}
	}
	return out
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := gitCommand(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

func gitCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return cmd
}

// TestRepositories_AreFoundAndStaySilent has the inventory of each repository
// taken, and its branch and changes looked at: it is to have an entry for what
// the repository can run, and nothing of it is to be run.
func TestRepositories_AreFoundAndStaySilent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
	all := repositories()
	if len(all) < 100 {
		t.Fatalf("got %d repositories, want at least 100", len(all))
	}
	result := chaos.Row(t, "Repositories that VoxPilot looks at before trust", len(all))
	places := map[string]bool{}
	for _, r := range all {
		places[r.place] = true
		t.Run(r.name, func(t *testing.T) {
			m := build(t, t.TempDir(), r)[0]
			_ = os.Remove(m.mark) // git made the repository, and may have run it
			f, err := trust.Inventory(t.Context(), m.folder(), r.agents)
			if err != nil || f.Incomplete {
				t.Fatalf("got %v, incomplete %v", err, f.Incomplete)
			}
			if !slices.ContainsFunc(f.Entries, func(e trust.Entry) bool { return e.Place == r.place }) {
				t.Errorf("got %+v, want an entry of %s", f.Entries, r.place)
			}
			workspace.Describe(t.Context(), os.Getenv("PATH"), m.folder(), true)
			if m.fired() {
				t.Error("got the canary run before anything was trusted")
			}
		})
	}
	for _, p := range trust.Places {
		if !p.Steers && !places[p.ID] {
			t.Errorf("got no repository with something at %s (%s)", p.Path, p.ID)
		}
	}
	result("each found in the inventory, %d places; no canary ran", len(places))
}

// TestRepositories_FireInGit is the control of those that git runs.
func TestRepositories_FireInGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
	all := slices.DeleteFunc(repositories(), func(r repository) bool { return r.fires != byGit })
	result := chaos.Row(t, "Repositories in which git runs something, as the control", len(all))
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			m := build(t, t.TempDir(), r)[0]
			_ = os.Remove(m.mark)
			if text, ok := r.files["a.txt"]; ok && text != "" {
				if err := os.WriteFile(filepath.Join(m.root, "a.txt"), []byte("another\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, err := gitCommand(t, m.root, r.git...).CombinedOutput()
			if !m.fired() {
				t.Errorf("git %v: got nothing run, so its silence elsewhere shows nothing: %v %s", r.git, err, out)
			}
		})
	}
	result("each canary ran")
}
