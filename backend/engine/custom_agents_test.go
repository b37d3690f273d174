package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// newRecordingAgent returns the program of an agent that follows the script, and the
// file to which the agent writes its environment.
func newRecordingAgent(t *testing.T, script fakeagent.Script) (program, envFile string) {
	t.Helper()
	script.Env = filepath.Join(t.TempDir(), "environment")
	return apptest.FakeAgentProgram(t, script), script.Env
}

// promptTexts returns the text blocks of each prompt that an agent received. calls is the path of the
// file in which the agent recorded its calls.
func promptTexts(t *testing.T, calls string) (all [][]string) {
	t.Helper()
	data, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var call struct {
			Method string
			Params struct{ Prompt []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		if call.Method != "session/prompt" {
			continue
		}
		var blocks []string
		for _, b := range call.Params.Prompt {
			blocks = append(blocks, b.Text)
		}
		all = append(all, blocks)
	}
	return all
}

func TestAgent_CustomHasOwnEnvironment(t *testing.T) {
	const secret = "marked-value-93ab1f"
	t.Setenv("GITHUB_TOKEN", "marked-github")
	t.Setenv("GH_ENTERPRISE_TOKEN", "marked-github")
	t.Setenv("COPILOT_GITHUB_TOKEN", "marked-github")
	t.Setenv("COPILOT_MODEL", "marked-github")
	t.Setenv(copilot.PathVar, filepath.Join(t.TempDir(), "no-copilot")) // the agent doesn't need the CLI
	program, envFile := newRecordingAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello")}})
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "  Other\nagent ", Command: filepath.Base(program), Env: []string{"OTHER_KEY", "OTHER_MODE"}, Home: filepath.Join(t.TempDir(), "home")},
		map[string]string{"OTHER_KEY": secret, "OTHER_MODE": "careful", "NOT_NAMED": "dropped"})
	if err != nil {
		t.Fatal(err)
	}
	if p.ID == "" || p.Name != "Other agent" || p.Key == backend.KeyNone {
		t.Errorf("the profile is %+v", p)
	}
	chat := w.Chat(p.ID)
	w.Send(chat, "hello?")
	w.WaitForDone("the turn", 1)
	for _, e := range w.Events() {
		if c := e.Connection; c != nil && c.TokenChecked {
			t.Errorf("its sign-in counts as checked: %+v", *c)
		}
		if s := e.Session; s != nil && s.Home != p.Home {
			t.Errorf("its session is in %q", s.Home)
		}
	}
	env, err := os.ReadFile(envFile)
	if err != nil {
		t.Fatal(err)
	}
	for want, is := range map[string]bool{
		"OTHER_KEY=" + secret: true, "OTHER_MODE=careful": true, "COPILOT_HOME=" + p.Home: true,
		"marked-github": false, "NOT_NAMED": false,
	} {
		if strings.Contains(string(env), want) != is {
			t.Errorf("whether %q is in its envFile is not %v", want, is)
		}
	}

	// "" keeps the stored value. Variables that aren't listed are deleted.
	p.Env = []string{"OTHER_KEY"}
	if p, err = w.App.SaveProfile(p, map[string]string{"OTHER_KEY": ""}); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "again")
	w.WaitForDone("the second turn", 2)
	if env, err = os.ReadFile(envFile); err != nil || !strings.Contains(string(env), secret) || strings.Contains(string(env), "OTHER_MODE") {
		t.Errorf("after the change its envFile is %s, %v", env, err)
	}
	w.App.Log.Error("page: " + "a page that prints " + secret)
	if err := w.App.DeleteProfile(p.ID); err != nil {
		t.Fatal(err)
	}
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	if _, place, err := e.Keys().Get(t.Context(), keychain.Entry{Service: keychain.Service, Account: "profile/" + p.ID}); err == nil {
		t.Errorf("the values are still in %s", place)
	}
	w.Close()
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if strings.Contains(string(body), secret) {
			t.Errorf("the value is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAgent_MissingProgramNamesSearchPath(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: "no-such-agent"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(w.Chat(p.ID), "hello?")
	c := w.WaitFor("it cannot start", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionFailed
	}).Connection
	if c.Cause != backend.CauseProviderMissing || !strings.Contains(c.Message.String(), "Can't find the program no-such-agent for Other") || len(c.Searched) == 0 {
		t.Errorf("the connection is %+v", *c)
	}
}

func TestResponder_SwitchSendsQueueOnce(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("copilot: $PROMPT")}, Calls: calls})
	other := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("the answer of the other")}})
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: other, Home: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	chat := w.Chat(p.ID)
	w.Send(chat, "the first request")
	w.WaitForDone("the turn", 1)
	if err := w.App.DeleteProfile(p.ID); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "and now?")
	c := w.WaitFor("nobody answers", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionFailed
	}).Connection
	if c.Cause != backend.CauseProviderMissing || c.Message.String() != "This chat's model or agent was removed in Settings. Choose another one to continue. The conversation is kept." {
		t.Errorf("the connection is %+v", *c)
	}
	if err := w.App.SetProvider(chat.ID, "nobody"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("nobody is taken as an answerer: %v", err)
	}
	if err := w.App.SetProvider(chat.ID, backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the second turn, which waited", 2)
	got := promptTexts(t, calls)
	if len(got) != 1 || len(got[0]) != 2 || got[0][1] != "and now?" {
		t.Fatalf("Copilot got %q", got)
	}
	for _, part := range []string{"This is a summary from VoxPilot", "> the first request", "> the answer of the other"} {
		if !strings.Contains(got[0][0], part) {
			t.Errorf("%q is missing in what it was told:\n%s", part, got[0][0])
		}
	}
	banner := w.WaitFor("a rule tells of it", func(e backend.Event) bool { return e.Item != nil && e.Item.Banner != nil }).Item.Banner
	if banner.Kind != backend.BannerSessionLost || !banner.Dismissed || banner.Recap != got[0][0] {
		t.Errorf("the banner is %+v", *banner)
	}
	if strings.Contains(got[0][0], "and now?") {
		t.Errorf("the summary has the request that follows it:\n%s", got[0][0])
	}
	if got := w.Text(chat.ID, backend.ItemUser); !cmp.Equal(got, []string{"the first request", "and now?"}) {
		t.Errorf("the transcript has %q", got)
	}
}

func TestResponder_FixedDuringTurn(t *testing.T) {
	w, chat := newRunningAppEnv(t)
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Address: "127.0.0.1:9"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.SetProvider(chat.ID, p.ID); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("changing it: %v", err)
	}
	if err := w.App.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it stops", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	if err := w.App.SetProvider(chat.ID, p.ID); err != nil {
		t.Error(err)
	}
}

func TestProfile_InvalidIsExplained(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	if _, err := w.App.SaveProfile(backend.CustomAgent{Name: strings.Repeat("ü", 100), Command: "x"}, nil); err != nil {
		t.Errorf("a name of 100 characters: %v", err)
	}
	good, err := w.App.SaveProfile(backend.CustomAgent{Name: "Good", Address: " localhost:4567 ", Args: []string{"of no use"}, Env: []string{"NOR_THIS"}}, nil)
	if err != nil || good.Address != "localhost:4567" || len(good.Args)+len(good.Env) != 0 {
		t.Fatalf("a good one: %+v, %v", good, err)
	}
	for name, test := range map[string]struct {
		profile backend.CustomAgent
		env     map[string]string
		code    backend.Code
	}{
		"no name":              {profile: backend.CustomAgent{Command: "x"}},
		"a long name":          {profile: backend.CustomAgent{Name: strings.Repeat("x", 101), Command: "x"}},
		"neither":              {profile: backend.CustomAgent{Name: "X"}},
		"both":                 {profile: backend.CustomAgent{Name: "X", Command: "x", Address: "localhost:1"}},
		"no port":              {profile: backend.CustomAgent{Name: "X", Address: "localhost"}},
		"port 0":               {profile: backend.CustomAgent{Name: "X", Address: "localhost:0"}},
		"no host":              {profile: backend.CustomAgent{Name: "X", Address: ":4567"}},
		"a relative program":   {profile: backend.CustomAgent{Name: "X", Command: filepath.Join("bin", "x")}},
		"two lines":            {profile: backend.CustomAgent{Name: "X", Command: "x\ny"}},
		"many arguments":       {profile: backend.CustomAgent{Name: "X", Command: "x", Args: make([]string, 101)}},
		"a long argument":      {profile: backend.CustomAgent{Name: "X", Command: "x", Args: []string{strings.Repeat("x", 4097)}}},
		"a bad variable":       {profile: backend.CustomAgent{Name: "X", Command: "x", Env: []string{"A=B"}}, env: map[string]string{"A=B": "x"}},
		"one variable twice":   {profile: backend.CustomAgent{Name: "X", Command: "x", Env: []string{"A", "A"}}, env: map[string]string{"A": "x"}},
		"a variable with none": {profile: backend.CustomAgent{Name: "X", Command: "x", Env: []string{"A"}}},
		"no questions":         {profile: backend.CustomAgent{Name: "X", Command: "x", Env: []string{"copilot_allow_all"}}, env: map[string]string{"copilot_allow_all": "true"}},
		"a relative home":      {profile: backend.CustomAgent{Name: "X", Command: "x", Home: "home"}},
		"one that is gone":     {profile: backend.CustomAgent{ID: "nobody", Name: "X", Command: "x"}, code: backend.CodeNotFound},
	} {
		want := test.code
		if want == "" {
			want = backend.CodeInvalid
		}
		if _, err := w.App.SaveProfile(test.profile, test.env); backend.CodeOf(err) != want || err.Error() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.App.DeleteProfile("nobody"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("deleting one that doesn't exist: %v", err)
	}
}

func TestAgent_ConnectsToAddress(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Nobody there", Address: "127.0.0.1:9"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(w.Chat(p.ID), "hello?")
	c := w.WaitFor("nobody answers there", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.Cause == backend.CauseUnreachable
	}).Connection
	if !strings.Contains(c.Path+c.Message.String(), "127.0.0.1:9") {
		t.Errorf("the connection is %+v", *c)
	}
}
