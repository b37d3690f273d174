package notify

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// policy decides which notices to show. For each chat, it stores the latest event that the user hasn't seen. It also
// stores one event for sign-ins, one for folders to trust and one for app messages.
type policy struct {
	outcome  func(turn backend.Turn, in Language) string
	settings backend.Settings
	chats    map[string]backend.Chat
	open     []backend.Permission // requests, oldest first
	logins   map[string]bool      // chats whose agent needs a sign-in
	reviews  map[string]bool      // chats that wait for a folder to be trusted
	front    bool                 // the window is in front
	page     Language             // the window's language
	limits   textLimits           // for text in the system's notifications

	events  []*chatEvent      // at most one per key, oldest first
	ended   map[string]string // the ID of the last turn that has ended, by chat
	grouped map[kind]bool     // kinds with one notice for all chats
}

// kind is a kind of event that the user is notified of.
type kind int

const (
	needsYou kind = iota
	finished
	failed
	signIn
	review
	message
)

// chatEvent is an event for which a notice is shown or will be shown.
type chatEvent struct {
	kind      kind
	chat      string
	turn      backend.Turn
	text      string          // for needsYou, the request's ID; for finished, the result; for message, its body
	why       backend.Message // for failed
	title     string          // for message
	due       time.Time
	published bool
}

// settleTime is the delay before an event is shown. A chat that continues with its next message within that time isn't
// reported as finished. If a chat has several events within that time, only the latest one is shown.
const settleTime = 500 * time.Millisecond

// maxNotices is the maximum number of separate notices for events of one kind. If more chats have an event of that
// kind, a single notice is shown for all of them.
const maxNotices = 3

func (h *chatEvent) key() string {
	switch h.kind {
	case signIn:
		return "sign-in"
	case review:
		return "review"
	case message:
		return "message"
	case needsYou, finished, failed:
	}
	return "chat " + h.chat
}

func keyOfAll(k kind) string { return "all " + [...]string{"need you", "finished", "failed"}[k] }

func newPolicy(outcome func(turn backend.Turn, in Language) string) *policy {
	p := &policy{outcome: outcome}
	p.begin(nil, nil, backend.DefaultSettings())
	return p
}

func (p *policy) begin(chats map[string]backend.Chat, requests map[string]backend.Permission, settings backend.Settings) {
	p.settings, p.chats = settings, chats
	p.open = slices.SortedFunc(maps.Values(requests), func(a, b backend.Permission) int { return int(a.CreatedAt - b.CreatedAt) })
	p.events, p.logins, p.reviews, p.ended, p.grouped = nil, map[string]bool{}, map[string]bool{}, map[string]string{}, map[kind]bool{}
}

// hasBegun reports whether Begin has set the initial chats.
func (p *policy) hasBegun() bool { return p.chats != nil }

func (p *policy) observe(e backend.Event, at time.Time) {
	if !p.hasBegun() {
		return
	}
	switch {
	case e.Settings != nil:
		p.settings = *e.Settings
		p.filter(func(h *chatEvent) bool { return p.isWanted(h.kind, at) })
	case e.Chat != nil:
		p.chats[e.Chat.ID] = *e.Chat
		if e.Chat.DeletedAt > 0 {
			p.forget(e.Chat.ID)
		}
	case e.ChatDeleted != nil:
		delete(p.chats, e.ChatDeleted.ID)
		p.open = slices.DeleteFunc(p.open, func(ask backend.Permission) bool { return ask.ChatID == e.ChatDeleted.ID })
		p.forget(e.ChatDeleted.ID)
	case e.Permission != nil && e.Permission.State == backend.PermissionOpen:
		p.onRequest(*e.Permission, at)
	case e.Permission != nil:
		p.requestClosed(*e.Permission, at)
	case e.Turn != nil:
		p.onTurn(*e.Turn, at)
	case e.Connection != nil:
		p.onConnection(*e.Connection, at)
	}
}

func (p *policy) onRequest(ask backend.Permission, at time.Time) {
	isOf := func(other backend.Permission) bool { return other.ID == ask.ID }
	if i := slices.IndexFunc(p.open, isOf); i >= 0 {
		p.open[i] = ask
		return
	}
	p.open = append(p.open, ask)
	p.add(&chatEvent{kind: needsYou, chat: ask.ChatID, text: ask.ID}, at)
}

// requestClosed removes the event for a request that is no longer open, if there is one. If the chat has another open
// request, an event for that request is added instead.
func (p *policy) requestClosed(ask backend.Permission, at time.Time) {
	p.open = slices.DeleteFunc(p.open, func(other backend.Permission) bool { return other.ID == ask.ID })
	before := len(p.events)
	p.filter(func(h *chatEvent) bool { return h.kind != needsYou || h.text != ask.ID })
	if len(p.events) == before {
		return
	}
	for _, other := range slices.Backward(p.open) {
		if other.ChatID == ask.ChatID {
			p.add(&chatEvent{kind: needsYou, chat: ask.ChatID, text: other.ID}, at)
			return
		}
	}
}

// onTurn processes a turn of a chat's main session. It ignores turns of delegated tasks, because they are part of a
// turn of the main session.
func (p *policy) onTurn(t backend.Turn, at time.Time) {
	if t.Session != backend.SessionMain || t.BlockID != "" {
		return
	}
	if t.State == backend.TurnRunning {
		p.filter(func(h *chatEvent) bool { return h.chat != t.ChatID || h.kind != finished && h.kind != failed })
		return
	}
	if p.ended[t.ChatID] == t.ID {
		return // it ended before; only its details have changed
	}
	p.ended[t.ChatID] = t.ID
	h := &chatEvent{kind: failed, chat: t.ChatID, turn: t}
	switch {
	case t.State == backend.TurnDone:
		h.kind = finished
	case t.Error != nil && t.Error.Code == backend.CodeAuth && t.OrchestratorID == "":
		return // it continues after the sign-in
	case t.Error != nil:
		h.why = t.Error.Message
	case t.State == backend.TurnStopped:
		return // by the user
	}
	p.add(h, at)
}

func (p *policy) onConnection(c backend.Connection, at time.Time) {
	p.onWaiting(signIn, p.logins, c.ChatID, c.State == backend.ConnectionNeedsLogin, at)
	if c.State != backend.ConnectionChecking { // it is only rechecked and may still need trust
		p.onWaiting(review, p.reviews, c.ChatID, c.State == backend.ConnectionNeedsTrust, at)
	}
}

// onWaiting adds a waiting chat to the given set, and removes a chat that no longer waits. Depending on k, the set is
// for chats that wait for a sign-in or for chats that wait for trust. Only the first waiting chat gets a notice.
func (p *policy) onWaiting(k kind, all map[string]bool, chatID string, waiting bool, at time.Time) {
	was := len(all)
	if !waiting {
		delete(all, chatID)
		if was > 0 && len(all) == 0 {
			p.filter(func(h *chatEvent) bool { return h.kind != k })
		}
		return
	}
	all[chatID] = true
	if was == 0 {
		p.add(&chatEvent{kind: k, chat: chatID}, at)
	}
}

// addMessage adds an app message, that is, a message about the app itself rather than a chat. It is shown without the
// usual delay.
func (p *policy) addMessage(title, body string, at time.Time) {
	h := &chatEvent{kind: message, title: title, text: body}
	p.add(h, at)
	h.due = at
}

// add adds h, replacing the event with the same key. It doesn't add h if the user can see the event in
// the window or doesn't want to be notified of it.
func (p *policy) add(h *chatEvent, at time.Time) {
	shown := slices.ContainsFunc(p.events, func(old *chatEvent) bool { return old.key() == h.key() && old.kind == h.kind && old.published })
	p.filter(func(old *chatEvent) bool { return old.key() != h.key() })
	if !p.isUnseen(h.kind) || !p.isWanted(h.kind, at) {
		return
	}
	if h.due = at.Add(settleTime); shown {
		h.due = at
	}
	p.events = append(p.events, h)
}

// isUnseen reports whether an event of this kind isn't visible in the window: the window isn't in front, or the event
// is an app message, which the window never shows.
func (p *policy) isUnseen(k kind) bool { return !p.front || k == message }

// isWanted reports whether the user wants to be notified of a kind of event at the given time.
func (p *policy) isWanted(k kind, at time.Time) bool {
	n := p.settings.Notify
	if n.Muted || quiet(at.Local(), n.QuietFrom, n.QuietTo) {
		return false
	}
	return map[kind]bool{needsYou: n.NeedsYou, finished: n.Finished, failed: n.Failed, signIn: n.SignIn, review: n.NeedsYou, message: true}[k]
}

// setFocus records whether the window is in front, and which chat and language it shows. When the window comes to the
// front, an event is kept only if its notice is visible and concerns a single chat other than the one in the window.
func (p *policy) setFocus(front bool, chatID string, in Language) {
	p.front, p.page = front, in
	if !front {
		return
	}
	p.filter(func(h *chatEvent) bool {
		return h.published && h.chat != chatID && h.kind != signIn && h.kind != review && h.kind != message && !p.grouped[h.kind]
	})
}

// closed removes the events shown by a notice that has been closed.
func (p *policy) closed(key string) {
	p.filter(func(h *chatEvent) bool { return !h.published || p.keyOf(h) != key })
}

// keyOf returns the key of the notice that shows an event, possibly together with other events.
func (p *policy) keyOf(h *chatEvent) string {
	if p.grouped[h.kind] {
		return keyOfAll(h.kind)
	}
	return h.key()
}

func (p *policy) forget(chatID string) {
	delete(p.logins, chatID)
	delete(p.reviews, chatID)
	for _, h := range p.events { // one event stands for all waiting chats and opens one of them
		for other := range map[kind]map[string]bool{signIn: p.logins, review: p.reviews}[h.kind] {
			h.chat = other
		}
	}
	p.filter(func(h *chatEvent) bool { return h.chat != chatID })
}

func (p *policy) filter(which func(*chatEvent) bool) {
	p.events = slices.DeleteFunc(p.events, func(h *chatEvent) bool { return !which(h) })
}

// settle marks due events as shown, and decides for which kinds of events one notice is shown for all chats. If waits
// is true, the caller must call settle again at the returned time.
func (p *policy) settle(at time.Time) (next time.Time, waits bool) {
	count := map[kind]int{}
	p.filter(func(h *chatEvent) bool {
		return h.published || h.due.After(at) || p.isUnseen(h.kind) && p.isWanted(h.kind, at)
	})
	for _, h := range p.events {
		switch {
		case h.published:
		case h.due.After(at):
			if !waits || h.due.Before(next) {
				next, waits = h.due, true
			}
			continue
		case h.kind == finished && p.chats[h.chat].TurnState == backend.TurnRunning:
			continue // delegated tasks are still running; a chat event follows when they end
		default:
			h.published = true
			if h.kind == finished {
				h.text = p.outcome(h.turn, p.language())
			}
		}
		count[h.kind]++
	}
	for _, k := range []kind{needsYou, finished, failed} {
		// A group that shrinks stays a group; otherwise, its remaining events would be shown again one by one.
		p.grouped[k] = count[k] > maxNotices || p.grouped[k] && count[k] > 0
	}
	return next, waits
}

// language returns the language from the settings or, if none is set, the window's language.
func (p *policy) language() Language {
	if p.settings.Language != "" {
		return Language(p.settings.Language)
	}
	return p.page
}

// targetOf returns the chat that a click on a notice opens, and whether to focus the chat's request.
func (p *policy) targetOf(key string) (chatID string, request bool) {
	for _, h := range slices.Backward(p.events) {
		if h.published && p.keyOf(h) == key {
			return h.chat, h.kind == needsYou
		}
	}
	return "", false
}

// The prefixes of actions that answer a request; the request's ID follows.
const (
	actionAllow  = "allow "
	actionReject = "reject "
)

// answerOf returns the request that an action answers, and the ID of the chosen option. ok is false if the action isn't
// an answer or its request is no longer open.
func (p *policy) answerOf(action string) (ask backend.Permission, option string, ok bool) {
	for prefix, k := range map[string]backend.OptionKind{actionAllow: backend.OptionAllowOnce, actionReject: backend.OptionRejectOnce} {
		id, isIt := strings.CutPrefix(action, prefix)
		if i := slices.IndexFunc(p.open, func(ask backend.Permission) bool { return ask.ID == id }); isIt && i >= 0 {
			option := optionOf(p.open[i], k)
			return p.open[i], option, option != ""
		}
	}
	return backend.Permission{}, "", false
}

func optionOf(ask backend.Permission, k backend.OptionKind) string {
	for _, option := range ask.Options {
		if option.Kind == k {
			return option.ID
		}
	}
	return ""
}

// quiet reports whether a local time is within the quiet hours, which may span midnight. It compares wall-clock times,
// even on days when the clocks change.
func quiet(at time.Time, from, to string) bool {
	begin, err := minuteOf(from)
	if err != nil {
		return false
	}
	end, err := minuteOf(to)
	if err != nil {
		return false
	}
	now := at.Hour()*60 + at.Minute()
	if begin <= end {
		return begin <= now && now < end
	}
	return now >= begin || now < end
}

func minuteOf(clock string) (int, error) {
	t, err := time.Parse("15:04", clock)
	return t.Hour()*60 + t.Minute(), err
}

// Check returns an error to show the user if the quiet hours are invalid.
func Check(n backend.Notify) error {
	if n.QuietFrom == "" && n.QuietTo == "" {
		return nil
	}
	for _, clock := range []string{n.QuietFrom, n.QuietTo} {
		if _, err := minuteOf(clock); err != nil || len(clock) != len("22:00") {
			return backend.Invalid("Enter quiet hours as a start and end time, such as 22:00 to 07:00.")
		}
	}
	if n.QuietFrom == n.QuietTo {
		return backend.Invalid("Quiet hours can't start and end at the same time. Choose another time, or mute notifications.")
	}
	return nil
}
