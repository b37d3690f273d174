package chaos_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestChaosKilledApp_GuardDenies checks that a call that needs permission doesn't run if the app is killed around the
// time of the call, although Copilot's own permission requests are turned off.
func TestChaosKilledApp_GuardDenies(t *testing.T) {
	program := copilottest.Path(t)
	rounds, seed := chaos.Runs(3, 100), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app around a call that its guard decides on", rounds)
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(outside, "ran.txt")
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Side() || req.Last().Role != "user" || !strings.Contains(req.User(), "write it") {
			return practice.Reply{practice.Text("ok")}
		}
		return practice.Reply{practice.ToolCall("create", map[string]any{"path": file, "file_text": "ran\n"})}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	h := newAppData(t)
	h.env = model.Env(h.home)
	asked := 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		l := h.start(program)
		p := &scenePlayer{round: round, chat: l.newChat().ID, sent: map[string]string{}}
		l.callWhenStarted("SetOption", p.chat, backend.SessionMain, "allow_all", "on")
		p.send(l, "write it")
		<-time.After(time.Duration(r.Int64N(int64(600 * time.Millisecond))))
		death := l.kill()
		h.waitForAllExits(death)
		for _, e := range l.seen {
			if e.Permission != nil && e.Permission.State == backend.PermissionOpen {
				asked++
				break
			}
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("round %d: the call ran unasked: %v", round, err)
		}
	}
	result("no call ran; %d of them were waiting for the user", asked)
	t.Logf("%d of %d calls were waiting for the user", asked, rounds)
}
