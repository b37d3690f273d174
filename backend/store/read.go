package store

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// Limits for one page of a transcript.
const (
	// MaxChildren is the maximum number of items returned with each block. The newest ones are returned; the others
	// can be read with ItemsOf.
	MaxChildren = 500
	// maxFirstText is the maximum size in bytes of the text that is returned with an item, unless it is returned in
	// full (maxWholeTexts). The rest can be read with Text. If there are many items, their texts share maxTexts.
	maxFirstText = 64 * 1024
	maxTexts     = 16 << 20
	// maxWholeTexts is the maximum total size in bytes of the answers that a page contains in full. The newest answers
	// take precedence, so that the end of a chat is complete when the chat is opened.
	maxWholeTexts = 1 << 20
)

// AppEvents returns the state that isn't part of a chat's transcript: settings, providers, custom agents, logins,
// trusted folders, permission rules, and all chats, most recently updated first. For the chats, it includes running
// turns, open permission requests with their previews, and queued prompts.
func (tx *ReadTx) AppEvents(ctx context.Context) ([]backend.Event, error) {
	settings, err := tx.settings(ctx)
	if err != nil {
		return nil, err
	}
	l := &list{ctx: ctx, tx: tx, events: []backend.Event{{Settings: &settings}}}
	collect(l, providerEvent, l.rows().Order("created_at, id"))
	collect(l, customAgentEvent, l.rows().Order("created_at, id"))
	collect(l, loginEvent, l.rows().Order("created_at, id"))
	collect(l, trustedEvent, l.rows().Order(`trusted_at, "key"`))
	collect(l, ruleEvent, l.rows().Order("created_at, id"))
	collect(l, chatEvent, l.rows().Order("updated_at DESC, id"))
	collect(l, turnEvent, l.rows().Where("state = 'running'").Order("started_at, id"))
	collect(l, contentEvent, l.rows().Where("id IN ("+previewsOf+"WHERE state = 'open')").Order("rowid"))
	collect(l, permissionEvent, l.rows().Omit(audit...).Where("state = 'open'").Order("created_at, id"))
	collect(l, queuedEvent, l.rows().Order("chat_id, pos, created_at, id"))
	return l.events, l.err
}

// ChatEvents returns the state that is shown when a chat is opened. This includes its sessions, running turns, undos
// that are being recorded, open permission requests, queued prompts and branches. It also includes the last items of
// the transcript, at most limit, with everything that belongs to them (see addItems). The result before is the
// position to pass to Items for the previous page, or 0 if there is none.
func (tx *ReadTx) ChatEvents(ctx context.Context, chatID string, limit int) (events []backend.Event, before int64, err error) {
	if _, err := one[chatRow](ctx, tx, chatID, errNoChat); err != nil {
		return nil, 0, err
	}
	l := &list{ctx: ctx, tx: tx}
	collect(l, sessionEvent, l.rows().Where("chat_id = ?", chatID).Order("created_at, name"))
	before = l.page(chatID, "", 0, limit)
	collect(l, turnEvent, l.rows().Where("chat_id = ? AND state = 'running'", chatID).Order("started_at, id"))
	collect(l, turnUndoEvent, l.rows().Where("chat_id = ? AND state = 'recording'", chatID).Order("turn_id"))
	collect(l, contentEvent, l.rows().Where("id IN ("+previewsOf+"WHERE chat_id = ? AND state = 'open')", chatID).Order("rowid"))
	collect(l, permissionEvent, l.rows().Omit(audit...).Where("chat_id = ? AND state = 'open'", chatID).Order("created_at, id"))
	collect(l, queuedEvent, l.rows().Where("chat_id = ?", chatID).Order("pos, created_at, id"))
	l.addBranches(chatID)
	return l.events, before, l.err
}

// Items returns the last top-level items of a chat's transcript that precede a position, at most limit, with
// everything that belongs to them (see addItems). A position of 0 means the end of the transcript. Items that are set
// aside aren't in the transcript. The result next is the position to pass in the next call to get the preceding items,
// or 0 if there are none.
func (tx *ReadTx) Items(ctx context.Context, chatID string, before int64, limit int) (events []backend.Event, next int64, err error) {
	return tx.ItemsOf(ctx, chatID, "", before, limit)
}

// ItemsOf does the same as Items for the children of the block with the ID parentID.
func (tx *ReadTx) ItemsOf(ctx context.Context, chatID, parentID string, before int64, limit int) (events []backend.Event, next int64, err error) {
	l := &list{ctx: ctx, tx: tx}
	next = l.page(chatID, parentID, before, limit)
	return l.events, next, l.err
}

// ItemsAfter returns the first items of a chat's transcript that follow a position, at most limit, with everything
// that belongs to them (see addItems).
func (tx *ReadTx) ItemsAfter(ctx context.Context, chatID string, after int64, limit int) ([]backend.Event, error) {
	l := &list{ctx: ctx, tx: tx}
	l.addItems(chatID, l.newer(chatID, after, limit))
	return l.events, l.err
}

// ItemsAround returns a page of a chat's transcript: up to limit items around the item at pos or, if that item is in a
// block, around the block. If the item at pos is set aside, the page contains only items of the same aside. The page
// is empty if there is no item at pos. The result next has the same meaning as in Items.
func (tx *ReadTx) ItemsAround(ctx context.Context, chatID string, pos int64, limit int) (events []backend.Event, next int64, err error) {
	var at []struct {
		Pos   int64
		Aside string
	}
	err = tx.query(ctx, &at, `
WITH RECURSIVE up (parent_id, pos, aside) AS (
    SELECT parent_id, pos, aside FROM items WHERE chat_id = ?1 AND pos = ?2
    UNION ALL
    SELECT items.parent_id, items.pos, items.aside FROM up JOIN items ON items.id = up.parent_id
) SELECT pos, aside FROM up WHERE parent_id = ''`, chatID, pos)
	if err != nil || len(at) == 0 {
		return nil, 0, err
	}
	l := &list{ctx: ctx, tx: tx, aside: at[0].Aside}
	older, next := l.older(chatID, "", at[0].Pos, limit/2)
	l.addItems(chatID, append(older, l.newer(chatID, at[0].Pos-1, limit-limit/2)...))
	return l.events, next, l.err
}

// audit lists the columns of a permission request that are stored only for the audit log.
var audit = []string{"commands", "raw"}

// previewsOf selects the IDs of the contents shown with permission requests. The caller adds a WHERE clause that
// selects the requests.
const previewsOf = `
SELECT shown.value ->> '$.contentId' FROM permissions, json_each(json_insert(coalesce(files, '[]'),
    '$[#]', json_object('contentId', content_id), '$[#]', json_object('contentId', text_id))) AS shown `

// A list collects the events that are read with a ReadTx, until the first error.
type list struct {
	ctx    context.Context // context of the read for which the list was created
	tx     *ReadTx
	events []backend.Event
	err    error
	aside  string // ID of the aside whose items are read; "" for the items that are shown
}

func (l *list) query(dest any, query string, args ...any) {
	if l.err == nil {
		l.err = l.tx.query(l.ctx, dest, query, args...)
	}
}

func (l *list) rows() *gorm.DB { return l.tx.db(l.ctx) }

func (l *list) find(rows *gorm.DB, dest any) {
	if l.err == nil {
		l.err = l.tx.find(rows, dest)
	}
}

// collect runs a query and appends its rows to the list. It converts each row with the function event.
func collect[Row any](l *list, event func(Row) backend.Event, query *gorm.DB) {
	var rows []Row
	l.find(query, &rows)
	for _, row := range rows {
		l.events = append(l.events, event(row))
	}
}

// page appends the last items that precede a position, at most limit, with everything that belongs to them. The result
// next has the same meaning as in Items.
func (l *list) page(chatID, parentID string, before int64, limit int) (next int64) {
	items, next := l.older(chatID, parentID, before, limit)
	l.addItems(chatID, items)
	return next
}

// addItems adds the given items, the newest children of the blocks among them, and everything that belongs to all
// these items. The events have this order: turns, undos of turns, items, their texts in full or in part, contents, and
// permission requests.
func (l *list) addItems(chatID string, items []itemRow) {
	items = l.withBlockItems(chatID, items)
	var itemIDs, turnIDs []string
	for _, item := range items {
		itemIDs = append(itemIDs, item.ID)
		turnIDs = append(turnIDs, item.TurnID)
		if item.Block != nil {
			turnIDs = append(turnIDs, item.Block.TurnID) // its turn may have ended without an item
		}
	}
	turns, ids := idList(slices.Compact(turnIDs)), idList(itemIDs)
	collect(l, turnEvent, l.rows().Where("id IN (SELECT value FROM json_each(?))", turns).Order("started_at, id"))
	collect(l, turnUndoEvent, l.rows().Where("turn_id IN (SELECT value FROM json_each(?))", turns).Order("turn_id"))
	for _, item := range items {
		l.events = append(l.events, itemEvent(item))
	}
	whole := l.wholeTexts(items)
	l.texts(chatID, idList(whole), maxWholeTexts)
	rest := slices.DeleteFunc(itemIDs, func(id string) bool { return slices.Contains(whole, id) })
	l.texts(chatID, idList(rest), min(maxFirstText, maxTexts/max(len(items), 1)))
	collect(l, contentEvent, l.rows().Where(`
    item_id IN (SELECT value FROM json_each(?)) OR id IN (`+previewsOf+`WHERE item_id IN (SELECT value FROM json_each(?)))`, ids, ids).Order("rowid"))
	collect(l, permissionEvent, l.rows().Omit(audit...).Where("item_id IN (SELECT value FROM json_each(?))", ids).Order("created_at, id"))
}

// older returns the last items that precede a position, at most limit, newest first. The result next has the same
// meaning as in Items.
func (l *list) older(chatID, parentID string, before int64, limit int) (items []itemRow, next int64) {
	if before <= 0 {
		before = math.MaxInt64
	}
	rows := l.rows().Where("chat_id = ? AND parent_id = ? AND pos < ?", chatID, parentID, before)
	if parentID == "" { // children are read together with their block
		rows = rows.Where("aside = ?", l.aside)
	}
	l.find(rows.Order("pos DESC").Limit(limit+1), &items)
	if len(items) > limit {
		items = items[:limit]
		next = items[limit-1].Pos
	}
	return items, next
}

// newer returns the first items of a transcript that follow a position, at most limit.
func (l *list) newer(chatID string, after int64, limit int) (items []itemRow) {
	l.find(l.rows().Where("chat_id = ? AND parent_id = '' AND aside = ? AND pos > ?", chatID, l.aside, after).Order("pos").Limit(limit), &items)
	return items
}

// withBlockItems returns the given items plus the newest children of each block among them, including nested blocks,
// in order of position.
func (l *list) withBlockItems(chatID string, items []itemRow) []itemRow {
	for inside := blocks(items); len(inside) > 0; {
		var children []itemRow
		l.query(&children, `
SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY parent_id ORDER BY pos DESC) AS newest
    FROM items WHERE chat_id = ? AND parent_id IN (SELECT value FROM json_each(?))
) WHERE newest <= ?`, chatID, idList(inside), MaxChildren)
		items = append(items, children...)
		inside = blocks(children)
	}
	slices.SortFunc(items, func(a, b itemRow) int { return cmp.Compare(a.Pos, b.Pos) })
	return items
}

// blocks returns the IDs of the blocks among the given items.
func blocks(items []itemRow) (ids []string) {
	for _, item := range items {
		if item.Kind == backend.ItemBlock {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// wholeTexts returns the IDs of the answers to return with their full text: the newest ones among the given items, up
// to a total of maxWholeTexts bytes. The items must be in order of position.
func (l *list) wholeTexts(items []itemRow) (ids []string) {
	var answers []string
	for _, item := range slices.Backward(items) {
		if item.Kind == backend.ItemMessage && item.ParentID == "" {
			answers = append(answers, item.ID)
		}
	}
	var sizes []struct {
		Owner string
		Size  int64
	}
	l.query(&sizes, `
SELECT answers.value AS owner, coalesce(max(texts.offset + length(texts.body)), 0) AS size
FROM json_each(?) AS answers LEFT JOIN texts ON texts.item_id = answers.value
GROUP BY answers.key ORDER BY answers.key`, idList(answers))
	room := int64(maxWholeTexts)
	for _, text := range sizes {
		if text.Size <= room {
			ids = append(ids, text.Owner)
			room -= text.Size
		}
	}
	return ids
}

// texts appends the text of each item whose ID is in itemIDs, a JSON list. It truncates each text to at most limit
// bytes.
func (l *list) texts(chatID, itemIDs string, limit int) {
	var pieces []piece
	l.query(&pieces, `
SELECT item_id AS owner, offset, body FROM texts
WHERE item_id IN (SELECT value FROM json_each(?)) AND offset <= ? ORDER BY item_id, offset`, itemIDs, limit)
	for len(pieces) > 0 {
		var whole strings.Builder
		id := pieces[0].Owner
		for len(pieces) > 0 && pieces[0].Owner == id {
			whole.Write(pieces[0].Body)
			pieces = pieces[1:]
		}
		text := &backend.Text{ItemID: id, ChatID: chatID, Text: whole.String(), Size: int64(whole.Len())}
		if len(text.Text) > limit {
			l.query(&text.Size, textPieces.size(), id)
			text.Text = text.Text[:terms.Cut(text.Text, limit)]
		}
		l.events = append(l.events, backend.Event{Text: text})
	}
}

// idList returns the IDs as a JSON list, for use as an argument of json_each.
func idList[ID string | int64](ids []ID) string {
	if len(ids) == 0 {
		return "[]"
	}
	list, err := json.Marshal(ids)
	if err != nil {
		panic(err) // such a list can always be marshaled
	}
	return string(list)
}

// settings returns the stored settings, with defaults for those that aren't stored.
func (tx *ReadTx) settings(ctx context.Context) (backend.Settings, error) {
	settings := backend.DefaultSettings()
	var chosen string
	if err := tx.query(ctx, &chosen, "SELECT json_group_object(key, json(value)) FROM settings"); err != nil {
		return settings, err
	}
	if err := json.Unmarshal([]byte(chosen), &settings); err != nil {
		return settings, tx.failed(err)
	}
	return settings, nil
}
