package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// say stores a turn with the user's message, a delegated task, the answer and a banner.
func say(t *testing.T, s *store.Store, name string, at backend.Millis) {
	t.Helper()
	apply(t, s,
		backend.Event{Turn: &backend.Turn{ID: name, ChatID: "chat", Session: "main", State: backend.TurnDone, StartedAt: at, SentAt: at, EndedAt: at + 5}},
		backend.Event{Item: &backend.Item{ID: name + "-user", ChatID: "chat", TurnID: name, Session: "main", Kind: backend.ItemUser, CreatedAt: at}},
		backend.Event{Text: &backend.Text{ItemID: name + "-user", ChatID: "chat", Text: "Ask " + name}},
		backend.Event{Turn: &backend.Turn{ID: name + "-task", ChatID: "chat", Session: "tests", BlockID: name + "-block", State: backend.TurnDone, StartedAt: at + 1, SentAt: at + 1, EndedAt: at + 2}},
		backend.Event{Item: &backend.Item{ID: name + "-block", ChatID: "chat", TurnID: name, Session: "tests", Kind: backend.ItemBlock, CreatedAt: at, Block: &backend.Block{SessionName: "tests", TurnID: name + "-task", Prompt: "Test " + name}}},
		backend.Event{Item: &backend.Item{ID: name + "-inside", ChatID: "chat", TurnID: name + "-task", ParentID: name + "-block", Session: "tests", Kind: backend.ItemTool, CreatedAt: at, EndedAt: at, Tool: &backend.Tool{
			Kind: backend.ToolEdit, Path: "/home/" + name, Status: backend.ToolCompleted,
		}}},
		backend.Event{Item: &backend.Item{ID: name + "-answer", ChatID: "chat", TurnID: name, Session: "main", Kind: backend.ItemMessage, CreatedAt: at + 3, EndedAt: at + 3}},
		backend.Event{Text: &backend.Text{ItemID: name + "-answer", ChatID: "chat", Text: "Answered " + name}},
		backend.Event{Item: &backend.Item{ID: name + "-banner", ChatID: "chat", Kind: backend.ItemBanner, CreatedAt: at + 4, Banner: &backend.Banner{Kind: backend.BannerRestored}}},
	)
}

// newBranching returns a store with a chat that has the turns a, b and c.
func newBranching(t *testing.T) *store.Store {
	t.Helper()
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "Chat", Folder: "/home"}})
	for i, name := range []string{"a", "b", "c"} {
		say(t, s, name, backend.Millis(10*(i+1)))
	}
	for _, name := range []string{"main", "tests"} {
		apply(t, s, backend.Event{Session: &backend.Session{ChatID: "chat", Name: name, ACPID: "id of " + name, HadPrompt: true}})
	}
	return s
}

// setAside sets aside a turn and all later turns, and returns the chat's branches. The parameter from is the ID of
// that turn, and after is the ID of the turn before it.
func setAside(t *testing.T, s *store.Store, id, after, from string, at backend.Millis, scope backend.BackScope) backend.ChatBranches {
	t.Helper()
	sessions, err := s.Sessions(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	e := backend.Event{ChatBranches: &backend.ChatBranches{ChatID: "chat"}}
	events := []backend.Event{{Aside: &backend.Aside{
		ID: id, ChatID: "chat", State: backend.AsideHidden, AfterTurn: after, FromTurn: from, Scope: scope, At: at, Since: 1, Messages: 2, Sessions: sessions,
	}}, e}
	apply(t, s, events...)
	return *events[1].ChatBranches
}

func bringBack(t *testing.T, s *store.Store, id string) backend.ChatBranches {
	t.Helper()
	asides, err := s.Asides(t.Context(), "chat")
	if err != nil {
		t.Fatal(err)
	}
	a := asides[slices.IndexFunc(asides, func(a backend.Aside) bool { return a.ID == id })]
	a.State = backend.AsideBack
	events := []backend.Event{{Aside: &a}, {ChatBranches: &backend.ChatBranches{ChatID: "chat"}}}
	apply(t, s, events...)
	return *events[1].ChatBranches
}

// shownItems returns the IDs of the items in the transcript, including those in blocks.
func shownItems(t *testing.T, s *store.Store) string {
	t.Helper()
	events, _ := chatEvents(t, s, "chat", 100)
	return itemsIn(events)
}

func itemsIn(events []backend.Event) string {
	var ids []string
	for _, e := range events {
		if e.Item != nil {
			ids = append(ids, e.Item.ID)
		}
	}
	return strings.Join(ids, " ")
}

func itemsOf(names ...string) string {
	var ids []string
	for _, name := range names {
		for _, item := range []string{"user", "block", "inside", "answer", "banner"} {
			ids = append(ids, name+"-"+item)
		}
	}
	return strings.Join(ids, " ")
}

func TestAsides_HideAndComeBack(t *testing.T) {
	s := newBranching(t)
	if got, want := shownItems(t, s), itemsOf("a", "b", "c"); got != want {
		t.Fatalf("shown is %s, want %s", got, want)
	}
	got := setAside(t, s, "1", "a-task", "b", 50, backend.BackBoth)
	want := backend.ChatBranches{
		ChatID: "chat", Revision: 1,
		Forks:    []backend.Fork{{AfterTurn: "a-task", Current: -1, Versions: []backend.Version{{ID: "1", At: 20, Messages: 2}}}},
		WentBack: &backend.WentBack{AsideID: "1", At: 50, Since: 1, Messages: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after going back (-want +got):\n%s", diff)
	}
	if got, want := shownItems(t, s), itemsOf("a"); got != want {
		t.Errorf("shown is %s, want %s", got, want)
	}
	say(t, s, "d", 60)
	events, _ := chatEvents(t, s, "chat", 100)
	want = backend.ChatBranches{ChatID: "chat", Revision: 1, Forks: []backend.Fork{{
		AfterTurn: "a-task", TurnID: "d", Current: 1, Versions: []backend.Version{{ID: "1", At: 20, Messages: 2}, {At: 60, Messages: 1}},
	}}}
	if diff := cmp.Diff(want, *events[len(events)-1].ChatBranches); diff != "" {
		t.Errorf("after another message (-want +got):\n%s", diff)
	}

	// Show the first version instead of the second one.
	setAside(t, s, "2", "a-task", "d", 70, backend.BackConversation)
	got = bringBack(t, s, "1")
	want = backend.ChatBranches{ChatID: "chat", Revision: 3, Forks: []backend.Fork{{
		AfterTurn: "a-task", TurnID: "b", Versions: []backend.Version{{At: 20, Messages: 2}, {ID: "2", At: 60, Messages: 2}},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after switching (-want +got):\n%s", diff)
	}
	if got, want := shownItems(t, s), itemsOf("a", "b", "c"); got != want {
		t.Errorf("shown is %s, want %s", got, want)
	}
}

func TestAsides_Nested(t *testing.T) {
	s := newBranching(t)
	setAside(t, s, "1", "b-task", "c", 50, backend.BackBoth)
	got := setAside(t, s, "2", "", "a", 60, backend.BackBoth)
	if len(got.Forks) != 1 || got.Forks[0].AfterTurn != "" || got.WentBack == nil || got.WentBack.AsideID != "2" {
		t.Errorf("at the start: %+v", got)
	}
	if got := shownItems(t, s); got != "" {
		t.Errorf("shown is %s", got)
	}
	got = bringBack(t, s, "2")
	if len(got.Forks) != 1 || got.Forks[0].AfterTurn != "b-task" || got.WentBack == nil || got.WentBack.AsideID != "1" {
		t.Errorf("with the first two: %+v", got)
	}
	if got, want := shownItems(t, s), itemsOf("a", "b"); got != want {
		t.Errorf("shown is %s, want %s", got, want)
	}
	if got := bringBack(t, s, "1"); got.WentBack != nil || len(got.Forks) > 0 || got.Revision != 4 {
		t.Errorf("with all: %+v", got)
	}
	if got, want := shownItems(t, s), itemsOf("a", "b", "c"); got != want {
		t.Errorf("shown is %s, want %s", got, want)
	}
}

// TestAsides_AreNotRead checks that messages that are set aside aren't read as part of the conversation. Only a search
// across all chats finds them, and its hits name the aside.
func TestAsides_AreNotRead(t *testing.T) {
	ctx := context.Background()
	s := newBranching(t)
	setAside(t, s, "1", "a-task", "b", 50, backend.BackBoth)
	var said []string
	past, err := s.History(ctx, "chat", "main")
	for _, x := range past {
		said = append(said, x.Prompt)
	}
	told, err2 := s.Conversation(ctx, "chat", "")
	for _, x := range told {
		said = append(said, x.Prompt+", "+x.Answer)
	}
	recap, err3 := s.Recap(ctx, "chat", "main")
	for _, e := range recap {
		if e.Text != nil {
			said = append(said, e.Text.Text)
		}
		if e.Item != nil && e.Item.Tool != nil {
			said = append(said, e.Item.Tool.Path)
		}
	}
	edits, err4 := s.ShownFileEdits(ctx, "chat", "")
	for _, e := range edits {
		said = append(said, e.Path)
	}
	inView(t, s, func(v *store.ReadTx) error {
		err := v.EachItem(ctx, "chat", "", func(i backend.Item) error {
			said = append(said, i.ID)
			return nil
		})
		found, err2 := v.Find(ctx, "chat", "ask")
		for _, m := range found.Matches {
			said = append(said, "found "+m.ItemID)
		}
		for _, e := range []error{err, err2} {
			if e != nil {
				return e
			}
		}
		return nil
	})
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"Ask a", "Ask a, Answered a", "Ask a", "Answered a", "/home/a", "/home/a", "a-user", "a-block", "a-answer", "a-banner", "found a-user"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("what is read (-want +got):\n%s", diff)
	}
	all, err := s.FileEdits(ctx, "chat", "")
	if err != nil || len(all) != 3 {
		t.Errorf("all edits are %v, %v", all, err)
	}

	inView(t, s, func(v *store.ReadTx) error {
		hits, err := v.Search(ctx, store.Query{Text: "Answered", Limit: 10})
		var got []string
		for _, h := range hits.Hits {
			got = append(got, fmt.Sprintf("%s %q", h.ItemID, h.Aside))
		}
		if diff := cmp.Diff([]string{`c-answer "1"`, `b-answer "1"`, `a-answer ""`}, got); diff != "" {
			t.Errorf("the search finds (-want +got):\n%s", diff)
		}
		events, next, err2 := v.ItemsAside(ctx, "chat", "1", 0, 100)
		if got, want := itemsIn(events), itemsOf("b", "c"); got != want || next != 0 {
			t.Errorf("set aside is %s, %d; want %s", got, next, want)
		}
		for _, e := range events {
			if e.Item != nil && e.Item.Aside != "1" || e.Turn != nil && e.Turn.Aside != "1" {
				t.Errorf("%+v isn't marked", e)
			}
		}
		around, _, err3 := v.ItemsAround(ctx, "chat", hits.Hits[0].Pos, 100)
		if got, want := itemsIn(around), itemsOf("b", "c"); got != want {
			t.Errorf("around a hit is %s, want %s", got, want)
		}
		for _, e := range []error{err, err2, err3} {
			if e != nil {
				return e
			}
		}
		return nil
	})
}

// TestAsides_LateItemsAndSessions checks that items that arrive after their turn was set aside don't appear in the
// transcript, and that the sessions of that turn are still known.
func TestAsides_LateItemsAndSessions(t *testing.T) {
	ctx := context.Background()
	s := newBranching(t)
	setAside(t, s, "1", "a-task", "b", 50, backend.BackBoth)
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "late", ChatID: "chat", TurnID: "b", Session: "main", Kind: backend.ItemMessage}},
		backend.Event{Turn: &backend.Turn{ID: "b", ChatID: "chat", Session: "main", State: backend.TurnDone, StartedAt: 20}},
		backend.Event{Item: &backend.Item{ID: "c-answer", ChatID: "chat", TurnID: "c", Session: "main", Kind: backend.ItemMessage}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "main", ACPID: "another", ReplacesID: "damaged", HadPrompt: true}},
		backend.Event{SessionRenamed: &backend.SessionRenamed{ChatID: "chat", Session: "tests", To: "checks"}},
	)
	if got, want := shownItems(t, s), itemsOf("a"); got != want {
		t.Errorf("shown is %s, want %s", got, want)
	}
	own, err := s.OwnSessions(ctx, "chat")
	var ids []string
	for _, o := range own {
		ids = append(ids, o.Name+" "+o.ACPID)
	}
	slices.Sort(ids)
	if diff := cmp.Diff([]string{"checks id of tests", "main another", "main damaged", "main id of main"}, ids); diff != "" || err != nil {
		t.Errorf("the sessions are (-want +got), %v:\n%s", err, diff)
	}
	asides, err := s.Asides(ctx, "chat")
	if err != nil || asides[0].Sessions[1].Name != "checks" || asides[0].Sessions[0].ACPID != "id of main" || !asides[0].Sessions[0].HadPrompt {
		t.Errorf("the aside is %+v, %v", asides, err)
	}
	lines, err := s.Lines(ctx, "chat")
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprint(l.ID, " ", l.Aside, " ", l.IsMessage))
	}
	if diff := cmp.Diff([]string{"a  true", "a-task  false", "b 1 true", "b-task 1 false", "c 1 true", "c-task 1 false"}, got); diff != "" || err != nil {
		t.Errorf("the turns are (-want +got), %v:\n%s", err, diff)
	}
}
