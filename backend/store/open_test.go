package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// TestMain lets the test binary run as an app that is killed while it writes, or that only opens a database.
func TestMain(m *testing.M) {
	if dir := os.Getenv("VOXPILOT_TEST_WRITER"); dir != "" {
		writeUntilKilled(dir)
	}
	if dir := os.Getenv("VOXPILOT_TEST_OPENER"); dir != "" {
		_, storage, err := store.Open(context.Background(), dir)
		fmt.Println(storage.State, backend.CodeOf(err))
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// openRefused tries to open a store. It fails the test unless opening fails with the wanted state.
func openRefused(t *testing.T, dir string, want backend.StorageState) backend.Storage {
	t.Helper()
	s, storage, err := store.Open(context.Background(), dir)
	if err == nil {
		closeStore(t, s)
	}
	if s != nil || backend.CodeOf(err) != backend.CodeStorage || storage.State != want {
		t.Fatalf("Open: %+v, %v; want the state %s", storage, err, want)
	}
	if storage.Message.IsZero() || storage.Message.String() != err.Error() || storage.Path != filepath.Join(dir, "voxpilot.db") {
		t.Errorf("what is said is %+v, %v", storage, err)
	}
	return storage
}

func TestOpen_OneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	openRefused(t, dir, backend.StorageInUse)
	closeStore(t, s)
	openStore(t, dir)
}

func TestOpen_FilesReadableByOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits; the profile's folder is its owner's alone")
	}
	dir := filepath.Join(t.TempDir(), "a", "data? #1%20")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "voxpilot.db"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		seen[d.Name()] = true
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be used by others: %s", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"voxpilot.db", "voxpilot.db-wal", "voxpilot.db-shm", "voxpilot.lock"} {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestOpen_UnwritableRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	protect := func(dir string) {
		if err := os.Chmod(filepath.Join(dir, "voxpilot.db"), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() != 0 {
		dir := t.TempDir()
		closeStore(t, openStore(t, dir))
		protect(dir)
		openRefused(t, dir, backend.StorageReadOnly)
		return
	}

	// Permissions don't restrict root, so a child process opens the store as the user nobody.
	base, err := os.MkdirTemp("/tmp", "voxpilot-test-") //nolint:usetesting // t.TempDir may be closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, opener := filepath.Join(base, "data"), filepath.Join(base, "opener")
	closeStore(t, openStore(t, dir))
	protect(dir)
	for _, name := range []string{"", "voxpilot.db", "voxpilot.lock"} {
		if err := os.Chown(filepath.Join(dir, name), nobodyID, nobodyID); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(opener, program, 0o755); err != nil {
		t.Fatal(err)
	}
	other := runAsNobody(exec.Command(opener))
	other.Env = append(os.Environ(), "VOXPILOT_TEST_OPENER="+dir)
	other.Stderr = os.Stderr
	out, err := other.Output()
	if got, want := strings.TrimSpace(string(out)), "read_only storage"; got != want {
		t.Errorf("it answers %q, %v; want %q", got, err, want)
	}
}

// nobodyID is the UID and GID of the unprivileged user.
const nobodyID = 65534

func TestOpen_NewerVersionUnchanged(t *testing.T) {
	dir := t.TempDir()
	closeStore(t, openStore(t, dir))
	db := sqlite(t, dir)
	if _, err := db.Exec("PRAGMA user_version = 1000"); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		data, err := os.ReadFile(filepath.Join(dir, "voxpilot.db"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	// While the file is in use, the version is only in the log.
	openRefused(t, dir, backend.StorageNewer)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before := read()
	openRefused(t, dir, backend.StorageNewer)
	if read() != before {
		t.Error("the file was changed")
	}
}

func TestRecover_RepairsAfterCrash(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	tool := func(id string, status backend.ToolStatus, open bool) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "live", Kind: backend.ItemTool, Open: open, Tool: &backend.Tool{CallID: id, Status: status}}}
	}
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "live", TurnState: backend.TurnRunning, Detail: backend.Plain("Running tests")}},
		backend.Event{Chat: &backend.Chat{ID: "done", TurnState: backend.TurnDone, TurnSince: 5}},
		backend.Event{Session: &backend.Session{ChatID: "live", Name: "main", State: backend.SessionLoaded}},
		backend.Event{Session: &backend.Session{ChatID: "live", Name: "old", State: backend.SessionLost}},
		backend.Event{Turn: &backend.Turn{ID: "running", ChatID: "live", State: backend.TurnRunning, StartedAt: 6, SentAt: 7}},
		backend.Event{Turn: &backend.Turn{ID: "ended", ChatID: "live", State: backend.TurnFailed, EndedAt: 5}},
		backend.Event{Item: &backend.Item{ID: "message", ChatID: "live", Kind: backend.ItemMessage, Open: true}},
		tool("asks", backend.ToolPending, true), tool("runs", backend.ToolInProgress, true), tool("ran", backend.ToolCompleted, false),
		backend.Event{Permission: &backend.Permission{ID: "asked", ChatID: "live", ItemID: "asks", State: backend.PermissionOpen}},
		backend.Event{Permission: &backend.Permission{ID: "decided", ChatID: "live", ItemID: "ran", State: backend.PermissionDecided, Decision: backend.DecisionRejected, DecidedAt: 5}},
		backend.Event{Queued: &backend.QueuedPrompt{ID: "next", ChatID: "live", Text: "and then"}},
	)
	closeStore(t, s)
	start := backend.Now()
	s = openStore(t, dir)
	app, _ := appEvents(t, s), 0
	chat, _ := chatEvents(t, s, "live", 10)
	got := newest(append(app, chat...))

	recent := func(what string, at backend.Millis) {
		t.Helper()
		if at < start || at > backend.Now() {
			t.Errorf("the time of %s is %d", what, at)
		}
	}
	live := got["Chat live"].Chat
	if live.TurnState != backend.TurnInterrupted || !live.Detail.IsZero() {
		t.Errorf("the chat is %+v", live)
	}
	recent("the chat", live.TurnSince)
	if done := got["Chat done"].Chat; done.TurnState != backend.TurnDone || done.TurnSince != 5 {
		t.Errorf("the other chat is %+v", done)
	}
	if s := got["Session main"].Session; s.State != backend.SessionUnloaded {
		t.Errorf("the session is %+v", s)
	}
	if s := got["Session old"].Session; s.State != backend.SessionLost {
		t.Errorf("the lost session is %+v", s)
	}
	if m := got["Item message"].Item; m.Open {
		t.Errorf("the message is %+v", m)
	} else {
		recent("the message", m.EndedAt)
	}
	for id, want := range map[string]backend.Tool{
		"asks": {CallID: "asks", Status: backend.ToolCancelled, Decision: backend.DecisionClosed},
		"runs": {CallID: "runs", Status: backend.ToolCancelled},
		"ran":  {CallID: "ran", Status: backend.ToolCompleted},
	} {
		item := got["Item "+id].Item
		if diff := cmp.Diff(&want, item.Tool); diff != "" || item.Open {
			t.Errorf("the tool call %s is (-want +got), open %t:\n%s", id, item.Open, diff)
		}
	}
	if p := got["Permission asked"].Permission; p.State != backend.PermissionClosed || p.Decision != backend.DecisionClosed {
		t.Errorf("the request is %+v", p)
	} else {
		recent("the request", p.DecidedAt)
	}
	if p := got["Permission decided"].Permission; p.Decision != backend.DecisionRejected || p.DecidedAt != 5 {
		t.Errorf("the decided request is %+v", p)
	}
	if q := got["Queued next"].Queued; !q.Paused {
		t.Errorf("what was queued is %+v", q)
	}
	db := sqlite(t, dir)
	if turns := column(t, db, "SELECT id || ' ' || state || ' ' || (ended_at >= "+fmt.Sprint(start)+") FROM turns ORDER BY id"); !cmp.Equal(turns, []string{"ended failed 0", "running interrupted 1"}) {
		t.Errorf("the turns are %q", turns)
	}
}

// writeUntilKilled repeatedly commits a durable message, prints it and adds more text
// until the process is killed.
func writeUntilKilled(dir string) {
	ctx := context.Background()
	s, _, err := store.Open(ctx, dir)
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	for i := 0; ; i++ {
		id := fmt.Sprintf("%06d", i)
		err := errors.Join(
			s.Apply(ctx, []backend.Event{
				{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning}},
				{Item: &backend.Item{ID: id, ChatID: "chat", Kind: backend.ItemUser, Open: true}},
				{Text: &backend.Text{ItemID: id, ChatID: "chat", Text: "durable"}},
			}, true),
		)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, id)
		if err := out.Flush(); err != nil {
			panic(err)
		}
		for j := range int64(5) {
			if err := s.Apply(ctx, []backend.Event{{Text: &backend.Text{ItemID: id, ChatID: "chat", Offset: 7 + 5*j, Text: " more"}}}, false); err != nil {
				panic(err)
			}
		}
	}
}

func TestApply_DurableSurvivesKill(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		app := exec.Command(self)
		app.Env = append(os.Environ(), "VOXPILOT_TEST_WRITER="+dir)
		app.Stderr = os.Stderr
		out, err := app.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := app.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewScanner(out)
		last := ""
		for range 20 + 7*round {
			if !said.Scan() {
				t.Fatalf("it ended by itself: %v", said.Err())
			}
			last = said.Text()
		}
		if err := app.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for said.Scan() { // output before the kill
			last = said.Text()
		}
		_ = app.Wait() // killed

		s := openStore(t, dir)
		db := sqlite(t, dir)
		if got := column(t, db, "PRAGMA integrity_check"); !cmp.Equal(got, []string{"ok"}) {
			t.Errorf("the file is damaged: %q", got)
		}
		text, _, err := s.Text(context.Background(), last, 0, 0)
		if err != nil || !strings.HasPrefix(string(text), "durable") {
			t.Errorf("of the last message that was durable there is %q, %v", text, err)
		}
		if open := column(t, db, "SELECT count(*) FROM items WHERE open = 1"); open[0] != "0" {
			t.Errorf("%s items are still open", open[0])
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		closeStore(t, s)
	}
}
