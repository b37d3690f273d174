package store

import (
	"context"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Answered is a turn of a chat as a main AI is told of it, whoever answered.
type Answered struct {
	Prompt string
	With   []backend.Attachment // what went with the prompt
	Answer string               // all messages of it, one after the other
	State  backend.TurnState
	Blocks []backend.Block // the work that was given to sessions
}

// maxTold is how much of a text a main AI is told, in bytes: the beginning of a
// request, the end of an answer.
const maxTold = 64 * 1024

// Conversation is what was said in a chat before a turn, oldest first: the newest
// of the turns that the user began and that have ended.
func (s *Store) Conversation(ctx context.Context, chatID, turnID string) ([]Answered, error) {
	var turns []turnRow
	var items []itemRow
	var texts []struct {
		TurnID string
		Kind   backend.ItemKind
		Body   []byte
	}
	err := s.View(ctx, func(v *View) error {
		err := v.find(v.db(ctx).Where("chat_id = ? AND id <> ? AND block_id = '' AND state <> 'running'", chatID, turnID).
			Order("started_at DESC, rowid DESC").Limit(maxPast), &turns)
		if err != nil {
			return err
		}
		slices.Reverse(turns)
		ids := make([]string, len(turns))
		for i, turn := range turns {
			ids[i] = turn.ID
		}
		if err := v.find(v.db(ctx).Where("chat_id = ? AND kind IN ('block', 'user') AND turn_id IN (SELECT value FROM json_each(?))", chatID, idList(ids)).
			Order("pos"), &items); err != nil {
			return err
		}
		return v.query(ctx, &texts, `
SELECT items.turn_id, items.kind, texts.body FROM items JOIN texts ON texts.item_id = items.id
WHERE items.chat_id = ? AND items.turn_id IN (SELECT value FROM json_each(?))
    AND items.parent_id = '' AND items.kind IN ('user', 'message') AND items.replaced = 0
ORDER BY items.pos, texts.offset`, chatID, idList(ids))
	})
	if err != nil {
		return nil, err
	}
	said := make([]Answered, len(turns))
	at := map[string]*Answered{}
	for i, turn := range turns {
		said[i].State = turn.State
		at[turn.ID] = &said[i]
	}
	for _, item := range items {
		turn := at[item.TurnID]
		turn.With = append(turn.With, item.With...)
		if item.Block != nil {
			turn.Blocks = append(turn.Blocks, *item.Block)
		}
	}
	prompts, answers := map[string][]byte{}, map[string][]byte{}
	for _, t := range texts {
		if t.Kind == backend.ItemUser {
			if had := prompts[t.TurnID]; len(had) < maxTold {
				prompts[t.TurnID] = append(had, t.Body[:min(len(t.Body), maxTold-len(had))]...)
			}
			continue
		}
		answer := append(answers[t.TurnID], t.Body...)
		answers[t.TurnID] = answer[max(0, len(answer)-maxTold):]
	}
	for id, turn := range at {
		turn.Prompt, turn.Answer = strings.ToValidUTF8(string(prompts[id]), ""), strings.ToValidUTF8(string(answers[id]), "")
	}
	return said, nil
}

// AnsweredByMain says whether a main AI has answered in a chat since a time.
func (s *Store) AnsweredByMain(ctx context.Context, chatID string, since backend.Millis) (bool, error) {
	var found []turnRow
	err := s.View(ctx, func(v *View) error {
		return v.find(v.db(ctx).Where("chat_id = ? AND main_id <> '' AND started_at >= ?", chatID, since).Limit(1), &found)
	})
	return len(found) > 0, err
}
