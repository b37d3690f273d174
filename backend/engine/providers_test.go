package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

func TestKey_NotStoredInFiles(t *testing.T) {
	const key = "marked-key-7f3a9c"
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	p, err := w.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1/", Model: "m"}, key)
	if err != nil {
		t.Fatal(err)
	}
	if p.Key == backend.KeyNone || p.BaseURL != "http://127.0.0.1:9/v1" {
		t.Errorf("the provider is %+v", p)
	}
	if err := w.App.CheckProvider(p.ID); err != nil {
		t.Fatal(err)
	}
	checked := w.WaitFor("the check ends", func(e backend.Event) bool { return e.Provider != nil && e.Provider.CheckedAt != 0 })
	if checked.Provider.Check.IsZero() {
		t.Error("an endpoint that nobody serves was found well")
	}
	w.App.Log.Error("page: " + "a page that prints " + key)
	if err := w.App.DeleteProvider(p.ID); err != nil {
		t.Fatal(err)
	}
	w.Close()
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if strings.Contains(string(body), key) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestKey_RedactedInAgentOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the CLI is a shell script")
	}
	const key = "marked-key-51d07e"
	program := filepath.Join(t.TempDir(), "copilot")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.0.102 && exit\necho \"it was $COPILOT_PROVIDER_API_KEY\" >&2\nexit 3\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, key)
	if err != nil {
		t.Fatal(err)
	}
	chat, err := w.App.CreateChat(t.TempDir(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.App.Send(chat.ID, "go", nil); err != nil {
		t.Fatal(err)
	}
	c := w.WaitFor("the agent ends", func(e backend.Event) bool { return e.Connection != nil && e.Connection.Stderr != "" }).Connection
	if !strings.HasPrefix(c.Stderr, "it was ") || strings.Contains(c.Stderr, key) {
		t.Errorf("stderr is shown as %q", c.Stderr)
	}
}

func TestKey_NewOneUsedFromNextMessage(t *testing.T) {
	calls, envFile := filepath.Join(t.TempDir(), "calls"), filepath.Join(t.TempDir(), "environment")
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("hello")}}, Calls: calls, Env: envFile})
	started := func(n int, key string) {
		t.Helper()
		env, err := os.ReadFile(envFile)
		if !strings.Contains("\n"+string(env), "\nCOPILOT_PROVIDER_API_KEY="+key+"\n") {
			t.Errorf("the agent was not started with %s, %v", key, err)
		}
		if got := requestCount(t, calls, "initialize"); got != n {
			t.Errorf("the agent was started %d times, want %d", got, n)
		}
	}
	w := newAppEnv(t, t.TempDir())
	p, err := w.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, "first-key")
	if err != nil {
		t.Fatal(err)
	}
	chat, err := w.App.CreateChat(t.TempDir(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		t.Helper()
		turns := map[string]bool{}
		for _, e := range w.Events() {
			if e.Turn != nil {
				turns[e.Turn.ID] = true
			}
		}
		if _, err := w.App.Send(chat.ID, text, nil); err != nil {
			t.Fatal(err)
		}
		w.WaitFor("the turn ends", func(e backend.Event) bool {
			return e.Turn != nil && !turns[e.Turn.ID] && e.Turn.State == backend.TurnDone
		})
	}
	say("one")
	say("two") // in the same process
	started(1, "first-key")
	if p, err = w.App.SaveProvider(p, "second-key"); err != nil {
		t.Fatal(err)
	}
	say("three")
	started(2, "second-key")
	settings := backend.DefaultSettings()
	settings.OrchestratorID = p.ID
	noErr(t, w.App.SaveSettings(settings))
	if err := w.App.DeleteProvider(p.ID); err != nil {
		t.Fatal(err)
	}
	if e, err := w.App.Engine(); err != nil || e.Setup.Settings().OrchestratorID != "" {
		t.Errorf("new chats are still for a model that is gone, %v", err)
	}
	if _, err := w.App.Send(chat.ID, "four", nil); err != nil {
		t.Fatal(err)
	}
	c := w.WaitFor("it cannot start", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionFailed
	}).Connection
	if c.Cause != backend.CauseProviderMissing || c.Message.IsZero() {
		t.Errorf("the connection is %+v", c)
	}
}

func TestKey_ChatKeepsSessionHome(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	t.Setenv("COPILOT_HOME", "")
	dir, first, second := t.TempDir(), apptest.UseSignedInHome(t, t.TempDir()), apptest.UseSignedInHome(t, t.TempDir())
	w := newAppEnv(t, dir)
	settings := backend.DefaultSettings()
	settings.CopilotHome = first
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	chat, err := w.App.CreateChat(t.TempDir(), backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	done := func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone }
	if _, err := w.App.Send(chat.ID, "one", nil); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the turn ends", done)
	settings.CopilotHome = second
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	w.Close()

	w = newAppEnv(t, dir)
	if _, err := w.App.Send(chat.ID, "two", nil); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the turn ends", done)
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerSessionLost {
			t.Error("the session was lost")
		}
		if e.Session != nil && e.Session.Home != first {
			t.Errorf("the session is in %q", e.Session.Home)
		}
	}
}

func TestKey_RemovedIfModelUnsaved(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, "the-first-key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Keys().Delete(context.Background(), keyOf(kept.ID)) })
	if err := e.Bus.Close(t.Context()); err != nil { // from now on nothing can be saved
		t.Fatal(err)
	}
	if _, err := w.App.SaveProvider(kept, "another-key"); backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("saving the model again: %v", err)
	}
	if key, _, err := e.Keys().Get(t.Context(), keyOf(kept.ID)); key != "the-first-key" || err != nil {
		t.Errorf("its key is %q, %v", key, err)
	}
	fresh, err := w.App.SaveProvider(backend.Provider{Name: "Other", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, "a-new-key")
	if backend.CodeOf(err) != backend.CodeStorage {
		t.Errorf("saving a new model: %v", err)
	}
	if _, place, err := e.Keys().Get(t.Context(), keyOf(fresh.ID)); err == nil {
		t.Errorf("its key is in %s", place)
	}
}

func TestModel_CheckedBeforeKeyIsSaved(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	// The Key that the page sends is ignored; the entry in the keychain determines it.
	p := backend.Provider{Name: "Mine", BaseURL: "http://127.0.0.1:9/v1", Model: "m", Key: backend.KeyKeychain, Headers: map[string]string{"Authorization": "Bearer mine"}}
	if _, err := w.App.SaveProvider(p, ""); err != nil {
		t.Errorf("a header that stands for the key is refused: %v", err)
	}
	bad, err := w.App.SaveProvider(p, "and a key")
	if backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a key and a header: %v", err)
	}
	if _, place, err := e.Keys().Get(t.Context(), keychain.Entry{Service: keychain.Service, Account: "provider/" + bad.ID}); err == nil {
		t.Errorf("the key of what was refused is in %s", place)
	}
	p.ID = "nobody"
	if _, err := w.App.SaveProvider(p, ""); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a model that doesn't exist: %v", err)
	}
}

func TestModel_ContextSizeLearnedUnlessSet(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"id":"small","context_length":4096},{"id":"large","context_length":131072}]}`)
	}))
	defer s.Close()
	w := newAppEnv(t, t.TempDir())
	var p backend.Provider
	for _, step := range []struct {
		change func()
		want   int64
	}{
		{func() { p = backend.Provider{Name: "Mine", BaseURL: s.URL + "/v1", Model: "large"} }, 131072},
		{func() { p.Model = "small" }, 4096},
		{func() { p.Context = 8192 }, 8192},
	} {
		step.change()
		var err error
		if p, err = w.App.SaveProvider(p, ""); err != nil {
			t.Fatal(err)
		}
		before := p.CheckedAt
		if err := w.App.CheckProvider(p.ID); err != nil {
			t.Fatal(err)
		}
		p = *w.WaitFor("the check ends", func(e backend.Event) bool {
			return e.Provider != nil && e.Provider.CheckedAt > before
		}).Provider
		if p.Context != step.want {
			t.Errorf("%s: %d tokens fit, want %d", p.Model, p.Context, step.want)
		}
	}
}

// keyOf returns the keychain entry in which a model's API key is stored.
func keyOf(id string) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: "provider/" + id}
}
