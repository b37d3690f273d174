-- +goose Up

-- The times of items, for searches in a time span. A block is the 1,024 row numbers that share rowid >> 10. The times of
-- its items are in its span, which isn't narrowed when some of them are deleted. Rows aren't in the order of their times:
-- a conversation that is imported today has items of last year.
CREATE TABLE item_times (
    block    INTEGER NOT NULL PRIMARY KEY,
    earliest INTEGER NOT NULL,
    latest   INTEGER NOT NULL
) STRICT;

INSERT INTO item_times SELECT rowid >> 10, min(created_at), max(created_at) FROM items GROUP BY 1;

-- +goose StatementBegin
CREATE TRIGGER item_times_insert AFTER INSERT ON items BEGIN
    INSERT INTO item_times VALUES (new.rowid >> 10, new.created_at, new.created_at)
    ON CONFLICT (block) DO UPDATE SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)
    WHERE excluded.earliest < earliest OR excluded.latest > latest;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER item_times_update AFTER UPDATE OF created_at ON items WHEN new.created_at <> old.created_at BEGIN
    UPDATE item_times SET earliest = min(earliest, new.created_at), latest = max(latest, new.created_at) WHERE block = new.rowid >> 10;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER item_times_delete AFTER DELETE ON items BEGIN
    DELETE FROM item_times WHERE block = old.rowid >> 10 AND NOT EXISTS
        (SELECT 1 FROM items WHERE rowid BETWEEN old.rowid >> 10 << 10 AND old.rowid | 1023);
END;
-- +goose StatementEnd

-- Questions of agents are stored with the permission requests.
ALTER TABLE permissions ADD COLUMN question TEXT; -- JSON; NULL for permission requests

PRAGMA user_version = 18;
