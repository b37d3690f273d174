package desktop

import (
	"context"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
)

// startNotify tells the user by notifications what happens in chats, until the
// app closes.
func (d *Desktop) startNotify() {
	n := notify.Start(d.notifyConfig())
	d.focus.mu.Lock()
	d.notifier.Store(n)
	d.focus.report(n) // the page may have been quicker
	d.focus.mu.Unlock()
	d.API.Overview.Follow(func(now overview.State, e backend.Event) {
		switch {
		case e != backend.Event{}:
			n.Observe(e)
		case now.Chats != nil:
			n.Begin(maps.Clone(now.Chats), maps.Clone(now.Requests), now.Settings)
		}
	})
	context.AfterFunc(d.API.Life, n.Close)
}

// notifyConfig is what notifications may do.
func (d *Desktop) notifyConfig() notify.Config {
	return notify.Config{
		Able: func(why backend.Message, actions bool) {
			d.state.change(func(d *backend.Desktop) { d.Notifications, d.Actions = why, actions })
		},
		Answer: func(permissionID, optionID string) error {
			return d.API.Call(func(ctx context.Context, e *engine.Engine) error {
				return e.Permissions.Answer(ctx, permissionID, optionID, false)
			})
		},
		Open: func(chatID string, request bool, token string) {
			d.AllowActivation(token)
			if chatID == "" {
				d.window().Show()
				return
			}
			d.Navigate(backend.Navigation{For: backend.NavigateChat, ChatID: chatID, Request: request})
		},
		Link:    d.Links.Make,
		Outcome: d.outcome,
		Log:     d.API.Log,
	}
}

// AllowActivation has the window shown next by a token that the desktop has given to whoever
// asks for it: a desktop may keep a window from coming to the front without one.
// What comes from outside may be anything.
func (d *Desktop) AllowActivation(token string) {
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }) {
		return
	}
	d.window().Token(token)
}

// maxToken is more than the tokens of any desktop have.
const maxToken = 512

// SetFocus says whether the window is in front, which chat it shows ("" where it
// shows none), and in which language it speaks. The page calls it whenever one of
// these changes: while the user looks, there is nothing to notify of.
func (d *Desktop) SetFocus(front bool, chatID, language string) {
	d.tray.setPageLanguage(language)
	d.focus.mu.Lock()
	defer d.focus.mu.Unlock()
	d.focus.report = func(n *notify.Notifier) { n.SetFocus(front, chatID, notify.Language(language)) }
	if n := d.notifier.Load(); n != nil {
		d.focus.report(n)
	}
}

// focusState is what the page said last of where the user looks.
type focusState struct {
	mu     sync.Mutex
	report func(*notify.Notifier)
}

// notify shows a message of VoxPilot's own as a notification, where the user wants
// any and the system shows them. It does not wait.
func (d *Desktop) notify(title, body string) {
	if n := d.notifier.Load(); n != nil {
		n.Notify(title, body)
	}
}

// outcomeTime bounds the reading of what came of a turn.
const outcomeTime = 2 * time.Second

// outcome says what came of a turn, in one line: how much it changed in files, or
// else the beginning of its answer. "" where that is not to be had.
func (d *Desktop) outcome(turn backend.Turn, in notify.Language) string {
	e, err := d.API.EngineIn(outcomeTime)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(d.API.Life, outcomeTime)
	defer cancel()
	line, err := outcomeOf(ctx, e, turn, in)
	if err != nil && ctx.Err() == nil {
		d.API.Log.Warn("what came of a turn is not known", "chat", turn.ChatID, "err", err)
	}
	return line
}

func outcomeOf(ctx context.Context, e *engine.Engine, turn backend.Turn, in notify.Language) (string, error) {
	chat, err := e.Chats.Get(turn.ChatID)
	if err != nil {
		return "", err
	}
	kept, err := e.Store.FileEdits(ctx, chat.ID, "")
	if err != nil {
		return "", err
	}
	var steps []changes.Edit
	for _, s := range kept {
		if s.At >= turn.StartedAt {
			steps = append(steps, changes.Edit(s))
		}
	}
	if list := changes.Files(steps, chat.Folder); len(list.Files) > 0 {
		return notify.Changed(list.Added, list.Removed, len(list.Files), in), nil
	}
	answer, err := lastMessage(ctx, e, turn)
	if answer == "" {
		return "", err
	}
	text, _, err := e.Store.Text(ctx, answer, 0, maxAnswerStart)
	return firstTextLine(string(text)), err
}

// firstTextLine is the first line of a Markdown text that has words, without its
// marks.
func firstTextLine(text string) string {
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

// lastItems is how many entries of a chat are looked through for its last message.
const lastItems = 60

// lastMessage is the last one of a turn, "" where there is none.
func lastMessage(ctx context.Context, e *engine.Engine, turn backend.Turn) (id string, err error) {
	view, err := e.Store.BeginRead(ctx)
	if err != nil {
		return "", err
	}
	defer view.Close()
	events, _, err := view.ChatEvents(ctx, turn.ChatID, lastItems)
	for _, ev := range events {
		if it := ev.Item; it != nil && it.TurnID == turn.ID && it.ParentID == "" && it.Kind == backend.ItemMessage && !it.Replaced {
			id = it.ID
		}
	}
	return id, err
}
