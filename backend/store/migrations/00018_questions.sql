-- +goose Up

ALTER TABLE permissions ADD COLUMN question TEXT; -- JSON; NULL for permission requests

PRAGMA user_version = 18;
