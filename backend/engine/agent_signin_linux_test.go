package engine_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// authMethods are the sign-in methods of the agent in these tests.
const authMethods = `[
	{"id":"browser","name":"Sign in with the browser","description":"Opens a page.\u202e"},
	{"id":"key","name":"API key","type":"env_var","link":"https://agent.example/keys","vars":[{"name":"AGENT_KEY","label":"Key"},{"name":"AGENT_ORG","optional":true,"secret":false}]},
	{"id":"path","name":"Program path","type":"env_var","vars":[{"name":"LD_PRELOAD"}]},
	{"id":"script","name":"JavaScript link","type":"env_var","link":"javascript:alert(1)","vars":[{"name":"AGENT_KEY"}]},
	{"id":"terminal","name":"In a terminal","type":"terminal","args":["--sign-in"]},
	{"id":"hidden","name":"Hidden command","_meta":{"terminal-auth":{"command":"/bin/sh","args":["-c","rm \u202e x"]}}},
	{"id":"loader","name":"Loads code","type":"terminal","env":{"NODE_OPTIONS":"--require=/tmp/x"}},
	{"id":"denied","name":"Denied"},
	{"id":"never","name":"Never ends"},
	{"id":"browser","name":"Same ID"},
	{"id":"future","name":"Of a later version","type":"hologram"}
]`

// ownSignIn adds an agent with the methods above that refuses sessions until the user has signed in.
func (w *appEnv) ownSignIn() (profile backend.CustomAgent, file string) {
	w.T.Helper()
	file = filepath.Join(w.T.TempDir(), "signed-in")
	program := apptest.FakeAgentProgram(w.T, fakeagent.Script{
		Refuse: map[string]int{"session/new": -32000}, RefuseUntil: file, AuthMethods: authMethods, Title: "Other",
		Capabilities: `{"loadSession":true,"sessionCapabilities":{"list":{},"close":{}},"auth":{"logout":{}}}`,
	})
	// The sign-in program asks for a word and stores it.
	script, err := os.ReadFile(program)
	noErr(w.T, err)
	signIn := `if [ "$1" = --sign-in ]; then
	tty >/dev/null || exit 3
	printf 'Word, in %s columns: ' "$(stty size | cut -d' ' -f2)"
	read -r word
	case $word in
	wait) sleep 1000 & echo started; sleep 1000 ;;
	escape) env -i PATH="$PATH" setsid sh -c 'sleep 60' & echo escaped; exit 5 ;;
	wrong) exit 4 ;;
	esac
	printf %s "$word" >` + apptest.Quote(file) + `
	exit
fi
`
	text := strings.Replace(string(script), "\n", "\n"+signIn, 1)
	noErr(w.T, os.WriteFile(program, []byte(text), 0o700)) //nolint:gosec // a program
	profile, err = w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program}, nil)
	noErr(w.T, err)
	return profile, file
}

// expectEqual fails the test if got isn't equal to want.
func expectEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (w *appEnv) waitForAgentSignIn(what string, wanted func(backend.AgentSignIn) bool) backend.AgentSignIn {
	w.T.Helper()
	return *w.WaitFor(what, func(e backend.Event) bool { return e.AgentSignIn != nil && wanted(*e.AgentSignIn) }).AgentSignIn
}

// methodNamed returns the ID of the newest known method with the given ID of the agent in authMethods.
func (w *appEnv) methodNamed(agentID string) (id string) {
	w.T.Helper()
	names := map[string]string{}
	for _, m := range gjson.Parse(authMethods).Array() {
		if _, known := names[m.Get("id").String()]; !known {
			names[m.Get("id").String()] = m.Get("name").String()
		}
	}
	for _, e := range w.Events() {
		if e.AgentSignIn == nil {
			continue
		}
		for _, m := range e.AgentSignIn.Methods {
			if m.Name == names[agentID] {
				id = m.ID
			}
		}
	}
	return id
}

func inState(state backend.AgentSignInState) func(backend.AgentSignIn) bool {
	return func(s backend.AgentSignIn) bool { return s.State == state && !s.Checking }
}

func TestAgentSignIn_MethodsAreShownAsTheyAre(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, _ := w.ownSignIn()
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	s := w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	var got []string
	for _, m := range s.Methods {
		got = append(got, strings.Join([]string{string(m.Kind), m.Name, m.Description, m.Link}, "|"))
	}
	expectEqual(t, "methods", got, []string{
		"agent|Sign in with the browser|Opens a page.|",
		"env_var|API key||https://agent.example/keys",
		"unknown|Program path||",
		"env_var|JavaScript link||",
		"terminal|In a terminal||",
		"unknown|Hidden command||",
		"unknown|Loads code||",
		"agent|Denied||",
		"agent|Never ends||",
		"unknown|Of a later version||",
	})
	expectEqual(t, "can sign out", s.CanSignOut, true)
	expectEqual(t, "variables", s.Methods[1].Vars, []backend.AuthVar{{Name: "AGENT_KEY", Label: "Key", Secret: true}, {Name: "AGENT_ORG", Optional: true}})
	expectEqual(t, "arguments", s.Methods[4].Args, []string{"--sign-in"})
	for _, unusable := range []string{"path", "hidden", "loader", "future"} {
		expectEqual(t, unusable, backend.CodeOf(w.App.SignInAgent(profile.ID, w.methodNamed(unusable), nil)), backend.CodeUnavailable)
	}
	expectEqual(t, "no such method", backend.CodeOf(w.App.SignInAgent(profile.ID, "other", nil)), backend.CodeNotFound)
}

// TestAgentSignIn_WaitingMessageIsSent checks each kind of method: a message that waits for the sign-in is sent after it.
func TestAgentSignIn_WaitingMessageIsSent(t *testing.T) {
	const secret = "right-93ab1f"
	for _, c := range []struct {
		method string
		values map[string]string
		during func(w *appEnv, id string)
	}{
		{method: "browser"},
		{method: "key", values: map[string]string{"AGENT_KEY": secret}},
		{method: "terminal", during: func(w *appEnv, id string) {
			w.waitForTerminal("Word, in 80 columns: ")
			noErr(w.T, w.App.ResizeAgentTerminal(id, 100, 30))
			noErr(w.T, w.App.WriteAgentTerminal(id, "open sesame\r"))
		}},
	} {
		t.Run(c.method, func(t *testing.T) {
			w := newAppEnv(t, t.TempDir())
			profile, _ := w.ownSignIn()
			chat := w.Chat(profile.ID)
			w.Send(chat, "go")
			s := w.waitForAgentSignIn("it is needed", inState(backend.AgentSignInNeeded))
			if len(s.Methods) == 0 {
				t.Fatal("the refused agent's methods aren't known")
			}
			w.waitForConnection(chat, 0, "it needs a sign-in", func(c backend.Connection) bool { return c.State == backend.ConnectionNeedsLogin })
			noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed(c.method), c.values))
			expectEqual(t, "a second sign-in", backend.CodeOf(w.App.SignInAgent(profile.ID, w.methodNamed("never"), nil)), backend.CodeUnavailable)
			if c.during != nil {
				c.during(w, profile.ID)
			}
			w.WaitForDone("the waiting message", 1)
			done := w.waitForAgentSignIn("the sign-in", inState(backend.AgentSignInDone))
			expectEqual(t, "method", done.MethodID, w.methodNamed(c.method))
			events, err := json.Marshal(w.Events())
			noErr(t, err)
			if c.values != nil && strings.Contains(string(events), secret) {
				t.Error("an event contains the key")
			}
		})
	}
}

// waitForTerminal waits until the output of a sign-in's terminal contains a text.
func (w *appEnv) waitForTerminal(text string) {
	w.T.Helper()
	var output strings.Builder
	w.WaitFor("the terminal shows "+text, func(e backend.Event) bool {
		if e.AgentTerminal == nil {
			return false
		}
		part, err := base64.StdEncoding.DecodeString(e.AgentTerminal.Data)
		noErr(w.T, err)
		output.Write(part)
		return strings.Contains(output.String(), text)
	})
}

func TestAgentSignIn_FailureSaysWhy(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, _ := w.ownSignIn()
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	failed := func(method string) string {
		return w.waitForAgentSignIn(method, func(s backend.AgentSignIn) bool {
			return s.State == backend.AgentSignInFailed && s.MethodID == w.methodNamed(method) && !s.Message.IsZero()
		}).Message.String()
	}
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("denied"), nil))
	expectEqual(t, "denied", failed("denied"), "The agent answered: Access denied.")
	expectEqual(t, "no key", backend.CodeOf(w.App.SignInAgent(profile.ID, w.methodNamed("key"), nil)), backend.CodeInvalid)
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("key"), map[string]string{"AGENT_KEY": "wrong"}))
	expectEqual(t, "wrong key", failed("key"), "The agent answered: The key is wrong.")
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("never"), nil))
	noErr(t, w.App.CancelAgentSignIn(profile.ID))
	expectEqual(t, "canceled", failed("never"), "The sign-in was canceled.")
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("terminal"), nil))
	w.waitForTerminal("Word")
	noErr(t, w.App.WriteAgentTerminal(profile.ID, "wrong\r"))
	expectEqual(t, "exit code", failed("terminal"), "The sign-in program ended with exit code 4.")
	expectEqual(t, "closed", backend.CodeOf(w.App.WriteAgentTerminal(profile.ID, "x")), backend.CodeNotFound)
}

// TestAgentSignIn_EndsItsProcesses checks that no process of a canceled sign-in program remains.
func TestAgentSignIn_EndsItsProcesses(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, _ := w.ownSignIn()
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("terminal"), nil))
	w.waitForTerminal("Word")
	noErr(t, w.App.WriteAgentTerminal(profile.ID, "wait\r"))
	w.waitForTerminal("started")
	part, err := w.App.AgentTerminalOutput(profile.ID)
	noErr(t, err)
	text, err := base64.StdEncoding.DecodeString(part.Data)
	noErr(t, err)
	if !strings.Contains(string(text), "Word, in 80 columns: wait") {
		t.Errorf("the output for a reloaded window is %q", text)
	}
	id := w.waitForAgentSignIn("it runs", func(s backend.AgentSignIn) bool { return s.TerminalID != "" }).TerminalID
	if n := signInProcesses(t, id); n < 2 {
		t.Fatalf("%d processes of the program run, want at least 2", n)
	}
	noErr(t, w.App.CancelAgentSignIn(profile.ID))
	w.waitForAgentSignIn("it is canceled", inState(backend.AgentSignInFailed))
	expectEqual(t, "remaining processes", signInProcesses(t, id), 0)
}

// signInProcesses returns the number of processes that have the environment of a sign-in program.
func signInProcesses(t *testing.T, id string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	noErr(t, err)
	for _, path := range all {
		if env, err := os.ReadFile(path); err == nil && strings.Contains(string(env), "VOXPILOT_SIGN_IN="+id) {
			n++
		}
	}
	return n
}

// TestAgentSignIn_EscapedProcessDelaysNothing checks that a process that keeps the terminal open, and can't be found among
// those of the program, doesn't delay the end of a sign-in.
func TestAgentSignIn_EscapedProcessDelaysNothing(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, _ := w.ownSignIn()
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	noErr(t, w.App.SignInAgent(profile.ID, w.methodNamed("terminal"), nil))
	w.waitForTerminal("Word")
	noErr(t, w.App.ResizeAgentTerminal(profile.ID, 90, 30))
	noErr(t, w.App.WriteAgentTerminal(profile.ID, "escape\r"))
	w.waitForTerminal("escaped")
	began := time.Now()
	w.waitForAgentSignIn("it ends", inState(backend.AgentSignInFailed))
	if waited := time.Since(began); waited > 30*time.Second {
		t.Errorf("the sign-in ended only after %v, with the escaped process", waited)
	}
}

func TestAgentSignIn_SignOutIsNoticed(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, file := w.ownSignIn()
	noErr(t, os.WriteFile(file, nil, 0o600))
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	noErr(t, w.App.SignOutAgent(profile.ID))
	w.waitForAgentSignIn("the sign-out", func(s backend.AgentSignIn) bool { return s.Checking })
	w.waitForAgentSignIn("its end", inState(backend.AgentSignInUnknown))
	chat := w.Chat(profile.ID)
	w.Send(chat, "go")
	w.waitForAgentSignIn("it is needed", inState(backend.AgentSignInNeeded))
}

// TestAgentSignIn_EditedAgentForgetsMethods checks that a method of an earlier command can't run, or get the new
// variables, after the user has changed the agent, and that a removed agent's sign-in doesn't come back.
func TestAgentSignIn_EditedAgentForgetsMethods(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, _ := w.ownSignIn()
	noErr(t, w.App.CheckAgentSignIn(profile.ID))
	w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
	never := w.methodNamed("never")
	noErr(t, w.App.SignInAgent(profile.ID, never, nil))
	expectEqual(t, "a check meanwhile", backend.CodeOf(w.App.CheckAgentSignIn(profile.ID)), backend.CodeUnavailable)
	expectEqual(t, "a sign-out meanwhile", backend.CodeOf(w.App.SignOutAgent(profile.ID)), backend.CodeUnavailable)
	profile.Args = []string{"changed"}
	_, err := w.App.SaveProfile(profile, nil)
	noErr(t, err)
	expectEqual(t, "the earlier method", backend.CodeOf(w.App.SignInAgent(profile.ID, never, nil)), backend.CodeNotFound)
	ran := false
	s := w.waitForAgentSignIn("it is forgotten", func(s backend.AgentSignIn) bool {
		ran = ran || s.State == backend.AgentSignInRunning
		return ran && s.State == backend.AgentSignInUnknown
	})
	expectEqual(t, "methods", len(s.Methods), 0)
}
