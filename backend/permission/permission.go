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

// Config is what a Desk needs of the rest of the app.
type Config struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Rules are those kept from earlier runs.
	Rules []backend.Rule
	// Mode is the chat's permission mode now; nil is backend.ModeAsk for all.
	// AskOutside says whether what reaches outside of a chat's folder asks in
	// every mode; nil says that it does. Neither may call the Desk.
	Mode       func(chatID string) backend.PermissionMode
	AskOutside func() bool
	// Protected says why an edit of a file by a session in the folder is asked for in
	// every mode, or ""; nil says that none is. It may not call the Desk.
	Protected func(folder, file string) backend.Protection
}

// Desk takes requests and answers. Its methods are safe for concurrent use.
type Desk struct {
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
	decided chan backend.Permission // buffered by one; sent to once
	taken   bool                    // a decision is being committed
}

// New makes a Desk.
func New(cfg Config) *Desk {
	if cfg.Mode == nil {
		cfg.Mode = func(string) backend.PermissionMode { return backend.ModeAsk }
	}
	if cfg.AskOutside == nil {
		cfg.AskOutside = func() bool { return true }
	}
	if cfg.Protected == nil {
		cfg.Protected = func(string, string) backend.Protection { return "" }
	}
	return &Desk{cfg: cfg, rules: slices.Clone(cfg.Rules), covers: covers}
}

// Ask has the request p decided, by the user where nothing else does, and
// waits for it. It returns p with the decision and the option to send to the
// agent, or ok=false where the agent is to be told that the request was
// cancelled: ctx ended first, or the Decision of what is returned is
// backend.DecisionRejected and the agent offers no option for that.
func (d *Desk) Ask(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	p.State = backend.PermissionOpen
	d.protect(&p)
	r := &request{p: p, decided: make(chan backend.Permission, 1)}
	auto := false
	d.decideOn([]backend.Permission{p}, func(known []looked) {
		r.p.CreatedAt = d.came(p.CreatedAt)
		p = r.p
		d.open = append(d.open, r)
		auto = d.verdictOn(p, known[0]).decide(&p)
		r.taken = auto
		if !auto { // under the lock: a rule made from now on finds it open
			asked := r.p
			d.cfg.Publish(backend.Event{Permission: &asked})
		}
	})
	if auto {
		d.commit(ctx, []*request{r}, []backend.Permission{p})
	}

	select {
	case p = <-r.decided:
		return p, p.State == backend.PermissionDecided
	case <-ctx.Done():
	}
	d.mu.Lock()
	d.remove(r)
	d.mu.Unlock()
	select {
	case p = <-r.decided: // the answer was faster than the end of the turn
		return p, p.State == backend.PermissionDecided
	default:
	}
	d.close(r.p)
	return r.p, false
}

// Answer chooses the option optionID of the open request id. With always, the
// request's Scope becomes a rule first and the request is allowed once: the
// agent's own "always" is not used, since only a rule of ours can be shown and
// taken back. The answer reaches the agent only after it is durable.
//
// Errors: CodeNotFound where the request is not open any more, CodeInvalid for
// an option it does not have, or always without a Scope; CodeStorage.
func (d *Desk) Answer(ctx context.Context, id, optionID string, always bool) error {
	d.mu.Lock()
	i := slices.IndexFunc(d.open, func(r *request) bool { return r.p.ID == id && !r.taken })
	if i < 0 {
		d.mu.Unlock()
		return errNotOpen
	}
	r := d.open[i]
	p := r.p
	var rule *backend.Rule
	var err error
	if always {
		rule, err = d.decideAlways(&p)
	} else {
		err = decideByUser(&p, optionID)
	}
	if err != nil {
		d.mu.Unlock()
		return err
	}
	r.taken = true
	d.mu.Unlock()
	return d.give(ctx, r, p, rule)
}

// ChatOf is the chat of the open request id.
//
// Errors: CodeNotFound where the request is not open any more.
func (d *Desk) ChatOf(id string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.open, func(r *request) bool { return r.p.ID == id })
	if i < 0 {
		return "", errNotOpen
	}
	return d.open[i].p.ChatID, nil
}

// Open is the open request id.
func (d *Desk) Open(id string) (p backend.Permission, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.open, func(r *request) bool { return r.p.ID == id && !r.taken })
	if i < 0 {
		return p, false
	}
	return d.open[i].p, true
}

// Reject rejects the open request id, by the option that the agent offers for it
// or, if it offers none, as cancelled. The reason, which may be "", and with are
// durable together with the answer, before the agent hears of it.
//
// Errors: CodeNotFound where the request is not open any more; CodeStorage.
func (d *Desk) Reject(ctx context.Context, id, reason string, with ...backend.Event) error {
	d.mu.Lock()
	i := slices.IndexFunc(d.open, func(r *request) bool { return r.p.ID == id && !r.taken })
	if i < 0 {
		d.mu.Unlock()
		return errNotOpen
	}
	r := d.open[i]
	p := r.p
	p.State, p.Decision, p.Reason, p.DecidedAt = backend.PermissionClosed, backend.DecisionRejected, reason, backend.Now()
	if option := choose(p.Options, backend.OptionRejectOnce); option != nil {
		p.State, p.OptionID = backend.PermissionDecided, option.ID
	}
	r.taken = true
	d.mu.Unlock()
	return d.give(ctx, r, p, nil, with...)
}

// give makes the user's answer p to r durable, with what belongs to it, and has
// the agent know. r is taken.
func (d *Desk) give(ctx context.Context, r *request, p backend.Permission, rule *backend.Rule, with ...backend.Event) error {
	var events []backend.Event
	if rule != nil {
		events = append(events, backend.Event{Rule: rule})
	}
	events = append(append(events, backend.Event{Permission: &p}), with...)
	err := d.cfg.Commit(ctx, events...)
	d.mu.Lock()
	r.taken = false
	open := slices.Contains(d.open, r)
	switch {
	case err != nil:
		d.mu.Unlock()
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: backend.Say("Couldn't save your answer, so it wasn't sent. Try again."),
			Detail:  err.Error(),
		}
	case open:
		d.remove(r)
		r.decided <- p
	default:
		// Its turn ended while the answer was being saved. The row tells what
		// the agent got.
		d.close(r.p)
	}
	if rule != nil {
		d.put(*rule)
	}
	d.mu.Unlock()
	if rule != nil {
		d.settle(ctx, "")
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
func (d *Desk) ModeChanged(ctx context.Context, chatID string) { d.settle(ctx, chatID) }

// Allowed says whether the request would go ahead now without the user, by a
// rule or by the chat's permission mode.
func (d *Desk) Allowed(p backend.Permission) bool {
	d.protect(&p)
	return d.effectOn(p) == backend.RuleAllow
}

// Denied says whether a rule denies the request.
func (d *Desk) Denied(p backend.Permission) bool { return d.effectOn(p) == backend.RuleDeny }

func (d *Desk) effectOn(p backend.Permission) (effect backend.RuleEffect) {
	d.decideOn([]backend.Permission{p}, func(known []looked) { effect = d.verdictOn(p, known[0]).effect })
	return effect
}

// settle decides the open requests of a chat, or of all where chatID is "",
// that a rule or the mode now decides. What cannot be made durable stays open.
func (d *Desk) settle(ctx context.Context, chatID string) {
	var open []*request
	var requests []backend.Permission
	d.mu.Lock()
	for _, r := range d.open {
		if !r.taken && (chatID == "" || r.p.ChatID == chatID) {
			open, requests = append(open, r), append(requests, r.p)
		}
	}
	d.mu.Unlock()
	var of []*request
	var as []backend.Permission
	d.decideOn(requests, func(known []looked) {
		for i, r := range open {
			p := r.p
			if !r.taken && slices.Contains(d.open, r) && d.verdictOn(p, known[i]).decide(&p) {
				r.taken = true
				of, as = append(of, r), append(as, p)
			}
		}
	})
	if len(of) > 0 {
		d.commit(ctx, of, as)
	}
}

// commit makes decisions that were taken for the user durable, and then known.
// What cannot be kept is not allowed for the user: it is asked for. A denial
// holds also then.
func (d *Desk) commit(ctx context.Context, of []*request, as []backend.Permission) {
	events := make([]backend.Event, len(as))
	for i := range as {
		events[i] = backend.Event{Permission: &as[i]}
	}
	err := d.cfg.Commit(ctx, events...)
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, r := range of {
		r.taken = false
		switch open := slices.Contains(d.open, r); {
		case !open:
			d.close(r.p) // its turn ended meanwhile: the row tells what the agent got
			continue
		case err != nil && as[i].Decision != backend.DecisionRejected:
			asked := r.p
			d.cfg.Publish(backend.Event{Permission: &asked})
			continue
		case err != nil:
			d.cfg.Publish(events[i])
		}
		d.remove(r)
		r.decided <- as[i]
	}
}

// close records that nobody answered the request p.
func (d *Desk) close(p backend.Permission) {
	p.State, p.Decision, p.DecidedAt = backend.PermissionClosed, backend.DecisionClosed, backend.Now()
	d.cfg.Publish(backend.Event{Permission: &p})
}

// remove takes r from the open requests. d.mu is held.
func (d *Desk) remove(r *request) {
	d.open = slices.DeleteFunc(d.open, func(o *request) bool { return o == r })
}

// mostTimes is the number of times of requests that are remembered.
const mostTimes = 1000

// came returns when a request that came at the time at is said to have come: no
// two have the same, so that the order in which they are shown, and the pages of
// the audit, have no ties. One that came before another keeps its time, also if
// it is heard of later. The caller must hold d.mu.
func (d *Desk) came(at backend.Millis) backend.Millis {
	if at == 0 {
		at = backend.Now()
	}
	for slices.Contains(d.times, at) {
		at++
	}
	d.times = append(d.times, at)
	if over := len(d.times) - mostTimes; over > 0 {
		d.times = slices.Delete(d.times, 0, over)
	}
	return at
}
