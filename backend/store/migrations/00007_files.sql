-- +goose Up

-- The files of a request that is about several, each with its preview.
ALTER TABLE permissions ADD COLUMN files TEXT;                -- JSON

-- The search index has got marks of who wrote an item and of what kind it is (in
-- its column chat), by which searches are narrowed: all items are read once more.
UPDATE search_state SET items = (SELECT coalesce(max(rowid), 0) FROM items);

PRAGMA user_version = 7;
