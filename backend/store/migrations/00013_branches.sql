-- +goose Up

-- The turns and items of a chat that were set aside when it went back (backend.Aside).
CREATE TABLE asides (
    id          TEXT    NOT NULL PRIMARY KEY,
    chat_id     TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    state       TEXT    NOT NULL,
    after_turn  TEXT    NOT NULL,
    from_turn   TEXT    NOT NULL,
    scope       TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    since       INTEGER NOT NULL,
    messages    INTEGER NOT NULL,
    provider_id TEXT    NOT NULL,
    sessions    TEXT,             -- JSON
    before      TEXT    NOT NULL,
    after       TEXT    NOT NULL,
    files       INTEGER NOT NULL,
    back_at     INTEGER NOT NULL,
    back_before TEXT    NOT NULL,
    back_after  TEXT    NOT NULL
) STRICT;

CREATE INDEX asides_of_chat ON asides (chat_id);

-- The ID of the row in asides under which they are set aside, or ''.
ALTER TABLE turns ADD COLUMN aside TEXT NOT NULL DEFAULT '';
ALTER TABLE items ADD COLUMN aside TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 13;
