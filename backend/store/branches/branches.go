// Package branches computes the versions of a chat from its turns and asides. An aside records that the user
// went back in the chat.
package branches

import (
	"cmp"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// Turn is a turn in the shown version of a chat.
type Turn struct {
	ID        string
	IsMessage bool // the user sent its prompt
	StartedAt backend.Millis
}

// Beginning is the time at which the first turn of an aside started. Aside is the aside's ID.
type Beginning struct {
	Aside string
	At    backend.Millis
}

// Of returns the branches of a chat. The asides must be in order of creation, and the shown turns in the order of the
// transcript. The parameter began must have an entry for each aside whose turns are hidden.
func Of(chatID string, asides []backend.Aside, shown []Turn, began []Beginning) backend.ChatBranches {
	b := backend.ChatBranches{ChatID: chatID}
	last := ""
	if len(shown) > 0 {
		last = shown[len(shown)-1].ID
	}
	versions := map[string][]backend.Version{} // versions that were set aside, by the ID of the turn before them
	for _, a := range asides {
		if a.State == backend.AsideGoing || a.State == backend.AsideCanceled {
			continue
		}
		b.Revision++
		if a.State == backend.AsideBack {
			b.Revision++
			continue
		}
		if a.FromTurn != "" {
			v := backend.Version{ID: a.ID, Messages: a.Messages}
			if i := slices.IndexFunc(began, func(o Beginning) bool { return o.Aside == a.ID }); i >= 0 {
				v.At = began[i].At
			}
			versions[a.AfterTurn] = append(versions[a.AfterTurn], v)
		}
		if a.AfterTurn == last && (b.WentBack == nil || a.At >= b.WentBack.At) {
			b.WentBack = &backend.WentBack{AsideID: a.ID, At: a.At, Since: a.Since, Files: a.Files, Messages: a.Messages, HasFiles: a.After != "" && a.Files > 0}
		}
	}
	after := ""
	for i := range len(shown) + 1 { // before each turn, and at the end
		if all := versions[after]; len(all) > 0 {
			b.Forks = append(b.Forks, fork(after, all, shown[i:]))
		}
		if i < len(shown) {
			after = shown[i].ID
		}
	}
	return b
}

// fork returns the fork that follows a turn; the parameter after is the ID of that turn. The parameter all holds the
// versions that were set aside at this point, and shown holds the turns that follow it in the shown version.
func fork(after string, all []backend.Version, shown []Turn) backend.Fork {
	f := backend.Fork{AfterTurn: after, Current: -1, Versions: all}
	var own backend.Version
	for _, t := range shown {
		if !t.IsMessage {
			continue
		}
		if f.TurnID == "" {
			own.At, f.TurnID = t.StartedAt, t.ID
		}
		own.Messages++
	}
	if f.TurnID != "" {
		f.Versions = append(f.Versions, own)
	}
	slices.SortStableFunc(f.Versions, func(a, b backend.Version) int { return cmp.Compare(a.At, b.At) })
	if f.TurnID != "" {
		f.Current = slices.IndexFunc(f.Versions, func(v backend.Version) bool { return v.ID == "" })
	}
	return f
}
