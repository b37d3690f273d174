package store

import (
	"context"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Exchange is a turn in the transcript: the prompt, and all messages of the answer concatenated.
type Exchange struct {
	Prompt string
	Answer string
	State  backend.TurnState
}

// maxExchanges is the maximum number of turns that History and Conversation return.
const maxExchanges = 100

// History returns the newest turns that were sent to a session since it was created, at most maxExchanges, oldest
// first. Their prompts come from the user or the delegating session. Turns that an orchestrator answered and turns that
// are set aside are left out. The history of a replacement session starts empty.
func (s *Store) History(ctx context.Context, chatID, session string) ([]Exchange, error) {
	var turns []turnRow
	var texts []struct {
		TurnID string
		Kind   backend.ItemKind
		Body   []byte
	}
	err := s.Read(ctx, func(v *ReadTx) error {
		err := v.query(ctx, &turns, `
SELECT turns.* FROM turns JOIN acp_sessions ON acp_sessions.chat_id = turns.chat_id AND name = turns.session
WHERE turns.chat_id = ? AND turns.session = ? AND main_id = '' AND aside = '' AND sent_at > 0 AND sent_at >= acp_sessions.created_at
ORDER BY started_at DESC, turns.rowid DESC LIMIT ?`, chatID, session, maxExchanges)
		if err != nil {
			return err
		}
		slices.Reverse(turns)
		ids := make([]string, len(turns))
		for i, turn := range turns {
			ids[i] = turn.ID
		}
		return v.query(ctx, &texts, `
SELECT turn_id, kind, body FROM (
    SELECT items.turn_id, items.kind, texts.body, items.pos, texts.offset
    FROM items JOIN texts ON texts.item_id = items.id
    WHERE items.chat_id = ?1 AND items.turn_id IN (SELECT value FROM json_each(?2)) AND items.kind IN ('user', 'message') AND items.replaced = 0
  UNION ALL -- the prompt of a delegated turn is in its block, and a long prompt is in the block's content
    SELECT turns.id, 'user', coalesce(content_bodies.body, CAST(items.block ->> '$.prompt' AS BLOB)), items.pos, coalesce(content_bodies.offset, 0)
    FROM turns JOIN items ON items.id = turns.block_id
        LEFT JOIN contents ON contents.item_id = items.id LEFT JOIN content_bodies ON content_bodies.content_id = contents.id
    WHERE turns.chat_id = ?1 AND turns.id IN (SELECT value FROM json_each(?2))
) ORDER BY pos, offset`, chatID, idList(ids))
	})
	if err != nil {
		return nil, err
	}
	prompts, answers := map[string]*strings.Builder{}, map[string]*strings.Builder{}
	for _, turn := range turns {
		prompts[turn.ID], answers[turn.ID] = &strings.Builder{}, &strings.Builder{}
	}
	for _, t := range texts {
		of := answers
		if t.Kind == backend.ItemUser {
			of = prompts
		}
		if b := of[t.TurnID]; b != nil {
			b.Write(t.Body)
		}
	}
	past := make([]Exchange, len(turns))
	for i, turn := range turns {
		past[i] = Exchange{Prompt: prompts[turn.ID].String(), Answer: answers[turn.ID].String(), State: turn.State}
	}
	return past, nil
}

// Limits on the entries that Recap reads. A recap is short, so only the newest entries are read.
const (
	recapTools  = 1000
	recapBlocks = 20
	recapText   = 16 * 1024 // bytes of each text: the start of a prompt or the end of an answer
)

// Recap returns the events from which a recap of a session is built. The first ones are about the session's last ended
// turn: its prompt and the last message of its answer. For a delegated turn, the block provides the prompt. They are
// followed by the session's newest plan and then, oldest first, by its newest tool calls that change files or run
// commands, with their diffs. For the main session, the events include the tool calls of all sessions and the last task
// delegated to each.
func (s *Store) Recap(ctx context.Context, chatID, session string) (events []backend.Event, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		l := &list{ctx: ctx, tx: v}
		var turns []turnRow
		l.find(l.rows().Where("chat_id = ? AND session = ? AND aside = '' AND state <> 'running'", chatID, session).Order("started_at DESC, rowid DESC").Limit(1), &turns)
		for _, turn := range turns {
			l.events = append(l.events, turnEvent(turn))
			l.addDelegation(turn)
			l.end(chatID, turn.ID, backend.ItemUser, false)
			l.end(chatID, turn.ID, backend.ItemMessage, true)
		}
		collect(l, itemEvent, l.rows().Where("chat_id = ? AND session = ? AND aside = '' AND kind = 'plan'", chatID, session).Order("pos DESC").Limit(1))
		if session == backend.SessionMain {
			collect(l, itemEvent, l.rows().Where(`
id IN (
    SELECT block_id FROM (
        SELECT turns.block_id, row_number() OVER (PARTITION BY turns.session ORDER BY started_at DESC, turns.rowid DESC) AS newest
        FROM turns JOIN acp_sessions ON acp_sessions.chat_id = turns.chat_id AND name = turns.session
        WHERE turns.chat_id = ? AND turns.block_id <> '' AND turns.aside = '' AND turns.state <> 'running'
    ) WHERE newest = 1
)`, chatID).Order("pos DESC").Limit(recapBlocks))
		}
		var tools []itemRow
		l.query(&tools, `
SELECT * FROM items WHERE chat_id = ?1 AND (session = ?2 OR ?2 = 'main' AND parent_id <> '') AND kind = 'tool' AND aside = ''
    AND tool ->> '$.kind' IN ('edit', 'delete', 'move', 'execute') ORDER BY pos DESC LIMIT ?3`, chatID, session, recapTools)
		slices.Reverse(tools)
		ids := make([]string, len(tools))
		for i, tool := range tools {
			ids[i] = tool.ID
			l.events = append(l.events, itemEvent(tool))
		}
		collect(l, contentEvent, l.rows().Where("type = 'diff' AND item_id IN (SELECT value FROM json_each(?))", idList(ids)).Order("rowid"))
		events = l.events
		return l.err
	})
	return events, err
}

// RecapOf returns the recap of the earlier chat that this chat continues, or "" if it doesn't continue another chat.
// The result answered is true if this chat's main session has a turn that was sent and has ended.
func (s *Store) RecapOf(ctx context.Context, chatID string) (recap string, answered bool, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		l := &list{ctx: ctx, tx: v}
		l.query(&recap, `
SELECT banner ->> '$.told' FROM items WHERE chat_id = ? AND kind = 'banner' AND banner ->> '$.kind' = 'continued' ORDER BY pos LIMIT 1`, chatID)
		l.query(&answered, `
SELECT EXISTS (SELECT 1 FROM turns WHERE chat_id = ? AND session = 'main' AND block_id = '' AND aside = '' AND sent_at > 0 AND state <> 'running')`, chatID)
		return l.err
	})
	return recap, answered, err
}

// addDelegation appends the block of a delegated turn, with its prompt.
func (l *list) addDelegation(turn turnRow) {
	var blocks []itemRow
	if turn.BlockID != "" {
		l.find(l.rows().Where("id = ? AND block IS NOT NULL", turn.BlockID), &blocks)
	}
	for _, block := range blocks {
		l.events = append(l.events, itemEvent(block), backend.Event{Text: &backend.Text{
			ItemID: block.ID, ChatID: block.ChatID, Text: block.Block.Prompt, Size: int64(len(block.Block.Prompt)),
		}})
	}
}

// end adds the last item of a kind in a turn, with part of its text: the end of the text if atEnd is true, and
// otherwise the start.
func (l *list) end(chatID, turnID string, kind backend.ItemKind, atEnd bool) {
	var items []itemRow
	l.find(l.rows().Where("chat_id = ? AND turn_id = ? AND kind = ? AND replaced = 0 AND has_error = 0", chatID, turnID, kind).Order("pos DESC").Limit(1), &items)
	for _, item := range items {
		text := &backend.Text{ItemID: item.ID, ChatID: chatID}
		l.query(&text.Size, textPieces.size(), item.ID)
		if atEnd {
			text.Offset = max(0, text.Size-recapText)
		}
		if l.err != nil {
			return
		}
		var body []byte
		body, l.err = l.tx.part(l.ctx, textPieces, item.ID, text.Offset, recapText, true)
		text.Text = strings.ToValidUTF8(string(body), "") // a character may be split at the offset
		l.events = append(l.events, itemEvent(item), backend.Event{Text: text})
	}
}

// Permissions returns the last permission requests that were created before the given time, with their decisions,
// newest first. It returns limit requests, plus all others that were created at the same time as the oldest of these.
// It omits questions and the columns in audit.
func (s *Store) Permissions(ctx context.Context, before backend.Millis, limit int) ([]backend.Permission, error) {
	var rows []permissionRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Omit(audit...).Where(`question IS NULL AND created_at < ? AND created_at >= coalesce((
    SELECT created_at FROM permissions WHERE question IS NULL AND created_at < ? ORDER BY created_at DESC LIMIT 1 OFFSET ? - 1
), 0)`, before, before, max(limit, 1)).Order("created_at DESC, rowid DESC"), &rows)
	})
	asked := make([]backend.Permission, len(rows))
	for i, row := range rows {
		asked[i] = backend.Permission(row)
	}
	return asked, err
}

// InterruptedSessions returns the names of a chat's sessions whose newest turn was interrupted, if no banner reports
// this interruption. A banner that was added before that turn was sent doesn't count: the turn may have started while
// the session was still being restored, and the banner then reports an earlier interruption.
func (s *Store) InterruptedSessions(ctx context.Context, chatID string) (names []string, err error) {
	var rows []struct{ Session string }
	err = s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &rows, `
SELECT session FROM turns WHERE chat_id = ?1 AND aside = '' AND sent_at > 0 AND main_id = '' AND state = 'interrupted'
    AND NOT EXISTS (SELECT 1 FROM turns AS later WHERE later.chat_id = ?1 AND later.session = turns.session
        AND later.aside = '' AND later.main_id = '' AND later.sent_at > 0 AND later.started_at > turns.started_at)
    AND NOT EXISTS (SELECT 1 FROM items WHERE items.chat_id = ?1 AND items.kind = 'banner'
        AND items.session = turns.session AND banner ->> '$.kind' = 'incomplete' AND items.created_at > turns.sent_at)
ORDER BY session`, chatID)
	})
	for _, row := range rows {
		names = append(names, row.Session)
	}
	return names, err
}

// AnsweredTurn is a turn in a chat as passed to an orchestrator, regardless of which model or agent answered it.
type AnsweredTurn struct {
	Prompt      string
	Attachments []backend.Attachment // attachments of the prompt
	Answer      string               // all messages concatenated
	State       backend.TurnState
	Blocks      []backend.Block // delegated tasks
}

// maxTurnText is the maximum size in bytes of a prompt or answer that is passed to an orchestrator. Of a longer prompt,
// the start is passed; of a longer answer, the end.
const maxTurnText = 64 * 1024

// Conversation returns the newest ended turns that the user started in a chat, at most maxExchanges, oldest
// first. It omits the turn with the ID turnID.
func (s *Store) Conversation(ctx context.Context, chatID, turnID string) ([]AnsweredTurn, error) {
	var turns []turnRow
	var items []itemRow
	var texts []struct {
		TurnID string
		Kind   backend.ItemKind
		Body   []byte
	}
	err := s.Read(ctx, func(v *ReadTx) error {
		err := v.find(v.db(ctx).Where("chat_id = ? AND id <> ? AND block_id = '' AND aside = '' AND state <> 'running'", chatID, turnID).
			Order("started_at DESC, rowid DESC").Limit(maxExchanges), &turns)
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
	said := make([]AnsweredTurn, len(turns))
	at := map[string]*AnsweredTurn{}
	for i, turn := range turns {
		said[i].State = turn.State
		at[turn.ID] = &said[i]
	}
	for _, item := range items {
		turn := at[item.TurnID]
		turn.Attachments = append(turn.Attachments, item.Attachments...)
		if item.Block != nil {
			turn.Blocks = append(turn.Blocks, *item.Block)
		}
	}
	prompts, answers := map[string][]byte{}, map[string][]byte{}
	for _, t := range texts {
		if t.Kind == backend.ItemUser {
			if had := prompts[t.TurnID]; len(had) < maxTurnText {
				prompts[t.TurnID] = append(had, t.Body[:min(len(t.Body), maxTurnText-len(had))]...)
			}
			continue
		}
		answer := append(answers[t.TurnID], t.Body...)
		answers[t.TurnID] = answer[max(0, len(answer)-maxTurnText):]
	}
	for id, turn := range at {
		turn.Prompt, turn.Answer = strings.ToValidUTF8(string(prompts[id]), ""), strings.ToValidUTF8(string(answers[id]), "")
	}
	return said, nil
}

// AnsweredByOrchestrator reports whether an orchestrator answers a shown turn of a chat that started at the time since
// or later.
func (s *Store) AnsweredByOrchestrator(ctx context.Context, chatID string, since backend.Millis) (bool, error) {
	var found []turnRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("chat_id = ? AND main_id <> '' AND aside = '' AND started_at >= ?", chatID, since).Limit(1), &found)
	})
	return len(found) > 0, err
}
