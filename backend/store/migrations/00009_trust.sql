-- +goose Up

-- Why an edit was asked for in every mode.
ALTER TABLE permissions ADD COLUMN protected TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 9;
