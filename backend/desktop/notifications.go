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

// startNotify notifies the user of chat events until the app closes.
func (d *Desktop) startNotify() {
	n := notify.Start(d.notifyConfig())
	d.focus.mu.Lock()
	d.notifier.Store(n)
	d.focus.report(n) // the page may have reported its focus already
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

// notifyConfig returns the configuration of the notifications.
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
		Choose: func(id string, choice int) error {
			problems, err := d.API.AnswerQuestion(id, backend.QuestionAnswer{Choices: []int{choice}})
			if err == nil && len(problems) > 0 {
				err = &backend.Error{Code: backend.CodeInvalid, Message: problems[0].Message}
			}
			return err
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

// AllowActivation passes the window an activation token from the desktop, to be used the next time that
// the window is shown. Without one, a desktop may keep a window in the background. Tokens are untrusted input, so
// AllowActivation ignores those that are too long or contain unexpected characters.
func (d *Desktop) AllowActivation(token string) {
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }) {
		return
	}
	d.window().Token(token)
}

// maxToken is the maximum length in bytes of an accepted token. The tokens of all desktops are shorter.
const maxToken = 512

// SetFocus records whether the window is in front, the chat that it shows ("" for none)
// and its language. The page calls it when any of these changes. While the window is in
// front, no notifications about chats are shown.
func (d *Desktop) SetFocus(front bool, chatID, language string) {
	d.tray.setPageLanguage(language)
	viewed := ""
	if front {
		viewed = chatID
	}
	d.API.SetViewed(viewed)
	d.focus.mu.Lock()
	defer d.focus.mu.Unlock()
	d.focus.report = func(n *notify.Notifier) { n.SetFocus(front, chatID, notify.Language(language)) }
	if n := d.notifier.Load(); n != nil {
		d.focus.report(n)
	}
}

// focusState is the last focus reported by the page.
type focusState struct {
	mu     sync.Mutex
	report func(*notify.Notifier) // passes the focus to a notifier
}

// notify shows a message about the app itself as a notification, if the user wants notifications and the system
// supports them. It doesn't block.
func (d *Desktop) notify(title, body string) {
	if n := d.notifier.Load(); n != nil {
		n.Notify(title, body)
	}
}

// outcomeTime is the time limit for reading a turn's result.
const outcomeTime = 2 * time.Second

// outcome summarizes a turn's result in one line: the number of changed lines and
// files, or else the start of the answer. It returns "" if neither is available.
func (d *Desktop) outcome(turn backend.Turn, in notify.Language) string {
	e, err := d.API.EngineIn(outcomeTime)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(d.API.Life, outcomeTime)
	defer cancel()
	line, err := outcomeOf(ctx, e, turn, in)
	if err != nil && ctx.Err() == nil {
		d.API.Log.Warn("couldn't read the result of a turn", "chat", turn.ChatID, "err", err)
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

// firstTextLine returns the first non-empty line of Markdown text, without its markup.
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

// maxAnswerStart is the number of bytes of an answer that are searched for its first line.
const maxAnswerStart = 1000

// lastItems is the number of a chat's latest items that are searched for the last message.
const lastItems = 60

// lastMessage returns the ID of a turn's last message, or "" if the chat's last lastItems items contain none.
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
