// Package permission asks the user before an agent acts, and waits. It holds
// the open requests and the rules that answer for the user, and makes one
// audit row of every request (backend.Permission, kept for ever).
//
// A request ends in one of three ways: the user or a rule chooses one of the
// agent's own options, or its context ends (the turn was stopped, or the agent
// died) and it is closed. There is no time limit that denies.
package permission

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
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
}

// Desk takes requests and answers. Its methods are safe for concurrent use.
type Desk struct {
	cfg Config

	mu    sync.Mutex
	rules []backend.Rule
	open  map[string]*request
}

type request struct {
	p       backend.Permission
	decided chan backend.Permission // buffered by one; sent to once
	taken   bool                    // an answer is being committed
}

// New makes a Desk.
func New(cfg Config) *Desk {
	return &Desk{cfg: cfg, rules: slices.Clone(cfg.Rules), open: map[string]*request{}}
}

// Ask shows the request p to the user and waits for the answer: p with the
// decision and the option to send to the agent, or ok=false where ctx ended
// first. A rule that covers the request answers at once.
func (d *Desk) Ask(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	p.State = backend.PermissionOpen
	if p.CreatedAt == 0 {
		p.CreatedAt = backend.Now()
	}
	d.mu.Lock()
	rule, covered := d.covering(p)
	d.mu.Unlock()
	if covered {
		byRule := p
		decideByRule(&byRule, rule)
		if d.cfg.Commit(ctx, backend.Event{Permission: &byRule}) == nil {
			return byRule, true
		} // what cannot be kept is not decided for the user
	}
	r := &request{p: p, decided: make(chan backend.Permission, 1)}
	d.mu.Lock()
	d.open[p.ID] = r
	d.mu.Unlock()
	d.cfg.Publish(backend.Event{Permission: &p})

	select {
	case p = <-r.decided:
		return p, true
	case <-ctx.Done():
	}
	d.mu.Lock()
	delete(d.open, p.ID)
	d.mu.Unlock()
	select {
	case p = <-r.decided: // the answer was faster than the end of the turn
		return p, true
	default:
	}
	d.close(p)
	return p, false
}

// close records that nobody answered the request p.
func (d *Desk) close(p backend.Permission) {
	p.State, p.Decision, p.DecidedAt = backend.PermissionClosed, backend.DecisionClosed, backend.Now()
	d.cfg.Publish(backend.Event{Permission: &p})
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
	r := d.open[id]
	if r == nil || r.taken {
		d.mu.Unlock()
		return errNotOpen
	}
	p := r.p
	events, err := decideByUser(&p, optionID, always)
	if err != nil {
		d.mu.Unlock()
		return err
	}
	r.taken = true
	d.mu.Unlock()

	if err := d.cfg.Commit(ctx, events...); err != nil {
		d.mu.Lock()
		r.taken = false
		d.mu.Unlock()
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: "Your answer could not be saved, so it was not sent. Try again.",
			Detail:  err.Error(),
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range events {
		if e.Rule != nil {
			d.rules = append(d.rules, *e.Rule)
		}
	}
	defer d.answerCovered()
	if d.open[id] != r {
		// Its turn ended while the answer was being saved. The row tells what
		// the agent got.
		d.close(r.p)
		return errNotOpen
	}
	delete(d.open, id)
	r.decided <- p
	return nil
}

var errNotOpen = &backend.Error{Code: backend.CodeNotFound, Message: "This request is not open any more."}

// RemoveRule takes the rule id back. Requests already answered stay answered.
func (d *Desk) RemoveRule(ctx context.Context, id string) error {
	if err := d.cfg.Commit(ctx, backend.Event{RuleGone: &backend.Gone{ID: id}}); err != nil {
		return &backend.Error{Code: backend.CodeStorage, Message: "The rule could not be removed. Try again.", Detail: err.Error()}
	}
	d.mu.Lock()
	d.rules = slices.DeleteFunc(d.rules, func(r backend.Rule) bool { return r.ID == id })
	d.mu.Unlock()
	return nil
}

// answerCovered answers the open requests that a new rule covers. d.mu is held.
func (d *Desk) answerCovered() {
	for id, r := range d.open {
		rule, covered := d.covering(r.p)
		if !covered || r.taken {
			continue
		}
		p := r.p
		decideByRule(&p, rule)
		delete(d.open, id)
		d.cfg.Publish(backend.Event{Permission: &p})
		r.decided <- p
	}
}

// covering is the rule that answers for the user. d.mu is held.
func (d *Desk) covering(p backend.Permission) (backend.Rule, bool) {
	if p.Scope == nil || allowOption(p.Options) == nil {
		return backend.Rule{}, false
	}
	for _, r := range d.rules {
		if covers(r.Scope, p) {
			return r, true
		}
	}
	return backend.Rule{}, false
}

// covers says whether a rule's scope takes in the whole of the request: the
// same kind of scope in the same folder, and every one of its commands.
func covers(s backend.Scope, p backend.Permission) bool {
	if s.Kind != p.Scope.Kind || s.Folder != p.Scope.Folder {
		return false
	}
	switch s.Kind {
	case backend.RuleEdits:
		return p.Kind == backend.ToolEdit && Inside(s.Folder, p.Path)
	case backend.RuleCommand:
		return p.Kind == backend.ToolExecute && len(p.Commands) == 1 && p.Commands[0] == s.Command
	}
	return false
}

// Inside says whether the absolute path is in folder or below it, by name
// alone.
func Inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsAbs(path) && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func decideByRule(p *backend.Permission, rule backend.Rule) {
	p.State, p.Decision, p.RuleID = backend.PermissionDecided, backend.DecisionAlwaysAllowed, rule.ID
	p.OptionID, p.DecidedAt = allowOption(p.Options).ID, backend.Now()
}

// decideByUser sets the decision in p and gives the events that record it.
func decideByUser(p *backend.Permission, optionID string, always bool) ([]backend.Event, error) {
	p.State, p.DecidedAt = backend.PermissionDecided, backend.Now()
	if always {
		option := allowOption(p.Options)
		if p.Scope == nil || option == nil {
			return nil, &backend.Error{Code: backend.CodeInvalid, Message: "No rule can be made of this request. Allow it once instead."}
		}
		rule := backend.Rule{ID: backend.NewID(), Effect: backend.RuleAllow, Scope: *p.Scope, CreatedAt: p.DecidedAt}
		p.OptionID, p.Decision, p.RuleID = option.ID, backend.DecisionAlwaysAllowed, rule.ID
		return []backend.Event{{Rule: &rule}, {Permission: p}}, nil
	}
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.ID == optionID })
	if i < 0 {
		return nil, &backend.Error{Code: backend.CodeInvalid, Message: "The agent does not offer this answer."}
	}
	p.OptionID = optionID
	switch p.Options[i].Kind {
	case backend.OptionAllowOnce:
		p.Decision = backend.DecisionAllowedOnce
	case backend.OptionAllowAlways:
		p.Decision = backend.DecisionAlwaysAllowed
	default:
		p.Decision = backend.DecisionRejected
	}
	return []backend.Event{{Permission: p}}, nil
}

// allowOption is the option that allows with the least reach; nil where the
// agent offers none.
func allowOption(options []backend.Option) *backend.Option {
	for _, kind := range []backend.OptionKind{backend.OptionAllowOnce, backend.OptionAllowAlways} {
		if i := slices.IndexFunc(options, func(o backend.Option) bool { return o.Kind == kind }); i >= 0 {
			return &options[i]
		}
	}
	return nil
}
