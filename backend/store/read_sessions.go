package store

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// SessionStats is what each session of a chat has done so far, and its newest block. Turns
// that a main AI answered are no session's.
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
    SELECT session, block_id, max(started_at) FROM turns WHERE chat_id = ?1 AND main_id = '' AND block_id <> '' GROUP BY session
) AS newest ON newest.session = done.name
LEFT JOIN items ON items.id = newest.block_id
ORDER BY done.began, done.name`, chatID)
	})
	return work, err
}

// OwnSessions are the sessions of a chat that no other chat goes on with.
func (s *Store) OwnSessions(ctx context.Context, chatID string) ([]backend.Session, error) {
	var rows []sessionRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &rows, `
SELECT * FROM acp_sessions AS own WHERE chat_id = ?1
    AND NOT EXISTS (SELECT 1 FROM acp_sessions WHERE chat_id <> ?1 AND acp_id = own.acp_id) ORDER BY created_at, name`, chatID)
	})
	sessions := make([]backend.Session, len(rows))
	for i, row := range rows {
		sessions[i] = backend.Session(row)
	}
	return sessions, err
}

// DeclaredOptions is the newest session main of the agent of a provider: the modes and
// options that it declared, and what is chosen of them, be it not made yet. Where
// there is none, it is one of the Copilot CLI with another model, which has the same
// modes, but no options. It is empty where nothing is known.
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

// SessionOwner is who has a session of an agent.
type SessionOwner struct {
	ACPID  string `gorm:"column:acp_id"`
	ChatID string
	Name   string
}

// SessionOwners are the sessions that chats have, of those with these ids of an agent.
func (s *Store) SessionOwners(ctx context.Context, acpIDs []string) ([]SessionOwner, error) {
	var holders []SessionOwner
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Model(&sessionRow{}).Where("acp_id IN (SELECT value FROM json_each(?))", idList(acpIDs)).Order("acp_id, created_at"), &holders)
	})
	return holders, err
}
