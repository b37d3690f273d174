// Package permission decides what an agent may do: by the user's rules, by the
// chat's permission mode, and for all else by asking the user and waiting. It
// makes one audit row of every request (backend.Permission, kept with its chat).
//
// A request is decided by the first of these that says something:
//
//  1. a rule that denies,
//  2. a rule that allows,
//  3. the chat's permission mode, which never decides on protected files,
//  4. the user.
//
// It ends in one of two ways: one of the agent's own options was chosen, or it
// is closed, because its context ended (the turn was stopped, or the agent
// died) or because a rule denies what the agent offers no way to reject. There
// is no time limit that denies. Every decision is durable before the agent
// hears of it.
package permission

import (
	"context"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config is what a Broker needs of the rest of the app.
type Config struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Rules are those kept from earlier runs.
	Rules []backend.Rule
	// Mode is the chat's permission mode now; nil is backend.ModeAsk for all.
	// AskOutside says whether what reaches outside of a chat's folder asks in
	// every mode; nil says that it does. Neither may call the Broker.
	Mode       func(chatID string) backend.PermissionMode
	AskOutside func() bool
	// Protected says why an edit of a file by a session in the folder is asked for in
	// every mode, or ""; nil says that none is. It may not call the Broker.
	Protected func(folder, file string) backend.Protection
}

// Broker takes requests and answers. Its methods are safe for concurrent use.
type Broker struct {
	cfg Config

	// covers reports whether a rule for a beginning or a pattern covers a line that is
	// run in the folder.
	covers func(s backend.Scope, folder, line string, anywhere bool) bool

	mu      sync.Mutex
	rules   []backend.Rule
	changes int              // how often the rules have changed
	open    []*request       // in the order in which they came
	times   []backend.Millis // when the last requests came
}

type request struct {
	p       backend.Permission
	answer  chan backend.Permission // buffered by one; sent to once
	claimed bool                    // a decision is being committed
}

// New makes a Broker.
func New(cfg Config) *Broker {
	if cfg.Mode == nil {
		cfg.Mode = func(string) backend.PermissionMode { return backend.ModeAsk }
	}
	if cfg.AskOutside == nil {
		cfg.AskOutside = func() bool { return true }
	}
	if cfg.Protected == nil {
		cfg.Protected = func(string, string) backend.Protection { return "" }
	}
	return &Broker{cfg: cfg, rules: slices.Clone(cfg.Rules), covers: covers}
}

// Ask has the request p decided, by the user where nothing else does, and
// waits for it. It returns p with the decision and the option to send to the
// agent, or ok=false where the agent is to be told that the request was
// cancelled: ctx ended first, or the Decision of what is returned is
// backend.DecisionRejected and the agent offers no option for that.
func (b *Broker) Ask(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	p.State = backend.PermissionOpen
	b.protect(&p)
	r := &request{p: p, answer: make(chan backend.Permission, 1)}
	auto := false
	b.decideOn([]backend.Permission{p}, func(known []ruleMatches) {
		r.p.CreatedAt = b.nextTimestamp(p.CreatedAt)
		p = r.p
		b.open = append(b.open, r)
		auto = b.verdictOn(p, known[0]).decide(&p)
		r.claimed = auto
		if !auto { // under the lock: a rule made from now on finds it open
			asked := r.p
			b.cfg.Publish(backend.Event{Permission: &asked})
		}
	})
	if auto {
		b.commit(ctx, []*request{r}, []backend.Permission{p})
	}

	select {
	case p = <-r.answer:
		return p, p.State == backend.PermissionDecided
	case <-ctx.Done():
	}
	b.mu.Lock()
	b.remove(r)
	b.mu.Unlock()
	select {
	case p = <-r.answer: // the answer was faster than the end of the turn
		return p, p.State == backend.PermissionDecided
	default:
	}
	b.close(r.p)
	return r.p, false
}

// Answer chooses the option optionID of the open request id. With always, the
// request's Scope becomes a rule first and the request is allowed once: the
// agent's own "always" is not used, since only a rule of ours can be shown and
// taken back. The answer reaches the agent only after it is durable.
//
// Errors: CodeNotFound where the request is not open any more, CodeInvalid for
// an option it does not have, or always without a Scope; CodeStorage.
func (b *Broker) Answer(ctx context.Context, id, optionID string, always bool) error {
	b.mu.Lock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id && !r.claimed })
	if i < 0 {
		b.mu.Unlock()
		return errNotOpen
	}
	r := b.open[i]
	p := r.p
	var rule *backend.Rule
	var err error
	if always {
		rule, err = b.decideAlways(&p)
	} else {
		err = decideByUser(&p, optionID)
	}
	if err != nil {
		b.mu.Unlock()
		return err
	}
	r.claimed = true
	b.mu.Unlock()
	return b.deliver(ctx, r, p, rule)
}

// ChatOf is the chat of the open request id.
//
// Errors: CodeNotFound where the request is not open any more.
func (b *Broker) ChatOf(id string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id })
	if i < 0 {
		return "", errNotOpen
	}
	return b.open[i].p.ChatID, nil
}

// Open is the open request id.
func (b *Broker) Open(id string) (p backend.Permission, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id && !r.claimed })
	if i < 0 {
		return p, false
	}
	return b.open[i].p, true
}

// Reject rejects the open request id, by the option that the agent offers for it
// or, if it offers none, as cancelled. The reason, which may be "", and with are
// durable together with the answer, before the agent hears of it.
//
// Errors: CodeNotFound where the request is not open any more; CodeStorage.
func (b *Broker) Reject(ctx context.Context, id, reason string, with ...backend.Event) error {
	b.mu.Lock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id && !r.claimed })
	if i < 0 {
		b.mu.Unlock()
		return errNotOpen
	}
	r := b.open[i]
	p := r.p
	p.State, p.Decision, p.Reason, p.DecidedAt = backend.PermissionClosed, backend.DecisionRejected, reason, backend.Now()
	if option := choose(p.Options, backend.OptionRejectOnce); option != nil {
		p.State, p.OptionID = backend.PermissionDecided, option.ID
	}
	r.claimed = true
	b.mu.Unlock()
	return b.deliver(ctx, r, p, nil, with...)
}

// deliver makes the user's answer p to r durable, with what belongs to it, and has
// the agent know. r is taken.
func (b *Broker) deliver(ctx context.Context, r *request, p backend.Permission, rule *backend.Rule, with ...backend.Event) error {
	var events []backend.Event
	if rule != nil {
		events = append(events, backend.Event{Rule: rule})
	}
	events = append(append(events, backend.Event{Permission: &p}), with...)
	err := b.cfg.Commit(ctx, events...)
	b.mu.Lock()
	r.claimed = false
	open := slices.Contains(b.open, r)
	switch {
	case err != nil:
		b.mu.Unlock()
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: backend.Say("Couldn't save your answer, so it wasn't sent. Try again."),
			Detail:  err.Error(),
		}
	case open:
		b.remove(r)
		r.answer <- p
	default:
		// Its turn ended while the answer was being saved. The row tells what
		// the agent got.
		b.close(r.p)
	}
	if rule != nil {
		b.put(*rule)
	}
	b.mu.Unlock()
	if rule != nil {
		b.settle(ctx, "")
	}
	if !open {
		return errNotOpen
	}
	return nil
}

var errNotOpen = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This request is no longer open.")}

// ModeChanged answers the open requests of the chat that its permission mode
// now covers; those of every chat where chatID is "". It is to be called after
// what Config.Mode or Config.AskOutside say has changed.
func (b *Broker) ModeChanged(ctx context.Context, chatID string) { b.settle(ctx, chatID) }

// IsAllowed says whether the request would go ahead now without the user, by a
// rule or by the chat's permission mode.
func (b *Broker) IsAllowed(p backend.Permission) bool {
	b.protect(&p)
	return b.effectOn(p) == backend.RuleAllow
}

// IsDenied says whether a rule denies the request.
func (b *Broker) IsDenied(p backend.Permission) bool { return b.effectOn(p) == backend.RuleDeny }

func (b *Broker) effectOn(p backend.Permission) (effect backend.RuleEffect) {
	b.decideOn([]backend.Permission{p}, func(known []ruleMatches) { effect = b.verdictOn(p, known[0]).effect })
	return effect
}

// settle decides the open requests of a chat, or of all where chatID is "",
// that a rule or the mode now decides. What cannot be made durable stays open.
func (b *Broker) settle(ctx context.Context, chatID string) {
	var open []*request
	var requests []backend.Permission
	b.mu.Lock()
	for _, r := range b.open {
		if !r.claimed && (chatID == "" || r.p.ChatID == chatID) {
			open, requests = append(open, r), append(requests, r.p)
		}
	}
	b.mu.Unlock()
	var of []*request
	var as []backend.Permission
	b.decideOn(requests, func(known []ruleMatches) {
		for i, r := range open {
			p := r.p
			if !r.claimed && slices.Contains(b.open, r) && b.verdictOn(p, known[i]).decide(&p) {
				r.claimed = true
				of, as = append(of, r), append(as, p)
			}
		}
	})
	if len(of) > 0 {
		b.commit(ctx, of, as)
	}
}

// commit makes decisions that were taken for the user durable, and then known.
// What cannot be kept is not allowed for the user: it is asked for. A denial
// holds also then.
func (b *Broker) commit(ctx context.Context, of []*request, as []backend.Permission) {
	events := make([]backend.Event, len(as))
	for i := range as {
		events[i] = backend.Event{Permission: &as[i]}
	}
	err := b.cfg.Commit(ctx, events...)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, r := range of {
		r.claimed = false
		switch open := slices.Contains(b.open, r); {
		case !open:
			b.close(r.p) // its turn ended meanwhile: the row tells what the agent got
			continue
		case err != nil && as[i].Decision != backend.DecisionRejected:
			asked := r.p
			b.cfg.Publish(backend.Event{Permission: &asked})
			continue
		case err != nil:
			b.cfg.Publish(events[i])
		}
		b.remove(r)
		r.answer <- as[i]
	}
}

// close records that nobody answered the request p.
func (b *Broker) close(p backend.Permission) {
	p.State, p.Decision, p.DecidedAt = backend.PermissionClosed, backend.DecisionClosed, backend.Now()
	b.cfg.Publish(backend.Event{Permission: &p})
}

// remove takes r from the open requests. d.mu is held.
func (b *Broker) remove(r *request) {
	b.open = slices.DeleteFunc(b.open, func(o *request) bool { return o == r })
}

// maxTimes is the number of times of requests that are remembered.
const maxTimes = 1000

// nextTimestamp returns when a request that came at the time at is said to have come: no
// two have the same, so that the order in which they are shown, and the pages of
// the audit, have no ties. One that came before another keeps its time, also if
// it is heard of later. The caller must hold d.mu.
func (b *Broker) nextTimestamp(at backend.Millis) backend.Millis {
	if at == 0 {
		at = backend.Now()
	}
	for slices.Contains(b.times, at) {
		at++
	}
	b.times = append(b.times, at)
	if over := len(b.times) - maxTimes; over > 0 {
		b.times = slices.Delete(b.times, 0, over)
	}
	return at
}
