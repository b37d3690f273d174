//go:build unix

package copilot

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHelpers_RunInUserHome checks that helper programs run in the user's home directory. If VoxPilot
// is started from a terminal in a repository, they must not find the repository's settings.
func TestHelpers_RunInUserHome(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Chdir(t.TempDir())
	program := filepath.Join(t.TempDir(), "copilot")
	script := "#!/bin/sh\npwd -P >\"$HOME/$1\"\n[ \"$1\" = --acp ] && read -r _ && echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'\nexit 0\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := askVersion(ctx, program); err != nil {
		t.Fatal(err)
	}
	if err := Login(ctx, program, []string{"login"}, os.Environ(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if err := Install(ctx, program, []string{"install"}, os.Environ(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	_, _, _ = LoginProgram(ctx, program, []string{"--acp"}, os.Environ()) // it offers no sign-in
	for _, call := range []string{"--version", "login", "install", "--acp"} {
		got, err := os.ReadFile(filepath.Join(home, call))
		if err != nil || strings.TrimSpace(string(got)) != home {
			t.Errorf("%s: got it run in %q (%v), want %s", call, got, err, home)
		}
	}
}
