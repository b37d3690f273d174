package agent_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// inspectHandler is a log handler that calls onInspect when VoxPilot starts to check the files of a permission request.
type inspectHandler struct {
	slog.Handler
	onInspect func()
}

func (l inspectHandler) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "reading the files of a permission request") {
		l.onInspect()
	}
	return l.Handler.Handle(ctx, r)
}

func (l inspectHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return inspectHandler{l.Handler.WithAttrs(attrs), l.onInspect}
}

// newSlowDiskEnv returns an env in which VoxPilot's first check of a request's files waits until the disk channel is
// closed. The looks channel receives a value when that check starts.
func newSlowDiskEnv(t *testing.T, disk <-chan struct{}, turns ...fakeagent.Turn) (w *env, looks <-chan struct{}) {
	t.Helper()
	begun := make(chan struct{}, 1)
	var once sync.Once
	w = newEnv(t, fake(fakeagent.Script{Turns: turns}), func(_ *env, cfg *agent.Config) {
		cfg.Log = slog.New(inspectHandler{cfg.Log.Handler(), func() {
			once.Do(func() {
				begun <- struct{}{}
				<-disk
			})
		}})
	})
	return w, begun
}

const editOfA = `"toolCall":{"toolCallId":"e1","title":"Edit a.txt","kind":"edit","locations":[{"path":"a.txt"}]},` + someOptions

func TestRequest_SlowDiskDelaysNothingElse(t *testing.T) {
	t.Parallel()
	disk := make(chan struct{})
	w, looks := newSlowDiskEnv(t, disk, fakeagent.Turn{
		lateRequest("slow", "session/request_permission", editOfA),
		fakeagent.Say("meanwhile"), fakeagent.WaitFor("$CWD/end"),
	})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	<-looks
	w.waitForText("meanwhile")
	close(disk)
	equal(t, "answer", w.responseTo("slow").Get("result.outcome.optionId").String(), "a")
	w.write("end", "")
	w.expectEnd(tu, backend.TurnDone)
}

func TestRequest_StopDuringInspectionDoesNotAsk(t *testing.T) {
	t.Parallel()
	for _, next := range []bool{false, true} {
		disk := make(chan struct{})
		w, looks := newSlowDiskEnv(t, disk,
			fakeagent.Turn{lateRequest("slow", "session/request_permission", editOfA), fakeagent.Hang()},
			fakeagent.Turn{fakeagent.Say("next"), fakeagent.WaitFor("$CWD/end")})
		tu := w.start(backend.SessionMain, "go")
		<-looks
		tu.cancel()
		w.expectEnd(tu, backend.TurnStopped) // doesn't wait for the disk
		var second *turn
		if next {
			second = w.start(backend.SessionMain, "go")
			w.waitForText("next")
		}
		close(disk)
		equal(t, "outcome", w.responseTo("slow").Get("result.outcome.outcome").String(), "cancelled")
		equal(t, "decision", w.tools(tu)[0].Tool.Decision, backend.DecisionClosed)
		if next {
			w.write("end", "")
			w.expectEnd(second, backend.TurnDone)
		}
		equal(t, "requests", len(w.asks), 0)
		w.assertAllClosed()
	}
}

func TestRequest_CommandWithChangeShowsBoth(t *testing.T) {
	t.Parallel()
	const diff = `"content":[{"type":"diff","path":"a.txt","oldText":"one\n","newText":"two\n"}]`
	for _, c := range []struct {
		name, kind, inCall, inRequest string
		asks                          bool // asks the user in every permission mode
	}{
		{"of another kind", "other", "", `"rawInput":{"command":"rm -rf out"},` + diff, true},
		{"of another kind, its command in the call", "other", `,"rawInput":{"command":"rm -rf out"}`, diff, true},
		{"of another kind, its change in the call", "other", `,` + diff, `"rawInput":{"command":"rm -rf out"}`, true},
		{"a command", "execute", "", `"rawInput":{"command":"rm -rf out"},` + diff, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
				openCall("m1", c.kind, c.inCall),
				request(`"toolCallId":"m1","title":"Both","kind":"` + c.kind + `",` + c.inRequest),
			}}}), nil)
			p := requestFrom(t, w)
			equal(t, "command", string(w.content(t, p.ItemID, p.ContentID).Body), "rm -rf out")
			if len(p.Files) != 1 {
				t.Fatalf("got %d files, want 1", len(p.Files))
			}
			shown := w.content(t, p.ItemID, p.Files[0].ContentID)
			equal(t, "file", shown.Path, w.path("a.txt"))
			if body := string(shown.Body); !strings.Contains(body, "\n-one\n+two\n") {
				t.Errorf("got the change %q", body)
			}
			equal(t, "marks", len(p.Marks), 1)
			equal(t, "asks in every mode", p.Unclear, c.asks)
			if p.Scope != nil {
				t.Errorf("got the rule %+v, want none", p.Scope)
			}
		})
	}
}
