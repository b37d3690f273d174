-- +goose Up

-- What the agents of a chat may do without asking.
ALTER TABLE chats ADD COLUMN permission_mode TEXT NOT NULL DEFAULT 'ask';

-- What an agent declares for a session besides its modes, the tools it
-- announced, its own title, and the lost session that one took the place of.
ALTER TABLE acp_sessions ADD COLUMN options TEXT;             -- JSON
ALTER TABLE acp_sessions ADD COLUMN tools TEXT;               -- JSON
ALTER TABLE acp_sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE acp_sessions ADD COLUMN replaces_id TEXT NOT NULL DEFAULT '';

-- A turn without sent_at has reached no agent. Turns from before count as sent,
-- and no earlier than their session was made, which the first of each did.
ALTER TABLE turns ADD COLUMN usage TEXT;                      -- JSON
ALTER TABLE turns ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET sent_at = max(started_at, coalesce((
    SELECT created_at FROM acp_sessions
    WHERE acp_sessions.chat_id = turns.chat_id AND name = turns.session
        AND (turns.ended_at = 0 OR created_at <= turns.ended_at)
), 0));

ALTER TABLE permissions ADD COLUMN mode TEXT NOT NULL DEFAULT '';
ALTER TABLE permissions ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;
CREATE INDEX permissions_by_time ON permissions (created_at);

ALTER TABLE permission_rules ADD COLUMN effect TEXT NOT NULL DEFAULT 'allow';
ALTER TABLE permission_rules ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;

-- Other agents than the Copilot CLI. The values of their environment are in
-- the keychain.
CREATE TABLE profiles (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    address    TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    args       TEXT,             -- JSON
    env        TEXT,             -- JSON: names
    home       TEXT    NOT NULL,
    "key"      TEXT    NOT NULL, -- where the values of env are
    created_at INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 2;
