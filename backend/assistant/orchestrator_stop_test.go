package assistant_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestStop_EndsEverythingTurnStarted(t *testing.T) {
	for name, c := range map[string]struct {
		replies func(began chan struct{}) []reply
		want    []string
	}{
		"while the model thinks": {
			func(began chan struct{}) []reply { return []reply{replyBlocking(began)} }, nil,
		},
		"while the answer comes": {
			func(began chan struct{}) []reply { return []reply{replyBlocking(began, "Half of")} }, []string{"message: Half of"},
		},
		"while tools run": {
			func(chan struct{}) []reply {
				return []reply{replyCalls(llm.Call{ID: "a", Name: "grep", Arguments: `{"pattern":"x"}`}, delegateCall("b", "one"), delegateCall("c", "one"))}
			},
			[]string{"tool: search, x, cancelled, "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			began := make(chan struct{})
			w := newOrchestratorEnv(t, c.replies(began)...)
			searching := make(chan struct{})
			w.tools["grep"] = func(ctx context.Context, _ assistant.ToolCall) assistant.ToolResult {
				close(searching)
				<-ctx.Done()
				return assistant.ToolResult{IsError: true, Text: "stopped"}
			}
			w.tools["copilot_agent"] = func(ctx context.Context, c assistant.ToolCall) assistant.ToolResult {
				if c.ID != "b" {
					t.Error("work begins after the stop")
				}
				<-searching // the other call has its row before the stop
				close(began)
				<-ctx.Done()
				return assistant.ToolResult{IsError: true, Text: "stopped"}
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-began; cancel() }()
			turn, _ := w.prompt(ctx, "Go")
			if turn.State != backend.TurnStopped || turn.StopReason != "cancelled" || turn.SentAt == 0 {
				t.Errorf("ended as %+v", turn)
			}
			if diff := cmp.Diff(c.want, w.transcriptLines()); diff != "" {
				t.Error("(-want +got):\n", diff)
			}
		})
	}
}

func TestStop_BeforeModelCallLeavesUnsent(t *testing.T) {
	for name, commit := range map[string]func(context.CancelFunc, func(...backend.Event), []backend.Event) error{
		"before it was durable": func(cancel context.CancelFunc, _ func(...backend.Event), _ []backend.Event) error {
			cancel()
			return errTest
		},
		"after it was": func(cancel context.CancelFunc, publish func(...backend.Event), events []backend.Event) error {
			publish(events...)
			cancel()
			return nil
		},
	} {
		w := newOrchestratorEnv(t)
		ctx, cancel := context.WithCancel(t.Context())
		w.cfg.Commit = func(_ context.Context, events ...backend.Event) error { return commit(cancel, w.publish, events) }
		if turn, _ := w.prompt(ctx, "Hi"); turn.State != backend.TurnStopped || turn.SentAt != 0 {
			t.Errorf("%s: ended as %+v", name, turn)
		}
	}
}

func rateLimited(d time.Duration) *llm.Failure {
	f := failure(llm.KindRate, "Test AI is rate-limiting requests. Try again in a few minutes. Your message is saved.")
	f.RetryAfter = d
	return f
}

func TestRateLimit_RetriesAfterWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOrchestratorEnv(t, replyFailure(rateLimited(42*time.Second)), replyFailure(rateLimited(0)), replyText("Good day"))
		began := time.Now()
		ended := make(chan backend.Turn)
		go func() { turn, _ := w.prompt(t.Context(), "Hi"); ended <- turn }()
		for i, want := range []time.Duration{42 * time.Second, 42*time.Second + 30*time.Second} {
			synctest.Wait()
			it, ok := w.openItem(backend.ItemBanner)
			if !ok || it.Banner.Kind != backend.BannerRateLimited || it.Banner.Detail.String() != "Test AI" || it.Banner.NextTryAt != backend.Millis(began.Add(want).UnixMilli()) {
				t.Fatalf("pause %d: shown %+v, %+v, want until %v", i+1, it, it.Banner, want)
			}
			time.Sleep(want - time.Since(began))
		}
		if turn := <-ended; turn.State != backend.TurnDone {
			t.Errorf("ended as %+v", turn)
		}
		if diff := cmp.Diff([]string{"banner: rate_limited, Test AI", "banner: rate_limited, Test AI", "message: Good day"}, w.transcriptLines()); diff != "" {
			t.Error("(-want +got):\n", diff)
		}
	})
}

func TestRateLimit_SwitchingModelContinuesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOrchestratorEnv(t, replyFailure(rateLimited(9*time.Minute)), replyText("Good day"))
		w.others = map[string]backend.Provider{"other": {Name: "Other AI", Model: "o-1", Context: 50_000}}
		began := time.Now()
		ended := make(chan backend.Turn)
		go func() { turn, _ := w.prompt(t.Context(), "Hi"); ended <- turn }()
		synctest.Wait()
		w.orchestrator.OrchestratorSelected("another chat", "other")
		synctest.Wait()
		if _, waits := w.openItem(backend.ItemBanner); !waits {
			t.Error("what is chosen for another chat ends the pause of this one")
		}
		w.orchestrator.OrchestratorSelected("chat", "other")
		turn := <-ended
		if turn.State != backend.TurnDone || turn.OrchestratorID != "other" || turn.Usage.ContextSize != 37_500 || time.Since(began) > 0 {
			t.Errorf("ended after %v as %+v with %+v", time.Since(began), turn, turn.Usage)
		}
		if req := w.request(1); req.Provider.Model != "o-1" || req.Key != "another key" {
			t.Errorf("%s is asked with %q", req.Provider.Model, req.Key)
		}
		if diff := cmp.Diff([]string{"banner: rate_limited, Test AI", "message: Good day"}, w.transcriptLines()); diff != "" {
			t.Error("(-want +got):\n", diff)
		}
		w.orchestrator.OrchestratorSelected("chat", "other") // no turn is waiting now
	})
}

func TestRateLimit_OtherModelOfSameMainAI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOrchestratorEnv(t, replyFailure(rateLimited(9*time.Minute)), replyText("Good day"))
		began := time.Now()
		ended := make(chan backend.Turn)
		go func() { turn, _ := w.prompt(t.Context(), "Hi"); ended <- turn }()
		synctest.Wait()
		const id = "main"
		w.orchestrator.ProviderChanged("another one")
		synctest.Wait()
		if _, waits := w.openItem(backend.ItemBanner); !waits {
			t.Error("what is changed of another main AI ends the pause")
		}
		w.others = map[string]backend.Provider{id: {ID: id, Name: "Test AI", Model: "smaller"}}
		w.orchestrator.ProviderChanged(id)
		if turn := <-ended; turn.State != backend.TurnDone || turn.OrchestratorID != id || time.Since(began) > 0 {
			t.Errorf("ended after %v as %+v", time.Since(began), turn)
		}
		if req := w.request(1); req.Provider.Model != "smaller" {
			t.Errorf("%s is asked", req.Provider.Model)
		}
		w.orchestrator.ProviderChanged(id) // no turn is waiting now
	})
}

func TestRateLimit_RetriesAreBounded(t *testing.T) {
	for name, replies := range map[string][]reply{
		"too many": {replyFailure(rateLimited(0)), replyFailure(rateLimited(0)), replyFailure(rateLimited(0)), replyFailure(rateLimited(0))},
		"too long": {replyFailure(rateLimited(time.Hour))},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newOrchestratorEnv(t, replies...)
			turn, _ := w.prompt(t.Context(), "Hi")
			if turn.State != backend.TurnFailed || !strings.HasPrefix(turn.Error.Message.String(), "Test AI is rate-limiting requests.") {
				t.Errorf("%s: ended as %+v, %+v", name, turn, turn.Error)
			}
		})
	}
}

func TestRateLimit_WaitCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOrchestratorEnv(t, replyFailure(rateLimited(time.Minute)))
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		go func() { synctest.Wait(); cancel() }()
		turn, _ := w.prompt(ctx, "Hi")
		if turn.State != backend.TurnStopped || time.Since(began) > 0 {
			t.Errorf("ended as %+v after %v", turn, time.Since(began))
		}
	})
}

func TestRetry_TransientErrorsOnceOnly(t *testing.T) {
	const other = "Test AI rejected the key. Enter it again in Settings, then try again. Your message is saved."
	cut := failure(llm.KindCut, "The answer stopped halfway. Test AI closed the connection. The partial answer above is saved.")
	server, network, empty := failure(llm.KindServer, "It failed."), failure(llm.KindNetwork, "Nobody there."), failure(llm.KindEmpty, "Empty.")
	look := replyCalls(llm.Call{ID: "a", Name: "glob"})
	for _, c := range []struct {
		name    string
		replies []reply
		state   backend.TurnState
		message string
		shown   []string
	}{
		{"a failure that passes", []reply{replyFailure(server), replyText("Hi")}, backend.TurnDone, "", []string{"message: Hi"}},
		{"a network that comes back", []reply{replyFailure(network), replyText("Hi")}, backend.TurnDone, "", []string{"message: Hi"}},
		{"a failure that stays", []reply{replyFailure(server), replyFailure(network)}, backend.TurnFailed, "Nobody there.", nil},
		{"each message of the model anew", []reply{replyFailure(server), look, replyFailure(server), replyText("Hi")}, backend.TurnDone, "", []string{"tool: search, glob, completed, ", "message: Hi"}},
		{"nothing, and then something", []reply{replyFailure(empty), replyText("Hi")}, backend.TurnDone, "", []string{"message: Hi"}},
		{"nothing at all", []reply{replyFailure(empty), replyFailure(empty)}, backend.TurnFailed, "Empty.", nil},
		{"nothing to add", []reply{replyText("Hi, I look."), replyFailure(empty), replyFailure(empty)}, backend.TurnDone, "", []string{"message: Hi, I look.", "tool: search, glob, completed, "}},
		{"a cut", []reply{replyFailure(cut, "Half", " of it")}, backend.TurnFailed, cut.Err.Message.String(), []string{"message: Half of it"}},
		{"a failure in the middle", []reply{replyFailure(server, "Half")}, backend.TurnFailed, "It failed.", []string{"message: Half"}},
		{"a key that is refused", []reply{replyFailure(failure(llm.KindAuth, other))}, backend.TurnFailed, other, nil},
		{"anything else", []reply{replyFailure(failure(llm.KindOther, "No such model."))}, backend.TurnFailed, "No such model.", nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newOrchestratorEnv(t, c.replies...)
			if c.name == "nothing to add" {
				first := w.replies[0]
				w.replies[0] = func(ctx context.Context, req llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
					answer, f := first(ctx, req, say)
					answer.Calls = []llm.Call{{ID: "a", Name: "glob"}}
					return answer, f
				}
			}
			w.tools["glob"] = func(context.Context, assistant.ToolCall) assistant.ToolResult { return assistant.ToolResult{Text: "x"} }
			turn, _ := w.prompt(t.Context(), "Hi")
			message := ""
			if turn.Error != nil {
				message = turn.Error.Message.String()
			}
			if turn.State != c.state || message != c.message {
				t.Errorf("%s: ended as %s, %q", c.name, turn.State, message)
			}
			if diff := cmp.Diff(c.shown, w.transcriptLines()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		})
	}
}
