package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestGrant_CoversExactRequestOnly checks that a permission for a command covers only the arguments, environment,
// folder and program of the request. If one of them differs, the user is asked again.
func TestGrant_CoversExactRequestOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked    string
		create   fakeagent.Step
		question string // the second request's text, or "" if there is none
	}{
		"the same line":          {"./show a", createTerminal("./show a", ""), ""},
		"the same words":         {"./show 'a b'", createTerminal("./show", `,"args":["a b"]`), ""},
		"a shell of the system":  {"./show a", createTerminal("bash", `,"args":["-lc","./show a"]`), ""},
		"by its path":            {"./show a", createTerminal("/bin/bash", `,"args":["-c","./show a"]`), ""},
		"a variable for looks":   {"./show a", createTerminal("./show a", `,"env":[{"name":"CLAUDECODE","value":"1"}]`), ""},
		"the folder by its name": {"./show a", createTerminal("./show a", `,"cwd":"$CWD"`), ""},

		"a variable": {"./show a", createTerminal("./show a", `,"env":[{"name":"PATH","value":"./evil"}]`), "PATH=./evil ./show a"},
		"a variable for looks with another value": {"./show a", createTerminal("./show a", `,"env":[{"name":"TERM","value":"xterm-evil"}]`), "TERM=xterm-evil ./show a"},
		"a harmless variable":                     {"./show a", createTerminal("./show a", `,"env":[{"name":"CI","value":"1"}]`), "CI=1 ./show a"},
		"another folder":                          {"./show a", createTerminal("./show a", `,"cwd":"$CWD/evil"`), "cd $CWD/evil && ./show a"},
		"another shell":                           {"./show a", createTerminal("./evil/bash", `,"args":["-c","./show a"]`), "./evil/bash -c './show a'"},
		"more arguments":                          {"./show a", createTerminal("bash", `,"args":["--rcfile","evil/rc","-ic","./show a"]`), "bash --rcfile evil/rc -ic './show a'"},
		"other arguments":                         {"./show a b", createTerminal("./show", `,"args":["a b"]`), "./show 'a b'"},
		"another program":                         {"./show a", createTerminal("./other a", ""), "./other a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newScriptedEnv(t, requestAndRun(c.asked, c.create))
			noErr(t, os.Mkdir(w.path("evil"), 0o700))
			for _, file := range []string{"show", "other", "evil/bash", "evil/show"} {
				noErr(t, os.WriteFile(w.path(file), []byte("#!/bin/sh\necho \"$@\"\n"), 0o700)) //nolint:gosec // must be executable
			}
			tu := w.start(backend.SessionMain, "go")
			w.nextRequest().answer <- "allow_once"
			if c.question != "" {
				a := w.nextRequest()
				real, err := filepath.EvalSymlinks(w.folder)
				noErr(t, err)
				equal(t, "the question", a.permission.Command, os.Expand(c.question, func(string) string { return real }))
				a.answer <- "reject_once"
			}
			w.expectEnd(tu, backend.TurnDone)
		})
	}
}

func TestGrant_IsUsedOnce(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, requestAndRun("echo a", createTerminal("echo a", ""), createTerminal("echo a", "")))
	tu := w.start(backend.SessionMain, "go")
	w.nextRequest().answer <- "allow_once"
	a := w.nextRequest()
	equal(t, "the question", a.permission.Command, "echo a")
	a.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
}

// TestGrant_ProgramChanged checks that the agent needs another permission if the program is replaced after the request.
func TestGrant_ProgramChanged(t *testing.T) {
	t.Parallel()
	turn := requestAndRun("./show a", createTerminal("./show a", ""))
	turn = append(turn[:2:2], append(fakeagent.Turn{fakeagent.WaitFor("$CWD/go")}, turn[2:]...)...)
	w := newScriptedEnv(t, turn)
	noErr(t, os.WriteFile(w.path("a"), []byte("#!/bin/sh\n"), 0o700)) //nolint:gosec // must be executable
	noErr(t, os.WriteFile(w.path("b"), []byte("#!/bin/sh\n"), 0o700)) //nolint:gosec // must be executable
	noErr(t, os.Symlink("a", w.path("show")))
	tu := w.start(backend.SessionMain, "go")
	w.nextRequest().answer <- "allow_once"
	noErr(t, os.Remove(w.path("show")))
	noErr(t, os.Symlink("b", w.path("show")))
	w.write("go", "")
	a := w.nextRequest()
	equal(t, "the question", a.permission.Command, "./show a")
	a.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
}
