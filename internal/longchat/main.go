// Command longchat writes a database with one chat of many messages, for tests that need a longer chat than
// an agent could produce in time:
//
//	go run ./internal/longchat [-paragraphs N] [-agent PROGRAM] DATA FOLDER MESSAGES
//
// Questions and answers alternate and are numbered from 1. With -paragraphs, each answer has N paragraphs. With -agent,
// the chat belongs to a custom agent that starts the program, through Node if it is a script. Without -agent, the
// practice model answers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
	var l long
	flags := flag.NewFlagSet("longchat", flag.ContinueOnError)
	flags.IntVar(&l.paragraphs, "paragraphs", 0, "number of paragraphs per answer")
	flags.StringVar(&l.agent, "agent", "", "program of the chat's agent")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if args = flags.Args(); len(args) != 3 {
		return errors.New("usage: longchat [flags] DATA_DIR FOLDER MESSAGES")
	}
	var err error
	if l.messages, err = strconv.Atoi(args[2]); err != nil {
		return fmt.Errorf("the number of messages: %w", err)
	}
	l.folder = args[1]
	db, _, err := store.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	return errors.Join(l.write(db), db.Close())
}

// long describes the chat to write.
type long struct {
	folder     string
	messages   int
	paragraphs int
	agent      string
}

// profile returns a custom agent that runs the program l.agent.
func (l long) profile() *backend.CustomAgent {
	p := &backend.CustomAgent{ID: backend.NewID(), Name: "Scripted", Command: l.agent, CreatedAt: backend.Now()}
	if filepath.Ext(l.agent) == ".mjs" {
		p.Command, p.Args = "node", []string{l.agent}
	}
	return p
}

// answer returns the text of the nth answer.
func (l long) answer(n int) string {
	if l.paragraphs == 0 {
		return fmt.Sprintf("This is answer number %d.", n)
	}
	var b strings.Builder
	for p := 1; p <= l.paragraphs; p++ {
		switch p % 10 {
		case 5:
			fmt.Fprintf(&b, "```go\n// Paragraph %d of answer %d is code, with a kettle.\nfunc kettle%d() error {\n\treturn nil\n}\n```\n\n", p, n, p)
		case 8:
			fmt.Fprintf(&b, "- Paragraph %d of answer %d is a list, with a kettle in it\n- and **one more** kettle, in `src/kettle.go:%d`\n\n", p, n, p)
		default:
			fmt.Fprintf(&b, "Paragraph %d of answer %d. The kettle holds *%d* cups, %s and the second kettle of it holds `none` at all.\n\n",
				p, n, p, strings.Repeat("which is said here at some length, ", p%5))
		}
	}
	return b.String()
}

// atOnce is the number of turns that are written per transaction.
const atOnce = 500

func (l long) write(db *store.Store) error {
	settings := backend.DefaultSettings()
	settings.SetupDone = true
	clock := backend.Now() - backend.Millis(l.messages)*1000
	chat := backend.Chat{
		ID: backend.NewID(), Title: "A long chat", TitleByUser: true, Folder: l.folder, ProviderID: backend.ProviderPractice,
		TurnState: backend.TurnDone, CreatedAt: clock, UpdatedAt: backend.Now(),
	}
	events := []backend.Event{{Settings: &settings}}
	if l.agent != "" {
		profile := l.profile()
		chat.ProviderID = profile.ID
		events = append(events, backend.Event{CustomAgent: profile})
	}
	events = append(events, backend.Event{Chat: &chat})
	for n := 1; n <= l.messages/2; n++ {
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
			{backend.ItemMessage, l.answer(n)},
		} {
			item := backend.Item{
				ID: backend.NewID(), ChatID: chat.ID, TurnID: turn.ID, Session: turn.Session, Kind: said.kind,
				CreatedAt: clock, EndedAt: clock,
			}
			events = append(events, backend.Event{Item: &item},
				backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: chat.ID, Text: said.text, Size: int64(len(said.text))}})
		}
		if n%atOnce > 0 && n < l.messages/2 {
			continue
		}
		if err := db.Apply(context.Background(), events, false); err != nil {
			return err
		}
		events = events[:0]
	}
	return nil
}
