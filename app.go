package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// App is what the window can ask for: every exported method is bound. Each
// checks its input, calls the one package that does the work, and returns at
// once; what comes of it comes as events (backend.Event). Bodies and lists are
// pulled from the paths in app_data.go.
//
// Errors are *backend.Error; the page gets them as {code, message, detail}.
type App struct {
	dir   string // VoxPilot's own data directory
	log   *slog.Logger
	file  *logfile.File  // where log goes; nil where it cannot be written
	trace io.WriteCloser // where the protocol goes; nil unless VOXPILOT_DEBUG=acp
	// tokens are the variables with the user's tokens, as VoxPilot was started with.
	tokens map[string]string
	// undoTime is how long a deletion can be undone.
	undoTime time.Duration
	// quitAnswer is how long the page has to show that it lives before the system
	// asks in its place whether to quit. The page beats when it is asked.
	quitAnswer time.Duration
	saveTime   time.Duration // bounds what is waited for before the computer sleeps
	pulse      *pulse
	desk       atomic.Pointer[desktop] // does nothing until the window exists

	first    *instance.Instance              // answers later starts; nil where none can reach this one
	quick    *quick                          // the quick prompt
	asks     asks                            // of command lines
	unseen   outside                         // messages of the quick prompt and of command lines
	login    sync.Mutex                      // one change, or look, at the start at login at a time
	looking  looking                         // what the user looks at, for the notifications
	links    onceLinks                       // by which notifications are answered where they cannot be otherwise
	overview overview                        // what goes on in all chats
	place    place                           // of the app on the user's desktop
	frame    frame                           // the window, as the desktop has it
	tray     trayState                       // what the tray is to tell
	notifier atomic.Pointer[notify.Notifier] // nil until there is a window

	quitting atomic.Bool                    // nobody is asked any more
	next     atomic.Pointer[update.Package] // the version that takes over when this process ends
	asking   atomic.Bool                    // a question of the system's own, whether to quit, is open

	life context.Context // ends with close
	end  context.CancelFunc

	opening sync.Mutex // one open or close at a time
	mu      sync.Mutex
	eng     *engine         // nil while the database is not open
	storage backend.Storage // how the database stands, while eng is nil
	opened  chan struct{}   // closed when the first try to open has ended
}

// callTime bounds what a bound method waits for, which is a commit at most.
const callTime = 10 * time.Second

// call runs do with the open engine in bounded time.
func (a *App) call(do func(ctx context.Context, e *engine) error) error {
	e, err := a.engine()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return do(ctx, e)
}

// CreateChat begins a chat in folder. providerID is backend.ProviderCopilot, or
// the id of a provider or a profile of the user's own.
func (a *App) CreateChat(folder, providerID string) (chat backend.Chat, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		folder, err := workspace.Resolve(folder)
		if err != nil {
			return err
		}
		if err := e.knowsProvider(providerID); err != nil {
			return err
		}
		chat, err = e.chats.Create(ctx, folder, providerID, "", e.currentSettings().Mode)
		return err
	})
	return chat, err
}

// StartPractice begins a chat in the practice folder, which it makes where it
// is absent. The scripted model server inside the app answers.
func (a *App) StartPractice() (chat backend.Chat, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		folder := filepath.Join(a.dir, "practice", "hello-voxpilot")
		if err := practice.Folder(folder); err != nil {
			return &backend.Error{Code: backend.CodeStorage, Message: "The practice folder could not be made in " + folder + ".", Detail: err.Error()}
		}
		chat, err = e.chats.Create(ctx, folder, backend.ProviderPractice, "", e.currentSettings().Mode)
		return err
	})
	return chat, err
}

// RenameChat gives a chat the title that the user typed.
func (a *App) RenameChat(id, title string) error {
	title, err := checkTitle(title)
	if err != nil {
		return err
	}
	return a.change(id, func(c *backend.Chat) { c.Title, c.TitleByUser = title, true })
}

// MarkRead says that the user has seen the newest turn of the chat.
func (a *App) MarkRead(id string) error {
	return a.change(id, func(c *backend.Chat) { c.Unread = false })
}

// SaveDraft keeps the unsent text of a chat's composer, and what goes with it.
func (a *App) SaveDraft(id, text string, attachments []backend.Attachment) error {
	return a.call(func(ctx context.Context, e *engine) error {
		if err := e.adopt(ctx, id, attachments); err != nil {
			return err
		}
		return e.chats.SaveDraft(ctx, id, text, attachments)
	})
}

// LocateFolder tells a chat where its folder is now.
func (a *App) LocateFolder(id, folder string) error {
	return a.call(func(ctx context.Context, e *engine) error {
		folder, err := workspace.Resolve(folder)
		if err != nil {
			return err
		}
		if err := e.chats.Change(ctx, id, func(c *backend.Chat) { c.Folder = folder }); err != nil {
			return err
		}
		e.agents.relocate(id, folder)
		return nil
	})
}

func (a *App) change(id string, change func(*backend.Chat)) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.Change(ctx, id, change) })
}

// DeleteChat removes a chat and all that VoxPilot keeps of it, a moment later:
// RestoreChat takes it back until then. With sessions, the agent's own files of
// its sessions go as well. Files that the agent changed stay as they are.
func (a *App) DeleteChat(id string, sessions bool) error {
	return a.call(func(ctx context.Context, e *engine) error {
		return e.discard(ctx, id, sessions)
	})
}

// Send takes the user's message, and what goes with it. It returns the id under
// which the message shows up, as an item or as a queued prompt.
func (a *App) Send(chatID, text string, attachments []backend.Attachment) (id string, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		if err = e.adopt(ctx, chatID, attachments); err != nil {
			return err
		}
		id, err = e.chats.Send(ctx, chatID, text, attachments...)
		if err == nil {
			e.mentioned(chatID, attachments)
		}
		return err
	})
	return id, err
}

// Stop ends the running turn of a chat; what is queued waits.
func (a *App) Stop(chatID string) error {
	return a.call(func(_ context.Context, e *engine) error { return e.chats.Stop(chatID) })
}

// ResumeQueue lets the queue of a chat go on that waits for the user.
func (a *App) ResumeQueue(chatID string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.Resume(ctx, chatID) })
}

// EditQueued replaces the text of a queued prompt.
func (a *App) EditQueued(id, text string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.EditQueued(ctx, id, text) })
}

// BeginEdit keeps a queued prompt from being sent while the user edits it.
func (a *App) BeginEdit(id string) error {
	return a.call(func(_ context.Context, e *engine) error { return e.chats.BeginEdit(id) })
}

// EndEdit lets a queued prompt go on that the user edited, and all of them where id
// is "", which is what a page calls that begins anew.
func (a *App) EndEdit(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.EndEdit(ctx, id) })
}

// RemoveQueued removes a queued prompt.
func (a *App) RemoveQueued(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.RemoveQueued(ctx, id) })
}

// Answer chooses an option of an open permission request; with always, its
// scope becomes a rule.
func (a *App) Answer(permissionID, optionID string, always bool) error {
	return a.call(func(ctx context.Context, e *engine) error {
		edit := e.editAsked(ctx, permissionID, optionID, always)
		err := e.permissions.Answer(ctx, permissionID, optionID, always)
		if err != nil {
			e.trust.Refused(edit)
		}
		return err
	})
}

// Reject rejects an open permission request. A reason is sent as the user's next
// message in the chat, right after the rejection.
func (a *App) Reject(permissionID, reason string) error {
	return a.call(func(ctx context.Context, e *engine) error {
		reason = strings.TrimSpace(reason)
		if reason == "" {
			return e.permissions.Reject(ctx, permissionID, "")
		}
		chatID, err := e.permissions.ChatOf(permissionID)
		if err != nil {
			return err
		}
		return e.chats.SendNext(ctx, chatID, reason, func(ctx context.Context, events ...backend.Event) error {
			return e.permissions.Reject(ctx, permissionID, reason, events...)
		})
	})
}

// RemoveRule takes a rule back.
func (a *App) RemoveRule(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.permissions.RemoveRule(ctx, id) })
}

// SaveRule adds a rule that the user made in the settings, or changes one.
func (a *App) SaveRule(rule backend.Rule) (saved backend.Rule, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		saved, err = e.permissions.SaveRule(ctx, rule)
		return err
	})
	return saved, err
}

// RemoveAllRules takes all rules back.
func (a *App) RemoveAllRules() error {
	return a.call(func(ctx context.Context, e *engine) error { return e.permissions.RemoveAll(ctx) })
}

// Reconnect starts the chat's agent again without waiting for the next try.
func (a *App) Reconnect(chatID string) error {
	return a.call(func(_ context.Context, e *engine) error {
		e.tasks.Go(func() { e.findCLI() })
		e.agents.retry(chatID)
		return nil
	})
}

// DismissBanner folds a banner of the transcript into a thin rule.
func (a *App) DismissBanner(itemID string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.dismiss(ctx, itemID) })
}

// SaveProvider adds or changes a model endpoint of the user's own. An empty
// key keeps the one that is stored.
func (a *App) SaveProvider(p backend.Provider, key string) (saved backend.Provider, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		saved, err = e.saveProvider(ctx, p, key)
		if err == nil {
			e.agents.outdate(saved.ID)
		}
		return err
	})
	return saved, err
}

// DeleteProvider removes a model endpoint and its key.
func (a *App) DeleteProvider(id string) error {
	return a.call(func(ctx context.Context, e *engine) error {
		err := e.deleteProvider(ctx, id)
		if err == nil {
			e.agents.outdate(id)
		}
		return err
	})
}

// CheckProvider asks the endpoint for its models; the answer comes as an event.
func (a *App) CheckProvider(id string) error {
	return a.call(func(_ context.Context, e *engine) error { return e.checkProvider(id) })
}

// SaveProfile adds or changes another agent than the Copilot CLI. env has the
// values of the variables that the profile names; "" keeps the one that is
// stored.
func (a *App) SaveProfile(p backend.Profile, env map[string]string) (saved backend.Profile, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		saved, err = e.saveProfile(ctx, p, env)
		if err == nil {
			e.agents.outdate(saved.ID)
		}
		return err
	})
	return saved, err
}

// DeleteProfile removes an agent of the user's own and the values of its
// variables.
func (a *App) DeleteProfile(id string) error {
	return a.call(func(ctx context.Context, e *engine) error {
		err := e.deleteProfile(ctx, id)
		if err == nil {
			e.agents.outdate(id)
		}
		return err
	})
}

// SaveSettings replaces the user's settings.
func (a *App) SaveSettings(s backend.Settings) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.saveSettings(ctx, s) })
}

// CheckCLI looks for the Copilot CLI again; the answer comes as an event.
func (a *App) CheckCLI() error {
	return a.call(func(_ context.Context, e *engine) error {
		e.tasks.Go(func() { e.findCLI() })
		return nil
	})
}

// RetryStorage tries to open the database again, after its condition was
// mended.
func (a *App) RetryStorage() { go a.open() }

// PickFolder opens the system's folder dialog; the answer comes as an event
// with the same request id.
func (a *App) PickFolder(request string) { go a.pick(request, a.desktop().pickFolder) }

// PickFile opens the system's file dialog; the answer comes as an event with
// the same request id.
func (a *App) PickFile(request string) { go a.pick(request, a.desktop().pickFile) }

// OpenURL opens a web address in the user's browser. Only http, https and mailto.
func (a *App) OpenURL(address string) error {
	address, err := checkURL(address)
	if err != nil {
		return err
	}
	a.desktop().openURL(address)
	return nil
}

// Quit ends VoxPilot without asking: the user was asked (backend.QuitAsked).
func (a *App) Quit() { a.quit() }

// Copy puts text on the clipboard.
func (a *App) Copy(text string) error { return a.desktop().copy(text) }

// Log takes an error of the page into the log file.
func (a *App) Log(level, message string) { a.logPage(level, message) }

// Heartbeat says that the page draws. While it is visible the page calls it every
// 20 seconds, or every five minutes where nothing comes; and when it appears, when it is
// hidden (visible=false), and when the user is asked whether to quit.
func (a *App) Heartbeat(visible bool) {
	a.pulse.beat(visible)
	if visible {
		a.seen()
	}
}

// Placed says that the window may be elsewhere, or of another size. The page calls
// it when it has loaded, when the user turns to something else, after a change of its
// size, and with a heartbeat after it was moved.
func (a *App) Placed() { go a.keepWindow() }
