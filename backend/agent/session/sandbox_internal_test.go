package session

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/sandboxed"
	"github.com/voxpilot/voxpilot/backend/guard"
)

func TestSandbox_UnusedRunIsDiscarded(t *testing.T) {
	t.Parallel()
	prepared, discarded := 0, 0
	prepare := func() sandboxed.Run {
		prepared++
		return sandboxed.Run{Shell: "wrapped", Discard: func() { discarded++ }}
	}
	s := New(backend.Session{}, Config{
		Log: slog.New(slog.DiscardHandler), Env: func() []string { return nil }, Publish: func(...backend.Event) {},
		Sandbox: sandboxed.Sandbox{
			Wrap:  func(context.Context, sandboxed.Command) (sandboxed.Run, error) { return prepare(), nil },
			Leave: func(string, string, []string) (sandboxed.Run, bool, error) { return prepare(), true, nil },
		},
	})
	s.tools = map[string]*toolItem{"c1": {item: backend.Item{Tool: &backend.Tool{CallID: "c1"}}}}
	for args, left := range map[string]int{`[]`: 0, `{"command":"ls"}`: 2} {
		prepared, discarded = 0, 0
		call := guard.Call{Event: guard.ToolCall, Tool: "bash", Args: json.RawMessage(args)}
		want := guard.Denied
		if left > 0 {
			want = guard.Allowed
		}
		if got := s.runInSandbox(t.Context(), call, "c1", "ls").Decision; got != want {
			t.Errorf("%s inside: got %v, want %v", args, got, want)
		}
		if got := s.runOutside(call, "c1", sandboxed.Plan{Line: "ls"}).Decision; got != want {
			t.Errorf("%s outside: got %v, want %v", args, got, want)
		}
		if got := s.runOutside(call, "gone", sandboxed.Plan{Line: "ls"}); got.Decision != guard.Denied || got.Reason != guard.DeniedStopped {
			t.Errorf("%s without its call: got %+v", args, got)
		}
		if prepared != 2 || prepared-discarded != left {
			t.Errorf("%s: %d runs are prepared, %d discarded, want %d left", args, prepared, discarded, left)
		}
	}
}

func TestSandbox_RefusalNamesMissingFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for path, want := range map[string]string{
		folder:                        "VoxPilot didn't run this command because Copilot didn't pass it to the sandbox.",
		filepath.Join(folder, "gone"): "VoxPilot didn't run this command: the folder " + filepath.Join(folder, "gone") + " no longer exists.",
	} {
		s := New(backend.Session{Cwd: path}, Config{
			Log: slog.New(slog.DiscardHandler), Publish: func(...backend.Event) {}, Guarded: true,
			Sandbox: sandboxed.Sandbox{Use: func() (bool, backend.Message) { return true, backend.Message{} }},
		})
		call := &toolItem{item: backend.Item{Tool: &backend.Tool{CallID: "c1", Kind: backend.ToolExecute}}}
		s.tools = map[string]*toolItem{"c1": call}
		params := gjson.Parse(`{"toolCall":{"toolCallId":"c1","kind":"execute","rawInput":{"command":"ls"}}}`)
		if !s.refuseUnsandboxed(params) || call.item.Tool.ResultSummary.String() != want {
			t.Errorf("got %q, want %q", call.item.Tool.ResultSummary, want)
		}
	}
}

func TestNotRun_IsSentence(t *testing.T) {
	for _, test := range []struct {
		why  backend.Message
		want string
	}{
		{backend.Say("VoxPilot has no sandbox for Windows."), "VoxPilot didn't run this command. VoxPilot has no sandbox for Windows."},
		{backend.Plain("no space left on device"), "VoxPilot didn't run this command because the sandbox isn't available: no space left on device"},
	} {
		if got := notRun(test.why).String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
