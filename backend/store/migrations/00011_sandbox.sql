-- +goose Up

-- Where the chat's commands run, and the part of the sandbox in a request.
ALTER TABLE chats ADD COLUMN sandbox TEXT;                              -- JSON
ALTER TABLE permissions ADD COLUMN sandbox TEXT NOT NULL DEFAULT '';
ALTER TABLE permissions ADD COLUMN earlier TEXT;                        -- JSON

PRAGMA user_version = 11;
