// Package permission decides what an agent may do: by the user's rules, by the chat's permission mode,
// and otherwise by asking the user. Every request leaves one audit row (backend.Permission, stored with
// its chat).
//
// A request is decided by the first of these that applies:
//
//  1. a deny rule,
//  2. an allow rule,
//  3. the chat's permission mode, which never decides on protected files or on sites that aren't listed,
//  4. the user.
//
// Allow rules and modes don't decide on requests that are unclear, that a deny rule may cover, or that leave the
// sandbox.
//
// A request ends in one of two ways: one of the agent's options is chosen, or the request is closed
// because its context ended (the turn was stopped, or the agent exited) or because it was rejected and
// the agent offers no option to reject it. No timeout ever denies a request. Every decision is durable
// before it is sent to the agent; only a denial by a rule is sent even if it can't be saved.
package permission

import (
	"context"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config configures a broker.
type Config struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit publishes events and returns when they are durable, or returns an error if they couldn't be stored.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Rules are the stored rules.
	Rules []backend.Rule
	// Mode returns the chat's current permission mode; if it is nil, all chats have backend.ModeAsk. AskOutside
	// reports whether the user must decide on requests that reach outside a chat's folder, whatever the mode; if it
	// is nil, the user must decide. Neither function may call the broker.
	Mode       func(chatID string) backend.PermissionMode
	AskOutside func() bool
	// Protected returns the reason why no mode may allow an edit to the file by a session in the folder, or "" if
	// there is no such reason. If Protected is nil, no file is protected. It must not call the broker.
	Protected func(folder, file string) backend.Protection
}

// Broker decides permission requests by rule, mode or user. It is safe for concurrent use.
type Broker struct {
	cfg Config

	// covers reports whether a prefix or glob rule covers a line that is run in the
	// folder. Tests replace it.
	covers func(s backend.Scope, folder, line string, anywhere bool) bool

	mu      sync.Mutex
	rules   []backend.Rule
	changes int              // number of changes to the rules
	open    []*request       // in order of arrival
	times   []backend.Millis // CreatedAt of the last requests
}

// request is a request that hasn't been answered.
type request struct {
	p       backend.Permission
	answer  chan backend.Permission // buffer of one; receives one value
	claimed bool                    // a decision is being committed
}

// New returns a broker with the stored rules of cfg and no open requests.
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

// Ask decides the request p, asking the user if no rule or mode decides it, and waits for the decision. It returns
// p with the decision and the option to send to the agent. ok is false if the agent must be told that the request
// was canceled: either ctx ended first, or the request was rejected (backend.DecisionRejected) and the agent offers
// no option to reject it.
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
		if !auto { // decideOn holds b.mu, so a rule added after this finds the request open
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
	case p = <-r.answer: // answered just before ctx ended
		return p, p.State == backend.PermissionDecided
	default:
	}
	b.close(r.p)
	return r.p, false
}

// Answer chooses an option of the open request with the given ID. If always is true, the request's Scope becomes a rule
// and the request is allowed once: the agent's own "always" isn't used, since only VoxPilot's rules can be shown and
// revoked. The answer is made durable before it is sent to the agent.
//
// Errors: CodeNotFound if the request is no longer open; CodeInvalid if the option is unknown, or if always is
// true and the request can't become a rule (canAlways) or can't be allowed once; CodeStorage.
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

// ChatOf returns the ID of the chat that the open request with the given ID belongs to.
//
// Errors: CodeNotFound if the request is no longer open.
func (b *Broker) ChatOf(id string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id })
	if i < 0 {
		return "", errNotOpen
	}
	return b.open[i].p.ChatID, nil
}

// Open returns the open request with the given ID. ok is false if the request isn't open or is being
// decided.
func (b *Broker) Open(id string) (p backend.Permission, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.open, func(r *request) bool { return r.p.ID == id && !r.claimed })
	if i < 0 {
		return p, false
	}
	return b.open[i].p, true
}

// Reject rejects the open request with the given ID by choosing the agent's option to
// reject it once or, if there is none, by canceling it. The reason, which may be "", and
// further events become durable together with the answer, before the answer is sent to
// the agent.
//
// Errors: CodeNotFound if the request is no longer open; CodeStorage.
func (b *Broker) Reject(ctx context.Context, id, reason string, further ...backend.Event) error {
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
	return b.deliver(ctx, r, p, nil, further...)
}

// deliver makes the user's answer to r durable and then sends it to the agent. p is the request with the answer.
// The rule, which may be nil, and further events become durable at the same time. r.claimed must be set.
func (b *Broker) deliver(ctx context.Context, r *request, p backend.Permission, rule *backend.Rule, further ...backend.Event) error {
	var events []backend.Event
	if rule != nil {
		events = append(events, backend.Event{Rule: rule})
	}
	events = append(append(events, backend.Event{Permission: &p}), further...)
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
		// The turn ended while the answer was being saved. The agent received no answer, so the stored
		// request must not show one.
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

// ModeChanged must be called after the result of Config.Mode or Config.AskOutside has changed. It decides those open
// requests of the chat that a rule or the permission mode now allows or denies. If chatID is "", it does so for all
// chats.
func (b *Broker) ModeChanged(ctx context.Context, chatID string) { b.settle(ctx, chatID) }

// IsAllowed reports whether a rule or the chat's permission mode would allow the
// request now without asking the user.
func (b *Broker) IsAllowed(p backend.Permission) bool {
	b.protect(&p)
	return b.effectOn(p) == backend.RuleAllow
}

// IsDenied reports whether a deny rule certainly applies to the request.
func (b *Broker) IsDenied(p backend.Permission) bool { return b.effectOn(p) == backend.RuleDeny }

// effectOn returns the effect that the rules and the mode have on p now, or "" if the user must decide.
func (b *Broker) effectOn(p backend.Permission) (effect backend.RuleEffect) {
	b.decideOn([]backend.Permission{p}, func(known []ruleMatches) { effect = b.verdictOn(p, known[0]).effect })
	return effect
}

// settle decides those open requests of a chat that a rule or the mode now allows or denies. If chatID is "", it does
// so for all chats. A request that would be allowed stays open if the decision can't be made durable.
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

// commit makes the decisions of rules and modes durable and then sends them to the agent. decided[i] is requests[i]
// with its decision. If the decisions can't be saved, a denial is sent anyway, but a request that would be allowed
// is left to the user.
func (b *Broker) commit(ctx context.Context, requests []*request, decided []backend.Permission) {
	events := make([]backend.Event, len(decided))
	for i := range decided {
		events[i] = backend.Event{Permission: &decided[i]}
	}
	err := b.cfg.Commit(ctx, events...)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, r := range requests {
		r.claimed = false
		switch open := slices.Contains(b.open, r); {
		case !open:
			b.close(r.p) // its turn ended in the meantime, so the agent received no answer
			continue
		case err != nil && decided[i].Decision != backend.DecisionRejected:
			asked := r.p
			b.cfg.Publish(backend.Event{Permission: &asked})
			continue
		case err != nil:
			b.cfg.Publish(events[i])
		}
		b.remove(r)
		r.answer <- decided[i]
	}
}

// close closes the request p, which ended without an answer, and publishes it.
func (b *Broker) close(p backend.Permission) {
	p.State, p.Decision, p.DecidedAt = backend.PermissionClosed, backend.DecisionClosed, backend.Now()
	b.cfg.Publish(backend.Event{Permission: &p})
}

// remove removes r from the open requests. The caller must hold b.mu.
func (b *Broker) remove(r *request) {
	b.open = slices.DeleteFunc(b.open, func(o *request) bool { return o == r })
}

// maxTimes is the maximum number of CreatedAt values in b.times.
const maxTimes = 1000

// nextTimestamp returns a value for CreatedAt that no recent request has, so that the order of requests is unambiguous
// in lists and in pages of the audit log. The result is the first unused millisecond from the given time of arrival on.
// A time of 0 stands for the current time. The caller must hold b.mu.
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
