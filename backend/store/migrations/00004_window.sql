-- +goose Up

-- What goes with a message: with its draft, while it is queued, and when it is
-- sent. The bytes of images are contents.
ALTER TABLE chats ADD COLUMN draft_with TEXT;          -- JSON
ALTER TABLE queued ADD COLUMN attachments TEXT;        -- JSON
ALTER TABLE items ADD COLUMN attachments TEXT;         -- JSON

ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;

-- A chat that the user deleted goes for good a moment later.
ALTER TABLE chats ADD COLUMN deleted_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN drop_sessions INTEGER NOT NULL DEFAULT 0;

PRAGMA user_version = 4;
