package store

import (
	"cmp"
	"context"
	"math"

	"github.com/voxpilot/voxpilot/backend"
)

// FileEdit is a successful change that an agent of a chat made to one file. It is taken from a diff that the agent
// showed, or from a tool call that changed the file without showing a diff.
type FileEdit struct {
	ItemID    string
	Session   string
	Kind      backend.ToolKind
	Path      string // absolute
	To        string // absolute target of a move
	ContentID string // of the diff; "" if none was shown
	Size      int64  // size of the diff in bytes
	Added     int
	Removed   int
	Creates   bool           // the diff creates the file
	Deletes   bool           // the diff deletes the file
	At        backend.Millis // end of the tool call
}

// FileEdits returns the file changes made by a chat's agents, including those in messages that are set aside, in the
// order in which the tool calls ended. If session is "", it returns the changes of all sessions.
func (s *Store) FileEdits(ctx context.Context, chatID, session string) ([]FileEdit, error) {
	return s.fileEdits(ctx, chatID, session, "")
}

// ShownFileEdits does the same as FileEdits, but leaves out changes that were undone when the user went back in the
// chat. If the user went back only in the conversation, the changes are still in the files; ShownFileEdits then
// includes them.
func (s *Store) ShownFileEdits(ctx context.Context, chatID, session string) ([]FileEdit, error) {
	return s.fileEdits(ctx, chatID, session, "AND (i.aside = '' OR i.aside IN (SELECT id FROM asides WHERE scope = 'conversation'))")
}

func (s *Store) fileEdits(ctx context.Context, chatID, session, condition string) ([]FileEdit, error) {
	var steps []FileEdit
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &steps, `
SELECT i.id AS item_id, i.session, i.tool ->> 'kind' AS kind,
    coalesce(c.path, i.tool ->> 'path', '') AS path, coalesce(i.tool ->> 'to', '') AS "to",
    coalesce(c.id, '') AS content_id, coalesce(c.size, 0) AS size, coalesce(c.added, 0) AS added, coalesce(c.removed, 0) AS removed,
    coalesce(substr(b.body, 1, 14) = CAST('--- /dev/null' || char(10) AS BLOB), 0) AS creates,
    coalesce(substr(b.body, length(CAST(c.path AS BLOB)) + 5, 15) = CAST(char(10) || '+++ /dev/null' || char(10) AS BLOB), 0) AS deletes,
    i.ended_at AS at
FROM items i
LEFT JOIN contents c ON c.item_id = i.id AND c.type = 'diff' AND c.path <> ''
LEFT JOIN content_bodies b ON b.content_id = c.id AND b.offset = 0
WHERE i.chat_id = ?1 AND i.kind = 'tool' AND (?2 = '' OR i.session = ?2)
    AND i.tool ->> 'status' = 'completed' AND coalesce(i.tool ->> 'decision', '') NOT IN ('rejected', 'closed')
    AND (c.id IS NOT NULL OR i.tool ->> 'kind' IN ('edit', 'delete', 'move') AND coalesce(i.tool ->> 'path', '') <> '')
    `+condition+`
ORDER BY i.ended_at, i.pos, c.rowid`, chatID, session)
	})
	return steps, err
}

// Command is a command that a chat's agent ran, with a reference to its output.
//
//tsgen:name RanCommand
type Command struct {
	ItemID    string             `json:"itemId"`
	Session   string             `json:"session"`
	Command   string             `json:"command"` // first line of the command, at most 300 bytes
	Status    backend.ToolStatus `json:"status"`
	ExitCode  *int               `json:"exitCode,omitempty"`
	ContentID string             `json:"contentId,omitempty"` // ID of the output's Content; "" if there is none
	Size      int64              `json:"size"`                // size of the output in bytes
	Lines     int                `json:"lines"`               // number of lines of the output
	StartedAt backend.Millis     `json:"startedAt"`
	EndedAt   backend.Millis     `json:"endedAt,omitempty"`
	Waited    backend.Millis     `json:"waited,omitempty"` // time spent waiting for the user
}

// Period is the time between two moments. If To is 0, the period hasn't ended.
type Period struct{ From, To backend.Millis }

// Has reports whether a moment is in the period.
func (p Period) Has(at backend.Millis) bool { return p.From <= at && at <= p.to() }

// to returns the end of the period.
func (p Period) to() backend.Millis { return cmp.Or(p.To, math.MaxInt64) }

// Commands returns the last commands that a chat's agents started in a period, at most limit, newest first. It includes
// commands in messages that are set aside, and leaves out those whose permission request was rejected or closed.
func (s *Store) Commands(ctx context.Context, chatID string, during Period, limit int) ([]Command, error) {
	return s.commands(ctx, chatID, during, limit, "AND coalesce(tool ->> 'decision', '') NOT IN ('rejected', 'closed')")
}

// ShownCommands returns the last commands of a chat's agents, at most limit, newest first. It leaves out commands in
// messages that are set aside. Unlike Commands, it includes those whose permission request was rejected or closed.
func (s *Store) ShownCommands(ctx context.Context, chatID string, limit int) ([]Command, error) {
	return s.commands(ctx, chatID, Period{}, limit, "AND aside = ''")
}

func (s *Store) commands(ctx context.Context, chatID string, during Period, limit int, condition string) ([]Command, error) {
	commands := []Command{}
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &commands, `
WITH ran AS (
    SELECT * FROM items
    WHERE chat_id = ?1 AND kind = 'tool' AND tool ->> 'kind' = 'execute' AND coalesce(tool ->> 'command', '') <> ''
    AND created_at BETWEEN ?3 AND ?4 `+condition+`
    ORDER BY pos DESC LIMIT ?2
)
SELECT r.id AS item_id, r.session, r.tool ->> 'command' AS command, r.tool ->> 'status' AS status, r.tool ->> 'exitCode' AS exit_code,
    coalesce(c.id, '') AS content_id, coalesce(c.size, 0) AS size, coalesce(c.lines, 0) AS lines,
    r.created_at AS started_at, r.ended_at, r.waited
FROM ran r
LEFT JOIN contents c ON c.rowid = (SELECT max(rowid) FROM contents WHERE item_id = r.id AND type = 'terminal')
ORDER BY r.pos DESC`, chatID, limit, during.From, during.to())
	})
	return commands, err
}

// FullCommands returns the full commands of a chat's agents, by item ID. It includes only commands for which there was
// a permission request, no matter whether the user, the permission mode or a rule answered it.
func (s *Store) FullCommands(ctx context.Context, chatID string) (map[string]string, error) {
	var rows []struct{ ItemID, Text string }
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &rows, `
SELECT p.item_id, group_concat(c.value, char(10)) AS text FROM permissions p, json_each(p.commands) c
WHERE p.chat_id = ?1 AND p.kind = 'execute' GROUP BY p.item_id`, chatID)
	})
	commands := map[string]string{}
	for _, r := range rows {
		commands[r.ItemID] = r.Text
	}
	return commands, err
}

// OtherCall is an allowed call to a tool of kind other, such as one of an MCP server.
type OtherCall struct {
	Title     string
	StartedAt backend.Millis
}

// OtherCalls returns the last calls to tools of kind other that a chat's agents made in a period, at most limit,
// newest first. It includes calls in messages that are set aside. It leaves out calls to agents' internal tools, which
// never ask for permission.
func (s *Store) OtherCalls(ctx context.Context, chatID string, during Period, limit int) ([]OtherCall, error) {
	var calls []OtherCall
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &calls, `
SELECT tool ->> 'title' AS title, created_at AS started_at FROM items
WHERE chat_id = ?1 AND kind = 'tool' AND tool ->> 'kind' = 'other' AND coalesce(tool ->> 'title', '') <> ''
    AND tool ->> 'decision' IN ('allowed_once', 'always_allowed', 'auto_allowed') AND tool ->> 'status' <> 'cancelled'
    AND created_at BETWEEN ?3 AND ?4
ORDER BY pos DESC LIMIT ?2`, chatID, limit, during.From, during.to())
	})
	return calls, err
}

// ToolCall is a call to a tool that may change files. StartedAt is the time at which it could start: the later of the
// time of the agent's report and that of the decision on the call. EndedAt is 0 while the call is open.
type ToolCall struct {
	ItemID             string
	Kind               backend.ToolKind
	StartedAt, EndedAt backend.Millis
	// Internal is true for a call to a tool of kind other for which no permission was requested. An agent's internal
	// tools, such as one that starts a sub-agent, are among these.
	Internal bool
}

// ChangingCalls returns the calls to tools that may change files and that a chat's agents ran in a period, in the order
// of the transcript. It includes calls in messages that are set aside, and leaves out those whose permission request
// was rejected or closed.
func (s *Store) ChangingCalls(ctx context.Context, chatID string, during Period) ([]ToolCall, error) {
	var calls []ToolCall
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &calls, `
SELECT id AS item_id, tool ->> 'kind' AS kind,
    max(created_at, coalesce(tool ->> '$.decidedBy.at', 0)) AS started_at, ended_at,
    tool ->> 'kind' = 'other' AND coalesce(tool ->> 'decision', '') = '' AS internal
FROM items
WHERE chat_id = ?1 AND kind = 'tool' AND created_at <= ?3 AND (ended_at = 0 OR ended_at >= ?2)
    AND tool ->> 'kind' NOT IN ('read', 'search', 'fetch', 'think', 'ask', 'plan')
    AND coalesce(tool ->> 'decision', '') NOT IN ('rejected', 'closed')
ORDER BY pos`, chatID, during.From, during.to())
	})
	return calls, err
}

// Names reports whether a chat's transcript refers to the file at path in a tool call, a diff or an attachment.
func (s *Store) Names(ctx context.Context, chatID, path string) (bool, error) {
	var found []bool
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &found, `
SELECT EXISTS (SELECT 1 FROM contents WHERE chat_id = ?1 AND path = ?2)
    OR EXISTS (SELECT 1 FROM items WHERE chat_id = ?1 AND tool IS NOT NULL AND ?2 IN (tool ->> 'path', tool ->> 'to'))
    OR EXISTS (SELECT 1 FROM items i, json_each(i.attachments) a WHERE i.chat_id = ?1 AND a.value ->> 'path' = ?2)`, chatID, path)
	})
	return len(found) > 0 && found[0], err
}
