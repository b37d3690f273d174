package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// newHistoryDatabase creates a database with three chats of 200 messages each.
func newHistoryDatabase(t *testing.T, dir string) {
	t.Helper()
	s := openStore(t, dir)
	for chat := range 3 {
		chatID := fmt.Sprint("chat", chat)
		events := []backend.Event{
			{Chat: &backend.Chat{ID: chatID, Title: "A chat", Folder: "/home"}},
			{Session: &backend.Session{ChatID: chatID, Name: "main", Cwd: "/home/" + chatID}},
		}
		for i := range 200 {
			id := fmt.Sprint(chatID, "-", i)
			events = append(events,
				backend.Event{Item: &backend.Item{ID: id, ChatID: chatID, Kind: backend.ItemMessage, CreatedAt: 1}},
				backend.Event{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: strings.Repeat("text of "+id+" ", 20)}},
				backend.Event{Content: &backend.Content{ID: "of " + id, ItemID: id, ChatID: chatID, Body: bytes.Repeat([]byte("body"), 100)}},
			)
		}
		apply(t, s, events...)
	}
	closeStore(t, s)
}

// damage overwrites some leaf pages of a table, and returns the number of rows that they contained. The function pick
// selects the pages: it is called with the index of each page and the total number of pages.
func damage(t *testing.T, dir, table string, pick func(page, pages int) bool) (rows int) {
	t.Helper()
	db := sqlite(t, dir)
	leaves := column(t, db, "SELECT pageno || ' ' || ncell FROM dbstat WHERE name = '"+table+"' AND pagetype = 'leaf' ORDER BY path")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "voxpilot.db"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, leaf := range leaves {
		if !pick(i, len(leaves)) {
			continue
		}
		var page int64
		var cells int
		if _, err := fmt.Sscan(leaf, &page, &cells); err != nil {
			t.Fatal(err)
		}
		rows += cells
		if _, err := file.WriteAt(bytes.Repeat([]byte{0x99}, 4096), (page-1)*4096); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if rows == 0 {
		t.Fatalf("%s has %d leaves, none of which was damaged", table, len(leaves))
	}
	return rows
}

// markDamaged marks the database as damaged, so that the next Open checks it.
func markDamaged(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "voxpilot.suspect"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// openSalvaged opens a damaged store and returns it with the message for the user.
func openSalvaged(t *testing.T, dir string) (*store.Store, string) {
	t.Helper()
	damaged, err := os.ReadFile(filepath.Join(dir, "voxpilot.db"))
	if err != nil {
		t.Fatal(err)
	}
	s, storage, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatalf("Open: %v (%+v)", err, storage)
	}
	t.Cleanup(func() { closeStore(t, s) })
	if storage.State != backend.StorageSalvaged {
		t.Fatalf("Open: %+v", storage)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "voxpilot-corrupt-*.db"))
	if err != nil || len(kept) != 1 || !strings.Contains(storage.Message.String(), kept[0]) {
		t.Fatalf("%q is kept, %v; %q is said", kept, err, storage.Message)
	}
	if copied, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(copied, damaged) {
		t.Errorf("what is kept is another file, %v", err)
	}
	if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("what is kept can be used by others: %v, %v", info.Mode(), err)
	}
	db := sqlite(t, dir)
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		if got := column(t, db, "SELECT * FROM pragma_"+pragma); len(got) > 0 && got[0] != "ok" {
			t.Errorf("%s says %q", pragma, got)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return s, storage.Message.String()
}

func count(t *testing.T, dir, table string) int {
	t.Helper()
	db := sqlite(t, dir)
	n, err := strconv.Atoi(column(t, db, "SELECT count(*) FROM "+table)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSalvage_NonDatabaseSavedAndReplaced(t *testing.T) {
	for name, data := range map[string]string{
		"other data": strings.Repeat("no database ", 1000),
		"cut short":  "SQLite",
		"only zeros": strings.Repeat("\x00", 8192),
		"only magic": "SQLite format 3\x00" + strings.Repeat("\x00", 8192),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "voxpilot.db"), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			s, message := openSalvaged(t, dir)
			if !strings.Contains(message, "Recovered: everything that could be read (chats: 0, entries: 0).") {
				t.Errorf("it says %q", message)
			}
			apply(t, s, allEvents()...)
		})
	}
}

func TestSalvage_ReadablePagesRecovered(t *testing.T) {
	for name, pick := range map[string]func(page, pages int) bool{
		"first page":    func(page, _ int) bool { return page == 0 },
		"last page":     func(page, pages int) bool { return page == pages-1 },
		"a middle page": func(page, pages int) bool { return page == pages/2 },
		"every second":  func(page, _ int) bool { return page%2 == 1 },
		"all but one":   func(page, pages int) bool { return page != pages/2 },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			newHistoryDatabase(t, dir)
			items, contents := count(t, dir, "items"), count(t, dir, "contents")
			items -= damage(t, dir, "items", pick)
			contents -= damage(t, dir, "contents", pick)
			markDamaged(t, dir)
			s, message := openSalvaged(t, dir)
			if got := count(t, dir, "items"); got != items {
				t.Errorf("%d items are there, %d could be read", got, items)
			}
			if got := count(t, dir, "texts"); got != items {
				t.Errorf("%d texts are there of %d items", got, items)
			}
			if got := count(t, dir, "contents"); got != contents {
				t.Errorf("%d contents are there, %d could be read", got, contents)
			}
			if want := fmt.Sprintf("Recovered: everything that could be read (chats: 3, entries: %d).", items); !strings.Contains(message, want) {
				t.Errorf("it says %q", message)
			}
			closeStore(t, s)
			openStore(t, dir)
		})
	}
}

func TestSalvage_IndexDamageLosesNothing(t *testing.T) {
	dir := t.TempDir()
	newHistoryDatabase(t, dir)
	before := dump(t, dir)
	damage(t, dir, "items_of_parent", func(int, int) bool { return true })
	damage(t, dir, "items_in_order", func(int, int) bool { return true })
	markDamaged(t, dir)
	_, message := openSalvaged(t, dir)
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if !strings.Contains(message, "Recovered: everything (") {
		t.Errorf("it says %q", message)
	}
}

func TestSalvage_ChatWithItemsOnlySurvives(t *testing.T) {
	dir := t.TempDir()
	newHistoryDatabase(t, dir)
	damage(t, dir, "chats", func(int, int) bool { return true })
	markDamaged(t, dir)
	s, _ := openSalvaged(t, dir)
	for i := range 3 {
		id := fmt.Sprint("chat", i)
		chat := newest(appEvents(t, s))["Chat "+id].Chat
		if chat == nil || chat.Title != "Recovered chat" || chat.Folder != "/home/"+id || chat.ProviderID != backend.ProviderCopilot {
			t.Errorf("%s is %+v", id, chat)
		}
		if events, _ := chatEvents(t, s, id, 500); len(events) != 1+3*200 {
			t.Errorf("%s has %d events", id, len(events))
		}
	}
}

func TestSalvage_TextJoinsAcrossLostPieces(t *testing.T) {
	s, dir := newStoreWithItem(t)
	apply(t, s, message(false))
	var pieces []string
	at := int64(0)
	for i := range 30 {
		text := strings.Repeat(fmt.Sprintf("%02d ", i), 300)
		apply(t, s, piece(at, text))
		pieces = append(pieces, text)
		at += int64(len(text))
	}
	closeStore(t, s)
	damage(t, dir, "texts", func(page, pages int) bool { return page == pages/2 })
	markDamaged(t, dir)
	s, _ = openSalvaged(t, dir)
	got := wholeText(t, s)
	missing := 0
	for _, text := range pieces {
		if rest, found := strings.CutPrefix(got, text); found {
			got = rest
		} else {
			missing++
		}
	}
	if got != "" || missing == 0 || missing > 8 {
		t.Errorf("%d of %d pieces are missing, and there is more: %.100q", missing, len(pieces), got)
	}
	if text := wholeText(t, s); text != "" {
		apply(t, s, piece(int64(len(text)), "and more"))
		if !strings.HasSuffix(wholeText(t, s), " and more") {
			t.Error("more text has no place")
		}
	}
}

func TestSalvage_DamageInUseRepairedAtNextStart(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	newHistoryDatabase(t, dir)
	damage(t, dir, "items", func(page, pages int) bool { return page == pages/2 })
	s := openStore(t, dir) // not checked, because it was closed cleanly
	var err error
	for i := 0; i < 3 && err == nil; i++ {
		err = s.Read(ctx, func(v *store.ReadTx) error {
			_, _, err := v.ChatEvents(ctx, fmt.Sprint("chat", i), 500)
			return err
		})
	}
	if backend.CodeOf(err) != backend.CodeStorage || !strings.Contains(err.Error(), "damaged. Restart VoxPilot") {
		t.Fatalf("a page that cannot be read: %v", err)
	}
	closeStore(t, s)
	s, _ = openSalvaged(t, dir)
	closeStore(t, s)
	openStore(t, dir)
}

func TestOpen_UncleanShutdownChecksFile(t *testing.T) {
	dir, crashed := t.TempDir(), t.TempDir()
	newHistoryDatabase(t, dir)
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "last", Title: "In the log only"}})
	for _, name := range []string{"voxpilot.db", "voxpilot.db-wal"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(crashed, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	closeStore(t, s)
	// Both files have the same pages, but only one has the log.
	db := sqlite(t, dir)
	leaf := column(t, db, "SELECT pageno FROM dbstat WHERE name = 'turns_of_chat' OR name = 'items' AND pagetype = 'leaf' ORDER BY name LIMIT 1")
	page, err := strconv.ParseInt(leaf[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(crashed, "voxpilot.db"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0x99}, 4096), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = openSalvaged(t, crashed)
	if chat := newest(appEvents(t, s))["Chat last"].Chat; chat == nil {
		t.Error("what was in the log is lost")
	}
}

func TestSalvage_InterruptedRunsAgain(t *testing.T) {
	dir := t.TempDir()
	newHistoryDatabase(t, dir)
	damage(t, dir, "items", func(page, pages int) bool { return page == pages/2 })
	markDamaged(t, dir)
	for _, name := range []string{"voxpilot-salvage.db", "voxpilot-salvage.db-journal"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half a file"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openSalvaged(t, dir)
	left, err := filepath.Glob(filepath.Join(dir, "voxpilot-salvage*"))
	if len(left) != 0 || err != nil {
		t.Errorf("%q is left, %v", left, err)
	}
}
