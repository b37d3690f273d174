package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// openStore opens a store that is closed at the end of the test.
func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, storage, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatalf("Open: %v (%+v)", err, storage)
	}
	if storage.State != backend.StorageOK {
		t.Fatalf("Open: %+v", storage)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func closeStore(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func apply(t testing.TB, s *store.Store, events ...backend.Event) {
	t.Helper()
	if err := s.Apply(context.Background(), events, false); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

// appEvents and chatEvents return the events that a page receives when it loads the app or opens a chat.
func appEvents(t testing.TB, s *store.Store) (events []backend.Event) {
	t.Helper()
	inView(t, s, func(v *store.ReadTx) (err error) {
		events, err = v.AppEvents(context.Background())
		return err
	})
	return events
}

func chatEvents(t testing.TB, s *store.Store, chatID string, limit int) (events []backend.Event, before int64) {
	t.Helper()
	inView(t, s, func(v *store.ReadTx) (err error) {
		events, before, err = v.ChatEvents(context.Background(), chatID, limit)
		return err
	})
	return events, before
}

func inView(t testing.TB, s *store.Store, read func(*store.ReadTx) error) {
	t.Helper()
	if err := s.Read(context.Background(), read); err != nil {
		t.Fatal(err)
	}
}

// sqlite opens the database file directly, in the same way as another program.
func sqlite(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "voxpilot.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// tables returns the store's tables, except those of the search index.
func tables(t testing.TB, db *sql.DB) []string {
	t.Helper()
	return column(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' AND name NOT LIKE 'search%' ORDER BY name")
}

func column(t testing.TB, db *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

// dump returns the whole content of the database, by table.
func dump(t testing.TB, dir string) map[string][]string {
	t.Helper()
	db := sqlite(t, dir)
	all := map[string][]string{}
	for _, table := range tables(t, db) {
		names := column(t, db, fmt.Sprintf("SELECT name FROM pragma_table_info('%s')", table))
		row := ""
		for _, name := range names {
			row += fmt.Sprintf(` || ' ' || quote("%s")`, name)
		}
		all[table] = column(t, db, fmt.Sprintf("SELECT '' %s FROM %s ORDER BY 1", row, table))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// fill returns a T whose fields are all set to non-zero values.
func fill[T any](id string) *T {
	word := new(T)
	n := 0
	fillValue(reflect.ValueOf(word).Elem(), &n)
	if field := reflect.ValueOf(word).Elem().FieldByName("ID"); field.IsValid() {
		field.SetString(id)
	}
	if field := reflect.ValueOf(word).Elem().FieldByName("ChatID"); field.IsValid() {
		field.SetString("chat")
	}
	return word
}

func fillValue(v reflect.Value, n *int) {
	*n++
	if _, is := v.Interface().(backend.Message); is {
		v.Set(reflect.ValueOf(backend.Say("The answer was stopped.")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("“%d”", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillValue(v.Index(0), n)
		fillValue(v.Index(1), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillValue(key, n)
		fillValue(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(v.Field(i), n)
		}
	default:
		panic("a word has a field of kind " + v.Kind().String())
	}
}

// allEvents returns one event of every kind that is stored, with every field set. Objects that are shown only in a
// certain state, such as running turns, are in that state.
func allEvents() []backend.Event {
	turn, permission := fill[backend.Turn]("turn"), fill[backend.Permission]("permission")
	item, content := fill[backend.Item]("item"), fill[backend.Content]("content")
	undo := fill[backend.TurnUndo]("")
	undo.TurnID, undo.State = turn.ID, backend.UndoRecording
	turn.State, permission.State = backend.TurnRunning, backend.PermissionOpen
	item.TurnID, item.ParentID = turn.ID, ""
	turn.Aside, item.Aside = "", "" // only the store sets them
	aside := fill[backend.Aside]("aside")
	aside.State = backend.AsideGoing
	content.ItemID, content.Size = item.ID, int64(len(content.Body))
	permission.ItemID, permission.ContentID, permission.Files[0].ContentID = item.ID, content.ID, content.ID
	permission.Folder = "" // used only to match rules; it is stored in the session's row
	text := &backend.Text{ItemID: item.ID, ChatID: "chat", Text: "Grüße", Size: 7}
	trusted := fill[backend.TrustedFolder]("")
	trusted.Key, trusted.Entries = "key", len(trusted.Add)
	return []backend.Event{
		{Settings: fill[backend.Settings]("")},
		{Provider: fill[backend.Provider]("provider")},
		{CustomAgent: fill[backend.CustomAgent]("profile")},
		{Login: fill[backend.Login]("login")},
		{TrustedFolder: trusted},
		{Rule: fill[backend.Rule]("rule")},
		{Chat: fill[backend.Chat]("chat")},
		{Session: fill[backend.Session]("")},
		{Turn: turn},
		{TurnUndo: undo},
		{Aside: aside},
		{Item: item},
		{Text: text},
		{Content: content},
		{Permission: permission},
		{Queued: fill[backend.QueuedPrompt]("queued")},
		{UnknownUpdate: fill[backend.UnknownUpdate]("unknown")},
		{ReviewComment: fill[backend.ReviewComment]("comment")},
	}
}

// eventOf returns the first event of allEvents that meets a condition.
func eventOf(is func(backend.Event) bool) backend.Event {
	events := allEvents()
	return events[slices.IndexFunc(events, is)]
}

func isItem(e backend.Event) bool       { return e.Item != nil }
func isContent(e backend.Event) bool    { return e.Content != nil }
func isPermission(e backend.Event) bool { return e.Permission != nil }

func TestApply_EveryFieldRoundTrips(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	events := allEvents()
	apply(t, s, events...)

	var want []backend.Event
	for _, e := range allEvents() {
		switch {
		case e.Item != nil:
			e.Item.Pos = 1
		case e.Content != nil:
			e.Content.Body = nil
		case e.Permission != nil:
			e.Permission.Commands, e.Permission.Raw = nil, nil
			e.Permission.Names, e.Permission.Unclear, e.Permission.AgentAsksNothing = nil, false, false
			e.Permission.Rule = nil // already decided
		case e.TrustedFolder != nil:
			e.TrustedFolder.Add = nil
		case e.UnknownUpdate != nil, e.Aside != nil, e.ReviewComment != nil:
			continue // stored, but not shown when the chat is opened
		}
		want = append(want, e)
	}
	without := func(drop func(backend.Event) bool) (rest []backend.Event) {
		for _, e := range want {
			if !drop(e) {
				rest = append(rest, e)
			}
		}
		return rest
	}
	app := without(func(e backend.Event) bool {
		return e.TurnUndo != nil || e.Session != nil || e.Item != nil || e.Text != nil
	})
	if diff := cmp.Diff(app, appEvents(t, s)); diff != "" {
		t.Errorf("what the window begins with (-want +got):\n%s", diff)
	}
	chat := without(func(e backend.Event) bool {
		return e.Settings != nil || e.Provider != nil || e.CustomAgent != nil || e.Login != nil || e.TrustedFolder != nil || e.Rule != nil || e.Chat != nil
	})
	got, before := chatEvents(t, s, "chat", 10)
	if diff := cmp.Diff(newest(chat), newest(got)); diff != "" || before != 0 {
		t.Errorf("what a chat begins with (-want +got), before %d:\n%s", before, diff)
	}

	ctx := context.Background()
	asked := eventOf(isPermission).Permission
	audit := column(t, sqlite(t, dir), "SELECT hex(raw) || ' ' || (commands ->> 0) || ' ' || (commands ->> 1) FROM permissions")
	if want := fmt.Sprintf("%X %s %s", asked.Raw, asked.Commands[0], asked.Commands[1]); len(audit) != 1 || audit[0] != want {
		t.Errorf("the audit has %q, want %q", audit, want)
	}
	body, _, err := s.Content(ctx, "content", 0, 0)
	if want := eventOf(isContent).Content.Body; string(body) != string(want) || err != nil {
		t.Errorf("the body is %q, %v; want %q", body, err, want)
	}
	sessions, err := s.Sessions(ctx, "chat")
	if diff := cmp.Diff([]backend.Session{*fill[backend.Session]("")}, sessions); diff != "" || err != nil {
		t.Errorf("the sessions are (-want +got), %v:\n%s", err, diff)
	}
	asides, err := s.Asides(ctx, "chat")
	if diff := cmp.Diff([]backend.Aside{*eventOf(func(e backend.Event) bool { return e.Aside != nil }).Aside}, asides); diff != "" || err != nil {
		t.Errorf("the asides are (-want +got), %v:\n%s", err, diff)
	}
	comments, err := s.ReviewComments(ctx, "chat")
	wantComment := *eventOf(func(e backend.Event) bool { return e.ReviewComment != nil }).ReviewComment
	wantComment.Outdated, wantComment.FileGone, wantComment.SeenText = false, false, nil // computed or stored separately
	if diff := cmp.Diff([]backend.ReviewComment{wantComment}, comments); diff != "" || err != nil {
		t.Errorf("the comments are (-want +got), %v:\n%s", err, diff)
	}
	item, err := s.Item(ctx, "item")
	wantItem := *eventOf(isItem).Item
	wantItem.Pos = 1
	if diff := cmp.Diff(wantItem, item); diff != "" || err != nil {
		t.Errorf("the item is (-want +got), %v:\n%s", err, diff)
	}
}

// newest returns the last event about each object, by kind and ID. In the same way, a page keeps only the last event
// about an object.
func newest(events []backend.Event) map[string]backend.Event {
	state := map[string]backend.Event{}
	for _, e := range events {
		v := reflect.ValueOf(e)
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsNil() {
				id := ""
				for _, name := range []string{"ID", "ItemID", "Name"} {
					if field := f.Elem().FieldByName(name); field.IsValid() {
						id = field.String()
						break
					}
				}
				state[v.Type().Field(i).Name+" "+id] = e
			}
		}
	}
	return state
}

func TestApply_IsIdempotent(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	once := dump(t, dir)
	for table, rows := range once {
		if len(rows) == 0 && !slices.Contains([]string{"viewed_files", "review_drafts", "session_logs", "session_texts"}, table) { // events don't write these tables
			t.Errorf("nothing was written to %s", table)
		}
	}
	apply(t, s, allEvents()...)
	if diff := cmp.Diff(once, dump(t, dir)); diff != "" {
		t.Errorf("the second time changed (-once +twice):\n%s", diff)
	}
}

func TestApply_UpsertWithoutBodiesKeepsThem(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	first := dump(t, dir)
	events := allEvents()
	events[slices.IndexFunc(events, isContent)].Content.Body = nil
	asked := events[slices.IndexFunc(events, isPermission)].Permission
	asked.Raw, asked.Commands = nil, nil
	apply(t, s, events...)
	if diff := cmp.Diff(first, dump(t, dir)); diff != "" {
		t.Errorf("bodies that did not come again changed (-want +got):\n%s", diff)
	}
}

func TestSettings_UnsetHaveDefaults(t *testing.T) {
	s := openStore(t, t.TempDir())
	want := backend.DefaultSettings()
	if diff := cmp.Diff([]backend.Event{{Settings: &want}}, appEvents(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestChats_NewestFirst(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i, updated := range []backend.Millis{20, 30, 10} {
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: fmt.Sprint(i), UpdatedAt: updated}})
	}
	var order []string
	for _, e := range appEvents(t, s) {
		if e.Chat != nil {
			order = append(order, e.Chat.ID)
		}
	}
	if diff := cmp.Diff([]string{"1", "0", "2"}, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestApply_WritesEveryStoredKind(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, k := range backend.Kinds {
		t.Run(k.Name, func(t *testing.T) {
			var e backend.Event
			field := reflect.ValueOf(&e).Elem().FieldByName(k.Name)
			field.Set(reflect.New(field.Type().Elem()))
			apply(t, s, e)
		})
	}
}
