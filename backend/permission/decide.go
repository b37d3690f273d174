package permission

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// verdict is what a rule or a mode says of a request.
type verdict struct {
	effect backend.RuleEffect // "" leaves it to the user
	ruleID string
	scope  *backend.Scope // of the rule
	mode   backend.PermissionMode
}

// decideOn calls decide with d.mu held, once what the rules cover of each of the
// requests is known. The files that these name are looked at before, without d.mu.
func (b *Broker) decideOn(requests []backend.Permission, decide func(known []ruleMatches)) {
	for {
		b.mu.Lock()
		rules, now := slices.Clone(b.rules), b.changes
		b.mu.Unlock()
		anywhere := !b.cfg.AskOutside()
		known := make([]ruleMatches, len(requests))
		for i, p := range requests {
			known[i] = ruleMatches{now, anywhere, b.covered(rules, p, anywhere)}
		}
		b.mu.Lock()
		if b.changes == now && b.cfg.AskOutside() == !anywhere {
			decide(known)
			b.mu.Unlock()
			return
		}
		b.mu.Unlock() // a rule, or the setting, was changed meanwhile
	}
}

// covered returns which of the rules that allow cover the commands of a request.
func (b *Broker) covered(rules []backend.Rule, p backend.Permission, anywhere bool) map[backend.Scope]bool {
	out := map[backend.Scope]bool{}
	if p.Kind != backend.ToolExecute {
		return out
	}
	for _, r := range rules {
		if r.Effect == backend.RuleAllow && isUnsafe(r.Scope) {
			out[r.Scope] = !slices.ContainsFunc(p.Commands, func(line string) bool { return !b.covers(r.Scope, p.Folder, line, anywhere) })
		}
	}
	return out
}

// verdictOn is what the rules and the mode say of p, of which l is known. d.mu is
// held.
func (b *Broker) verdictOn(p backend.Permission, l ruleMatches) verdict {
	now := backend.Now()
	ask := !l.anywhere
	outside := p.Outside && ask
	doubt := p.Unclear // it may be about anything, or what a rule denies
	var v verdict
	for _, r := range b.rules {
		switch {
		case r.ExpiresAt != 0 && r.ExpiresAt <= now:
		case r.Effect == backend.RuleDeny:
			certain, maybe := denies(r.Scope, p)
			if certain {
				return verdict{effect: backend.RuleDeny, ruleID: r.ID, scope: &r.Scope}
			}
			doubt = doubt || maybe
		case v.effect == "" && (!outside || !isUnsafe(r.Scope)) && allows(r.Scope, p, l):
			v = verdict{effect: backend.RuleAllow, ruleID: r.ID, scope: &r.Scope}
		}
	}
	if doubt { // no rule and no mode allows it
		return verdict{}
	}
	if v.effect != "" || outside || p.Protected != "" { // no mode is for what runs later
		return v
	}
	switch mode := b.cfg.Mode(p.ChatID); mode {
	case backend.ModeAcceptEdits:
		if !p.Outside && editsInside(p) {
			v = verdict{effect: backend.RuleAllow, mode: mode}
		}
	case backend.ModeBypass:
		v = verdict{effect: backend.RuleAllow, mode: mode}
	default: // backend.ModeAsk, and what nobody knows
	}
	return v
}

// decide sets the decision in p. It is false where the user is to decide: the
// verdict says nothing, or it allows what no option of the agent does.
func (v verdict) decide(p *backend.Permission) bool {
	var option *backend.Option
	decision := backend.DecisionRejected
	switch v.effect {
	case backend.RuleAllow:
		// An agent that offers only "always" may never ask again: that is for the user.
		if option = choose(p.Options, backend.OptionAllowOnce); option == nil {
			return false
		}
		decision = backend.DecisionAlwaysAllowed
		if v.mode != "" {
			decision = backend.DecisionAutoAllowed
		}
	case backend.RuleDeny:
		option = choose(p.Options, backend.OptionRejectOnce, backend.OptionRejectAlways)
	default:
		return false
	}
	p.State = backend.PermissionClosed
	if option != nil {
		p.State, p.OptionID = backend.PermissionDecided, option.ID
	}
	p.Decision, p.RuleID, p.Rule, p.Mode, p.DecidedAt = decision, v.ruleID, v.scope, v.mode, backend.Now()
	return true
}

// decideAlways allows p once and gives the rule that allows it from now on.
// d.mu is held.
func (b *Broker) decideAlways(p *backend.Permission) (*backend.Rule, error) {
	option := choose(p.Options, backend.OptionAllowOnce)
	if !canAlways(*p) || option == nil {
		return nil, backend.Invalid("This request can't become a rule. Allow it once instead.")
	}
	rule := b.withID(backend.Rule{Effect: backend.RuleAllow, Scope: *p.Scope})
	p.State, p.DecidedAt = backend.PermissionDecided, backend.Now()
	p.OptionID, p.Decision, p.RuleID = option.ID, backend.DecisionAlwaysAllowed, rule.ID
	return &rule, nil
}

// canAlways reports whether a rule can be made of the request: one that covers it,
// of which all was shown, and that cannot do the harm of a marked command.
func canAlways(p backend.Permission) bool {
	return p.Scope != nil && len(p.Files) == 0 && len(p.Marks) == 0 && (p.Scope.Kind != backend.RuleEdits || changesOnly(p))
}

// decideByUser sets in p that the user chose the option.
func decideByUser(p *backend.Permission, optionID string) error {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.ID == optionID })
	if i < 0 {
		return backend.Invalid("The agent doesn't offer this option.")
	}
	p.State, p.OptionID, p.DecidedAt = backend.PermissionDecided, optionID, backend.Now()
	switch p.Options[i].Kind {
	case backend.OptionRejectOnce, backend.OptionRejectAlways:
		p.Decision = backend.DecisionRejected
	case backend.OptionAllowAlways:
		p.Decision = backend.DecisionAlwaysAllowed
	default:
		p.Decision = backend.DecisionAllowedOnce
	}
	return nil
}

// choose is the first option of the first of these kinds that is offered; nil
// where none is.
func choose(options []backend.Option, kinds ...backend.OptionKind) *backend.Option {
	for _, kind := range kinds {
		if i := slices.IndexFunc(options, func(o backend.Option) bool { return o.Kind == kind }); i >= 0 {
			return &options[i]
		}
	}
	return nil
}

// protect notes in p whether it would change a protected file. Then the rule that
// "Always allow" makes is for that one file, and there is none where a link is on
// the way: it may lead to another file later.
func (b *Broker) protect(p *backend.Permission) {
	p.Protected = ""
	switch p.Kind {
	case backend.ToolRead, backend.ToolSearch, backend.ToolThink, backend.ToolFetch, backend.ToolExecute:
		return
	default: // an edit, or what nobody knows
	}
	files := filesOf(*p)
	for _, file := range files {
		if p.Protected = b.cfg.Protected(p.Folder, file); p.Protected != "" {
			break
		}
	}
	if p.Protected == "" || p.Scope == nil || p.Scope.Kind != backend.RuleEdits {
		return
	}
	p.Scope = nil
	if len(files) == 1 && changesOnly(*p) {
		p.Scope = &backend.Scope{Kind: backend.RuleEdits, Folder: p.Folder, Command: files[0]}
	}
}

// filesOf are all files that a request names, each once.
func filesOf(p backend.Permission) []string {
	files := slices.Concat([]string{p.Path, p.To}, p.Names)
	for _, f := range p.Files {
		files = append(files, f.Path)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(file string) bool { return file == "" })
}

// editsCovered reports whether a rule for edits is for what the request would
// change: one for a folder for all but protected files, and one for a file for
// that file.
func editsCovered(s backend.Scope, p backend.Permission) bool {
	if s.Command != "" {
		return slices.Equal(filesOf(p), []string{s.Command})
	}
	return p.Protected == ""
}
