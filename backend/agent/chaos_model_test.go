package agent_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// failures are the ways in which a model can fail.
var failures = []struct {
	name  string
	reply practice.Reply
	words string // contained in the displayed error
	long  bool   // the CLI retries for a while
}{
	{"401", practice.Reply{practice.HTTPError(401, `{"error":{"message":"the key was revoked"}}`)}, "401", false},
	{"429", practice.Reply{practice.HTTPError(429, `{"error":{"message":"slow down"}}`, http.Header{"Retry-After": {"1"}})}, "429", true},
	{"500", practice.Reply{practice.HTTPError(500, `{"error":{"message":"out of order"}}`)}, "500", true},
	{"cut", practice.Reply{practice.Text("Half an ans"), practice.Cut()}, "", true},
}

func TestChaosModelError_FailsTurn(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		for _, f := range failures {
			if req.User() == "Fail "+f.name {
				return f.reply
			}
		}
		return practice.Reply{practice.Text("All is well.")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	w := newEnv(t, func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, nil)
	turns := map[string]*turn{}
	for _, f := range failures {
		if chaos.Long() || !f.long {
			turns[f.name] = w.start(f.name, "Fail "+f.name)
		}
	}
	result := chaos.Row(t, "The model behind the real CLI answers 401, 429, 500 or cuts its stream", len(turns))
	for _, f := range failures {
		tu := turns[f.name]
		if tu == nil {
			continue
		}
		r := w.expectEnd(tu, backend.TurnFailed)
		if r.Err == nil || r.Err.Code != backend.CodeModel || r.Err.Message.IsZero() || !strings.Contains(r.Err.Message.String()+r.Err.Detail, f.words) {
			t.Errorf("%s: %+v", f.name, r.Err)
		}
		next := w.start(f.name, "And now?")
		w.expectEnd(next, backend.TurnDone)
		equal(t, "said after "+f.name, w.answerText(next), "All is well.")
	}
	w.assertAllClosed()
	result("each turn fails with the model's message; the session answers the next one")
}

func TestChaosCopilotAllowAll_StillAsks(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "COPILOT_ALLOW_ALL=true in the environment of the app", 1)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if !req.Side() && req.Last().Role == "user" {
			return practice.Reply{practice.ToolCall("create", map[string]any{"path": req.Cwd() + "/made.txt", "file_text": "made"})}
		}
		return practice.Reply{practice.Text("ok")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	w := newEnv(t, func(w *env) agent.Launch {
		env := append(os.Environ(), "COPILOT_ALLOW_ALL=true")
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(env, model.Env(w.home)...), Home: w.home}
	}, nil)
	tu := w.start(backend.SessionMain, "Make it.")
	a := w.nextRequest()
	equal(t, "the file before the answer", w.read("made.txt"), "")
	a.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file after the answer", w.read("made.txt"), "")
	result("the real Copilot CLI still asks")
}

func TestChaosNetworkDown_LosesNoMessage(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "No network, a token in the environment of the real CLI (session/new answers -32000)", 1)
	const token = "COPILOT_GITHUB_TOKEN=gho_0123456789abcdefghijklmnopqrstuvwxyz"
	model := newMemoryModel(t, nil)
	var up atomic.Bool
	var starts, asked atomic.Int32
	w := newEnv(t, func(w *env) agent.Launch {
		env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "COPILOT_") })
		env = append(env, token, "COPILOT_HOME="+w.home)
		for _, proxy := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
			env = append(env, proxy+"=http://127.0.0.1:9") // no server listens there
		}
		if up.Load() {
			env = append(env, model.Env(w.home)...)
		}
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: env, Home: w.home, Unreached: !up.Load()}
	}, func(w *env, cfg *agent.Config) {
		withSignInReason(backend.CauseOffline, "Can't reach GitHub.", &asked)(w, cfg)
		cfg.Publish = func(events ...backend.Event) {
			for _, e := range events {
				if e.Connection != nil && e.Connection.State == backend.ConnectionRestoring {
					starts.Add(1)
				}
			}
			w.publish(events...)
		}
	})
	tu := w.start(backend.SessionMain, "one")
	w.waitFor("two tries without a start", func([]backend.Event) bool {
		c := w.agent.Connection()
		return c.State == backend.ConnectionWaiting && c.Cause == backend.CauseOffline && c.Attempt == 2 && c.PID == 0
	})
	equal(t, "starts", starts.Load(), 1)
	equal(t, "times asked", asked.Load(), 1)
	up.Store(true)
	w.expectEnd(tu, backend.TurnDone) // without user action
	equal(t, "starts", starts.Load(), 2)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	result("the message waits, nothing restarts until GitHub answers, then it is sent")
}
