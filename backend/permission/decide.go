package permission

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// verdict is the decision of a rule or the permission mode on a request.
type verdict struct {
	effect backend.RuleEffect // "" leaves the decision to the user
	ruleID string
	scope  *backend.Scope // of the rule
	mode   backend.PermissionMode
}

// decideOn determines which rules cover the commands of each request, and then calls the function decide with the
// results. The first step resolves the paths in the commands. This can be slow, so decideOn doesn't hold b.mu until
// it calls decide. If a rule or Config.AskOutside changes in the meantime, decideOn starts over.
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
		b.mu.Unlock() // a rule or AskOutside has changed in the meantime
	}
}

// covered determines, for each allow rule with a prefix or pattern, whether the rule covers all commands of a
// request. In the result, the scopes of the rules are the keys. If anywhere is true, commands may name paths
// outside the folder.
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

// verdictOn returns the verdict of the rules and the mode on p. l records which rules cover p's
// commands. The caller must hold b.mu.
func (b *Broker) verdictOn(p backend.Permission, l ruleMatches) verdict {
	now := backend.Now()
	ask := !l.anywhere
	outside := p.Outside && ask
	doubt := p.Unclear // could affect anything, including something that a rule denies
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
	if doubt || p.Sandbox == backend.SandboxLeaves { // no rule or mode can allow it
		return verdict{}
	}
	// No mode allows changing a protected file, which may be run later, or connecting to a site that isn't listed.
	if v.effect != "" || outside || p.Protected != "" || p.Sandbox == backend.SandboxAsksSite {
		return v
	}
	mode := b.cfg.Mode(p.ChatID)
	if p.AgentAsksNothing {
		mode = backend.ModeBypass
	}
	switch mode {
	case backend.ModeAcceptEdits:
		if !p.Outside && (editsInside(p) || p.Sandbox == backend.SandboxInside) {
			v = verdict{effect: backend.RuleAllow, mode: mode}
		}
	case backend.ModeBypass:
		v = verdict{effect: backend.RuleAllow, mode: mode}
	default: // backend.ModeAsk and unknown modes
	}
	return v
}

// decide sets the decision in p. It returns false if the user must decide: either the verdict leaves the decision
// to the user, or it allows the request but the agent offers no option to allow it once.
func (v verdict) decide(p *backend.Permission) bool {
	var option *backend.Option
	decision := backend.DecisionRejected
	switch v.effect {
	case backend.RuleAllow:
		// If the agent offers only "always", it might never ask again, so the user must decide.
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

// decideAlways allows p once and returns the rule that will allow similar requests. It returns CodeInvalid if p
// can't become a rule or can't be allowed once. The caller must hold b.mu.
func (b *Broker) decideAlways(p *backend.Permission) (*backend.Rule, error) {
	option := choose(p.Options, backend.OptionAllowOnce)
	switch {
	case option == nil:
		return nil, backend.Invalid("Can't create a rule from this request.")
	case !canAlways(*p):
		return nil, backend.Invalid("Can't create a rule from this request. Allow it once instead.")
	}
	rule := b.withID(backend.Rule{Effect: backend.RuleAllow, Scope: *p.Scope})
	p.State, p.DecidedAt = backend.PermissionDecided, backend.Now()
	p.OptionID, p.Decision, p.RuleID = option.ID, backend.DecisionAlwaysAllowed, rule.ID
	return &rule, nil
}

// canAlways reports whether the request can become a rule: it has a scope, lists no files, and has no part that is
// marked as potentially harmful or unclear. If the rule would allow edits, the request must be an edit that deletes
// nothing.
func canAlways(p backend.Permission) bool {
	return p.Scope != nil && len(p.Files) == 0 && len(p.Marks) == 0 && (p.Scope.Kind != backend.RuleEdits || changesOnly(p))
}

// decideByUser records in p that the user chose the option with the given ID. It returns CodeInvalid if p
// has no such option.
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

// choose returns the first option of the first kind in kinds that the agent offers, or
// nil if it offers none of these kinds.
func choose(options []backend.Option, kinds ...backend.OptionKind) *backend.Option {
	for _, kind := range kinds {
		if i := slices.IndexFunc(options, func(o backend.Option) bool { return o.Kind == kind }); i >= 0 {
			return &options[i]
		}
	}
	return nil
}

// protect sets p.Protected if the request would change a protected file. "Always allow" then creates a rule for
// that file only. If the request names the file in several ways, for example through a link, "Always allow" isn't
// available, because the link could later lead to another file.
func (b *Broker) protect(p *backend.Permission) {
	p.Protected = ""
	switch p.Kind {
	case backend.ToolRead, backend.ToolSearch, backend.ToolThink, backend.ToolFetch, backend.ToolExecute:
		return
	default: // an edit or an unknown kind
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

// filesOf returns all file names in a request, sorted and without duplicates.
func filesOf(p backend.Permission) []string {
	files := slices.Concat([]string{p.Path, p.To}, p.Names)
	for _, f := range p.Files {
		files = append(files, f.Path)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(file string) bool { return file == "" })
}

// editsCovered reports whether a rule for edits covers the files that the request would change. A rule for a folder
// covers all files except protected ones; a rule for a file covers only that file.
func editsCovered(s backend.Scope, p backend.Permission) bool {
	if s.Command != "" {
		return slices.Equal(filesOf(p), []string{s.Command})
	}
	return p.Protected == ""
}
