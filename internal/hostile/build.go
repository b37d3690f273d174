package hostile

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Made is a Repository that was written to disk.
type Made struct {
	Repository
	Root string // the folder on disk
	mark string // the file that the canary creates
}

// Folder returns the path of the folder to open: the repository or, if Sub is set, that folder in it.
func (m Made) Folder() string { return filepath.Join(m.Root, filepath.FromSlash(m.Sub)) }

// Fired reports whether the canary ran.
func (m Made) Fired() bool { _, err := os.Stat(m.mark); return err == nil }

// Build writes the files and settings of all given repositories into a single repository at root and commits
// everything outside .git. If a canary runs during Build, Fired doesn't report it.
func Build(t testing.TB, root string, all ...Repository) (out []Made) {
	t.Helper()
	marks := t.TempDir()
	for i, r := range all {
		out = append(out, Made{r, root, filepath.Join(marks, strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
				return c
			}
			return '-'
		}, r.Name)+"-"+string(rune('a'+i%26)))})
	}
	git(t, root, "init", "-q", "-b", "main")
	write := func(name, text string, m Made) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "MARK", "touch "+m.mark)), 0o700); err != nil { //nolint:gosec // hooks must be executable
			t.Fatal(err)
		}
	}
	for _, m := range out {
		for _, name := range slices.Sorted(maps.Keys(m.Files)) {
			if !strings.HasPrefix(name, ".git/") {
				write(name, m.Files[name], m)
			}
		}
	}
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "Begin", "--allow-empty")
	for _, m := range out {
		for name, text := range m.Files {
			if strings.HasPrefix(name, ".git/") {
				write(name, text, m)
			}
		}
		for _, s := range m.Config {
			script := m.mark + ".sh"
			if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+m.mark+"\n"), 0o700); err != nil { //nolint:gosec // must be executable
				t.Fatal(err)
			}
			git(t, root, "config", s[0], strings.NewReplacer("MARK", "touch "+m.mark, "SCRIPT", script).Replace(s[1]))
		}
	}
	for _, m := range out {
		_ = os.Remove(m.mark)
	}
	return out
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	if out, err := Git(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// Git returns a git command that reads the repository's settings but ignores those of the user and of the system.
func Git(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return cmd
}

// Groups divides repositories into groups whose files don't conflict, so that a single run of the Copilot CLI covers a
// whole group.
func Groups(all []Repository) (out [][]Repository) {
	for _, r := range all {
		at := slices.IndexFunc(out, func(group []Repository) bool {
			return len(group) < 12 && !slices.ContainsFunc(group, func(o Repository) bool {
				if o.Sub != r.Sub || o.Tool != r.Tool {
					return true
				}
				for name, text := range r.Files {
					if other, there := o.Files[name]; there && (other != "" || text != "") {
						return true
					}
				}
				return false
			})
		})
		if at < 0 {
			out = append(out, nil)
			at = len(out) - 1
		}
		out[at] = append(out[at], r)
	}
	return out
}
