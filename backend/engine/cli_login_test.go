package engine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

// setCLILogin makes the app detect a fake CLI. If the CLI is started to sign in, it runs the shell command in login.
func setCLILogin(t *testing.T, login string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the CLI is a shell script")
	}
	program := filepath.Join(t.TempDir(), "copilot")
	script := `#!/bin/sh
case $1 in
--version) echo 1.0.102 ;;
login) ` + login + ` ;;
*)
	read line
	echo '{"jsonrpc":"2.0","id":1,"result":{"authMethods":[{"id":"l","name":"L","_meta":{"terminal-auth":{"command":"` + program + `","args":["login"]}}}]}}'
	cat >/dev/null ;;
esac
`
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(copilot.PathVar, program)
	t.Setenv("COPILOT_HOME", t.TempDir())
}

func (w *appEnv) waitForCLISignIn(what string, wanted func(backend.SignIn) bool) backend.SignIn {
	w.T.Helper()
	return *w.WaitFor(what, func(e backend.Event) bool { return e.SignIn != nil && wanted(*e.SignIn) }).SignIn
}

const showsCode = `echo 'visit https://github.com/login/device and enter code ABCD-1234'; exec sleep 600`

func TestCLILogin_ShowsCodeAndCancels(t *testing.T) {
	setCLILogin(t, showsCode)
	w := newAppEnv(t, t.TempDir())
	if err := w.App.SignInCLI(); err != nil {
		t.Fatal(err)
	}
	in := w.waitForCLISignIn("the code is shown", func(s backend.SignIn) bool { return s.Code != "" })
	want := backend.SignIn{
		State: backend.SignInWaiting, CLI: true, Code: "ABCD-1234", URL: "https://github.com/login/device",
		Output: "visit https://github.com/login/device and enter code ABCD-1234",
	}
	if in != want {
		t.Errorf("the sign-in is %+v", in)
	}
	if err := w.App.CancelSignIn(); err != nil {
		t.Fatal(err)
	}
	w.waitForCLISignIn("it is given up", func(s backend.SignIn) bool { return s.State == backend.SignInNone && s.CLI })
}

func TestCLILogin_FailureShowsOutput(t *testing.T) {
	setCLILogin(t, `echo 'Login failed: no network' >&2; exit 1`)
	w := newAppEnv(t, t.TempDir())
	if err := w.App.SignInCLI(); err != nil {
		t.Fatal(err)
	}
	in := w.waitForCLISignIn("it fails", func(s backend.SignIn) bool { return s.State == backend.SignInFailed })
	if in.Output != "Login failed: no network" || in.Message.IsZero() || in.Code != "" {
		t.Errorf("the sign-in is %+v", in)
	}
}

func TestCLILogin_QuitEndsIt(t *testing.T) {
	setCLILogin(t, showsCode)
	w := newAppEnv(t, t.TempDir())
	if err := w.App.SignInCLI(); err != nil {
		t.Fatal(err)
	}
	w.waitForCLISignIn("the code is shown", func(s backend.SignIn) bool { return s.Code != "" })
	w.Close() // fails if the sign-in doesn't end
}

func TestCLILogin_SecondReplacesFirst(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	setCLILogin(t, `echo run >>`+apptest.Quote(runs)+`; [ $(wc -l <`+apptest.Quote(runs)+`) -gt 1 ] && exit 0; `+showsCode)
	w := newAppEnv(t, t.TempDir())
	if err := w.App.SignInCLI(); err != nil {
		t.Fatal(err)
	}
	w.waitForCLISignIn("the first shows its code", func(s backend.SignIn) bool { return s.Code != "" })
	if err := w.App.SignInCLI(); err != nil {
		t.Fatal(err)
	}
	w.waitForCLISignIn("the second is done", func(s backend.SignIn) bool { return s.State == backend.SignInDone })
	for _, e := range w.Events() {
		if e.SignIn != nil && e.SignIn.CLI && e.SignIn.State == backend.SignInNone {
			t.Error("the first was told to be given up")
		}
	}
}
