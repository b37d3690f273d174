package store_test

import (
	"context"
	_ "embed"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

//go:embed testdata/version1.sql
var version1 string

// newVersion1Dir returns a data directory written by the first version of VoxPilot.
func newVersion1Dir(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db := sqlite(t, dir)
	if _, err := db.Exec(version1); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestVersion1_DataIsComplete(t *testing.T) {
	ctx := context.Background()
	dir := newVersion1Dir(t)
	before := dump(t, dir)
	s := openStore(t, dir)
	for table, rows := range before {
		if got := count(t, dir, table); got != len(rows) {
			t.Errorf("%s has %d rows, had %d", table, got, len(rows))
		}
	}

	got := newest(append(appEvents(t, s), firstOf(chatEvents(t, s, "chat", 10))...))
	chat := got["Chat chat"].Chat
	if chat.PermissionMode != backend.ModeAsk || chat.TurnState != backend.TurnInterrupted || chat.Draft != "and then" {
		t.Errorf("the chat is %+v", chat)
	}
	if r := got["Rule rule1"].Rule; r.Effect != backend.RuleAllow || r.ExpiresAt != 0 || r.Scope != (backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/app"}) {
		t.Errorf("the rule is %+v", r)
	}
	settings := backend.DefaultSettings()
	settings.Theme, settings.SetupDone = "dark", true
	if diff := cmp.Diff(&settings, got["Settings "].Settings); diff != "" {
		t.Errorf("the settings are (-want +got):\n%s", diff)
	}
	if q := got["Queued queued1"].Queued; !q.Paused || q.Text != "and the changelog" {
		t.Errorf("what waits is %+v", q)
	}
	// The running turn counts as sent, so that it isn't sent again.
	for id, want := range map[string]backend.Turn{
		"turn1": {State: backend.TurnDone, SentAt: 1763700003000},
		"turn2": {State: backend.TurnInterrupted, SentAt: 1763700100000},
	} {
		turn := got["Turn "+id].Turn
		if turn.State != want.State || turn.SentAt != want.SentAt || turn.Usage != nil {
			t.Errorf("%s is %+v", id, turn)
		}
	}
	past, err := s.History(ctx, "chat", "main")
	want := []store.Exchange{
		{Prompt: "Fix the tests", Answer: "They are fixed. Größe: 5 µm.", State: backend.TurnDone},
		{Prompt: "Now the documentation", Answer: "I will", State: backend.TurnInterrupted},
	}
	if diff := cmp.Diff(want, past); diff != "" || err != nil {
		t.Errorf("the session's past is (-want +got), %v:\n%s", err, diff)
	}
}

func TestVersion1_DamagedSalvagedAndMigrated(t *testing.T) {
	dir := newVersion1Dir(t)
	// The chat's own row can't be read, but its items can.
	damage(t, dir, "chats", func(int, int) bool { return true })
	markDamaged(t, dir)
	s, _ := openSalvaged(t, dir)
	got := newest(append(appEvents(t, s), firstOf(chatEvents(t, s, "chat", 10))...))
	if chat := got["Chat chat"].Chat; chat.Title != "Recovered chat" || chat.PermissionMode != backend.ModeAsk {
		t.Errorf("the chat is %+v", chat)
	}
	if item := got["Item item2"].Item; item == nil {
		t.Error("its entries are gone")
	}
}

// firstOf returns the first of two values and drops the other.
func firstOf[A, B any](a A, _ B) A { return a }
