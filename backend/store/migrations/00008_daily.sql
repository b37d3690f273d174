-- +goose Up

-- How much of an item's and a turn's time was spent waiting for the user, in
-- milliseconds; text that a later try of the same model call repeated, text that
-- no try completed, and the tries themselves.
ALTER TABLE items ADD COLUMN waited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN cut_off INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN retry TEXT;                      -- JSON
ALTER TABLE turns ADD COLUMN waited INTEGER NOT NULL DEFAULT 0;

-- What the user wrote with a rejection.
ALTER TABLE permissions ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- What the agent itself says of a request, whether an edit creates its file, and
-- the parts of a command that can do harm.
ALTER TABLE permissions ADD COLUMN text_id TEXT NOT NULL DEFAULT '';
ALTER TABLE permissions ADD COLUMN creates INTEGER NOT NULL DEFAULT 0;
ALTER TABLE permissions ADD COLUMN marks TEXT;                -- JSON

PRAGMA user_version = 8;
