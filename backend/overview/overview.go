// Package overview tracks the state of all chats for UI outside the window: the tray, notifications, the quick
// prompt and the command line.
package overview

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Overview tracks the state of all chats for UI outside the window. It receives the same events as the window.
// Other components get the open requests from it. It is safe for concurrent use.
type Overview struct {
	mu        sync.Mutex
	state     State
	followers []func(now State, e backend.Event)
}

// State is the state of an Overview. Callbacks that receive one must not change or retain it.
type State struct {
	Chats       map[string]backend.Chat
	Requests    map[string]backend.Permission // open requests by ID
	Connections map[string]backend.Connection // by chat
	Account     backend.Account
	Settings    backend.Settings
}

// Begin sets the initial state, as loaded from the database.
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

// Follow first calls the function follower with the current state and an empty event. It then calls follower
// for each event that Observe passes on, in order. follower must not block.
func (o *Overview) Follow(follower func(now State, e backend.Event)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.followers = append(o.followers, follower)
	follower(o.state, backend.Event{})
}

// View passes the current state to the function do. The function must not block, and must not change or retain
// the state.
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

// Observe applies an event to the state and passes it on to the followers. It ignores events that are neither about the
// state nor about a turn.
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

// Recent returns the chats to which the user can send a message from outside the window, most recently updated first.
func Recent(now State) []backend.Chat {
	return slices.DeleteFunc(Open(now), func(chat backend.Chat) bool { return chat.ProviderID == backend.ProviderPractice })
}

// Open returns the chats that are neither deleted nor archived, including practice chats, most recently updated
// first.
func Open(now State) []backend.Chat {
	chats := make([]backend.Chat, 0, len(now.Chats))
	for _, chat := range now.Chats {
		if chat.DeletedAt == 0 && !chat.Archived {
			chats = append(chats, chat)
		}
	}
	slices.SortFunc(chats, func(a, b backend.Chat) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return chats
}
