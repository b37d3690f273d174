package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// handTime bounds how long a start waits for the VoxPilot that runs.
const handTime = 30 * time.Second

// claim makes this process the VoxPilot of the data directory, or hands over to
// the one that is; it returns nil then.
func claim(b begun) (*instance.Instance, error) {
	ctx, cancel := context.WithTimeout(context.Background(), handTime)
	defer cancel()
	giveForeground()
	r := instance.Request{Verb: instance.Open, Target: b.target, Hidden: b.hidden}
	r.Dir, _ = os.Getwd() // without one, a folder needs its whole path
	r.Token = startToken()
	return instance.Claim(ctx, dataDir(), r)
}

// startToken is what the desktop gave this start to bring the window to the front. A
// terminal leaves the id of its own start to all that is started in it: it is old,
// and X11 would keep the window down for it.
func startToken() string {
	if token := os.Getenv("XDG_ACTIVATION_TOKEN"); token != "" {
		return token
	}
	if terminal, err := os.Open("/dev/tty"); err == nil {
		_ = terminal.Close() // nothing was written
		return ""
	}
	return os.Getenv("DESKTOP_STARTUP_ID")
}

// serveStarts has this process do what later starts ask for. Where others cannot reach
// it, there is nothing to serve.
func (a *App) serveStarts() {
	if a.first != nil {
		a.first.Serve(a.answer)
	}
}

// answer does what a later start asks for (instance.Handler).
func (a *App) answer(ctx context.Context, r instance.Request, more func(instance.Answer) error) instance.Answer {
	var err error
	switch r.Verb {
	case instance.Open:
		if !r.Hidden {
			err = a.openTarget(r.Target, r.Dir, r.Token)
		}
	case instance.Quick:
		if r.Text == "" {
			err = a.quick.open(ctx)
		} else {
			err = a.sendQuick(r)
		}
	case instance.Ask:
		err = a.ask(ctx, r, more)
	default:
		err = &backend.Error{Code: backend.CodeInvalid, Message: "The VoxPilot that runs is of another version and cannot do this. Quit it and try again."}
	}
	if err != nil {
		a.log.Warn("what a later start asked for could not be done", "verb", r.Verb, "err", err)
		return instance.Answer{Error: err.Error(), Code: string(backend.CodeOf(err))}
	}
	return instance.Answer{}
}

// openTarget brings the window to the front, by a token of the desktop, with the
// folder or the link that VoxPilot was started with in it. Who follows a link sees no
// terminal: a bad one is told of in the window. A link that answers leaves the window
// as it is.
func (a *App) openTarget(target, dir, token string) error {
	if a.links.follow(target) {
		return nil
	}
	asked, err := askedBy(target, dir)
	if err == nil && asked != nil && asked.For == backend.AskedChat {
		var e *engine
		if e, err = a.engineIn(openTime); err == nil {
			_, err = e.chats.Get(asked.ChatID)
		}
	}
	a.permit(token)
	switch {
	case err != nil && isLink(target):
		a.showFailed(err)
	case err != nil:
		a.desktop().show()
	case asked == nil:
		a.desktop().show()
	default:
		a.showAsked(*asked)
	}
	return err
}

// opensWith shows what this process was started with, once there is a window.
func (a *App) opensWith(target string) {
	if target == "" {
		return
	}
	dir, _ := os.Getwd() // without one, a folder needs its whole path
	go func() {
		if err := a.openTarget(target, dir, ""); err != nil {
			a.log.Warn("what VoxPilot was started with cannot be opened", "err", err)
			if !isLink(target) {
				a.showFailed(err)
			}
		}
	}()
}

// folderOf is the folder that a request of the command line is about: the one that
// it names, or the other one where it names none.
func folderOf(r instance.Request, other string) string {
	switch {
	case r.Folder == "":
		return other
	case strings.HasPrefix(r.Folder, "~"):
		return r.Folder
	}
	return realpath.Join(r.Dir, r.Folder)
}

// sendQuick sends what `voxpilot quick "text"` has, as the quick prompt does: into
// a new chat in the folder that was used last.
func (a *App) sendQuick(r instance.Request) error {
	e, err := a.engineIn(openTime)
	if err != nil {
		return err
	}
	last := r.Dir
	a.overview.look(func(now view) {
		if chats := recent(now); len(chats) > 0 {
			last = chats[0].Folder
		}
	})
	b := e.begins()
	m := backend.QuickMessage{Text: r.Text, Folder: folderOf(r, last), AgentID: quickAgent(b), MainID: b.mainID, Mode: e.currentSettings().Mode}
	return a.sendMessage(m, func(backend.Chat) {})
}

// sendMessage sends a message that was written outside of the window. made is told
// of the chat that was made for it, before it is sent; one that does not take it is
// not kept. The window comes to the front if the chat then waits for trust.
func (a *App) sendMessage(m backend.QuickMessage, made func(backend.Chat)) error {
	switch {
	case strings.TrimSpace(m.Text) == "":
		return &backend.Error{Code: backend.CodeInvalid, Message: "There is no text to send."}
	case len(m.Text) > backend.MaxPromptBytes:
		return &backend.Error{Code: backend.CodeTooLarge, Message: "The message is larger than 1 MB. Shorten it, or put the text in a file and name the file."}
	case m.Mode == backend.ModeBypass:
		return &backend.Error{Code: backend.CodeInvalid, Message: "No chat begins with \"Allow everything\"."}
	case m.ChatID != "":
		a.unseen.await(m.ChatID)
		_, err := a.Send(m.ChatID, m.Text, nil)
		return err
	}
	chat, err := a.CreateChat(m.Folder, cmp.Or(m.AgentID, backend.ProviderCopilot))
	if err != nil {
		return err
	}
	made(chat)
	if m.MainID != chat.MainID {
		err = a.SetMain(chat.ID, m.MainID)
	}
	if err == nil && m.Mode != "" && m.Mode != chat.PermissionMode {
		err = a.SetPermissionMode(chat.ID, m.Mode)
	}
	if err == nil {
		a.unseen.await(chat.ID)
		_, err = a.Send(chat.ID, m.Text, nil)
	}
	if err != nil {
		return errors.Join(err, a.call(func(ctx context.Context, e *engine) error { return e.chats.Delete(ctx, chat.ID) }))
	}
	return nil
}
