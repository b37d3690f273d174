package sessionsearch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/backend/sessionsearch"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestPass_FindsTextsOfSessions(t *testing.T) {
	w := newFixture(t)
	folder := t.TempDir()
	id := w.session(
		folder, user("fix the limiter, größe", 1),
		line("user.message", start, map[string]any{"content": "limiter: not from the user", "source": "skill"}, ""),
		line("tool.execution_start", start.Add(2*time.Minute), map[string]any{"toolName": "bash", "toolCallId": "c", "arguments": map[string]any{"command": "go test ./limiter", "description": "Test it"}}, ""),
		line("tool.execution_start", start.Add(3*time.Minute), map[string]any{"toolName": "view", "toolCallId": "d", "arguments": map[string]any{"path": "/src/limiter.go"}}, ""),
		line("tool.execution_complete", start.Add(3*time.Minute), map[string]any{"toolCallId": "d", "result": map[string]any{"content": "limiter in a result"}}, ""),
		answer("The limiter works.", 4),
		line("assistant.message", start.Add(5*time.Minute), map[string]any{"messageId": "m", "content": "limiter of a subagent"}, `,"agentId":"x"`),
		"{damaged limiter\n", answer("", 6), user("the second message", 7),
	)
	w.session(t.TempDir(), user("another session with a limiter", 60))
	w.pass()
	if got, want := w.found(text("limiter")), []string{
		"user another session with a limiter", "message limiter of a subagent", "message The limiter works.", "tool view /src/limiter.go",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	hits := w.search(text("limiter"))
	if hits.Total != 6 || hits.Chats != 2 || hits.Capped || len(hits.Groups) != 2 || hits.Groups[1].CLISession != id || hits.Groups[1].Total != 5 || hits.Groups[1].More == "" || hits.More != "" {
		t.Errorf("got %+v", hits)
	}
	if h := hits.Hits[1]; h.ChatID != "" || h.CLISession != id || h.Folder != folder || h.Title != "fix the limiter, größe" || h.At != backend.Millis(start.Add(5*time.Minute).UnixMilli()) {
		t.Errorf("the hit is %+v", h)
	}
	rest := text("limiter")
	rest.SessionID, rest.Before = id, hits.Groups[1].More
	if got, want := w.found(rest), []string{"tool bash Test it go test ./limiter", "user fix the limiter, größe"}; !slices.Equal(got, want) {
		t.Errorf("the rest is %q, want %q", got, want)
	}
	var around []backend.SessionText
	var hit int64
	_, err := fmt.Sscan(hits.Hits[2].ItemID, &hit)
	w.noErr(err)
	w.noErr(w.store.Read(t.Context(), func(v *store.ReadTx) (err error) {
		around, err = v.SessionTexts(t.Context(), hit, 1, 1)
		return err
	}))
	var texts []string
	for _, a := range around {
		texts = append(texts, string(a.Kind)+" "+a.Text)
	}
	if want := []string{"tool view\n/src/limiter.go", "message The limiter works.", "message limiter of a subagent"}; !slices.Equal(texts, want) {
		t.Errorf("around the hit: %q", texts)
	}
}

func TestPass_FiltersOfTheSearch(t *testing.T) {
	w := newFixture(t)
	folder := t.TempDir()
	w.session(
		folder, user("word asked", 0), answer("word answered", 60),
		line("tool.execution_start", start.Add(2*time.Hour), map[string]any{"toolName": "bash", "toolCallId": "c", "arguments": map[string]any{"command": "word"}}, ""),
		line("tool.execution_start", start.Add(3*time.Hour), map[string]any{"toolName": "edit", "toolCallId": "c", "arguments": map[string]any{"path": "/word"}}, ""),
		line("assistant.message", start.Add(4*time.Hour), map[string]any{"messageId": "m", "content": "word of a subagent"}, `,"agentId":"x"`),
	)
	w.session(t.TempDir(), user("word in another folder", 300))
	w.pass()
	at := func(hours int) backend.Millis {
		return backend.Millis(start.Add(time.Duration(hours) * time.Hour).UnixMilli())
	}
	for name, c := range map[string]struct {
		q    store.Query
		want []string
	}{
		"folder":   {store.Query{Folder: folder, Of: backend.HitMessages}, []string{"user word asked"}},
		"user":     {store.Query{Author: backend.HitByUser}, []string{"user word in another folder", "user word asked"}},
		"answers":  {store.Query{Of: backend.HitAnswers}, []string{"message word of a subagent", "message word answered"}},
		"subagent": {store.Query{Author: backend.HitByCopilot}, []string{"message word of a subagent"}},
		"commands": {store.Query{Of: backend.HitCommands}, []string{"tool bash word"}},
		"files":    {store.Query{Of: backend.HitFiles}, []string{"tool edit /word"}},
		"from":     {store.Query{From: at(4)}, []string{"user word in another folder", "message word of a subagent"}},
		"span":     {store.Query{From: at(1), To: at(1)}, []string{"message word answered"}},
		"phrase":   {store.Query{Author: backend.HitByUser, To: at(4)}, []string{"user word asked"}},
	} {
		c.q.Text = "word"
		if got := w.found(store.SessionQuery{Query: c.q}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPass_FollowsSessions checks that the index follows a session that grows, is replaced, and is deleted.
func TestPass_FollowsSessions(t *testing.T) {
	w := newFixture(t)
	id := w.session(t.TempDir(), user("the first", 1))
	kept := w.session(t.TempDir(), user("the kept one", 0))
	check := func(what string, want ...string) {
		t.Helper()
		for range 2 { // the second pass changes nothing
			w.pass()
			if got := w.found(text("the")); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", what, got, want)
			}
		}
	}
	check("at first", "user the first", "user the kept one")
	half := answer("the answer", 2)
	w.add(id, half[:len(half)-20])
	check("with half an answer", "user the first", "user the kept one")
	w.add(id, half[len(half)-20:])
	check("with an answer", "message the answer", "user the first", "user the kept one")
	w.noErr(os.WriteFile(w.log(id), []byte(user("the replacement, which is longer than what was there before", 3)+strings.Repeat(answer("", 4), 20)), 0o600))
	check("replaced", "user the replacement, which is longer than what was there before", "user the kept one")
	w.noErr(os.RemoveAll(filepath.Dir(w.log(id))))
	check("deleted", "user the kept one")
	w.noErr(os.RemoveAll(filepath.Join(w.home, "session-state")))
	check("home deleted")
	if logs, err := w.store.SessionLogs(t.Context()); err != nil || len(logs) > 0 {
		t.Errorf("%+v remain of %s, %v", logs, kept, err)
	}
}

// TestPass_KeepsUnreadableSessions checks that sessions stay in the index if they can't be read at the moment.
func TestPass_KeepsUnreadableSessions(t *testing.T) {
	w := newFixture(t)
	w.session(t.TempDir(), user("the one", 1))
	w.pass()
	dir := filepath.Join(w.home, "session-state")
	w.noErr(os.Rename(dir, dir+"-away"))
	w.noErr(os.WriteFile(dir, nil, 0o600)) // a file instead of the folder
	w.index.Close()
	_ = w.indexer.Pass(t.Context()) // may report that the folder can't be read
	if got := w.found(text("the")); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

// TestPass_ChatsAreNotFoundTwice checks that a session that is in a chat is found only there, and that it comes back when
// the chat is deleted.
func TestPass_ChatsAreNotFoundTwice(t *testing.T) {
	w := newFixture(t)
	id := w.session(t.TempDir(), user("the one", 1))
	w.pass()
	apply := func(events ...backend.Event) {
		t.Helper()
		w.noErr(w.store.Apply(t.Context(), events, false))
	}
	chat := backend.Chat{ID: "chat", Title: "t"}
	apply(backend.Event{Chat: &chat}, backend.Event{Session: &backend.Session{ChatID: "chat", Name: "main", ACPID: id}})
	if got := w.found(text("the")); len(got) > 0 {
		t.Errorf("got %q at once", got)
	}
	w.add(id, answer("the answer", 2))
	w.pass()
	if got := w.found(text("the")); len(got) > 0 {
		t.Errorf("got %q after a pass", got)
	}
	apply(backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}})
	w.pass()
	if got, want := w.found(text("the")), []string{"message the answer", "user the one"}; !slices.Equal(got, want) {
		t.Errorf("after the chat: got %q, want %q", got, want)
	}
}

// TestPass_SwitchedOffRemovesAll checks that nothing remains in the database after the search in sessions was switched
// off, and that switching it on again adds everything.
func TestPass_SwitchedOffRemovesAll(t *testing.T) {
	w := newFixture(t)
	for i := range 30 {
		w.session(t.TempDir(), user(fmt.Sprintf("the secretword%d", i), i), answer("the answer", i))
	}
	w.pass()
	if logs, texts := w.rows(); logs != 30 || texts != 60 {
		t.Fatalf("%d sessions with %d texts", logs, texts)
	}
	w.enabled.Store(false)
	w.pass()
	if logs, texts := w.rows(); logs+texts != 0 {
		t.Errorf("%d sessions with %d texts remain", logs, texts)
	}
	w.noErr(w.store.CatchUp(t.Context()))
	w.noErr(w.store.Close())
	data, err := os.ReadFile(filepath.Join(w.data, "voxpilot.db"))
	w.noErr(err)
	if strings.Contains(string(data), "secretword") {
		t.Error("texts remain in the file")
	}
	w.enabled.Store(true)
	w.start()
	w.noErr(w.indexer.Pass(t.Context()))
	if logs, texts := w.rows(); logs != 30 || texts != 60 {
		t.Errorf("%d sessions with %d texts after switching it on again", logs, texts)
	}
}

// TestPass_ContinuesAfterInterruption interrupts a pass after each batch, and checks that each text is found exactly
// once in the end.
func TestPass_ContinuesAfterInterruption(t *testing.T) {
	w := newFixture(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, user(fmt.Sprintf("the message%03d %s", i, strings.Repeat("word ", 5000)), i))
	}
	w.session(t.TempDir(), lines...)
	list, err := w.index.List(t.Context(), sessionindex.Query{})
	w.noErr(err)
	interrupted := 0
	for done := false; !done; {
		ctx, cancel := context.WithCancel(t.Context())
		looks := 0
		x := sessionsearch.New(sessionsearch.Config{
			Sessions: func(context.Context) (backend.CLISessions, error) { return list, nil }, Store: w.store, Log: slog.New(slog.DiscardHandler),
			Enabled: func() bool {
				if looks++; looks == 4 { // at the start, twice for a batch, and before the next one
					cancel()
				}
				return true
			},
		})
		if done = x.Pass(ctx) == nil; !done {
			interrupted++
		}
		x.Close()
		cancel()
	}
	hits := w.search(text("the"))
	if hits.Total != 60 || interrupted < 2 {
		t.Errorf("%d texts after %d interruptions", hits.Total, interrupted)
	}
}

// TestPass_ManyTextsOfOneSecond checks that all texts of one second are stored and found, even if there are more of
// them than row IDs for that second.
func TestPass_ManyTextsOfOneSecond(t *testing.T) {
	w := newFixture(t)
	var lines []string
	const n = 5000
	for i := range n {
		lines = append(lines, answer(fmt.Sprintf("number %d", i), 1))
	}
	w.session(t.TempDir(), append([]string{user("the start", 0)}, lines...)...)
	w.pass()
	if got, want := w.found(text("4999 ")), []string{"message number 4999"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	hits := w.search(text("number"))
	if hits.Total != backend.MaxHits || !hits.Capped || len(hits.Groups) != 1 {
		t.Errorf("got %d hits in %d sessions, capped %t", hits.Total, len(hits.Groups), hits.Capped)
	}
	got := len(hits.Hits)
	q := text("number")
	q.SessionID, q.Limit = hits.Groups[0].CLISession, 500
	for q.Before = hits.Groups[0].More; q.Before != ""; {
		page := w.search(q)
		got, q.Before = got+len(page.Hits), page.More
	}
	if got != n {
		t.Errorf("%d of %d hits on all pages", got, n)
	}
}

// TestPass_LongLines checks that a message in a line longer than a megabyte is found, and that a longer result is skipped.
func TestPass_LongLines(t *testing.T) {
	w := newFixture(t)
	image := map[string]any{"type": "blob", "data": strings.Repeat("A", 3<<20), "mimeType": "image/png"}
	w.session(
		t.TempDir(),
		`{"type":"user.message","data":{"content":"the picture","attachments":[`+string(must(json.Marshal(image)))+`]},"id":"0cd2575d-d593-4ec5-bc0e-fc0862cc248f","timestamp":"2026-11-30T10:00:00.000Z","parentId":null}`+"\n",
		line("tool.execution_complete", start, map[string]any{"toolCallId": "c", "result": map[string]any{"content": "the " + strings.Repeat("x", 3<<20)}}, ""),
		answer("the end", 1),
	)
	w.pass()
	if diff := cmp.Diff([]string{"message the end", "user the picture"}, w.found(text("the"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestSearch_PagesOfSessions checks that the pages of a search list each session exactly once, newest first.
func TestSearch_PagesOfSessions(t *testing.T) {
	w := newFixture(t)
	for i := range 40 {
		w.session(t.TempDir(), user(fmt.Sprintf("the session number%d", i), i))
	}
	w.pass()
	q := text("session")
	q.Limit = 30
	var got []string
	pages := 0
	for more := true; more; more = q.Before != "" {
		hits := w.search(q)
		if hits.Total != 40 || hits.Chats != 40 {
			t.Errorf("page %d has %d hits in %d sessions", pages, hits.Total, hits.Chats)
		}
		for _, h := range hits.Hits {
			got = append(got, h.Title)
		}
		q.Before = hits.More
		pages++
	}
	var want []string
	for i := 39; i >= 0; i-- {
		want = append(want, fmt.Sprintf("the session number%d", i))
	}
	if !slices.Equal(got, want) || pages != 4 {
		t.Errorf("%d pages: %q", pages, got)
	}
	q.Before = "x"
	err := w.store.Read(t.Context(), func(v *store.ReadTx) error {
		_, err := v.SearchSessions(t.Context(), q)
		return err
	})
	if backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("an invalid page: %v", err)
	}
}

// TestSearched_ReportsMissingTexts checks that a search reports that texts may be missing until a pass has used a
// complete list of the sessions.
func TestSearched_ReportsMissingTexts(t *testing.T) {
	w := newFixture(t)
	list := backend.CLISessions{Reading: true}
	x := sessionsearch.New(sessionsearch.Config{
		Sessions: func(context.Context) (backend.CLISessions, error) { return list, nil }, Store: w.store, Log: slog.New(slog.DiscardHandler), Enabled: w.enabled.Load,
	})
	defer x.Close()
	check := func(what string, want bool) {
		t.Helper()
		if got := x.Searched(); got != want {
			t.Errorf("%s: got %t", what, got)
		}
	}
	x.Changed()
	check("switched on", true)
	w.noErr(x.Pass(t.Context()))
	check("with a part of the list", true)
	list.Reading = false
	w.noErr(x.Pass(t.Context()))
	check("with the whole list", false)
	w.enabled.Store(false)
	x.Changed()
	w.noErr(x.Pass(t.Context()))
	check("switched off", false)
}
