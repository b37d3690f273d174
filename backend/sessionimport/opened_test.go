package sessionimport_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestManager_TitleIsThatOfTheList checks that a chat has the title that the list of sessions shows: the session's name
// or the start of its first message, and that the title then stays the same.
func TestManager_TitleIsThatOfTheList(t *testing.T) {
	const first = "Please rename the function total to sumPrices, so that the blog builds\nThanks"
	for name, want := range map[string]string{
		"":                                    "Please rename the function total to sumPrices, so that the blog builds",
		"Very long refactoring of the blog":   "Very long refactoring of the blog",
		"say rename total, please, thank you": "say rename total, please, thank you",
	} {
		home := sessionHome(t, []byte(event(0, "session.start", `{}`)+event(1, "user.message", fmt.Sprintf(`{"content":%q}`, first))))
		if name != "" {
			workspace := fmt.Sprintf("id: %s\ncwd: /tmp\nname: %s\n", target.ACPID, name)
			noErr(t, os.WriteFile(filepath.Join(home, "session-state", target.ACPID, "workspace.yaml"), []byte(workspace), 0o600))
		}
		e, err := openEnv(t.TempDir())
		noErr(t, err)
		chat, err := e.open(home)
		noErr(t, err)
		chat, err = e.chats.Get(chat.ID)
		noErr(t, err)
		noErr(t, e.chats.SuggestTitle(t.Context(), chat.ID, "another title"))
		index := sessionindex.New(sessionindex.Config{
			Homes:     func(context.Context) ([]string, error) { return []string{home}, nil },
			Temporary: func() (map[string]bool, error) { return nil, nil },
			Owners:    func(context.Context, string, []string) (map[string]string, error) { return nil, nil },
			IsOwn:     func(int) bool { return false }, Log: slog.New(slog.DiscardHandler),
		})
		list, err := index.List(t.Context(), sessionindex.Query{})
		noErr(t, err)
		shown := ""
		for _, s := range list.Sessions {
			if s.ID == target.ACPID {
				shown = s.Title
			}
		}
		if chat, _ = e.chats.Get(chat.ID); chat.Title != want || shown != want {
			t.Errorf("name %q: chat %q, list %q, want %q", name, chat.Title, shown, want)
		}
		noErr(t, e.close())
	}
}

// TestManager_ProgressMovesWithTheRows checks that the progress is reported while a session is read, not only at its end,
// and that it is the part of the log whose rows are in the chat.
func TestManager_ProgressMovesWithTheRows(t *testing.T) {
	log := generate(chaos.Rand(t, chaos.Seed(t), 0), 1000)
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	r := sessionimport.NewReader(filepath.Join(t.TempDir(), "state"), target)
	home := sessionHome(t, log)
	file, err := os.Open(filepath.Join(home, "session-state", target.ACPID, "events.jsonl"))
	noErr(t, err)
	defer file.Close()
	var reached []int64
	commits, reports := 0, make(chan int64, 100)
	noErr(t, r.Read(t.Context(), file, func(context.Context, []backend.Event) error {
		if commits++; commits == 2 { // the first commit is reported before the second one ends
			reached = append(reached, <-reports)
		}
		return nil
	}, func(read, size int64) {
		if size != int64(len(log)) {
			t.Errorf("the size is %d, want %d", size, len(log))
		}
		reports <- read
	}))
	if len(reached) != 1 || reached[0] <= 0 || reached[0] > int64(len(log))/4 {
		t.Errorf("the first report is %d of %d bytes", reached, len(log))
	}
	_, err = e.open(home)
	noErr(t, err)
	noErr(t, e.bus.Flush(t.Context()))
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.states) < 2 || e.states[1].Size != int64(len(log)) {
		t.Errorf("the states are %+v", e.states)
	}
}

func TestIsImported_OnlyTurnsOfLogs(t *testing.T) {
	home := sessionHome(t, generate(chaos.Rand(t, chaos.Seed(t), 0), 200)) // 20 events may have no message
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	chat, err := e.open(home)
	noErr(t, err)
	turns, err := e.store.TurnsOf(t.Context(), chat.ID)
	noErr(t, err)
	if len(turns) == 0 {
		t.Error("no turns")
	}
	for _, turn := range turns {
		if !sessionimport.IsImported(turn) {
			t.Errorf("turn %s of %d isn't imported", turn.ID, turn.StartedAt)
		}
		turn.ID = backend.NewID()
		if sessionimport.IsImported(turn) {
			t.Errorf("turn %s of %d is imported", turn.ID, turn.StartedAt)
		}
	}
}
