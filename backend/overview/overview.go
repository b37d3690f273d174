// Package overview is what goes on in all chats, for what is not in the window: the
// tray, notifications, the quick prompt, command lines.
package overview

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Overview is what goes on in all chats, for what is not in the window: the tray
// and the notifications. It is made of the same events that the window gets, and it
// alone keeps which requests are open: all else asks it, or hears of each.
type Overview struct {
	mu        sync.Mutex
	state     State
	followers []func(now State, e backend.Event)
}

// State is an overview at one moment. Who gets one only reads it, and not after
// it has returned.
type State struct {
	Chats       map[string]backend.Chat
	Requests    map[string]backend.Permission // those that are open
	Connections map[string]backend.Connection // by chat
	Account     backend.Account
	Settings    backend.Settings
}

// Begin takes over what was in the database.
func (o *Overview) Begin(chats []backend.Chat, settings backend.Settings) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state = State{
		Chats: map[string]backend.Chat{}, Requests: map[string]backend.Permission{},
		Connections: map[string]backend.Connection{}, Settings: settings,
	}
	for _, chat := range chats {
		o.state.Chats[chat.ID] = chat
	}
	o.notify(backend.Event{})
}

// Follow has follower told of each event that changed the view, in order, and
// of the view as it is, with an empty event. It must not block.
func (o *Overview) Follow(follower func(now State, e backend.Event)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.followers = append(o.followers, follower)
	follower(o.state, backend.Event{})
}

// View has do read the view as it is now. It must not block.
func (o *Overview) View(do func(now State)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	do(o.state)
}

// Asks returns the open requests of a chat.
func (o *Overview) Asks(chatID string) (asks []backend.Permission) {
	o.View(func(now State) { asks = now.Asks(chatID) })
	return asks
}

// Asks returns the open requests of a chat.
func (v State) Asks(chatID string) (asks []backend.Permission) {
	for _, p := range v.Requests {
		if p.ChatID == chatID {
			asks = append(asks, p)
		}
	}
	return asks
}

// Observe takes an event over.
func (o *Overview) Observe(e backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case e.Chat != nil:
		o.state.Chats[e.Chat.ID] = *e.Chat
	case e.ChatDeleted != nil:
		delete(o.state.Chats, e.ChatDeleted.ID)
		delete(o.state.Connections, e.ChatDeleted.ID)
		maps.DeleteFunc(o.state.Requests, func(_ string, p backend.Permission) bool { return p.ChatID == e.ChatDeleted.ID })
	case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
		o.state.Requests[e.Permission.ID] = *e.Permission
	case e.Permission != nil:
		delete(o.state.Requests, e.Permission.ID)
	case e.Connection != nil:
		o.state.Connections[e.Connection.ChatID] = *e.Connection
	case e.Account != nil:
		o.state.Account = *e.Account
	case e.Settings != nil:
		o.state.Settings = *e.Settings
	case e.Turn != nil:
	default:
		return
	}
	o.notify(e)
}

func (o *Overview) notify(e backend.Event) {
	for _, follower := range o.followers {
		follower(o.state, e)
	}
}

// Recent are the chats that a message can go to, the newest first.
func Recent(now State) []backend.Chat {
	chats := make([]backend.Chat, 0, len(now.Chats))
	for _, chat := range now.Chats {
		if chat.DeletedAt == 0 && !chat.Archived && chat.ProviderID != backend.ProviderPractice {
			chats = append(chats, chat)
		}
	}
	slices.SortFunc(chats, func(a, b backend.Chat) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return chats
}
