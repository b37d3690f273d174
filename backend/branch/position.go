package branch

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// position is the point in a chat before one of the user's messages.
type position struct {
	chat  backend.Chat
	turn  backend.Turn
	lines []store.Line // all turns of the chat
	after string       // ID of the shown turn before the message, or ""
}

// find returns the position before the message that the turn answers. The message must be shown and must be from the
// user.
func (m *Manager) find(ctx context.Context, turnID string) (p position, err error) {
	if p.turn, err = m.cfg.Store.Turn(ctx, turnID); err != nil {
		return p, err
	}
	if p.chat, err = m.cfg.Chat(p.turn.ChatID); err != nil {
		return p, err
	}
	if p.lines, err = m.cfg.Store.Lines(ctx, p.chat.ID); err != nil {
		return p, err
	}
	for _, l := range p.lines {
		switch {
		case l.ID == turnID && l.Aside != "":
			return p, errHidden
		case l.ID == turnID && !l.IsMessage:
			return p, backend.Invalid("You can only go back to a message that you sent.")
		case l.ID == turnID:
			return p, nil
		case l.Aside == "":
			p.after = l.ID
		}
	}
	return p, errAbsent
}

// since returns the shown turns that follow the turn with the given ID. If the ID is "", since returns all shown turns.
func since(lines []store.Line, after string) []store.Line {
	i := slices.IndexFunc(lines, func(l store.Line) bool { return l.ID == after })
	return slices.DeleteFunc(slices.Clone(lines[i+1:]), func(l store.Line) bool { return l.Aside != "" })
}

// messages returns how many of the given turns answer a message from the user.
func messages(lines []store.Line) (n int) {
	for _, l := range lines {
		if l.IsMessage {
			n++
		}
	}
	return n
}
