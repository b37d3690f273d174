package sessionindex_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
)

// fixture is a home of the CLI with an index of it.
type fixture struct {
	*testing.T
	home, cache string
	homes       []string

	mu        sync.Mutex
	temporary map[string]bool
	owners    map[string]string
	ownersIn  string // the home of the sessions in owners
	own       map[int]bool
	Index     *sessionindex.Index
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{T: t, home: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache.json"), temporary: map[string]bool{}, owners: map[string]string{}, own: map[int]bool{}}
	t.Setenv("COPILOT_HOME", w.home)
	w.start()
	return w
}

// start opens the index, as after a start of the app.
func (w *fixture) start() {
	w.Helper()
	x := sessionindex.New(sessionindex.Config{
		Cache: w.cache,
		Homes: func(context.Context) ([]string, error) { return w.homes, nil },
		Temporary: func() (map[string]bool, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.temporary, nil
		},
		Owners: func(_ context.Context, home string, _ []string) (map[string]string, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if home != w.ownersIn {
				return nil, nil
			}
			return w.owners, nil
		},
		IsOwn: func(pid int) bool { return w.own[pid] },
		Log:   slog.New(slog.DiscardHandler),
	})
	w.Index = x
	w.Cleanup(x.Close)
}

// restart closes the index and opens another one.
func (w *fixture) restart() {
	w.Index.Close()
	w.start()
}

// list returns the list once everything has been read.
func (w *fixture) list(q sessionindex.Query) backend.CLISessions {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		list := w.now(q)
		if !list.Reading && !w.Index.Busy() {
			return w.now(q)
		}
		if time.Now().After(end) {
			w.Fatalf("still reading: %+v", list)
		}
	}
}

// now returns the list after a new pass, without waiting for the background work.
func (w *fixture) now(q sessionindex.Query) backend.CLISessions {
	w.Helper()
	w.Index.Expire()
	list, err := w.Index.List(w.Context(), q)
	if err != nil {
		w.Fatal(err)
	}
	return list
}

// titles returns the titles of the sessions in the list.
func titles(list backend.CLISessions) (all []string) {
	for _, s := range list.Sessions {
		all = append(all, s.Title)
	}
	return all
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *fixture) check(err error) {
	w.Helper()
	noErr(w.T, err)
}

var lastTime = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

// entry returns a line of a log. Each has a later time than the one before.
func entry(kind, data string) string {
	lastTime = lastTime.Add(time.Second)
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":%q,"timestamp":%q,"parentId":null}`+"\n", kind, data, sessionfiles.NewID(), lastTime.Format("2006-01-02T15:04:05.000Z"))
}

func started(id, folder string) string {
	return entry("session.start", fmt.Sprintf(`{"sessionId":%q,"version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-30T01:00:00.000Z","context":{"cwd":%q}}`, id, folder))
}

func userSays(text string) string { return entry("user.message", fmt.Sprintf(`{"content":%q}`, text)) }

func agentSays(text string) string {
	return entry("assistant.message", fmt.Sprintf(`{"messageId":"m","model":"sonnet","content":%q}`, text))
}

// session creates a session. Its log contains a session.start event, followed by the given lines.
func (w *fixture) session(folder string, lines ...string) (id string) {
	w.Helper()
	id = sessionfiles.NewID()
	w.write(id, started(id, folder)+strings.Join(lines, ""))
	return id
}

func (w *fixture) dir(id string) string { return filepath.Join(w.home, "session-state", id) }

func (w *fixture) log(id string) string { return filepath.Join(w.dir(id), "events.jsonl") }

func (w *fixture) write(id, log string) {
	w.Helper()
	w.check(os.MkdirAll(w.dir(id), 0o700))
	w.check(os.WriteFile(w.log(id), []byte(log), 0o600))
}

func (w *fixture) appendTo(id, lines string) {
	w.Helper()
	f, err := os.OpenFile(w.log(id), os.O_APPEND|os.O_WRONLY, 0)
	w.check(err)
	_, err = f.WriteString(lines)
	w.check(err)
	w.check(f.Close())
}

func TestIndex_ListsSessionsNewestFirst(t *testing.T) {
	w := newFixture(t)
	folder := t.TempDir()
	first := w.session(folder, userSays("one\nmore"), agentSays("Hi"))
	second := w.session("/gone", userSays("two"), agentSays("Hi"), userSays("again"))
	w.check(os.WriteFile(filepath.Join(w.dir(second), "workspace.yaml"), []byte("id: "+second+"\nname: Its name\nbranch: topic\n"), 0o600))
	w.session(folder)                                                       // without a message
	w.check(os.Mkdir(w.dir(sessionfiles.NewID()), 0o700))                   // never prompted
	w.check(os.WriteFile(w.dir("x"), nil, 0o600))                           // no folder
	w.check(os.Mkdir(w.dir(".voxpilot-fork-"+sessionfiles.NewID()), 0o700)) // a copy in progress
	w.owners[first] = "chat"

	list := w.list(sessionindex.Query{})
	if list.Known != 1 || !list.Failure.IsZero() {
		t.Errorf("got %+v", list)
	}
	want := []backend.CLISession{
		{ID: second, Title: "Its name", Folder: "/gone", FolderMissing: true, Branch: "topic", Last: "again", Model: "sonnet", Messages: 3},
		{ID: first, Title: "one", Folder: folder, Last: "one", Model: "sonnet", Messages: 2, ChatID: "chat"},
	}
	for i := range list.Sessions {
		s := &list.Sessions[i]
		if info, err := os.Stat(w.log(s.ID)); err != nil || info.Size() != s.Size || s.UpdatedAt == 0 || s.CreatedAt == 0 {
			t.Errorf("got %+v, %v", s, err)
		}
		s.Size, s.UpdatedAt, s.CreatedAt = 0, 0, 0
	}
	if diff := cmp.Diff(want, list.Sessions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestIndex_RevisionFollowsChanges checks that the revision changes exactly when the list does, and that a request with
// the current revision gets no sessions.
func TestIndex_RevisionFollowsChanges(t *testing.T) {
	w := newFixture(t)
	id := w.session("/gone", userSays("one"), agentSays("Hi"))
	w.list(sessionindex.Query{})
	waitForFolders(w)
	now := w.list(sessionindex.Query{}).Revision
	if again := w.list(sessionindex.Query{Since: now}); again.Revision != now || again.Sessions != nil {
		t.Fatalf("nothing has changed: %+v", again)
	}
	for _, change := range []struct {
		name string
		do   func()
		want func(list backend.CLISessions) bool
	}{
		{"a message", func() { w.appendTo(id, userSays("two")) }, func(l backend.CLISessions) bool {
			return l.Sessions[0].Messages == 3 && l.Sessions[0].Last == "two"
		}},
		{"another session", func() { w.session("/gone", userSays("three")) }, func(l backend.CLISessions) bool { return len(l.Sessions) == 2 }},
		{"a chat", func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.owners[id] = "chat"
			w.Index.OwnersChanged()
		}, func(l backend.CLISessions) bool { return l.Known == 1 }},
		{"a name", func() {
			w.check(os.WriteFile(filepath.Join(w.dir(id), "workspace.yaml"), []byte("id: "+id+"\nname: Named\n"), 0o600))
		}, func(l backend.CLISessions) bool {
			return l.Sessions[1].Title == "Named" && l.Sessions[1].Last == "two" && l.Sessions[1].Model == "sonnet"
		}},
		{"a program", func() {
			w.check(os.WriteFile(filepath.Join(w.dir(id), fmt.Sprintf("inuse.%d.lock", os.Getpid())), nil, 0o600))
		}, func(l backend.CLISessions) bool {
			return l.Sessions[1].Holder != nil && l.Sessions[1].Holder.PID == os.Getpid()
		}},
		{"the program has exited", func() {
			w.check(os.Remove(filepath.Join(w.dir(id), fmt.Sprintf("inuse.%d.lock", os.Getpid()))))
		}, func(l backend.CLISessions) bool { return l.Sessions[1].Holder == nil }},
		{"a temporary session", func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.temporary = map[string]bool{id: true}
		}, func(l backend.CLISessions) bool { return len(l.Sessions) == 1 && l.Known == 0 }},
		{"kept", func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.temporary = nil
		}, func(l backend.CLISessions) bool { return len(l.Sessions) == 2 }},
		{"damage", func() { w.appendTo(id, "garbage\n"+agentSays("x")) }, func(l backend.CLISessions) bool {
			return l.Sessions[0].Damage == backend.DamageInvalid
		}},
		{"deletion", func() { w.check(os.RemoveAll(w.dir(id))) }, func(l backend.CLISessions) bool { return len(l.Sessions) == 1 }},
		{"all gone", func() { w.check(os.RemoveAll(w.home)) }, func(l backend.CLISessions) bool { return len(l.Sessions) == 0 }},
	} {
		change.do()
		list := w.list(sessionindex.Query{Since: now})
		if list.Revision <= now || list.Sessions == nil || !change.want(list) {
			t.Fatalf("%s: revision %d after %d, %+v", change.name, list.Revision, now, list.Sessions)
		}
		now = list.Revision
		if again := w.list(sessionindex.Query{Since: now}); again.Revision != now || again.Sessions != nil {
			t.Fatalf("%s: nothing has changed: %+v", change.name, again)
		}
	}
}

// TestIndex_RevisionFollowsReading checks that the revision changes when the number of messages becomes known.
func TestIndex_RevisionFollowsReading(t *testing.T) {
	w := newFixture(t)
	w.session(t.TempDir(), userSays("one"), strings.Repeat(agentSays(strings.Repeat("x", 10_000)), 300))
	first := w.now(sessionindex.Query{})
	if len(first.Sessions) != 1 || first.Sessions[0].Messages != -1 || !first.Reading {
		t.Fatalf("got %+v", first)
	}
	for end := time.Now().Add(time.Minute); w.Index.Busy(); time.Sleep(time.Millisecond) { // no other pass runs meanwhile
		if time.Now().After(end) {
			t.Fatal("still reading")
		}
	}
	if list := w.now(sessionindex.Query{Since: first.Revision}); len(list.Sessions) != 1 || list.Sessions[0].Messages != 301 {
		t.Errorf("got %+v after revision %d", list, first.Revision)
	}
}

// waitForFolders waits until it is known whether the working directories exist.
func waitForFolders(w *fixture) {
	w.Helper()
	for end := time.Now().Add(time.Minute); w.Index.CheckingFolders(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.Fatal("still checking the folders")
		}
	}
}

// TestIndex_OwnProcessesArentHolders checks that a session that VoxPilot has open isn't shown as open.
func TestIndex_OwnProcessesArentHolders(t *testing.T) {
	w := newFixture(t)
	id := w.session("/gone", userSays("one"))
	w.check(os.WriteFile(filepath.Join(w.dir(id), fmt.Sprintf("inuse.%d.lock", os.Getpid())), nil, 0o600))
	w.own[os.Getpid()] = true
	if list := w.list(sessionindex.Query{}); len(list.Sessions) != 1 || list.Sessions[0].Holder != nil {
		t.Errorf("got %+v", list.Sessions)
	}
}

func TestIndex_Filters(t *testing.T) {
	w := newFixture(t)
	w.session("/code/Älpha", userSays("Fix the Größe"), agentSays("hi"), userSays("then the tests"))
	from := backend.Millis(lastTime.Add(time.Second).UnixMilli())
	w.session("/code/beta", userSays("Write tests"))
	for name, c := range map[string]struct {
		q    sessionindex.Query
		want []string
	}{
		"all":              {sessionindex.Query{}, []string{"Write tests", "Fix the Größe"}},
		"a word":           {sessionindex.Query{Text: "TESTS"}, []string{"Write tests", "Fix the Größe"}},
		"two words":        {sessionindex.Query{Text: "tests  größe"}, []string{"Fix the Größe"}},
		"a folder's part":  {sessionindex.Query{Text: "älph"}, []string{"Fix the Größe"}},
		"no match":         {sessionindex.Query{Text: "tests nothing"}, nil},
		"an answer":        {sessionindex.Query{Text: "hi"}, nil},
		"a folder":         {sessionindex.Query{Folder: "/code/beta"}, []string{"Write tests"}},
		"not below it":     {sessionindex.Query{Folder: "/code"}, nil},
		"since":            {sessionindex.Query{From: from}, []string{"Write tests"}},
		"until":            {sessionindex.Query{To: from - 1}, []string{"Fix the Größe"}},
		"until, inclusive": {sessionindex.Query{To: from - 1000}, []string{"Fix the Größe"}},
	} {
		if got := titles(w.list(c.q)); !cmp.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestIndex_AllHomes checks that the sessions of all homes are listed, each home once.
func TestIndex_AllHomes(t *testing.T) {
	w := newFixture(t)
	w.session("/a", userSays("default"))
	other, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	id := sessionfiles.NewID()
	w.check(os.MkdirAll(filepath.Join(other, "session-state", id), 0o700))
	w.check(os.WriteFile(filepath.Join(other, "session-state", id, "events.jsonl"), []byte(started(id, "/b")+userSays("other")), 0o600))
	w.check(os.Symlink(other, link))
	w.homes = []string{w.home, other, link, filepath.Join(other, "none")}
	list := w.list(sessionindex.Query{})
	if got, want := titles(list), []string{"other", "default"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if list.Sessions[0].Home != other || list.Sessions[1].Home != "" {
		t.Errorf("got the homes %q and %q", list.Sessions[0].Home, list.Sessions[1].Home)
	}
	w.mu.Lock()
	w.owners, w.ownersIn = map[string]string{id: "chat"}, other
	w.mu.Unlock()
	w.check(os.CopyFS(filepath.Join(w.home, "session-state", id), os.DirFS(filepath.Join(other, "session-state", id))))
	for _, s := range w.list(sessionindex.Query{}).Sessions {
		if want := map[bool]string{true: "chat"}[s.Home == other]; s.ID == id && s.ChatID != want {
			t.Errorf("the session in %q is in the chat %q, want %q", s.Home, s.ChatID, want)
		}
	}
	w.check(os.RemoveAll(filepath.Join(w.home, "session-state", id)))
	w.list(sessionindex.Query{})
	for home, found := range map[string]bool{other: true, link: true, "": false, filepath.Dir(other): false, "/": false} {
		_, err := w.Index.Preview(t.Context(), home, id)
		if (err == nil) != found || err != nil && backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("preview in %q: %v", home, err)
		}
	}
}
