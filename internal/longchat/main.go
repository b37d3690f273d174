// Command longchat writes a database with one chat of many messages, for tests
// that need what nobody could say to an agent in time:
//
//	go run ./internal/longchat DATA FOLDER MESSAGES
//
// Questions and answers take turns, and are numbered from 1 on.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("it needs a data directory, a folder and a number of messages")
	}
	messages, err := strconv.Atoi(args[2])
	if err != nil {
		return fmt.Errorf("the number of messages: %w", err)
	}
	db, _, err := store.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	return errors.Join(write(db, args[1], messages), db.Close())
}

// atOnce is how many turns are written in one transaction.
const atOnce = 500

func write(db *store.Store, folder string, messages int) error {
	settings := backend.DefaultSettings()
	settings.SetupDone = true
	clock := backend.Now() - backend.Millis(messages)*1000
	chat := backend.Chat{
		ID: backend.NewID(), Title: "A long chat", TitleByUser: true, Folder: folder, ProviderID: backend.ProviderPractice,
		TurnState: backend.TurnDone, CreatedAt: clock, UpdatedAt: backend.Now(),
	}
	events := []backend.Event{{Settings: &settings}, {Chat: &chat}}
	for n := 1; n <= messages/2; n++ {
		clock += 2000
		turn := backend.Turn{
			ID: backend.NewID(), ChatID: chat.ID, Session: backend.SessionMain, State: backend.TurnDone,
			StartedAt: clock, SentAt: clock, EndedAt: clock + 1000,
		}
		events = append(events, backend.Event{Turn: &turn})
		for _, said := range []struct {
			kind backend.ItemKind
			text string
		}{
			{backend.ItemUser, fmt.Sprintf("Question number %d of all", n)},
			{backend.ItemMessage, fmt.Sprintf("This is answer number %d.", n)},
		} {
			item := backend.Item{
				ID: backend.NewID(), ChatID: chat.ID, TurnID: turn.ID, Session: turn.Session, Kind: said.kind,
				CreatedAt: clock, EndedAt: clock,
			}
			events = append(events, backend.Event{Item: &item},
				backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: chat.ID, Text: said.text, Size: int64(len(said.text))}})
		}
		if n%atOnce > 0 && n < messages/2 {
			continue
		}
		if err := db.Apply(context.Background(), events, false); err != nil {
			return err
		}
		events = events[:0]
	}
	return nil
}
