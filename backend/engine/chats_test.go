package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// newAnsweredChat returns a chat in which the given message has been sent and answered.
func newAnsweredChat(t *testing.T, w *appEnv, message string) backend.Chat {
	t.Helper()
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, message)
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State != backend.TurnRunning
	})
	return chat
}

// chatRow returns a chat from the snapshot with which the window starts, or nil if the snapshot doesn't contain it.
func chatRow(t *testing.T, w *appEnv, id string) *backend.Chat {
	t.Helper()
	for _, e := range w.Snapshot("/data/app").Events {
		if e.Chat != nil && e.Chat.ID == id {
			return e.Chat
		}
	}
	return nil
}

func TestDelete_CanBeUndone(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("two")}, {fakeagent.Say("three")}}})
	w := newAppEnv(t, t.TempDir())
	w.App.SetUndoTime(time.Hour)
	chat := newAnsweredChat(t, w, "first")
	noErr(t, w.App.DeleteChat(chat.ID, true))
	if r := chatRow(t, w, chat.ID); r == nil || r.DeletedAt == 0 || !r.DropSessions {
		t.Errorf("the deleted chat is %+v", r)
	}
	if _, err := w.App.Send(chat.ID, "more", nil); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a deleted chat took a message: %v", err)
	}
	if err := w.App.PinChat(chat.ID, true); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a deleted chat was pinned: %v", err)
	}
	noErr(t, w.App.RestoreChat(chat.ID))
	if err := w.App.RestoreChat(chat.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it was restored twice: %v", err)
	}
	if r := chatRow(t, w, chat.ID); r == nil || r.DeletedAt != 0 || r.DropSessions {
		t.Errorf("the restored chat is %+v", r)
	}
	w.Send(chat, "second")
	w.WaitForDone("both turns", 2)
}

func TestDelete_FinalAfterUndoPeriod(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}}})
	w := newAppEnv(t, t.TempDir())
	w.App.SetUndoTime(0)
	chat := newAnsweredChat(t, w, "first")
	noErr(t, w.App.DeleteChat(chat.ID, false))
	w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil && e.ChatDeleted.ID == chat.ID })
	if err := w.App.RestoreChat(chat.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a chat that is gone was restored: %v", err)
	}
}

func TestDelete_BeforeQuitFinalAtNextStart(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}}})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	w.App.SetUndoTime(time.Hour)
	gone, kept := newAnsweredChat(t, w, "first"), w.Chat(backend.ProviderCopilot)
	noErr(t, w.App.DeleteChat(gone.ID, false))
	w.Close()
	w = newAppEnv(t, dir)
	w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil && e.ChatDeleted.ID == gone.ID })
	if chatRow(t, w, gone.ID) != nil || chatRow(t, w, kept.ID) == nil {
		t.Error("the wrong chat was deleted")
	}
}

// TestDelete_RetriedIfSnapshotsRemain checks that a chat's deletion is retried at the next start if the snapshots
// couldn't be deleted. The cause in this test is a damaged record of an interrupted undo.
func TestDelete_RetriedIfSnapshotsRemain(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}}})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	w.App.SetUndoTime(0)
	chat := newAnsweredChat(t, w, "first")
	snapshots := filepath.Join(dir, "snapshots", chat.ID)
	noErr(t, os.WriteFile(filepath.Join(snapshots, "journal"), []byte("damaged"), 0o600))
	noErr(t, w.App.DeleteChat(chat.ID, false))
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		if _, err := os.Stat(snapshots); err != nil {
			break // VoxPilot has tried
		}
		<-look.C
	}
	w.Close()
	w = newAppEnv(t, dir)
	w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil && e.ChatDeleted.ID == chat.ID })
}

func TestDelete_SessionFilesIfRequested(t *testing.T) {
	for name, drop := range map[string]bool{"go": true, "stay": false} {
		t.Run(name, func(t *testing.T) {
			const id = "0b8ba5c3-70b2-4d2c-9d3f-1f2e3d4c5b6a"
			home := t.TempDir()
			t.Setenv("COPILOT_HOME", home)
			mine, other := filepath.Join(home, "session-state", id), filepath.Join(home, "session-state", strings.Replace(id, "0", "1", 1))
			for _, dir := range []string{mine, other} {
				noErr(t, os.MkdirAll(dir, 0o700))
			}
			w := newAppEnv(t, t.TempDir())
			w.App.SetUndoTime(0)
			chat, sharing := w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot)
			noErr(t, w.Engine().Bus.Commit(t.Context(),
				backend.Event{Session: &backend.Session{ChatID: chat.ID, Name: "main", ACPID: id}},
				backend.Event{Session: &backend.Session{ChatID: chat.ID, Name: "both", ACPID: filepath.Base(other)}},
				backend.Event{Session: &backend.Session{ChatID: sharing.ID, Name: "main", ACPID: filepath.Base(other)}}))
			noErr(t, w.App.DeleteChat(chat.ID, drop))
			w.WaitFor("the chat is deleted", func(e backend.Event) bool { return e.ChatDeleted != nil && e.ChatDeleted.ID == chat.ID })
			if _, err := os.Stat(mine); os.IsNotExist(err) != drop {
				t.Errorf("the session's files: %v", err)
			}
			if _, err := os.Stat(other); err != nil {
				t.Errorf("a session that another chat goes on with is gone: %v", err)
			}
		})
	}
}

func TestArchive_MessageUnarchives(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}}})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	noErr(t, w.App.PinChat(chat.ID, true))
	noErr(t, w.App.ArchiveChat(chat.ID, true))
	if r := chatRow(t, w, chat.ID); r == nil || !r.Archived || !r.Pinned {
		t.Errorf("the archived chat is %+v", r)
	}
	w.Send(chat, "first")
	w.WaitForDone("the turn", 1)
	if r := chatRow(t, w, chat.ID); r == nil || r.Archived || !r.Pinned {
		t.Errorf("after a message the chat is %+v", r)
	}
}

func TestExport_WritesFile(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("an answer")}}})
	w := newAppEnv(t, t.TempDir())
	chat := newAnsweredChat(t, w, "a question")
	dir := t.TempDir()
	var asked string
	w.OnSaveFile(func(name string) (string, error) { asked = name; return filepath.Join(dir, "out"), nil })
	for format, ending := range map[string]string{"markdown": ".md", "html": ".html", "json": ".json"} {
		from := len(w.Events())
		noErr(t, w.App.ExportChat(chat.ID, format))
		n := 0
		e := w.WaitFor("it is written", func(e backend.Event) bool { n++; return n > from && e.DialogResult != nil && !e.DialogResult.Writing })
		if e.DialogResult.Request != "export "+chat.ID || e.DialogResult.Path != filepath.Join(dir, "out") || !e.DialogResult.Message.IsZero() {
			t.Errorf("%s: it answers %+v", format, e.DialogResult)
		}
		if asked != "A question"+ending {
			t.Errorf("%s: the name is %q", format, asked)
		}
		written, err := os.ReadFile(filepath.Join(dir, "out"))
		if err != nil || !strings.Contains(string(written), "a question") || !strings.Contains(string(written), "an answer") {
			t.Errorf("%s: %v in %s", format, err, written)
		}
		if info, err := os.Stat(filepath.Join(dir, "out")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others can read it: %v, %v", format, info.Mode(), err)
		}
		if format == "json" && !json.Valid(written) {
			t.Error("it is no JSON")
		}
	}
	if err := w.App.ExportChat(chat.ID, "pdf"); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("an unknown format: %v", err)
	}

	// A failed write leaves no file behind and is reported.
	w.OnSaveFile(func(string) (string, error) { return filepath.Join(dir, "absent", "out"), nil })
	noErr(t, w.App.ExportChat(chat.ID, "json"))
	w.WaitFor("it says so", func(e backend.Event) bool { return e.DialogResult != nil && !e.DialogResult.Message.IsZero() })
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestExport_ReportsProgressAndCancels(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("an answer")}}})
	w := newAppEnv(t, t.TempDir())
	chat := newAnsweredChat(t, w, "a question")
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.OnSaveFile(func(string) (string, error) { return path, nil })
	e, err := w.App.Engine()
	noErr(t, err)
	// slow exports an endless text until ctx is canceled.
	slow := func(ctx context.Context) error {
		return e.ExportTo(chat.ID, path, func(to io.Writer) error {
			for ctx.Err() == nil {
				if _, err := to.Write([]byte("more")); err != nil {
					return err
				}
				runtime.Gosched()
			}
			return ctx.Err()
		})
	}
	ctx, end := context.WithCancel(t.Context())
	if !e.StartExport(chat.ID, end) {
		t.Fatal("it is being exported")
	}
	done := make(chan error, 1)
	go func() { done <- slow(ctx) }()
	told := w.WaitFor("it is said how far it is", func(e backend.Event) bool { return e.DialogResult != nil && e.DialogResult.Writing })
	if told.DialogResult.Request != "export "+chat.ID || told.DialogResult.Path != path {
		t.Errorf("it says %+v", told.DialogResult)
	}
	noErr(t, w.App.ExportChat(chat.ID, "json")) // ignored, because an export is running
	noErr(t, w.App.CancelExport(chat.ID))
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	e.FinishExport(chat.ID, func() {})
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != "before" {
		t.Errorf("the file that was there is %q, %v", kept, err)
	}
	noErr(t, w.App.CancelExport(chat.ID)) // has no effect, because the export has ended
}

func TestSearch_FindsMessages(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("The tests of the parser pass.")}, {fakeagent.Say("Nothing.")}}})
	w := newAppEnv(t, t.TempDir())
	chat := newAnsweredChat(t, w, "Fix the parser")
	other := newAnsweredChat(t, w, "Something else")
	search := func(query string) (hits backend.Hits) {
		t.Helper()
		if code := w.Get("/data/search?"+query, &hits); code != http.StatusOK {
			t.Fatalf("%s answers %d", query, code)
		}
		return hits
	}
	hits := search("q=" + url.QueryEscape(`tests "the pars`))
	if len(hits.Hits) != 1 || hits.Total != 1 || hits.Hits[0].ChatID != chat.ID || hits.Hits[0].Kind != backend.HitMessage {
		t.Errorf("found was %+v", hits)
	}
	if hits := search("q=parser"); len(hits.Hits) != 3 || hits.Hits[0].Kind != backend.HitTitle || len(hits.Groups) != 1 || hits.Groups[0].Total != 3 {
		t.Errorf("found was %+v", hits)
	}
	first := search("limit=1&q=parser&chat=" + chat.ID)
	second := search("limit=1&q=parser&chat=" + chat.ID + "&before=" + url.QueryEscape(first.More))
	if len(second.Hits) != 1 || second.Hits[0].Kind != backend.HitMessage {
		t.Errorf("the second page is %+v", second)
	}
	if hits := search("q=parser&who=you&of=messages"); hits.Total != 1 || hits.Hits[0].Kind != backend.HitUser {
		t.Errorf("of the user, found was %+v", hits)
	}
	if counted := search("q=parser&count=1"); counted.Total != 3 || counted.Chats != 1 || len(counted.Hits) != 0 {
		t.Errorf("counted is %+v", counted)
	}
	if hits := search("q=parser&chat=" + other.ID); len(hits.Hits) != 0 {
		t.Errorf("found in another chat was %+v", hits)
	}
	if code := w.Get("/data/search?q=parser&from=soon", new(string)); code != http.StatusBadRequest {
		t.Errorf("a time that is none answers %d", code)
	}
	var places backend.Matches
	if code := w.Get("/data/find?chat="+chat.ID+"&q=PARSER", &places); code != http.StatusOK || places.Total != 2 || len(places.Matches) != 2 {
		t.Errorf("find answers %d, %+v", code, places)
	}
	var spot *backend.MatchLocation
	if code := w.Get("/data/spot?item="+places.Matches[0].ItemID+"&q=parser", &spot); code != http.StatusOK || spot == nil || spot.ContentID != "" {
		t.Errorf("where it stands is %d, %+v", code, spot)
	}
	if w.Get("/data/spot?item="+places.Matches[0].ItemID+"&q=parser&n=99", &spot); spot != nil {
		t.Errorf("where it does not stand is %+v", spot)
	}
	messages := func(query string) (said []int64) {
		for _, e := range w.Snapshot("/data/items?chat=" + chat.ID + query).Events {
			if e.Item != nil {
				said = append(said, e.Item.Pos)
			}
		}
		return said
	}
	all := messages("&after=0")
	if len(all) < 2 {
		t.Fatalf("from the beginning on there are %d items", len(all))
	}
	last := all[len(all)-1]
	if around := messages(fmt.Sprint("&around=", last)); !slices.Equal(around, all) {
		t.Errorf("around the last of %v are %v", all, around)
	}
	if rest := messages(fmt.Sprint("&after=", all[0])); !slices.Equal(rest, all[1:]) {
		t.Errorf("after the first of %v are %v", all, rest)
	}
	w.App.SetUndoTime(time.Hour)
	noErr(t, w.App.DeleteChat(chat.ID, false))
	if hits := search("q=parser"); len(hits.Hits) != 0 || hits.Total != 0 {
		t.Errorf("found of a deleted chat was %+v", hits)
	}
}
