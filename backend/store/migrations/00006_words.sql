-- +goose Up

-- The words that the search index knows, in their order: where the beginning of
-- a word is searched for, those that begin so are looked up in it. It keeps
-- nothing of its own.
CREATE VIRTUAL TABLE search_words USING fts5vocab (search, instance);

-- The index has also got marks of who wrote an item and of what kind it is (in its
-- column chat), by which searches are narrowed: all items are read once more.
UPDATE search_state SET items = (SELECT coalesce(max(rowid), 0) FROM items);

PRAGMA user_version = 6;
