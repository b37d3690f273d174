-- +goose Up

-- The words of all items and titles, for the full-text search. It keeps no text
-- of its own: what was found is read from its item. The row of an item has the
-- item's row number, that of a chat's title the negative of the chat's. words are
-- already split and folded (words.go), and chat has the id of its chat, so that a
-- search within some chats is a matter of the index alone.
CREATE VIRTUAL TABLE search USING fts5 (
    chat, words,
    content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- What is still to be done for it, one row.
CREATE TABLE search_state (
    titles INTEGER NOT NULL, -- the titles of all chats are to be read
    items  INTEGER NOT NULL, -- items are to be read from this row number on down
    tidy   INTEGER NOT NULL  -- a chat was deleted: its words and pages are to be freed
) STRICT;

INSERT INTO search_state (titles, items, tidy)
SELECT EXISTS (SELECT 1 FROM chats), coalesce(max(rowid), 0), 0 FROM items;

PRAGMA user_version = 5;
