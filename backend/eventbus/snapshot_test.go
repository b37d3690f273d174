package eventbus_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/store"
)

// page is a minimal reducer that builds the window's state from events.
type page struct {
	t     *testing.T
	seq   uint64
	facts map[string]string // newest JSON by entity
	owner map[string]string // chat by entity
	texts map[string]string
}

func newPage(t *testing.T) *page {
	return &page{t: t, facts: map[string]string{}, owner: map[string]string{}, texts: map[string]string{}}
}

func (p *page) reduce(e backend.Event) {
	set := func(key, chat string, fact any) {
		text, err := json.Marshal(fact)
		if err != nil {
			p.t.Fatal(err)
		}
		p.facts[key], p.owner[key] = string(text), chat
	}
	remove := func(key string) { delete(p.facts, key); delete(p.owner, key) }
	switch {
	case e.Chat != nil:
		set("chat "+e.Chat.ID, e.Chat.ID, e.Chat)
	case e.ChatDeleted != nil:
		for key, chat := range p.owner {
			if chat == e.ChatDeleted.ID {
				remove(key)
				delete(p.texts, strings.TrimPrefix(key, "item "))
			}
		}
	case e.Turn != nil:
		set("turn "+e.Turn.ID, e.Turn.ChatID, e.Turn)
	case e.Item != nil:
		set("item "+e.Item.ID, e.Item.ChatID, e.Item)
	case e.Text != nil:
		known := p.texts[e.Text.ItemID]
		switch at := e.Text.Offset - int64(len(known)); {
		case at > 0:
			p.t.Errorf("at %d, the text of %s has a gap of %d bytes", p.seq, e.Text.ItemID, at)
		case -at < int64(len(e.Text.Text)):
			p.texts[e.Text.ItemID] = known + e.Text.Text[-at:]
		}
	case e.Content != nil:
		set("content "+e.Content.ID, e.Content.ChatID, e.Content)
	case e.Permission != nil:
		set("permission "+e.Permission.ID, e.Permission.ChatID, e.Permission)
	case e.Queued != nil:
		set("queued "+e.Queued.ID, e.Queued.ChatID, e.Queued)
	case e.QueuedDeleted != nil:
		remove("queued " + e.QueuedDeleted.ID)
	case e.Session != nil:
		set("session "+e.Session.ChatID+e.Session.Name, e.Session.ChatID, e.Session)
	case e.Rule != nil:
		set("rule "+e.Rule.ID, "", e.Rule)
	case e.RuleDeleted != nil:
		remove("rule " + e.RuleDeleted.ID)
	case e.Provider != nil:
		set("provider "+e.Provider.ID, "", e.Provider)
	case e.ProviderDeleted != nil:
		remove("provider " + e.ProviderDeleted.ID)
	case e.Settings != nil:
		set("settings", "", e.Settings)
	case e.Connection != nil:
		set("connection "+e.Connection.ChatID, e.Connection.ChatID, e.Connection)
	case e.CLI != nil:
		set("cli", "", e.CLI)
	case e.Storage != nil:
		set("storage", "", e.Storage)
	default:
		p.t.Errorf("at %d there is an event that no page knows: %+v", p.seq, e)
	}
}

// app is an event bus on a real database, with pages that follow its events.
type app struct {
	t     *testing.T
	store *store.Store
	bus   *eventbus.Bus

	mu      sync.Mutex
	pages   []*page
	batches []backend.Batch
}

func newApp(t *testing.T) *app {
	s, _, err := store.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &app{t: t, store: s}
	a.bus = eventbus.New(eventbus.Config{Run: "run", Apply: s.Apply, Emit: a.emit, Log: slog.New(slog.DiscardHandler)})
	return a
}

func (a *app) emit(batch backend.Batch) {
	text, err := json.Marshal(batch)
	if err != nil || len(text) >= backend.MaxBatchBytes {
		a.t.Errorf("a batch has %d bytes, %v", len(text), err)
	}
	var got backend.Batch
	if err := json.Unmarshal(text, &got); err != nil {
		a.t.Error(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.batches = append(a.batches, got)
}

// openPage opens a page with a snapshot of everything.
func (a *app) openPage() *page {
	ctx := context.Background()
	p := newPage(a.t)
	var view *store.ReadTx
	var held []backend.Event
	err := a.bus.Snapshot(ctx, func(seq uint64) (err error) {
		p.seq, held = seq, a.bus.Retained()
		view, err = a.store.BeginRead(ctx)
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	defer view.Close()
	events, err := view.AppEvents(ctx)
	if err != nil {
		a.t.Fatal(err)
	}
	for _, e := range append(events, held...) {
		p.reduce(e)
		if e.Chat == nil {
			continue
		}
		events, before, err := view.ChatEvents(ctx, e.Chat.ID, 20)
		for before > 0 && err == nil {
			var older []backend.Event
			older, before, err = view.Items(ctx, e.Chat.ID, before, 20)
			events = append(older, events...)
		}
		if err != nil {
			a.t.Fatal(err)
		}
		for _, e := range events {
			p.reduce(e)
		}
	}
	return p
}

// update gives a page the events that it hasn't seen. It stops after the event with the given number.
func (a *app) update(p *page, last uint64) {
	for _, batch := range a.batches {
		for i, e := range batch.Events {
			if seq := batch.First + uint64(i); seq > p.seq && seq <= last {
				if seq != p.seq+1 {
					a.t.Fatalf("after %d comes %d", p.seq, seq)
				}
				p.seq = seq
				p.reduce(e)
			}
		}
	}
}

// script generates random events for several chats.
type script struct {
	random *rand.Rand
	chats  []string
	items  map[string][]string // by chat
	texts  map[string]string   // by item
	count  int
}

func (s *script) id(kind string) string { s.count++; return fmt.Sprint(kind, s.count) }

func (s *script) text() string {
	words := []string{"one ", "zwei ", "三", "🙂", "<b>", "\n", "\"quoted\" "}
	var text strings.Builder
	for range 1 + s.random.IntN(12) {
		text.WriteString(words[s.random.IntN(len(words))])
	}
	return text.String()
}

// next returns the events of the next change, or none.
func (s *script) next() []backend.Event {
	r := s.random
	if len(s.chats) == 0 || len(s.chats) < 4 && r.IntN(40) == 0 {
		chat := s.id("chat")
		s.chats = append(s.chats, chat)
		return []backend.Event{{Chat: &backend.Chat{ID: chat}}, {Session: &backend.Session{ChatID: chat, Name: "main"}}}
	}
	chat := s.chats[r.IntN(len(s.chats))]
	items := s.items[chat]
	if len(items) == 0 || r.IntN(25) == 0 {
		turn, item := s.id("turn"), s.id("item")
		s.items[chat] = append(items, item)
		parent, kind := "", backend.ItemMessage
		if len(items) > 0 && r.IntN(2) == 0 {
			parent = items[0] // the first item of a chat is a block
		} else if len(items) == 0 {
			kind = backend.ItemBlock
		}
		return []backend.Event{
			{Turn: &backend.Turn{ID: turn, ChatID: chat, State: backend.TurnRunning}},
			{Item: &backend.Item{ID: item, ChatID: chat, TurnID: turn, ParentID: parent, Kind: kind, Open: true}},
		}
	}
	item := items[r.IntN(len(items))]
	turn := "turn" + fmt.Sprint(itemNumber(item)-1)
	parent, kind := "", backend.ItemMessage
	if item == items[0] {
		kind = backend.ItemBlock
	}
	switch r.IntN(30) {
	case 0:
		return []backend.Event{{Chat: &backend.Chat{ID: chat, Title: s.text()}}}
	case 1:
		return []backend.Event{{Turn: &backend.Turn{ID: turn, ChatID: chat, State: backend.TurnDone}}}
	case 2:
		return []backend.Event{{Item: &backend.Item{ID: item, ChatID: chat, TurnID: turn, ParentID: parent, Kind: kind, EndedAt: backend.Millis(r.IntN(9))}}}
	case 3, 4:
		return []backend.Event{{Content: &backend.Content{ID: "content of " + item, ItemID: item, ChatID: chat, Version: int64(r.IntN(99)), Body: []byte(s.text())}}}
	case 5:
		state := []backend.PermissionState{backend.PermissionOpen, backend.PermissionDecided}[r.IntN(2)]
		return []backend.Event{{Permission: &backend.Permission{ID: "permission of " + item, ItemID: item, ChatID: chat, State: state, Options: []backend.Option{}}}}
	case 6:
		return []backend.Event{{Queued: &backend.QueuedPrompt{ID: "queued in " + chat, ChatID: chat, Text: s.text()}}}
	case 7:
		return []backend.Event{{QueuedDeleted: &backend.Deleted{ID: "queued in " + chat, ChatID: chat}}}
	case 8:
		return []backend.Event{{Session: &backend.Session{ChatID: chat, Name: "main", Mode: s.text()}}}
	case 9:
		return []backend.Event{{Connection: &backend.Connection{ChatID: chat, State: backend.ConnectionReady, Attempt: r.IntN(9)}}}
	case 10:
		return []backend.Event{{Settings: &backend.Settings{Theme: s.text()}}}
	case 11:
		return []backend.Event{{Rule: &backend.Rule{ID: "rule", Scope: backend.Scope{Folder: s.text()}}}}
	case 12:
		return []backend.Event{{RuleDeleted: &backend.Deleted{ID: "rule"}}, {Provider: &backend.Provider{ID: "p", Name: s.text()}}}
	case 13:
		if r.IntN(8) > 0 {
			return nil
		}
		// A chat is deleted, and events of its agent arrive late.
		s.chats = without(s.chats, chat)
		return []backend.Event{
			{ChatDeleted: &backend.Deleted{ID: chat}},
			{Text: &backend.Text{ItemID: item, ChatID: chat, Offset: int64(len(s.texts[item])), Text: "late"}},
			{Item: &backend.Item{ID: item, ChatID: chat}},
			{Connection: &backend.Connection{ChatID: chat, State: backend.ConnectionIdle}},
		}
	}
	piece := &backend.Text{ItemID: item, ChatID: chat, Offset: int64(len(s.texts[item])), Text: s.text()}
	s.texts[item] += piece.Text
	if r.IntN(20) == 0 { // and the same piece again
		again := *piece
		return []backend.Event{{Text: piece}, {Text: &again}}
	}
	return []backend.Event{{Text: piece}}
}

// itemNumber returns the number in an item's ID.
func itemNumber(item string) (n int) {
	if _, err := fmt.Sscanf(item, "item%d", &n); err != nil {
		panic(err)
	}
	return n
}

func without(list []string, one string) (rest []string) {
	for _, s := range list {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}

func TestSnapshot_AnyMomentMatchesStream(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			a := newApp(t)
			s := &script{random: rand.New(rand.NewPCG(seed, 0)), items: map[string][]string{}, texts: map[string]string{}}
			stop := make(chan struct{})
			var looking sync.WaitGroup
			open := func() {
				p := a.openPage()
				a.mu.Lock()
				defer a.mu.Unlock()
				a.pages = append(a.pages, p)
			}
			looking.Go(func() { // at arbitrary moments
				for {
					select {
					case <-stop:
						return
					default:
						open()
					}
				}
			})
			for step := range 3000 {
				events := s.next()
				var err error
				if step%400 == 399 {
					err = a.bus.Commit(context.Background(), events...)
				} else {
					a.bus.Publish(events...)
				}
				if err != nil {
					t.Fatal(err)
				}
				if step%100 == 0 {
					open()
				}
			}
			close(stop)
			looking.Wait()
			if err := a.bus.Close(context.Background()); err != nil {
				t.Fatal(err)
			}

			a.pages = append(a.pages, a.openPage())
			slices.SortFunc(a.pages, func(p, q *page) int { return cmp.Compare(p.seq, q.seq) })
			witness := newPage(t) // receives every event
			settings := backend.DefaultSettings()
			witness.reduce(backend.Event{Settings: &settings})
			moments := map[uint64]bool{}
			for _, p := range a.pages {
				moments[p.seq] = true
				a.update(witness, p.seq)
				if diff := gocmp.Diff(witness.texts, p.texts); diff != "" {
					t.Fatalf("at %d, the texts of a page that saw everything and of a new one (-old +new):\n%.2000s", p.seq, diff)
				}
				if diff := gocmp.Diff(witness.facts, p.facts); diff != "" {
					t.Fatalf("at %d, a page that saw everything and a new one (-old +new):\n%.2000s", p.seq, diff)
				}
			}
			for chat, items := range s.items {
				for _, id := range items {
					if _, alive := witness.facts["item "+id]; alive && witness.texts[id] != s.texts[id] {
						t.Errorf("the text of %s in %s is not what was published", id, chat)
					}
				}
			}
			t.Logf("%d pages were opened at %d moments of %d events", len(a.pages), len(moments), witness.seq)
			if err := a.store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
