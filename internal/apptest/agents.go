package apptest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// UseFakeAgent makes the app use a fake agent that plays the script.
func UseFakeAgent(t *testing.T, script fakeagent.Script) {
	t.Helper()
	t.Setenv(copilot.PathVar, FakeAgentProgram(t, script))
	t.Setenv("COPILOT_HOME", UseSignedInHome(t, t.TempDir()))
}

// UseSignedInHome turns the folder home into a COPILOT_HOME in which the Copilot CLI is signed in, and returns the
// path of the folder.
func UseSignedInHome(t *testing.T, home string) string {
	t.Helper()
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"lastLoggedInUser":{"host":"https://github.com","login":"octocat"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// FakeAgentProgram returns the path of a program that plays the script as an agent. The app finds and starts
// it like the real Copilot CLI, in a separate process.
func FakeAgentProgram(t *testing.T, script fakeagent.Script) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "copilot")
	if runtime.GOOS == "windows" {
		program += ".exe"
		if err := fakeagent.Copy(program, script); err != nil {
			t.Fatal(err)
		}
		return program
	}
	path, args, env := fakeagent.Command(script)
	var b strings.Builder
	b.WriteString("#!/bin/sh\n[ \"$1\" = --version ] && echo " + fakeagent.Version + " && exit\n")
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, Quote(value))
	}
	b.WriteString("exec " + Quote(path))
	for _, a := range args {
		b.WriteString(" " + Quote(a))
	}
	if err := os.WriteFile(program, []byte(b.String()+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

// Quote returns s quoted as a single shell word.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
