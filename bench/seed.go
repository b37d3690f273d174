package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// The size of a long-time user's database.
const (
	seedChats = 1_000
	seedRows  = 200_000
)

// seeder fills a database through the store package.
type seeder struct {
	store  *store.Store
	events []backend.Event
	rows   int
	clock  backend.Millis
}

// seed creates a database in the folder dir with the given number of chats and at least the given number of rows. If
// chats is 0, the database is that of an app that was set up but never used. The folders of the chats are created in
// the folder work.
func seed(ctx context.Context, dir, work string, chats, rows int) (err error) {
	db, _, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	settings := backend.DefaultSettings()
	settings.SetupDone = true // so that the app shows the same screen as with a used database
	s := &seeder{store: db, clock: backend.Now() - 90*24*3600*1000}
	s.add(1, backend.Event{Settings: &settings})
	for n := range chats {
		folder := filepath.Join(work, fmt.Sprintf("project-%02d", n%24))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		// The remaining rows are divided among the remaining chats.
		for id := s.chat(n, folder); s.rows < rows*(n+1)/chats; {
			s.turn(id, folder)
		}
		if err := s.write(ctx, 2000); err != nil {
			return err
		}
	}
	return s.write(ctx, 1)
}

// add adds an event that results in the given number of rows.
func (s *seeder) add(rows int, e backend.Event) {
	s.events = append(s.events, e)
	s.rows += rows
}

// write stores the added events in one transaction, if there are at least as many as the given number.
func (s *seeder) write(ctx context.Context, enough int) error {
	if len(s.events) < enough {
		return nil
	}
	err := s.store.Apply(ctx, s.events, false)
	s.events = s.events[:0]
	return err
}

// tick advances the clock and returns the new time.
func (s *seeder) tick() backend.Millis {
	s.clock += 1500
	return s.clock
}

var seedTitles = []string{
	"Fix the flaky upload test", "Why does the worker leak memory?", "Add a dark theme", "Rename the config package",
	"Update the dependencies", "Explain how sessions are restored", "Faster start with a large history", "Größen in Bytes statt Zeichen",
}

func (s *seeder) chat(n int, folder string) (id string) {
	id = backend.NewID()
	now := s.tick()
	s.add(1, backend.Event{Chat: &backend.Chat{
		ID: id, Title: fmt.Sprintf("%s (%d)", seedTitles[n%len(seedTitles)], n+1), Folder: folder, ProviderID: backend.ProviderCopilot,
		TurnState: backend.TurnDone, TurnSince: now, Unread: n%50 == 0, CreatedAt: now, UpdatedAt: now,
	}})
	s.add(1, backend.Event{Session: &backend.Session{
		ChatID: id, Name: backend.SessionMain, ACPID: backend.NewID(), Cwd: folder, HadPrompt: true,
		State: backend.SessionUnloaded, CreatedAt: now, UsedAt: now,
	}})
	return id
}

// turn adds a typical turn: a message, a thought, three tool calls with output, and an answer.
func (s *seeder) turn(chat, folder string) {
	turn := backend.Turn{
		ID: backend.NewID(), ChatID: chat, Session: backend.SessionMain, State: backend.TurnDone, StopReason: "end_turn",
		StartedAt: s.tick(), EndedAt: s.tick(),
	}
	s.add(1, backend.Event{Turn: &turn})
	item := func(kind backend.ItemKind) *backend.Item {
		return &backend.Item{
			ID: backend.NewID(), ChatID: chat, TurnID: turn.ID, Session: turn.Session,
			Kind: kind, CreatedAt: s.tick(), EndedAt: s.tick(),
		}
	}
	prose := func(kind backend.ItemKind, text string) {
		i := item(kind)
		s.add(1, backend.Event{Item: i})
		s.add(1, backend.Event{Text: &backend.Text{ItemID: i.ID, ChatID: chat, Text: text, Size: int64(len(text))}})
	}
	prose(backend.ItemUser, "The tests of the server fail on every second run. Find out why, and mend it.")
	prose(backend.ItemThought, strings.Repeat("The two handlers share a map without a lock. ", 6))
	for range 3 {
		i := item(backend.ItemTool)
		i.Tool = &backend.Tool{
			CallID: backend.NewID(), Title: "Run the tests", Kind: backend.ToolExecute, Status: backend.ToolCompleted,
			Command: "go test ./internal/server/...", Path: filepath.Join(folder, "server.go"),
		}
		body := []byte(output(20))
		s.add(1, backend.Event{Item: i})
		s.add(2, backend.Event{Content: &backend.Content{
			ID: backend.NewID(), ItemID: i.ID, ChatID: chat, Type: backend.ContentTerminal,
			Size: int64(len(body)), Version: 1, Lines: 20, Body: body,
		}})
	}
	prose(backend.ItemMessage, strings.Repeat("The map is now behind a mutex, and the tests pass twenty times in a row.\n\n", 12))
}
