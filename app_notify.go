package main

import (
	"context"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
)

// startNotify tells the user by notifications what happens in chats, until the
// app closes.
func (a *App) startNotify() {
	n := notify.Start(a.notices())
	a.looking.mu.Lock()
	a.notifier.Store(n)
	a.looking.tell(n) // the page may have been quicker
	a.looking.mu.Unlock()
	a.overview.follow(func(now view, e backend.Event) {
		switch {
		case e != backend.Event{}:
			n.See(e)
		case now.chats != nil:
			n.Begin(maps.Clone(now.chats), maps.Clone(now.requests), now.settings)
		}
	})
	context.AfterFunc(a.life, n.Close)
}

// notices is what notifications may do.
func (a *App) notices() notify.Config {
	return notify.Config{
		Able: func(why string, actions bool) {
			a.place.change(func(d *backend.Desktop) { d.Notifications, d.Actions = why, actions })
		},
		Answer: func(permissionID, optionID string) error {
			return a.call(func(ctx context.Context, e *engine) error {
				return e.permissions.Answer(ctx, permissionID, optionID, false)
			})
		},
		Open: func(chatID string, request bool, token string) {
			a.permit(token)
			if chatID == "" {
				a.desktop().show()
				return
			}
			a.showAsked(backend.Asked{For: backend.AskedChat, ChatID: chatID, Request: request})
		},
		Link:    a.links.make,
		Outcome: a.outcome,
		Log:     a.log,
	}
}

// permit has the window shown next by a token that the desktop has given to whoever
// asks for it: a desktop may keep a window from coming to the front without one.
// What comes from outside may be anything.
func (a *App) permit(token string) {
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }) {
		return
	}
	a.desktop().token(token)
}

// maxToken is more than the tokens of any desktop have.
const maxToken = 512

// Looking says whether the window is in front, which chat it shows ("" where it
// shows none), and in which language it speaks. The page calls it whenever one of
// these changes: while the user looks, there is nothing to notify of.
func (a *App) Looking(front bool, chatID, language string) {
	a.tray.speaks(language)
	a.looking.mu.Lock()
	defer a.looking.mu.Unlock()
	a.looking.tell = func(n *notify.Notifier) { n.Looking(front, chatID, notify.Language(language)) }
	if n := a.notifier.Load(); n != nil {
		a.looking.tell(n)
	}
}

// looking is what the page said last of where the user looks.
type looking struct {
	mu   sync.Mutex
	tell func(*notify.Notifier)
}

// tell shows a message of VoxPilot's own as a notification, where the user wants
// any and the system shows them. It does not wait.
func (a *App) tell(title, body string) {
	if n := a.notifier.Load(); n != nil {
		n.Tell(title, body)
	}
}

// outcomeTime bounds the reading of what came of a turn.
const outcomeTime = 2 * time.Second

// outcome says what came of a turn, in one line: how much it changed in files, or
// else the beginning of its answer. "" where that is not to be had.
func (a *App) outcome(turn backend.Turn, in notify.Language) string {
	e, err := a.engineIn(outcomeTime)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(e.ctx, outcomeTime)
	defer cancel()
	line, err := e.outcome(ctx, turn, in)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("what came of a turn is not known", "chat", turn.ChatID, "err", err)
	}
	return line
}

func (e *engine) outcome(ctx context.Context, turn backend.Turn, in notify.Language) (string, error) {
	chat, err := e.chats.Get(turn.ChatID)
	if err != nil {
		return "", err
	}
	kept, err := e.store.FileSteps(ctx, chat.ID, "")
	if err != nil {
		return "", err
	}
	var steps []changes.Step
	for _, s := range kept {
		if s.At >= turn.StartedAt {
			steps = append(steps, changes.Step(s))
		}
	}
	if list := changes.Files(steps, chat.Folder); len(list.Files) > 0 {
		return notify.Changed(list.Added, list.Removed, len(list.Files), in), nil
	}
	answer, err := e.lastMessage(ctx, turn)
	if answer == "" {
		return "", err
	}
	text, _, err := e.store.Text(ctx, answer, 0, maxAnswerStart)
	return firstWords(string(text)), err
}

// firstWords is the first line of a Markdown text that has words, without its
// marks.
func firstWords(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			continue
		}
		line = links.ReplaceAllString(strings.TrimLeft(line, "#>*- \t"), "$1")
		if line = strings.TrimSpace(marks.Replace(line)); line != "" {
			return line
		}
	}
	return ""
}

var (
	links = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	marks = strings.NewReplacer("**", "", "`", "")
)

// maxAnswerStart is how many bytes of an answer are looked at for its first line.
const maxAnswerStart = 1000

// lastMessage is the last one of a turn, "" where there is none.
func (e *engine) lastMessage(ctx context.Context, turn backend.Turn) (id string, err error) {
	view, err := e.store.BeginView(ctx)
	if err != nil {
		return "", err
	}
	defer view.Close()
	events, _, err := view.ChatEvents(ctx, turn.ChatID, pageSize)
	for _, ev := range events {
		if it := ev.Item; it != nil && it.TurnID == turn.ID && it.ParentID == "" && it.Kind == backend.ItemMessage && !it.Replaced {
			id = it.ID
		}
	}
	return id, err
}
