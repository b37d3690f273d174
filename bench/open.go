package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/bench/consumption"
)

// Sizes of the chats with many blocks: the number of blocks, and the output per block in bytes. Every chat ends
// with lastWords.
const (
	longBlocks  = 10_000
	shortBlocks = 10
	blockOutput = 50 << 10
	lastWords   = "These were the last words of it."
)

// Sizes of the chats with long answers: the number of answers, and the number of paragraphs per answer.
const (
	longAnswers     = 3
	longParagraphs  = 400
	shortParagraphs = 4
)

// seeding describes a kind of chat that is created in two sizes, long and short, for comparison.
type seeding struct {
	what        string
	write       func(ctx context.Context, dir, work string, size int) (chat string, err error)
	long, short int
}

var (
	manyBlocks = seeding{what: "blocks", write: seedBlocks, long: longBlocks, short: shortBlocks}
	longTexts  = seeding{what: "paragraphs in each answer", write: seedAnswers, long: longParagraphs, short: shortParagraphs}
)

// beginOpen measures the time or memory needed to open a long chat, compared with a short one. Each is
// the only chat in its database besides an empty one, which is shown first.
func beginOpen(place where, seeded seeding, measure func(ctx context.Context, r *running, chat string) (float64, error)) func(context.Context, *ends) (ours, bare side, err error) {
	return func(ctx context.Context, after *ends) (ours, bare side, err error) {
		dir, err := desktopFolder(ctx, after)
		if err != nil {
			return nil, nil, err
		}
		open := func(size int) (side, error) {
			h := &home{dir: filepath.Join(dir, fmt.Sprint(size))}
			say("  writing a chat of %d %s", size, seeded.what)
			chat, err := seeded.write(ctx, h.data(), filepath.Join(dir, "work"), size)
			return func(ctx context.Context) (n float64, err error) {
				ctx, cancel := context.WithTimeout(ctx, startTime)
				defer cancel()
				r, err := h.run(ctx, place)
				if err != nil {
					return 0, err
				}
				defer func() { err = errors.Join(err, r.forget(ctx), r.end()) }()
				return measure(ctx, r, chat)
			}, err
		}
		ours, err = open(seeded.long)
		if err == nil {
			bare, err = open(seeded.short)
		}
		return ours, bare, err
	}
}

func needsDesktop() error {
	if runtime.GOOS != "linux" {
		return errors.New("requires WebKitGTK on Linux")
	}
	if os.Getenv("VOXPILOT_DESKTOP") != "private" {
		return errors.New("requires a private desktop: run make bench, or build/withx.sh go run ./bench")
	}
	return nil
}

// seedChat creates a database with two chats. The function write fills one of them by adding events to its only
// turn; the other chat stays empty. seedChat returns the ID of the filled chat.
func seedChat(ctx context.Context, dir, work string, write func(s *seeder, turn backend.Turn) error) (chat string, err error) {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	db, _, err := store.Open(ctx, dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	settings := backend.DefaultSettings()
	settings.SetupDone = true
	s := &seeder{store: db, clock: backend.Now() - 24*3600*1000}
	s.add(1, backend.Event{Settings: &settings})
	chat = s.chat(0, work)
	turn := backend.Turn{ID: backend.NewID(), ChatID: chat, Session: backend.SessionMain, State: backend.TurnDone, StartedAt: s.tick(), SentAt: s.tick(), EndedAt: s.tick()}
	s.add(1, backend.Event{Turn: &turn})
	if err := write(s, turn); err != nil {
		return "", err
	}
	s.chat(1, work)
	return chat, s.write(ctx, 1)
}

// prose adds an item with text.
func (s *seeder) prose(turn backend.Turn, kind backend.ItemKind, parent, text string) {
	i := backend.Item{ID: backend.NewID(), ChatID: turn.ChatID, TurnID: turn.ID, ParentID: parent, Session: turn.Session, Kind: kind, CreatedAt: s.tick(), EndedAt: s.tick()}
	s.add(1, backend.Event{Item: &i})
	s.add(1, backend.Event{Text: &backend.Text{ItemID: i.ID, ChatID: turn.ChatID, Text: text, Size: int64(len(text))}})
}

// seedAnswers creates a database with an empty chat and a chat that has longAnswers answers, each with the given
// number of paragraphs: prose, lists and code. It returns the ID of the chat with the answers.
func seedAnswers(ctx context.Context, dir, work string, paragraphs int) (string, error) {
	return seedChat(ctx, dir, work, func(s *seeder, turn backend.Turn) error {
		for range longAnswers {
			s.prose(turn, backend.ItemUser, "", "Explain all of it.")
			var b strings.Builder
			for p := range paragraphs {
				switch p % 10 {
				case 4:
					fmt.Fprintf(&b, "```go\nfunc step%d() error {\n\treturn nil\n}\n```\n\n", p)
				case 7:
					fmt.Fprintf(&b, "- the first point of step %d\n- and **the second**, in `internal/step.go:%d`\n\n", p, p+1)
				default:
					fmt.Fprintf(&b, "Step %d takes the *state* of the one before it, %sand hands `next` on.\n\n", p, strings.Repeat("looks at each part of it, ", p%5))
				}
			}
			s.prose(turn, backend.ItemMessage, "", b.String()+lastWords)
		}
		return nil
	})
}

// seedBlocks creates a database with an empty chat and a chat in which the given number of tasks were delegated to
// sessions. It returns the ID of the chat with the tasks.
func seedBlocks(ctx context.Context, dir, work string, blocks int) (string, error) {
	return seedChat(ctx, dir, work, func(s *seeder, turn backend.Turn) error { return addBlocks(ctx, s, turn, blocks) })
}

func addBlocks(ctx context.Context, s *seeder, turn backend.Turn, blocks int) error {
	chat := turn.ChatID
	prose := func(kind backend.ItemKind, parent, text string) { s.prose(turn, kind, parent, text) }
	prose(backend.ItemUser, "", "Go through all packages, one after the other.")
	body := []byte(strings.Repeat(output(1), blockOutput/len(output(1))))
	for n := range blocks {
		done := backend.Turn{ID: backend.NewID(), ChatID: chat, Session: fmt.Sprintf("work-%d", n%20), State: backend.TurnDone, StartedAt: s.tick(), SentAt: s.tick(), EndedAt: s.tick()}
		block := backend.Item{
			ID: backend.NewID(), ChatID: chat, TurnID: turn.ID, Session: done.Session, Kind: backend.ItemBlock, CreatedAt: s.tick(), EndedAt: s.tick(),
			Block: &backend.Block{ToolCallID: backend.NewID(), SessionName: done.Session, TurnID: done.ID, Prompt: "Run the tests of the next package and mend what fails.", Summary: "All of them pass now."},
		}
		done.BlockID = block.ID
		tool := backend.Item{
			ID: backend.NewID(), ChatID: chat, TurnID: done.ID, ParentID: block.ID, Session: done.Session, Kind: backend.ItemTool, CreatedAt: s.tick(), EndedAt: s.tick(),
			Tool: &backend.Tool{CallID: backend.NewID(), Title: "Run the tests", Kind: backend.ToolExecute, Status: backend.ToolCompleted, Command: "go test ./internal/server/..."},
		}
		s.add(1, backend.Event{Turn: &done})
		s.add(1, backend.Event{Item: &block})
		s.add(1, backend.Event{Item: &tool})
		s.add(2, backend.Event{Content: &backend.Content{
			ID: backend.NewID(), ItemID: tool.ID, ChatID: chat, Type: backend.ContentTerminal,
			Size: int64(len(body)), Version: 1, Lines: strings.Count(string(body), "\n"), Body: body,
		}})
		prose(backend.ItemMessage, block.ID, "All of them pass now.")
		if err := s.write(ctx, 500); err != nil {
			return err
		}
	}
	prose(backend.ItemMessage, "", lastWords)
	return nil
}

// openChat opens a chat by clicking its row and returns the milliseconds until the end of the chat is painted.
func openChat(ctx context.Context, r *running, chat string) (float64, error) {
	var begun bool
	err := r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify((() => {
		const row = document.querySelector('.chat[data-id="%[1]s"]');
		if (!row || document.body.textContent.includes(%[2]q)) return false;
		const started = performance.now();
		const look = () => {
			const log = document.querySelector('[role="log"]');
			if (!log || !log.textContent.includes(%[2]q)) return requestAnimationFrame(look);
			requestAnimationFrame(() => setTimeout(() => { window.benchOpened = performance.now() - started; }));
		};
		row.click();
		look();
		return true;
	})())`, chat, lastWords), &begun)
	if err == nil && !begun {
		err = errors.New("the chat isn't in the list or is already open")
	}
	var took float64
	for err == nil && took == 0 {
		if err = wait(ctx, 20*time.Millisecond); err == nil {
			err = r.page.evaluate(ctx, `JSON.stringify(window.benchOpened ?? 0)`, &took)
		}
	}
	return took, err
}

// settled is the time between the opening of a chat and the measurement of the memory, so that the page is idle by
// then.
const settled = 2 * time.Second

// openedMemory returns the memory in MB of the app and its page while the chat is open.
func openedMemory(ctx context.Context, r *running, chat string) (float64, error) {
	if _, err := openChat(ctx, r, chat); err != nil {
		return 0, err
	}
	if err := wait(ctx, settled); err != nil {
		return 0, err
	}
	return consumption.Memory(r.shows)
}
