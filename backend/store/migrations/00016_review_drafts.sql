-- +goose Up

-- The texts in the fields of a chat's review: unfinished comments and the note, as the window encodes them.
CREATE TABLE review_drafts (
    chat_id TEXT NOT NULL PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
    draft   TEXT NOT NULL
) STRICT;

PRAGMA user_version = 16;
