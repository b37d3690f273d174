package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestGit_EveryKeyIsHarmless checks that all of git's settings that can name a program are made harmless, except those
// in the map safe.
func TestGit_EveryKeyIsHarmless(t *testing.T) {
	fixed, err := GitConfig(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	safe := map[string]string{
		"alias.*": "called by its name", "include.path": "the included settings are listed, too", "includeif.*.path": "the included settings are listed, too",
		"init.templatedir": "has only hooks, which are off", "receive.procreceiverefs": "names no program", "uploadpack.packobjectshook": "ignored in a repository",
		"protocol.allow": "ext is off", "protocol.*.allow": "ext is off", "remote.*.url": "ext is off", "remote.*.pushurl": "ext is off", "submodule.*.url": "ext is off", "url.*.insteadof": "ext is off",
		"url.*.pushinsteadof": "ext is off", "gc.recentobjectshook": "can't be overridden: see docs/permissions.md",
	}
	for _, pattern := range trust.GitKeys {
		name := strings.ReplaceAll(pattern, "*", "x.y")
		key, _ := harmless(name)
		isFixed := slices.ContainsFunc(fixed, func(k string) bool { return strings.EqualFold(k, name) })
		if _, ok := safe[pattern]; (key != "" || isFixed) == ok {
			t.Errorf("%s: harmless returns %q, and it is set for all repositories: %v", pattern, key, isFixed)
		}
	}
	for _, name := range []string{"user.name", "branch.main.merge", "core.autocrlf", "remote.origin.fetch"} {
		if key, _ := harmless(name); key != "" {
			t.Errorf("%s: got %s", name, key)
		}
	}
}

// TestGit_HookOfConfigurationIsOff checks that a commit succeeds without running the hook in the repository's
// configuration. Git 2.54 and later run such a hook.
func TestGit_HookOfConfigurationIsOff(t *testing.T) {
	need.Programs(t, "git")
	folder, mark := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	git := func(env []string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.test"}, args...)...)
		cmd.Dir, cmd.Env = folder, append(env, "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, args := range [][]string{{"init", "-q", "."}, {"config", "hook.x.command", "touch '" + mark + "'; exit 1"}, {"config", "hook.x.event", "pre-commit"}} {
		if out, err := git(os.Environ(), args...); err != nil {
			t.Fatal(err, out)
		}
	}
	env, err := WithoutGitPrograms(t.Context(), folder, os.Getenv("PATH"), os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := git(env, "commit", "-q", "--allow-empty", "-m", "one"); err != nil || exists(mark) {
		t.Errorf("got %v, the hook ran: %v\n%s", err, exists(mark), out)
	}
}

// TestGit_ConfigRunsNothing checks that git runs no program from the repository's configuration if the environment
// contains the settings of GitConfig.
func TestGit_ConfigRunsNothing(t *testing.T) {
	need.Programs(t, "git", "gzip")
	origin := t.TempDir()
	git := func(dir string, env []string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.test"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(env, "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+t.TempDir())
		out, _ := cmd.CombinedOutput() // many of these commands fail
		return string(out)
	}
	git(origin, os.Environ(), "init", "-q", ".")
	git(origin, os.Environ(), "commit", "-q", "--allow-empty", "-m", "one")
	for _, c := range []struct {
		key  string
		args []string
	}{
		{"remote.origin.uploadpack", []string{"fetch"}},
		{"remote.origin.receivepack", []string{"push", "origin", "HEAD:other"}},
		{"core.gitProxy", []string{"ls-remote", "git://localhost/x"}},
		{"tar.x.command", []string{"archive", "--format=x", "HEAD"}},
		{"tar.tar.gz.command", []string{"archive", "--format=tar.gz", "HEAD"}},
		{"core.fsmonitor", []string{"status"}},
		{"core.sshCommand", []string{"ls-remote", "git@localhost:x.git"}},
		{"gpg.program", []string{"commit", "-S", "--allow-empty", "-m", "x"}},
		{"gpg.ssh.program", []string{"-c", "gpg.format=ssh", "-c", "user.signingkey=key", "commit", "-S", "--allow-empty", "-m", "x"}},
		{"gpg.ssh.defaultKeyCommand", []string{"-c", "gpg.format=ssh", "commit", "-S", "--allow-empty", "-m", "x"}},
		{"core.editor", []string{"commit", "--allow-empty"}},
		{"mergetool.x.cmd", []string{"difftool", "-y", "-t", "x", "HEAD"}},
		{"difftool.x.cmd", []string{"difftool", "-y", "-t", "x", "HEAD"}},
	} {
		t.Run(c.key, func(t *testing.T) {
			dir := t.TempDir()
			folder, mark := filepath.Join(dir, "folder"), filepath.Join(dir, "ran")
			git(dir, os.Environ(), "clone", "-q", origin, folder)
			program := filepath.Join(dir, "program")
			if err := os.WriteFile(program, []byte("#!/bin/sh\necho x >> '"+mark+"'\n"), 0o700); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("a\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			git(folder, os.Environ(), "add", "-A")
			git(folder, os.Environ(), "config", c.key, program)
			if out := git(folder, os.Environ(), c.args...); !exists(mark) {
				t.Fatalf("the program doesn't run without the settings either: %s", out)
			}
			if err := os.Remove(mark); err != nil {
				t.Fatal(err)
			}
			env, err := WithoutGitPrograms(t.Context(), folder, os.Getenv("PATH"), append(os.Environ(), "GIT_ALLOW_PROTOCOL=file:git:ssh:ext"))
			if err != nil {
				t.Fatal(err)
			}
			out := git(folder, env, c.args...)
			if exists(mark) {
				t.Errorf("the program ran: %s", out)
			}
		})
	}
}
