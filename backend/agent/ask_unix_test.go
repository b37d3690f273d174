//go:build unix

package agent_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/agent"
)

// TestAsk_RunsInUserHome checks that Ask starts the agent in the user's home folder. The agent then doesn't read the
// settings of a repository in which VoxPilot was started, for example from a terminal.
func TestAsk_RunsInUserHome(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	t.Setenv("HOME", home)
	t.Chdir(t.TempDir())
	program := filepath.Join(t.TempDir(), "copilot")
	noErr(t, os.WriteFile(program, []byte("#!/bin/sh\npwd -P >\"$HOME/$1\"\n"), 0o700))
	l := agent.Launch{Path: program, Args: []string{"--acp"}, Env: os.Environ()}
	_, _ = agent.Ask(context.Background(), l, "test", slog.New(slog.DiscardHandler))
	if got, err := os.ReadFile(filepath.Join(home, "--acp")); err != nil || strings.TrimSpace(string(got)) != home {
		t.Errorf("got it run in %q (%v), want %s", got, err, home)
	}
}
