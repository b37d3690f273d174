-- +goose Up

-- The user's comments on lines of files (backend.ReviewComment).
CREATE TABLE review_comments (
    id          TEXT    NOT NULL PRIMARY KEY,
    chat_id     TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    path        TEXT    NOT NULL,
    side        TEXT    NOT NULL,
    first_line  INTEGER NOT NULL, -- in the version seen
    last_line   INTEGER NOT NULL,
    text        TEXT    NOT NULL,
    quote       TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    origin      TEXT    NOT NULL,
    turn_id     TEXT    NOT NULL,
    item_id     TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    sent_at     INTEGER NOT NULL,
    answered_at INTEGER NOT NULL,
    resolved_at INTEGER NOT NULL,
    seen        TEXT    NOT NULL  -- hash of a row of review_texts
) STRICT;

CREATE INDEX review_comments_of_chat ON review_comments (chat_id);

-- The versions of files in which comments were last found, compressed.
CREATE TABLE review_texts (
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    hash    TEXT NOT NULL,
    text    BLOB NOT NULL,
    PRIMARY KEY (chat_id, hash)
) STRICT;

PRAGMA user_version = 15;
