package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// allHits returns the total number of hits for the given text.
func allHits(t *testing.T, s *Store, text string) (n int) {
	t.Helper()
	err := s.Read(t.Context(), func(v *ReadTx) error {
		hits, err := v.Search(t.Context(), Query{Text: text, Count: true})
		n = hits.Total
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mustSearch(t *testing.T, s *Store, text string) (hits backend.Hits) {
	t.Helper()
	err := s.Read(t.Context(), func(v *ReadTx) (err error) {
		hits, err = v.Search(t.Context(), Query{Text: text, Limit: 50})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// chatWithMessages returns the events for a chat with the given number of messages. Each message contains the given
// word, and another word that occurs in no other message.
func chatWithMessages(chatID, word string, messages int) []backend.Event {
	events := []backend.Event{{Chat: &backend.Chat{ID: chatID, Title: "About " + word}}}
	for n := range messages {
		id := fmt.Sprint(chatID, "-", n)
		events = append(events,
			backend.Event{Item: &backend.Item{ID: id, ChatID: chatID, Kind: backend.ItemMessage}},
			backend.Event{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: fmt.Sprintf("a %s and %s%dx", word, word, n)}})
	}
	return events
}

func TestUpkeep_IndexesOldChatsInBackground(t *testing.T) {
	dir := t.TempDir()
	// A database from before search existed.
	path := filepath.Join(dir, fileName)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	migrations := futureMigrations(t)
	if err := runMigrations(t.Context(), path, migrations, 4); err != nil {
		t.Fatal(err)
	}
	old, err := openPool(path, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3*readItems + 1 {
		for _, statement := range []string{
			"INSERT OR IGNORE INTO chats VALUES ('chat', 'About zebras', 0, '/home', 'copilot', '', 0, '', 0, '', 1, 1, 'ask', '', NULL, 0, 0, 0, 0)",
			fmt.Sprintf("INSERT INTO items VALUES ('item%d', 'chat', '', '', 'main', %d, 'message', 0, %d, 0, NULL, NULL, NULL, 0, NULL, NULL)", n, n+1, n),
			fmt.Sprintf("INSERT INTO texts VALUES ('item%d', 0, CAST('a zebra%dx' AS BLOB))", n, n),
		} {
			if err := old.Exec(statement).Error; err != nil {
				t.Fatal(err)
			}
		}
	}
	pool, err := old.DB()
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}

	s := mustOpen(t, dir, migrations)
	if hits := mustSearch(t, s, "zebra"); !hits.Reading || len(hits.Hits) != 0 {
		t.Errorf("at first, found was %+v", hits)
	}
	// New data is found immediately.
	if err := s.Apply(t.Context(), chatWithMessages("new", "okapi", 1), false); err != nil {
		t.Fatal(err)
	}
	if hits := mustSearch(t, s, "okapi "); len(hits.Hits) != 2 || !hits.Reading {
		t.Errorf("found was %+v", hits)
	}
	// An interruption loses nothing.
	if err := s.transaction(fast, func(w *writer) error { _, err := w.readItems(); return err }); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	s = mustOpen(t, dir, migrations)
	if hits := mustSearch(t, s, fmt.Sprintf("zebra%dx ", 3*readItems)); len(hits.Hits) != 1 || !hits.Reading {
		t.Errorf("of the newest, found was %+v", hits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Maintain(ctx) }()
	for mustSearch(t, s, "zebra0x ").Reading {
		select {
		case err := <-done:
			t.Fatalf("the chats were not read: %v", err)
		default:
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := allHits(t, s, "zebra"); n != 3*readItems+2 || mustSearch(t, s, "zebra").Hits[0].Kind != backend.HitTitle {
		t.Errorf("in the end, there are %d hits", n)
	}
}

func TestUpkeep_DeletedChatErasedFromFile(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, futureMigrations(t))
	filler := strings.Repeat("quagga ", 5000)
	for n := range 20 { // in many transactions, as in normal use
		events := append(chatWithMessages(fmt.Sprint("kept", n), "giraffe", 20), chatWithMessages(fmt.Sprint("gone", n), "zebra", 20)...)
		events = append(events, backend.Event{Content: &backend.Content{
			ID: fmt.Sprint("content", n), ItemID: fmt.Sprint("gone", n, "-0"), ChatID: fmt.Sprint("gone", n), Type: backend.ContentText, Body: []byte(filler),
		}})
		if err := s.Apply(t.Context(), events, false); err != nil {
			t.Fatal(err)
		}
	}
	contents := func() []byte {
		t.Helper()
		mustClose(t, s)
		data, err := os.ReadFile(filepath.Join(dir, fileName))
		if err != nil {
			t.Fatal(err)
		}
		s = mustOpen(t, dir, futureMigrations(t))
		return data
	}
	before := contents()
	if !bytes.Contains(before, []byte("zebra")) || !bytes.Contains(before, []byte("quagga")) {
		t.Fatal("it was not there")
	}
	for n := range 20 {
		if err := s.Apply(t.Context(), []backend.Event{{ChatDeleted: &backend.Deleted{ID: fmt.Sprint("gone", n)}}}, false); err != nil {
			t.Fatal(err)
		}
	}
	mustClose(t, s) // does no harm, because the work continues at the next start
	s = mustOpen(t, dir, futureMigrations(t))
	if err := s.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := contents()
	for _, word := range []string{"zebra", "quagga", "gone1"} {
		if at := bytes.Index(after, []byte(word)); at >= 0 {
			t.Errorf("%q is still in the file: %q", word, after[max(0, at-50):min(len(after), at+50)])
		}
	}
	if len(after) > len(before)/2 {
		t.Errorf("of %d bytes, %d are left", len(before), len(after))
	}
	if n := allHits(t, s, "giraffe "); n != 20+20*20 {
		t.Errorf("of what was kept, %d are found", n)
	}
	var result string
	if err := s.conn.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&result); err != nil || result != "ok" {
		t.Errorf("the file is %q, %v", result, err)
	}
}

func TestUpkeep_MigratedCopyIsIndexed(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, futureMigrations(t))
	if err := s.Apply(t.Context(), chatWithMessages("chat", "zebra", 10), false); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	mustClose(t, mustOpen(t, dir, futureMigrations(t, "CREATE TABLE more (a TEXT) STRICT")))
	copied := backups(t, dir)
	if len(copied) != 1 {
		t.Fatalf("the copies are %q", copied)
	}
	old := t.TempDir()
	if err := os.Rename(copied[0], filepath.Join(old, fileName)); err != nil {
		t.Fatal(err)
	}
	for _, place := range []struct {
		dir  string
		more []string
	}{{old, nil}, {dir, []string{"CREATE TABLE more (a TEXT) STRICT"}}} {
		s := mustOpen(t, place.dir, futureMigrations(t, place.more...))
		if hits := mustSearch(t, s, "zebra3x "); len(hits.Hits) != 1 || hits.Hits[0].ItemID != "chat-3" {
			t.Errorf("in %s, found was %+v", place.dir, hits)
		}
	}
}

func TestUpkeep_SalvagedDatabaseReindexed(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir, futureMigrations(t))
	if err := s.Apply(t.Context(), chatWithMessages("chat", "zebra", 300), false); err != nil {
		t.Fatal(err)
	}
	// Make a page of the index itself unreadable.
	var page int64
	if err := s.conn.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = 'search_docsize'").Scan(&page); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0x99}, 4096), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, suspectName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, storage, err := open(t.Context(), dir, futureMigrations(t))
	if err != nil || storage.State != backend.StorageSalvaged || !strings.Contains(storage.Message.String(), "Recovered: everything (") {
		t.Fatalf("Open: %+v, %v", storage, err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if hits := mustSearch(t, s, "zebra"); !hits.Reading {
		t.Errorf("at first, found was %+v", hits)
	}
	if err := s.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, reading := allHits(t, s, "zebra"), mustSearch(t, s, "zebra").Reading; reading || n != 301 {
		t.Errorf("in the end, there are %d hits, reading: %t", n, reading)
	}
}
