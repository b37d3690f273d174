package store

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// SessionStats returns, for each session of a chat, the totals of its turns and the newest shown block. The totals
// include turns that are set aside, but not turns answered by an orchestrator, because those belong to no session.
func (s *Store) SessionStats(ctx context.Context, chatID string) ([]backend.SessionStats, error) {
	work := []backend.SessionStats{}
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &work, `
SELECT name, turns, work_millis, coalesce(items.id, '') AS block_id, coalesce(items.pos, 0) AS block_pos,
    input, output, cache_read
FROM (
    SELECT session AS name, count(*) AS turns, min(started_at) AS began,
        coalesce(sum(usage ->> '$.input'), 0) AS input, coalesce(sum(usage ->> '$.output'), 0) AS output,
        coalesce(sum(usage ->> '$.cacheRead'), 0) AS cache_read,
        coalesce(sum(max(0, ended_at - started_at - waited)) FILTER (WHERE ended_at > started_at), 0) AS work_millis
    FROM turns WHERE chat_id = ?1 AND main_id = '' GROUP BY session
) AS done
LEFT JOIN (
    SELECT session, block_id, max(started_at) FROM turns WHERE chat_id = ?1 AND aside = '' AND main_id = '' AND block_id <> '' GROUP BY session
) AS newest ON newest.session = done.name
LEFT JOIN items ON items.id = newest.block_id
ORDER BY done.began, done.name`, chatID)
	})
	return work, err
}

// allSessions is a query for the agent sessions of all chats, including those that contain only messages that are set
// aside and those that were replaced.
const allSessions = `
    SELECT acp_id, chat_id, name, home, created_at FROM acp_sessions
    UNION SELECT replaces_id, chat_id, name, home, created_at FROM acp_sessions WHERE replaces_id NOT IN ('', 'none')
    UNION SELECT value ->> '$.acpId', asides.chat_id, value ->> '$.name', coalesce(value ->> '$.home', ''), value ->> '$.createdAt'
    FROM asides, json_each(asides.sessions) WHERE value ->> '$.acpId' <> ''`

// OwnSessions returns the agent sessions of a chat, including those that contain only messages that are set aside and
// those that were replaced, for example because they were damaged. It leaves out sessions that another chat continues.
// In the returned sessions, only the IDs, names and homes are set.
func (s *Store) OwnSessions(ctx context.Context, chatID string) ([]backend.Session, error) {
	var rows []sessionRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &rows, `
WITH every AS (`+allSessions+`)
SELECT acp_id, chat_id, home, min(name) AS name FROM every AS own WHERE chat_id = ?1
    AND NOT EXISTS (SELECT 1 FROM every WHERE chat_id <> ?1 AND acp_id = own.acp_id)
GROUP BY acp_id, chat_id, home ORDER BY min(created_at), name`, chatID)
	})
	sessions := make([]backend.Session, len(rows))
	for i, row := range rows {
		sessions[i] = backend.Session(row)
	}
	return sessions, err
}

// DeclaredOptions returns the main session that was last used with a provider, with the modes and options that its
// agent declared. If there is none and the provider's agent is the Copilot CLI, it returns the CLI's last used session
// with any provider, without the options, because only the modes are the same for all providers. If there is no such
// session either, it returns the zero Session.
func (s *Store) DeclaredOptions(ctx context.Context, providerID string) (session backend.Session, err error) {
	const asked = `
SELECT acp_sessions.* FROM acp_sessions JOIN chats ON chats.id = chat_id
WHERE name = 'main' AND json_array_length(coalesce(modes, '[]')) + json_array_length(coalesce(options, '[]')) > 0 AND `
	const alike = "?1 NOT IN (SELECT id FROM profiles) AND provider_id NOT IN (SELECT id FROM profiles)"
	err = s.Read(ctx, func(v *ReadTx) error {
		for _, those := range []string{"provider_id = ?1", alike} {
			var rows []sessionRow
			if err := v.query(ctx, &rows, asked+those+" ORDER BY acp_sessions.used_at DESC LIMIT 1", providerID); err != nil {
				return err
			}
			if len(rows) == 0 {
				continue
			}
			session = backend.Session(rows[0])
			if those == alike {
				session.Options = nil
			}
			return nil
		}
		return nil
	})
	return session, err
}

// SessionOwner identifies a chat that uses an agent session, the session's name in that chat, and its
// backend.Session.Home. A copied home directory has sessions with the same IDs.
type SessionOwner struct {
	ACPID  string `gorm:"column:acp_id"`
	ChatID string
	Name   string
	Home   string
}

// SessionOwners returns the chats that use the agent sessions with the given ACP session IDs, including chats in
// which such a session contains only messages that are set aside.
func (s *Store) SessionOwners(ctx context.Context, acpIDs []string) ([]SessionOwner, error) {
	var holders []SessionOwner
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &holders, `
SELECT acp_id, chat_id, name, home FROM (`+allSessions+`)
WHERE acp_id IN (SELECT value FROM json_each(?)) ORDER BY acp_id, created_at`, idList(acpIDs))
	})
	return holders, err
}

// SessionHomes returns the different values of backend.Session.Home.
func (s *Store) SessionHomes(ctx context.Context) ([]string, error) {
	var rows []sessionRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &rows, "SELECT DISTINCT home FROM ("+allSessions+") ORDER BY home")
	})
	homes := make([]string, len(rows))
	for i, row := range rows {
		homes[i] = row.Home
	}
	return homes, err
}
