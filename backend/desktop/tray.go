package desktop

import (
	"cmp"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/autostart"
	"github.com/voxpilot/voxpilot/backend/platform/tray"
)

// trayState is the state to show in the tray. It follows the overview and passes on
// only the latest state, because the system's tray may be slow.
type trayState struct {
	mu      sync.Mutex
	now     tray.State
	page    string        // language of the window, used if the settings have none
	chosen  string        // language of the settings
	down    []string      // IDs of the chats whose agents can be reconnected
	changed chan struct{} // receives a value after a change that isn't shown yet
}

// startTray shows VoxPilot in the tray, if there is one, until the app closes.
func (d *Desktop) startTray() {
	s := &d.tray
	shown := tray.Start(tray.Config{
		Click: func(e tray.Entry) { go d.trayClick(e) },
		Hosted: func(yes bool) {
			d.state.change(func(d *backend.Desktop) { d.Tray = yes })
			d.placement.setTrayHosted(yes)
		},
		Dir: d.API.Dir, Log: d.API.Log,
	}, s.state())
	d.API.Overview.Follow(func(now overview.State, e backend.Event) {
		if e.Turn == nil {
			s.change(func() { s.observe(now) })
		}
	})
	go d.findStartAtLogin()
	go func() {
		defer shown.Close()
		spoken := ""
		for {
			select {
			case <-s.changed:
				state := s.state()
				shown.Show(state)
				d.setMenuLanguage(spoken, state.Language)
				spoken = state.Language
			case <-d.API.Life.Done():
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
	default: // an update is already pending
	}
}

// setPageLanguage sets the language of the window.
func (s *trayState) setPageLanguage(language string) { s.change(func() { s.page = language }) }

// observe updates the state from the overview of all chats. The caller must hold s.mu.
func (s *trayState) observe(now overview.State) {
	s.now.Chats = nil
	asks := map[string]backend.Millis{} // start of the wait, by chat
	for _, p := range now.Requests {
		if since := asks[p.ChatID]; since == 0 || p.CreatedAt < since {
			asks[p.ChatID] = p.CreatedAt
		}
	}
	for id, c := range now.Connections {
		if c.State == backend.ConnectionNeedsTrust && asks[id] == 0 {
			asks[id] = c.Since
		}
	}
	for id, chat := range now.Chats {
		if status, live := liveStatus(chat, asks[id] > 0); live {
			since := cmp.Or(asks[id], chat.TurnSince)
			s.now.Chats = append(s.now.Chats, tray.Chat{ID: id, Title: chat.Title, Status: status, Since: since})
		}
	}
	s.now.Copilot, s.down = tray.NotRunning, nil
	for id, c := range now.Connections {
		if chat, there := now.Chats[id]; !there || chat.DeletedAt != 0 {
			continue
		}
		if c.State == backend.ConnectionWaiting || c.State == backend.ConnectionFailed || c.State == backend.ConnectionNeedsLogin || c.State == backend.ConnectionNeedsTrust {
			s.down = append(s.down, id)
		}
		s.now.Copilot = worse(s.now.Copilot, connectionOf(c))
	}
	if now.Settings.SetupDone && now.Settings.OrchestratorID == "" && isSignInLost(now.Account.State) {
		s.now.Copilot = worse(s.now.Copilot, tray.SignInNeeded)
	}
	s.now.Muted, s.chosen = now.Settings.Notify.Muted, now.Settings.Language
}

// liveStatus returns the status of a chat in the tray's menu. The parameter asks is true if the chat is waiting for
// the user. The result live is true if the chat is running or waiting for the user, or if it isn't archived and a
// turn has ended since the user last viewed it. For deleted chats, live is false.
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

// connectionOf returns the tray's connection state for a chat's agent. If the chat itself has a problem, such as a
// deleted or untrusted folder, the state is NotRunning.
func connectionOf(c backend.Connection) tray.Connection {
	switch c.State {
	case backend.ConnectionChecking, backend.ConnectionStarting:
		return tray.Starting
	case backend.ConnectionRestoring:
		return tray.Restoring
	case backend.ConnectionReady:
		return tray.Connected
	case backend.ConnectionNeedsLogin, backend.ConnectionWaiting, backend.ConnectionFailed:
		switch {
		case c.Cause == backend.CauseOffline:
			return tray.Offline
		case c.State == backend.ConnectionNeedsLogin:
			return tray.SignInNeeded
		case c.State == backend.ConnectionWaiting:
			return tray.Reconnecting
		case c.Cause != backend.CauseFolderMissing && c.Cause != backend.CauseProviderMissing:
			return tray.Stopped
		}
	case backend.ConnectionIdle, backend.ConnectionNeedsTrust:
	}
	return tray.NotRunning
}

// severity lists the connection states in ascending order of importance. If there are several connections,
// the tray shows the state that comes last in this list.
var severity = []tray.Connection{
	tray.NotRunning, tray.Connected, tray.Restoring, tray.Starting, tray.Reconnecting, tray.Stopped, tray.Offline, tray.SignInNeeded,
}

func worse(a, b tray.Connection) tray.Connection {
	if slices.Index(severity, a) > slices.Index(severity, b) {
		return a
	}
	return b
}

// isSignInLost reports whether an existing sign-in is no longer usable.
func isSignInLost(s backend.AccountState) bool {
	return s == backend.AccountExpired || s == backend.AccountWrongKind || s == backend.AccountNoAccess || s == backend.AccountLocked
}

// trayClick performs the action of an entry in the tray's menu.
func (d *Desktop) trayClick(e tray.Entry) {
	var err error
	switch e.Do {
	case tray.Tap:
		if id := d.tray.waitingChat(); id != "" {
			d.Navigate(backend.Navigation{For: backend.NavigateChat, ChatID: id, Request: true})
		} else {
			d.window().Show()
		}
	case tray.OpenChat:
		d.Navigate(backend.Navigation{For: backend.NavigateChat, ChatID: e.ChatID, Request: true})
	case tray.QuickPrompt:
		err = d.QuickPrompt()
	case tray.NewChat:
		d.Navigate(backend.Navigation{For: backend.NavigateNewChat})
	case tray.Open:
		d.window().Show()
	case tray.Reconnect:
		d.tray.mu.Lock()
		down := slices.Clone(d.tray.down)
		d.tray.mu.Unlock()
		err = d.API.ReconnectAll(down)
	case tray.Mute:
		err = d.API.Mute(!e.Checked)
	case tray.StartAtLogin:
		err = d.SetStartAtLogin(!e.Checked)
	case tray.Settings:
		d.Navigate(backend.Navigation{For: backend.NavigateSettings})
	case tray.Quit:
		d.requestQuit()
	}
	if err != nil {
		d.API.Log.Warn("couldn't run a tray command", "do", e.Do, "err", err)
		d.ShowError(err)
	}
}

// waitingChat returns the ID of the chat that has been waiting for the user the
// longest, or "" if none is waiting.
func (s *trayState) waitingChat() (id string) {
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

// SetStartAtLogin sets whether VoxPilot starts hidden when the user logs in.
func (d *Desktop) SetStartAtLogin(on bool) error {
	d.login.Lock()
	defer d.login.Unlock()
	err := autostart.Set(on)
	d.readStartAtLogin()
	return err
}

// findStartAtLogin asks the system whether VoxPilot starts at login, and corrects an
// entry for a program that no longer exists.
func (d *Desktop) findStartAtLogin() {
	d.login.Lock()
	defer d.login.Unlock()
	if err := autostart.Mend(); err != nil {
		d.API.Log.Warn("couldn't correct the start at login", "err", err)
	}
	d.readStartAtLogin()
}

func (d *Desktop) readStartAtLogin() {
	on, err := autostart.On()
	if err != nil {
		d.API.Log.Warn("couldn't read whether VoxPilot starts at login", "err", err)
	}
	d.state.change(func(d *backend.Desktop) { d.StartAtLogin = on })
	d.tray.change(func() { d.tray.now.StartAtLogin = on })
}
