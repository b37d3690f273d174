-- +goose Up

-- The files of a request that is about several, each with its preview.
ALTER TABLE permissions ADD COLUMN files TEXT;                -- JSON

PRAGMA user_version = 7;
