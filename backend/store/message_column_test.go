package store_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
	"github.com/voxpilot/voxpilot/backend/store"
)

// messages returns all user-facing messages in a database, by location.
func messages(t *testing.T, s *store.Store) map[string]backend.Message {
	t.Helper()
	all := map[string]backend.Message{}
	for _, e := range append(appEvents(t, s), firstOf(chatEvents(t, s, "chat", 10))...) {
		switch {
		case e.Chat != nil:
			all["chat"] = e.Chat.Detail
		case e.Provider != nil:
			all["provider"] = e.Provider.Check
		case e.Turn != nil && e.Turn.Error != nil:
			all["turn"] = e.Turn.Error.Message
		case e.Item != nil:
			all["fact"], all["banner"], all["block"] = e.Item.Tool.ResultSummary, e.Item.Banner.Detail, e.Item.Block.Error.Message
		}
	}
	if len(all) != 6 {
		t.Fatalf("got messages of %d kinds", len(all))
	}
	return all
}

// newMessageDatabase creates a database with the given messages.
func newMessageDatabase(t *testing.T, chat, provider, turn, fact, banner, block backend.Message) (dir string, s *store.Store) {
	t.Helper()
	dir = t.TempDir()
	s = openStore(t, dir)
	failed := func(m backend.Message) *backend.Error { return &backend.Error{Code: backend.CodeAgent, Message: m} }
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat", Detail: chat, TurnState: backend.TurnFailed}},
		backend.Event{Provider: &backend.Provider{ID: "provider", Check: provider}},
		backend.Event{Turn: &backend.Turn{ID: "turn", ChatID: "chat", State: backend.TurnFailed, Error: failed(turn)}},
		backend.Event{Item: &backend.Item{
			ID: "item", ChatID: "chat", TurnID: "turn", Kind: backend.ItemTool, Tool: &backend.Tool{ResultSummary: fact},
			Banner: &backend.Banner{Kind: backend.BannerAgentError, Detail: banner}, Block: &backend.Block{Error: failed(block)},
		}})
	return dir, s
}

// TestMessages_StoredBeforeKeys checks that messages are translated into every language even if they were stored by
// versions without message keys.
func TestMessages_StoredBeforeKeys(t *testing.T) {
	none := backend.Message{}
	dir, s := newMessageDatabase(t, none, none, none, none, none, none)
	closeStore(t, s)
	db := sqlite(t, dir)
	for _, statement := range []string{
		`UPDATE chats SET detail = 'Finished. 3 files changed'`,
		`UPDATE providers SET "check" = 'openrouter.ai did not answer within 10s. Check that it runs, and check again.'`,
		`UPDATE turns SET error = '{"code":"interrupted","message":"Copilot stopped while it was answering (exit code 1). What it had said is kept; ask it to continue.","detail":"exited, exit code 1"}'`,
		`UPDATE items SET tool = json_set(tool, '$.fact', 'more than 2,000 matches'),
		    banner = json_set(banner, '$.detail', 'Qwen Code does not remember the last 2 messages, and remembers 1 message that is not in this chat'),
		    block = json_set(block, '$.error.message', 'The session was not closed, because it is at work. Stop it first, or wait until it is done.')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for at, m := range messages(t, openStore(t, dir)) {
		for _, language := range i18n.Languages {
			if got := i18n.In(language).Text(m); m.Key() == "" || got == m.String() {
				t.Errorf("%s: %s says %q in English", at, language, m)
			}
		}
	}
}

func TestMessages_StoredWithKey(t *testing.T) {
	lost := backend.Say("Copilot stopped unexpectedly (%s). VoxPilot is restarting it.", backend.Say("exit code %d", 1)).About("Qwen Code")
	dir, s := newMessageDatabase(t, lost, lost, lost, lost, lost, lost)
	for at, m := range messages(t, s) {
		if m != lost {
			t.Errorf("%s: got %+v, want %+v", at, m, lost)
		}
	}
	closeStore(t, s)
	// A VoxPilot without message keys reads the columns as text, which starts with the English message.
	db := sqlite(t, dir)
	for _, text := range column(t, db, `
SELECT detail FROM chats UNION ALL SELECT "check" FROM providers UNION ALL SELECT error ->> '$.message' FROM turns
UNION ALL SELECT tool ->> '$.fact' FROM items UNION ALL SELECT banner ->> '$.detail' FROM items UNION ALL SELECT block ->> '$.error.message' FROM items`) {
		if !strings.HasPrefix(text, lost.String()) {
			t.Errorf("an older VoxPilot reads %q", text)
		}
	}
}

// TestMessages_RewordedKey checks that a stored message is still translated if the English wording of its key has
// changed since it was stored.
func TestMessages_RewordedKey(t *testing.T) {
	stopped := backend.Say("Copilot stopped unexpectedly (%s). It is started again.", backend.Say("exit code %d", 1)).About("Qwen Code")
	full := backend.Say("%s. %s", backend.Say("VoxPilot could not save what is new"), backend.Say("The disk is full: free some space."))
	for _, c := range []struct {
		stored backend.Message
		german string
	}{
		{stopped, "Qwen Code wurde unerwartet beendet (Exit-Code 1). VoxPilot startet Qwen Code neu."},
		{full, "VoxPilot konnte neue Daten nicht speichern. Der Datenträger ist voll. Gib etwas Speicherplatz frei."},
	} {
		_, s := newMessageDatabase(t, c.stored, c.stored, c.stored, c.stored, c.stored, c.stored)
		for at, m := range messages(t, s) {
			if got := i18n.In("de").Text(m); got != c.german || m.String() != c.stored.String() {
				t.Errorf("%s: %q is %q in German, want %q", at, m, got, c.german)
			}
		}
	}
}

// TestMessages_ForeignTextUnchanged checks that text from agents and users is never translated, even if it looks like
// one of VoxPilot's messages.
func TestMessages_ForeignTextUnchanged(t *testing.T) {
	ours := backend.Say("The answer was stopped.")
	for _, text := range []string{
		"The answer was stopped.", "3 matches", ours.Stored(false), `{"text":"x","key":"The answer was stopped."}`, "\x1e{", "",
	} {
		plain := backend.Plain(text)
		_, s := newMessageDatabase(t, plain, plain, plain, plain, plain, plain)
		for at, m := range messages(t, s) {
			if want := strings.ReplaceAll(text, "\x1e", ""); m.Key() != "" || m.String() != want {
				t.Errorf("%s: %q came back as %+v", at, text, m)
			}
		}
	}
}
