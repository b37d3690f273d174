-- +goose Up

-- The undo of turns' changes to files: its state, and IDs of snapshots of the chat's folder.
CREATE TABLE turn_undos (
    turn_id     TEXT    NOT NULL PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    chat_id     TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    state       TEXT    NOT NULL,
    files       INTEGER NOT NULL,
    added       INTEGER NOT NULL,
    removed     INTEGER NOT NULL,
    reason      TEXT,             -- JSON
    edges_only  INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    before      TEXT    NOT NULL,
    during      TEXT    NOT NULL,
    after       TEXT    NOT NULL,
    pending     TEXT    NOT NULL,
    undo_before TEXT    NOT NULL,
    undo_after  TEXT    NOT NULL,
    interrupted INTEGER NOT NULL,
    shared      INTEGER NOT NULL,
    agent_knows INTEGER NOT NULL
) STRICT;

CREATE INDEX turn_undos_of_chat ON turn_undos (chat_id);

PRAGMA user_version = 12;
