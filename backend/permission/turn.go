package permission

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// AllowTurn allows edits to unprotected files in the folder, without deletions and moves, in the turn with the given ID.
// The rule is stored and listed like others, but it covers no other turn, so a rule that remains after a crash allows
// nothing. It returns CodeStorage if the rule can't be saved.
func (b *Broker) AllowTurn(ctx context.Context, folder, turnID string) error {
	b.mu.Lock()
	rule := b.withID(backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleTurn, Folder: folder, Command: turnID}})
	b.mu.Unlock()
	if err := b.cfg.Commit(ctx, backend.Event{Rule: &rule}); err != nil {
		return notStored(backend.Say("Couldn't save the rule. Try again."), err)
	}
	b.mu.Lock()
	b.put(rule)
	b.mu.Unlock()
	b.settle(ctx, "")
	return nil
}

// EndTurn removes the rule that AllowTurn added for a turn or, if turnID is "", the rules for all turns. It returns
// CodeStorage if the removal can't be saved.
func (b *Broker) EndTurn(ctx context.Context, turnID string) error {
	b.mu.Lock()
	var ids []string
	for _, r := range b.rules {
		if r.Scope.Kind == backend.RuleTurn && (turnID == "" || r.Scope.Command == turnID) {
			ids = append(ids, r.ID)
		}
	}
	b.mu.Unlock()
	return b.removeRules(ctx, backend.Say("Couldn't remove the rule. Try again."), ids...)
}
