package main

import (
	"maps"
	"sync"

	"cmp"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// overview is what goes on in all chats, for what is not in the window: the tray
// and the notifications. It is made of the same events that the window gets.
type overview struct {
	mu        sync.Mutex
	now       view
	followers []func(now view, e backend.Event)
}

// view is an overview at one moment. Who gets one only reads it, and not after
// it has returned.
type view struct {
	chats       map[string]backend.Chat
	requests    map[string]backend.Permission // those that are open
	connections map[string]backend.Connection // by chat
	account     backend.Account
	settings    backend.Settings
}

// begin takes over what was in the database.
func (o *overview) begin(chats []backend.Chat, settings backend.Settings) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = view{
		chats: map[string]backend.Chat{}, requests: map[string]backend.Permission{},
		connections: map[string]backend.Connection{}, settings: settings,
	}
	for _, chat := range chats {
		o.now.chats[chat.ID] = chat
	}
	o.tell(backend.Event{})
}

// follow has follower told of each event that changed the view, in order, and
// of the view as it is, with an empty event. It must not block.
func (o *overview) follow(follower func(now view, e backend.Event)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.followers = append(o.followers, follower)
	follower(o.now, backend.Event{})
}

// look has do read the view as it is now. It must not block.
func (o *overview) look(do func(now view)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	do(o.now)
}

// see takes an event over (feed.Config.Watch).
func (o *overview) see(e backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case e.Chat != nil:
		o.now.chats[e.Chat.ID] = *e.Chat
	case e.ChatGone != nil:
		delete(o.now.chats, e.ChatGone.ID)
		delete(o.now.connections, e.ChatGone.ID)
		maps.DeleteFunc(o.now.requests, func(_ string, p backend.Permission) bool { return p.ChatID == e.ChatGone.ID })
	case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
		o.now.requests[e.Permission.ID] = *e.Permission
	case e.Permission != nil:
		delete(o.now.requests, e.Permission.ID)
	case e.Connection != nil:
		o.now.connections[e.Connection.ChatID] = *e.Connection
	case e.Account != nil:
		o.now.account = *e.Account
	case e.Settings != nil:
		o.now.settings = *e.Settings
	case e.Turn != nil:
	default:
		return
	}
	o.tell(e)
}

func (o *overview) tell(e backend.Event) {
	for _, follower := range o.followers {
		follower(o.now, e)
	}
}

// recent are the chats that a message can go to, the newest first.
func recent(now view) []backend.Chat {
	chats := make([]backend.Chat, 0, len(now.chats))
	for _, chat := range now.chats {
		if chat.DeletedAt == 0 && !chat.Archived && chat.ProviderID != backend.ProviderPractice {
			chats = append(chats, chat)
		}
	}
	slices.SortFunc(chats, func(a, b backend.Chat) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return chats
}
