package engine

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
)

func newImports(e *Engine) *sessionimport.Manager {
	return sessionimport.New(sessionimport.Config{
		Dir: filepath.Join(e.Dir, "sessions"), Store: e.Store, Provider: e.providerAt,
		Create: func(ctx context.Context, folder, providerID, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			return e.Chats.CreateWith(ctx, folder, providerID, title, e.Setup.Settings().Mode, eventsFor)
		},
		Chat: e.Chats.Get, Change: e.Chats.Change, Hold: e.Chats.Hold,
		Delete: func(chat backend.Chat) {
			<-e.Agents.remove(chat.ID)
			chat.DropSessions = false
			_ = e.deleteChat(chat) // logged
		},
		Mark: e.Branch.Mark, Keep: e.Branch.Keep, Remove: e.Branch.Remove,
		Import: e.Store.Import, Publish: e.Bus.Publish, Log: e.Log,
	})
}

// providerAt returns the model or agent whose sessions the Copilot CLI stores in home, and the name of home in the rows
// of these sessions (sessionimport.Config.Provider). It returns CodeNotFound if no model or agent uses home.
func (e *Engine) providerAt(home string) (providerID, known string, err error) {
	dirOf := func(home string) string {
		return filepath.Clean(sessionfiles.HomeDir(sessionfiles.HomeOf(backend.Session{Home: home})))
	}
	dir := dirOf(home)
	for _, known := range []string{e.Setup.Settings().CopilotHome, ""} {
		if dir == dirOf(known) {
			return backend.ProviderCopilot, known, nil
		}
	}
	if agent, ok := e.Setup.AgentAt(func(known string) bool { return dir == dirOf(known) }); ok {
		return agent.ID, agent.Home, nil
	}
	if id := filepath.Base(dir); dir == filepath.Join(e.Dir, "models", id) && e.Setup.CheckExists(id) == nil {
		return id, dir, nil
	}
	if practice := filepath.Join(e.Dir, "practice", "copilot"); dir == practice {
		return backend.ProviderPractice, practice, nil
	}
	return "", "", &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Copilot no longer has this session."), Detail: os.ErrNotExist.Error()}
}

// copyTime is the time limit for copying a session. Logs can be hundreds of megabytes in size.
const copyTime = 10 * time.Minute

func (a *API) OpenCLISession(home, id string) (chat backend.Chat, err error) {
	return a.openSession(home, id, CallTime, (*sessionimport.Manager).Open)
}

func (a *API) ForkCLISession(home, id string) (chat backend.Chat, err error) {
	return a.openSession(home, id, copyTime, (*sessionimport.Manager).Fork)
}

func (a *API) RescueCLISession(home, id string) (chat backend.Chat, err error) {
	return a.openSession(home, id, copyTime, (*sessionimport.Manager).Rescue)
}

// openSession calls one of the functions that open a session in a chat, with a time limit.
func (a *API) openSession(home, id string, limit time.Duration, open func(m *sessionimport.Manager, ctx context.Context, home, id string) (backend.Chat, error)) (backend.Chat, error) {
	e, err := a.Engine()
	if err != nil {
		return backend.Chat{}, err
	}
	ctx, cancel := context.WithTimeout(e.ctx, limit)
	defer cancel()
	return open(e.Imports, ctx, home, id)
}

func (a *API) CancelSessionImport(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		if is, err := e.Others.Cancel(chatID); is {
			return err
		}
		return e.Imports.Cancel(chatID)
	})
}

// ResumeCommand returns the terminal command that continues the main session of a chat.
func (a *API) ResumeCommand(chatID string) (command string, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		sessions, err := e.Store.Sessions(ctx, chatID)
		for _, s := range sessions {
			dir := sessionfiles.HomeOf(s)
			if s.Name != backend.SessionMain || !sessionfiles.Exists(dir, s.ACPID) {
				continue
			}
			if sessionfiles.SameHome(sessionfiles.HomeDir(dir), sessionfiles.HomeDir(terminalHome(e.environ()))) {
				dir = ""
			} else {
				dir = sessionfiles.HomeDir(dir)
			}
			command = copilot.ResumeCommand(runtime.GOOS, dir, s.ACPID)
			return err
		}
		return cmp.Or(err, error(&backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat has no Copilot CLI session.")}))
	})
	return command, err
}

// terminalHome returns the value of COPILOT_HOME in an environment, or "".
func terminalHome(env []string) (home string) {
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); name == "COPILOT_HOME" {
			home = value
		}
	}
	return home
}
