-- +goose Up

-- The versions of changed files that the user has viewed in a review.
CREATE TABLE viewed_files (
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    source  TEXT NOT NULL,
    path    TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (chat_id, source, path)
) STRICT;

PRAGMA user_version = 14;
