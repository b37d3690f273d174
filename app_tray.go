package main

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/autostart"
	"github.com/voxpilot/voxpilot/backend/platform/tray"
)

// trayState is what the tray is to tell. It follows the overview, and hands the
// newest state over: what tells the system may take its time.
type trayState struct {
	mu      sync.Mutex
	now     tray.State
	page    string   // the language of the window, where the settings name none
	chosen  string   // that of the settings
	down    []string // the chats whose agents can be started again
	changed chan struct{}
}

// startTray shows VoxPilot in the tray, if there is one, until the app closes.
func (a *App) startTray() {
	s := &a.tray
	shown := tray.Start(tray.Config{
		Click: func(e tray.Entry) { go a.trayClick(e) },
		Hosted: func(yes bool) {
			a.place.change(func(d *backend.Desktop) { d.Tray = yes })
			a.frame.hosted(yes)
		},
		Dir: a.dir, Log: a.log,
	}, s.state())
	a.overview.follow(func(now view, e backend.Event) {
		if e.Turn == nil {
			s.change(func() { s.see(now) })
		}
	})
	go a.findStartAtLogin()
	go func() {
		defer shown.Close()
		spoken := ""
		for {
			select {
			case <-s.changed:
				state := s.state()
				shown.Show(state)
				a.speakMenu(spoken, state.Language)
				spoken = state.Language
			case <-a.life.Done():
				return
			}
		}
	}()
}

func (s *trayState) state() tray.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.now
	state.Language = s.page
	if s.chosen != "" {
		state.Language = s.chosen
	}
	return state
}

func (s *trayState) change(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // it is to be told already
	}
}

// speaks is told of the language of the window.
func (s *trayState) speaks(language string) { s.change(func() { s.page = language }) }

// see makes the state of what goes on in all chats.
func (s *trayState) see(now view) {
	s.now.Chats = nil
	asks := map[string]backend.Millis{} // since when
	for _, p := range now.requests {
		if since := asks[p.ChatID]; since == 0 || p.CreatedAt < since {
			asks[p.ChatID] = p.CreatedAt
		}
	}
	for id, c := range now.connections {
		if c.State == backend.NeedsTrust && asks[id] == 0 {
			asks[id] = c.Since
		}
	}
	for id, chat := range now.chats {
		if status, live := liveStatus(chat, asks[id] > 0); live {
			since := cmp.Or(asks[id], chat.TurnSince)
			s.now.Chats = append(s.now.Chats, tray.Chat{ID: id, Title: chat.Title, Status: status, Since: since})
		}
	}
	s.now.Copilot, s.down = tray.NotRunning, nil
	for id, c := range now.connections {
		if chat, there := now.chats[id]; !there || chat.DeletedAt != 0 {
			continue
		}
		if c.State == backend.Waiting || c.State == backend.Failed || c.State == backend.NeedsLogin || c.State == backend.NeedsTrust {
			s.down = append(s.down, id)
		}
		s.now.Copilot = worse(s.now.Copilot, connectionOf(c))
	}
	if now.settings.SetupDone && now.settings.MainID == "" && lost(now.account.State) {
		s.now.Copilot = worse(s.now.Copilot, tray.SignInNeeded)
	}
	s.now.Muted, s.chosen = now.settings.Notify.Muted, now.settings.Language
}

// liveStatus is why a chat is in the tray's menu, if it is: it is at work, or has
// ended since the user looked last.
func liveStatus(chat backend.Chat, asks bool) (status tray.Status, live bool) {
	switch {
	case chat.DeletedAt != 0:
		return 0, false
	case asks:
		return tray.NeedsYou, true
	case chat.TurnState == backend.TurnRunning:
		return tray.Running, true
	case !chat.Unread || chat.Archived:
		return 0, false
	case chat.TurnState == backend.TurnDone:
		return tray.Finished, true
	}
	return tray.Failed, true
}

// connectionOf is how a chat's agent is connected, in the words of the tray. What
// is wrong with the chat itself, as a folder that is gone or not trusted, is not said
// of Copilot.
func connectionOf(c backend.Connection) tray.Connection {
	switch c.State {
	case backend.Checking, backend.Starting:
		return tray.Starting
	case backend.Restoring:
		return tray.Restoring
	case backend.Ready:
		return tray.Connected
	case backend.NeedsLogin, backend.Waiting, backend.Failed:
		switch {
		case c.Cause == backend.CauseOffline:
			return tray.Offline
		case c.State == backend.NeedsLogin:
			return tray.SignInNeeded
		case c.State == backend.Waiting:
			return tray.Reconnecting
		case c.Cause != backend.CauseFolderGone && c.Cause != backend.CauseProvider:
			return tray.Stopped
		}
	case backend.Idle, backend.NeedsTrust:
	}
	return tray.NotRunning
}

// severity orders what there is to say of several connections: the last is said.
var severity = []tray.Connection{
	tray.NotRunning, tray.Connected, tray.Restoring, tray.Starting, tray.Reconnecting, tray.Stopped, tray.Offline, tray.SignInNeeded,
}

func worse(a, b tray.Connection) tray.Connection {
	if slices.Index(severity, a) > slices.Index(severity, b) {
		return a
	}
	return b
}

// lost says that a sign-in that there was cannot be used any more.
func lost(s backend.AccountState) bool {
	return s == backend.AccountExpired || s == backend.AccountWrongKind || s == backend.AccountNoAccess || s == backend.AccountLocked
}

// trayClick does what an entry of the tray's menu says.
func (a *App) trayClick(e tray.Entry) {
	var err error
	switch e.Do {
	case tray.Tap:
		if id := a.tray.needsYou(); id != "" {
			a.showAsked(backend.Asked{For: backend.AskedChat, ChatID: id, Request: true})
		} else {
			a.desktop().show()
		}
	case tray.OpenChat:
		a.showAsked(backend.Asked{For: backend.AskedChat, ChatID: e.ChatID, Request: true})
	case tray.QuickPrompt:
		err = a.QuickPrompt()
	case tray.NewChat:
		a.showAsked(backend.Asked{For: backend.AskedNewChat})
	case tray.Open:
		a.desktop().show()
	case tray.Reconnect:
		err = a.reconnectAll()
	case tray.Mute:
		err = a.mute(!e.Checked)
	case tray.StartAtLogin:
		err = a.SetStartAtLogin(!e.Checked)
	case tray.Settings:
		a.showAsked(backend.Asked{For: backend.AskedSettings})
	case tray.Quit:
		a.askedToQuit()
	}
	if err != nil {
		a.log.Warn("what was chosen in the tray could not be done", "do", e.Do, "err", err)
		a.showFailed(err)
	}
}

// needsYou is the chat that waits for the user longest, "" where none does.
func (s *trayState) needsYou() (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	since := backend.Millis(0)
	for _, chat := range s.now.Chats {
		if chat.Status == tray.NeedsYou && (id == "" || chat.Since < since) {
			id, since = chat.ID, chat.Since
		}
	}
	return id
}

// reconnectAll looks for all again that agents need, and starts those that are
// down without waiting for the next try.
func (a *App) reconnectAll() error {
	a.tray.mu.Lock()
	down := slices.Clone(a.tray.down)
	a.tray.mu.Unlock()
	return a.call(func(ctx context.Context, e *engine) error {
		e.tasks.Go(func() { e.findCLI() })
		for _, id := range down {
			e.agents.retry(id)
		}
		return e.auth.Recheck(ctx)
	})
}

func (a *App) mute(muted bool) error {
	return a.call(func(ctx context.Context, e *engine) error {
		_, err := e.changeSettings(ctx, func(s *backend.Settings) { s.Notify.Muted = muted })
		return err
	})
}

// SetStartAtLogin has VoxPilot started, hidden, when the user logs in, or not any more.
func (a *App) SetStartAtLogin(on bool) error {
	a.login.Lock()
	defer a.login.Unlock()
	err := autostart.Set(on)
	a.readStartAtLogin()
	return err
}

// findStartAtLogin asks the system whether it starts VoxPilot, and corrects an
// entry that starts one that is not there any more.
func (a *App) findStartAtLogin() {
	a.login.Lock()
	defer a.login.Unlock()
	if err := autostart.Mend(); err != nil {
		a.log.Warn("the start at login could not be corrected", "err", err)
	}
	a.readStartAtLogin()
}

func (a *App) readStartAtLogin() {
	on, err := autostart.On()
	if err != nil {
		a.log.Warn("whether VoxPilot is started at login is not known", "err", err)
	}
	a.place.change(func(d *backend.Desktop) { d.StartAtLogin = on })
	a.tray.change(func() { a.tray.now.StartAtLogin = on })
}
