package store

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// How much of a transcript one page carries at most.
const (
	// MaxChildren is how many items of each block, the newest, come with it;
	// the others come from ItemsOf.
	MaxChildren = 500
	// maxFirstText is how much of each item's text comes with it; the rest
	// comes from Text.
	maxFirstText = 64 * 1024
)

// AppEvents is what the window shows before any chat is opened: all chats, the
// newest first, what runs, what waits for an answer or for its turn, and the
// user's choices.
func (v *View) AppEvents(ctx context.Context) ([]backend.Event, error) {
	settings, err := v.Settings(ctx)
	if err != nil {
		return nil, err
	}
	providers, err := v.Providers(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := v.Rules(ctx)
	if err != nil {
		return nil, err
	}
	chats, err := v.Chats(ctx)
	if err != nil {
		return nil, err
	}
	var turns []turnRow
	if err := v.query(ctx, &turns, "SELECT * FROM turns WHERE state = 'running' ORDER BY started_at, id"); err != nil {
		return nil, err
	}
	permissions, err := v.permissions(ctx, "state = 'open'")
	if err != nil {
		return nil, err
	}
	contents, err := v.contents(ctx, "id", previews(permissions))
	if err != nil {
		return nil, err
	}
	var queued []queuedRow
	if err := v.query(ctx, &queued, "SELECT * FROM queued ORDER BY chat_id, pos, created_at, id"); err != nil {
		return nil, err
	}

	events := make([]backend.Event, 0, 1+len(providers)+len(rules)+len(chats)+len(turns)+len(contents)+len(permissions)+len(queued))
	events = append(events, backend.Event{Settings: &settings})
	for i := range providers {
		events = append(events, backend.Event{Provider: &providers[i]})
	}
	for i := range rules {
		events = append(events, backend.Event{Rule: &rules[i]})
	}
	for i := range chats {
		events = append(events, backend.Event{Chat: &chats[i]})
	}
	events = appendRows(events, turns, func(r turnRow) backend.Event { t := backend.Turn(r); return backend.Event{Turn: &t} })
	events = appendRows(events, contents, contentEvent)
	events = appendRows(events, permissions, permissionEvent)
	return appendRows(events, queued, queuedEvent), nil
}

// ChatEvents is what a chat shows when it is opened: its sessions, the last
// limit items of its transcript with all that belongs to them, and what waits.
// before is what to give to Items for the page before this one, 0 where there
// is none.
func (v *View) ChatEvents(ctx context.Context, chatID string, limit int) (events []backend.Event, before int64, err error) {
	if _, err := v.Chat(ctx, chatID); err != nil {
		return nil, 0, err
	}
	sessions, err := v.Sessions(ctx, chatID)
	if err != nil {
		return nil, 0, err
	}
	for i := range sessions {
		events = append(events, backend.Event{Session: &sessions[i]})
	}
	items, before, err := v.page(ctx, chatID, "", 0, limit)
	if err != nil {
		return nil, 0, err
	}
	events, err = v.transcript(ctx, events, chatID, items, true)
	if err != nil {
		return nil, 0, err
	}
	queued, err := v.QueuedOf(ctx, chatID)
	if err != nil {
		return nil, 0, err
	}
	for i := range queued {
		events = append(events, backend.Event{Queued: &queued[i]})
	}
	return events, before, nil
}

// Items is the page of limit items of a chat's transcript before the position
// before, with all that belongs to them.
func (v *View) Items(ctx context.Context, chatID string, before int64, limit int) (events []backend.Event, next int64, err error) {
	return v.ItemsOf(ctx, chatID, "", before, limit)
}

// ItemsOf is Items for what is inside the block parentID.
func (v *View) ItemsOf(ctx context.Context, chatID, parentID string, before int64, limit int) (events []backend.Event, next int64, err error) {
	items, next, err := v.page(ctx, chatID, parentID, before, limit)
	if err != nil {
		return nil, 0, err
	}
	events, err = v.transcript(ctx, nil, chatID, items, false)
	return events, next, err
}

// page is the last limit items before a position, in order, and what is inside
// the blocks among them. next is the position to go on from, 0 at the end.
func (v *View) page(ctx context.Context, chatID, parentID string, before int64, limit int) (items []itemRow, next int64, err error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	err = v.query(ctx, &items,
		"SELECT * FROM items WHERE chat_id = ? AND parent_id = ? AND pos < ? ORDER BY pos DESC LIMIT ?",
		chatID, parentID, before, limit+1)
	if err != nil {
		return nil, 0, err
	}
	if len(items) > limit {
		items = items[:limit]
		next = items[limit-1].Pos
	}
	for inside := blocks(items); len(inside) > 0; {
		var children []itemRow
		err := v.query(ctx, &children, `
SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY parent_id ORDER BY pos DESC) AS newest
    FROM items WHERE chat_id = ? AND parent_id IN (SELECT value FROM json_each(?))
) WHERE newest <= ?`, chatID, idList(inside), MaxChildren)
		if err != nil {
			return nil, 0, err
		}
		items = append(items, children...)
		inside = blocks(children)
	}
	slices.SortFunc(items, func(a, b itemRow) int { return int(a.Pos - b.Pos) })
	return items, next, nil
}

// blocks are the ids of the blocks among items.
func blocks(items []itemRow) (ids []string) {
	for _, item := range items {
		if item.Kind == backend.ItemBlock {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// transcript appends the events of items: their turns, then each item with the
// beginning of its text and its contents, then their permission requests. With
// waiting, the running turns and the open requests of the chat are there too.
func (v *View) transcript(ctx context.Context, events []backend.Event, chatID string, items []itemRow, waiting bool) ([]backend.Event, error) {
	itemIDs, turnIDs := make([]string, len(items)), []string{}
	for i, item := range items {
		itemIDs[i] = item.ID
		if item.TurnID != "" {
			turnIDs = append(turnIDs, item.TurnID)
		}
	}
	running, open := "", ""
	if waiting {
		running, open = " OR state = 'running'", " OR state = 'open'"
	}
	var turns []turnRow
	err := v.query(ctx, &turns,
		"SELECT * FROM turns WHERE chat_id = ? AND (id IN (SELECT value FROM json_each(?))"+running+") ORDER BY started_at, id",
		chatID, idList(slices.Compact(turnIDs)))
	if err != nil {
		return nil, err
	}
	permissions, err := v.permissions(ctx, "chat_id = ? AND (item_id IN (SELECT value FROM json_each(?))"+open+")", chatID, idList(itemIDs))
	if err != nil {
		return nil, err
	}
	contents, err := v.contents(ctx, "item_id", itemIDs)
	if err != nil {
		return nil, err
	}
	others, err := v.contents(ctx, "id", previews(permissions))
	if err != nil {
		return nil, err
	}
	texts, err := v.firstTexts(ctx, chatID, itemIDs)
	if err != nil {
		return nil, err
	}

	ofItem := map[string][]contentRow{}
	for _, content := range contents {
		ofItem[content.ItemID] = append(ofItem[content.ItemID], content)
	}
	events = appendRows(events, turns, func(r turnRow) backend.Event { t := backend.Turn(r); return backend.Event{Turn: &t} })
	for _, row := range items {
		item := backend.Item(row)
		events = append(events, backend.Event{Item: &item})
		if text := texts[item.ID]; text != nil {
			events = append(events, backend.Event{Text: text})
		}
		events = appendRows(events, ofItem[item.ID], contentEvent)
	}
	for _, content := range others {
		if ofItem[content.ItemID] == nil {
			events = append(events, contentEvent(content))
		}
	}
	return appendRows(events, permissions, permissionEvent), nil
}

// firstTexts are the beginnings of the texts of items.
func (v *View) firstTexts(ctx context.Context, chatID string, itemIDs []string) (map[string]*backend.Text, error) {
	var pieces []piece
	err := v.query(ctx, &pieces, `
SELECT item_id AS owner, offset, body FROM texts
WHERE item_id IN (SELECT value FROM json_each(?)) AND offset < ? ORDER BY item_id, offset`, idList(itemIDs), maxFirstText)
	if err != nil {
		return nil, err
	}
	texts := map[string]*backend.Text{}
	for len(pieces) > 0 {
		id, whole := pieces[0].Owner, strings.Builder{}
		for len(pieces) > 0 && pieces[0].Owner == id {
			whole.Write(pieces[0].Body)
			pieces = pieces[1:]
		}
		text := &backend.Text{ItemID: id, ChatID: chatID, Text: whole.String(), Size: int64(whole.Len())}
		if len(text.Text) > maxFirstText {
			text.Text = text.Text[:cutRunes([]byte(text.Text), maxFirstText)]
		}
		if text.Size >= maxFirstText {
			if text.Size, err = v.size(ctx, textPieces, id); err != nil {
				return nil, err
			}
		}
		texts[id] = text
	}
	return texts, nil
}

// permissions are those requests for which condition holds, the oldest first.
// What is kept of them for the audit only is left out.
func (v *View) permissions(ctx context.Context, condition string, args ...any) (rows []permissionRow, err error) {
	err = v.query(ctx, &rows, `
SELECT id, chat_id, turn_id, session, item_id, state, title, kind, path, "to", command, content_id,
    options, scope, decision, option_id, rule_id, created_at, decided_at
FROM permissions WHERE `+condition+" ORDER BY created_at, id", args...)
	return rows, err
}

// previews are the ids of the contents that show what requests ask for.
func previews(permissions []permissionRow) (ids []string) {
	for _, p := range permissions {
		if p.ContentID != "" {
			ids = append(ids, p.ContentID)
		}
	}
	return ids
}

// contents are the facts of those contents whose column is one of ids, in the
// order in which they came.
func (v *View) contents(ctx context.Context, column string, ids []string) (rows []contentRow, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = v.query(ctx, &rows,
		"SELECT * FROM contents WHERE "+column+" IN (SELECT value FROM json_each(?)) ORDER BY rowid", idList(ids))
	return rows, err
}

// idList is ids as one argument, for json_each.
func idList(ids []string) string {
	if len(ids) == 0 {
		return "[]"
	}
	list, err := json.Marshal(ids)
	if err != nil {
		panic(err) // a list of strings is always JSON
	}
	return string(list)
}

func appendRows[Row any](events []backend.Event, rows []Row, event func(Row) backend.Event) []backend.Event {
	for _, row := range rows {
		events = append(events, event(row))
	}
	return events
}

func contentEvent(r contentRow) backend.Event {
	content := backend.Content(r)
	return backend.Event{Content: &content}
}

func permissionEvent(r permissionRow) backend.Event {
	permission := backend.Permission(r)
	return backend.Event{Permission: &permission}
}

func queuedEvent(r queuedRow) backend.Event {
	queued := backend.Queued(r)
	return backend.Event{Queued: &queued}
}
