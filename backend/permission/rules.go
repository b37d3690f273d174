package permission

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/cmdline"
)

// SaveRule stores a rule that the user wrote in Settings and returns the rule as stored. It replaces the rule with the
// same ID or, if rule has no ID, the one with the same effect and scope. Open requests that the rule covers are decided
// immediately.
//
// Errors: CodeInvalid, with the reason, for an invalid rule; CodeNotFound for an unknown ID; CodeStorage.
func (b *Broker) SaveRule(ctx context.Context, rule backend.Rule) (backend.Rule, error) {
	scope, err := validScope(rule)
	if err == nil && rule.ExpiresAt != 0 && rule.ExpiresAt <= backend.Now() {
		err = backend.Invalid("This rule would expire immediately. Choose a later time.")
	}
	if err != nil {
		return rule, err
	}
	b.mu.Lock()
	i := slices.IndexFunc(b.rules, func(r backend.Rule) bool { return r.ID == rule.ID })
	if rule.ID != "" && i < 0 {
		b.mu.Unlock()
		return rule, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This rule no longer exists. Save it as a new one.")}
	}
	if i >= 0 {
		rule.CreatedAt = b.rules[i].CreatedAt
	}
	rule.Scope = scope
	rule = b.withID(rule)
	b.mu.Unlock()
	if err := b.cfg.Commit(ctx, backend.Event{Rule: &rule}); err != nil {
		return rule, notStored(backend.Say("Couldn't save the rule. Try again."), err)
	}
	b.mu.Lock()
	b.put(rule)
	b.mu.Unlock()
	b.settle(ctx, "")
	return rule, nil
}

// RemoveRule removes the rule with the given ID, if it exists. Requests that were already decided aren't
// affected. It returns CodeStorage if the removal can't be saved.
func (b *Broker) RemoveRule(ctx context.Context, id string) error {
	return b.removeRules(ctx, backend.Say("Couldn't remove the rule. Try again."), id)
}

// RemoveAll removes all rules, including deny rules. It returns CodeStorage if the removal can't be saved.
func (b *Broker) RemoveAll(ctx context.Context) error {
	b.mu.Lock()
	ids := make([]string, len(b.rules))
	for i, r := range b.rules {
		ids[i] = r.ID
	}
	b.mu.Unlock()
	return b.removeRules(ctx, backend.Say("Couldn't remove the rules. Try again."), ids...)
}

func (b *Broker) removeRules(ctx context.Context, failed backend.Message, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	events := make([]backend.Event, len(ids))
	for i, id := range ids {
		events[i] = backend.Event{RuleDeleted: &backend.Deleted{ID: id}}
	}
	if err := b.cfg.Commit(ctx, events...); err != nil {
		return notStored(failed, err)
	}
	b.mu.Lock()
	b.changes++
	b.rules = slices.DeleteFunc(b.rules, func(r backend.Rule) bool { return slices.Contains(ids, r.ID) })
	b.mu.Unlock()
	// A removed deny rule might have overridden an allow rule.
	b.settle(ctx, "")
	return nil
}

// withID returns the rule with the ID under which it will be stored: its own ID, the ID of a rule with the same
// effect and scope, or a new one. The caller must hold b.mu.
func (b *Broker) withID(rule backend.Rule) backend.Rule {
	if rule.ID == "" {
		for _, r := range b.rules {
			if r.Effect == rule.Effect && r.Scope == rule.Scope {
				rule.ID, rule.CreatedAt = r.ID, r.CreatedAt
				return rule
			}
		}
		rule.ID, rule.CreatedAt = backend.NewID(), backend.Now()
	}
	return rule
}

// put adds the rule to the rules in memory, or replaces the one with the same ID. The caller must hold b.mu.
func (b *Broker) put(rule backend.Rule) {
	b.changes++
	if i := slices.IndexFunc(b.rules, func(r backend.Rule) bool { return r.ID == rule.ID }); i >= 0 {
		b.rules[i] = rule
		return
	}
	b.rules = append(b.rules, rule)
}

// maxRule is the maximum number of characters of a rule's command, pattern or host.
const maxRule = 1000

// validScope returns the normalized scope of a rule that the user wrote, or CodeInvalid with the reason why
// the rule is invalid.
func validScope(rule backend.Rule) (backend.Scope, error) {
	s := rule.Scope
	deny := rule.Effect == backend.RuleDeny
	if !deny && rule.Effect != backend.RuleAllow {
		return s, backend.Invalid("Choose whether the rule allows or denies requests.")
	}
	if s.Folder != "" {
		if !filepath.IsAbs(s.Folder) {
			return s, backend.Invalid("%s isn't a full path. Enter a full path, or leave the field empty for all folders.", s.Folder)
		}
		s.Folder = filepath.Clean(s.Folder)
	}
	if s.Kind != backend.RuleCommand {
		s.Command = strings.TrimSpace(s.Command)
	}
	if utf8.RuneCountInString(s.Command) > maxRule {
		return s, backend.Invalid("This is too long for a rule. The limit is %d characters.", maxRule)
	}
	switch s.Kind {
	case backend.RuleEdits, backend.RuleCommand:
		if !deny {
			return s, backend.Invalid("To allow edits or an exact command, choose “Always allow” in a permission request.")
		}
		if s.Kind == backend.RuleEdits {
			s.Command = ""
			return s, nil
		}
	case backend.RulePrefix:
		s.Command = strings.Join(splitWords(s.Command), " ")
	case backend.RuleGlob:
		if !deny && s.Command != "" && !namesProgram(s.Command) {
			return s, backend.Invalid("This pattern would allow any program. Start it with a program name, for example: npm run *")
		}
	case backend.RuleHost:
		host := hostOf(s.Command)
		if host == "" {
			return s, backend.Invalid("This isn't a valid host name. Example: pkg.go.dev")
		}
		s.Command = host
		return s, nil
	default:
		return s, backend.Invalid("Unknown kind of rule.")
	}
	if s.Command == "" {
		return s, backend.Invalid("This rule is empty. Enter a command.")
	}
	if _, err := cmdline.Parse(s.Command); err != nil && !deny {
		return s, backend.Invalid("An “Always allow” rule can contain only one plain command. Remove %s, braces such as {a,b}, and line breaks.", forbiddenMarks)
	}
	return s, nil
}

func notStored(message backend.Message, err error) error {
	return &backend.Error{Code: backend.CodeStorage, Message: message, Detail: err.Error()}
}
