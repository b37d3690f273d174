-- +goose Up

-- The turns and items of a chat that went back. after_turn is the turn after which they begin, or ''.
CREATE TABLE asides (
    id         TEXT    NOT NULL PRIMARY KEY,
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    after_turn TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    since      INTEGER NOT NULL,
    messages   INTEGER NOT NULL,
    sessions   TEXT,             -- JSON: the sessions of the agent that know these turns
    files      INTEGER NOT NULL, -- that went back
    before     TEXT    NOT NULL, -- IDs of snapshots of the folder: before and after the files went back
    after      TEXT    NOT NULL
) STRICT;

CREATE INDEX asides_of_chat ON asides (chat_id);

ALTER TABLE turns ADD COLUMN aside TEXT NOT NULL DEFAULT '';
ALTER TABLE items ADD COLUMN aside TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 13;
