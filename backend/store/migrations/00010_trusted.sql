-- +goose Up

-- The folders in which agents may run what is there.
CREATE TABLE trusted_folders (
    "key"      TEXT    NOT NULL PRIMARY KEY, -- the git directory that all worktrees share, or the folder
    folder     TEXT    NOT NULL,
    entries    INTEGER NOT NULL,             -- how many things are trusted
    trusted_at INTEGER NOT NULL
) STRICT;

-- What is trusted in each of them, by its content.
CREATE TABLE trusted_entries (
    id         TEXT    NOT NULL PRIMARY KEY, -- a digest of folder_key, file, key and digest
    folder_key TEXT    NOT NULL REFERENCES trusted_folders ("key") ON DELETE CASCADE,
    file       TEXT    NOT NULL,
    "key"      TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    value      TEXT    NOT NULL,             -- as it was shown
    trusted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX trusted_entries_folder ON trusted_entries (folder_key, trusted_at);

PRAGMA user_version = 10;
