-- +goose Up

-- Sign-ins that VoxPilot keeps. Their tokens are in the keychain.
CREATE TABLE logins (
    id         TEXT    NOT NULL PRIMARY KEY, -- host and login
    host       TEXT    NOT NULL,
    login      TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    "key"      TEXT    NOT NULL,             -- where its token is
    created_at INTEGER NOT NULL
) STRICT;

-- Whether another agent is started with the user's GitHub sign-in.
ALTER TABLE profiles ADD COLUMN github INTEGER NOT NULL DEFAULT 0;

-- The main AI of a chat, and the work that it, or Copilot itself, gave to named
-- sessions.
ALTER TABLE chats ADD COLUMN main_id TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN block_id TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN main_id TEXT NOT NULL DEFAULT '';
ALTER TABLE items ADD COLUMN block TEXT;                      -- JSON

ALTER TABLE providers ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE providers ADD COLUMN context INTEGER NOT NULL DEFAULT 0;

PRAGMA user_version = 3;
