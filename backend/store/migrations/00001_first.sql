-- The first schema.
--
-- Ids are text and minted by the app. Times are milliseconds since the Unix
-- epoch, 0 is "not yet". Sizes and offsets are bytes. Booleans are 0 and 1.
-- Columns that say JSON hold one small value that is always read and written
-- whole, NULL where there is none. user_version repeats goose's number in the header of the file, so
-- that it can be read without opening the database. Every table has row numbers:
-- by them, what is readable of a damaged one is found.

-- +goose Up

-- A conversation in one folder.
CREATE TABLE chats (
    id            TEXT    NOT NULL PRIMARY KEY,
    title         TEXT    NOT NULL,
    title_by_user INTEGER NOT NULL,
    folder        TEXT    NOT NULL,
    provider_id   TEXT    NOT NULL,
    turn_state    TEXT    NOT NULL,
    turn_since    INTEGER NOT NULL,
    detail        TEXT    NOT NULL,
    unread        INTEGER NOT NULL,
    draft         TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;

-- The names of a chat's ACP sessions, and the ids the agent knows them by.
CREATE TABLE acp_sessions (
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL,
    acp_id     TEXT    NOT NULL,
    cwd        TEXT    NOT NULL,
    home       TEXT    NOT NULL,
    had_prompt INTEGER NOT NULL,
    state      TEXT    NOT NULL,
    mode       TEXT    NOT NULL,
    allow_all  INTEGER NOT NULL,
    modes      TEXT,             -- JSON
    commands   TEXT,             -- JSON
    used       INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (chat_id, name)
) STRICT;

-- One prompt to one session, and how it ended.
CREATE TABLE turns (
    id          TEXT    NOT NULL PRIMARY KEY,
    chat_id     TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    session     TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    stop_reason TEXT    NOT NULL,
    error       TEXT,             -- JSON
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX turns_of_chat ON turns (chat_id);
CREATE INDEX turns_running ON turns (state) WHERE state = 'running';

-- The transcript: one row for each entry, in the order of pos. parent_id is the
-- block an entry belongs to, '' for the transcript itself.
CREATE TABLE items (
    id         TEXT    NOT NULL PRIMARY KEY,
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    turn_id    TEXT    NOT NULL,
    parent_id  TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    pos        INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    open       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    tool       TEXT,             -- JSON
    plan       TEXT,             -- JSON
    banner     TEXT,             -- JSON
    has_error  INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX items_in_order ON items (chat_id, pos);
CREATE INDEX items_of_parent ON items (chat_id, parent_id, pos);
CREATE INDEX items_open ON items (open) WHERE open = 1;

-- The text of items, in pieces that follow one another without a gap.
CREATE TABLE texts (
    item_id TEXT    NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    offset  INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (item_id, offset)
) STRICT;

-- Tool output, diffs, commands, images: the facts about each, …
CREATE TABLE contents (
    id      TEXT    NOT NULL PRIMARY KEY,
    item_id TEXT    NOT NULL,
    chat_id TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    type    TEXT    NOT NULL,
    path    TEXT    NOT NULL,
    mime    TEXT    NOT NULL,
    size    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    added   INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    lines   INTEGER NOT NULL
) STRICT;

CREATE INDEX contents_of_chat ON contents (chat_id);
CREATE INDEX contents_of_item ON contents (item_id);

-- … and the body, in pieces, so that a part of a large one is read alone.
CREATE TABLE content_bodies (
    content_id TEXT    NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    offset     INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    PRIMARY KEY (content_id, offset)
) STRICT;

-- Every permission request and what became of it. raw is the request as the
-- agent sent it.
CREATE TABLE permissions (
    id         TEXT    NOT NULL PRIMARY KEY,
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    turn_id    TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    item_id    TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    "to"       TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    content_id TEXT    NOT NULL,
    options    TEXT,             -- JSON
    scope      TEXT,             -- JSON
    decision   TEXT    NOT NULL,
    option_id  TEXT    NOT NULL,
    rule_id    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    commands   TEXT,             -- JSON
    raw        BLOB
) STRICT;

CREATE INDEX permissions_of_chat ON permissions (chat_id);
CREATE INDEX permissions_of_item ON permissions (item_id);
CREATE INDEX permissions_open ON permissions (state) WHERE state = 'open';

-- Permissions that the user gave for good.
CREATE TABLE permission_rules (
    id         TEXT    NOT NULL PRIMARY KEY,
    kind       TEXT    NOT NULL,
    folder     TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Prompts that wait for their session to be free; smaller pos goes first.
CREATE TABLE queued (
    id         TEXT    NOT NULL PRIMARY KEY,
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    text       TEXT    NOT NULL,
    pos        INTEGER NOT NULL,
    paused     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX queued_of_chat ON queued (chat_id, pos);

-- Model endpoints of the user's own. Their keys are in the keychain.
CREATE TABLE providers (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    base_url   TEXT    NOT NULL,
    headers    TEXT,             -- JSON
    models     TEXT,             -- JSON
    model      TEXT    NOT NULL,
    "key"      TEXT    NOT NULL, -- where it is kept, never the key itself
    checked_at INTEGER NOT NULL,
    "check"    TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The user's choices; what is not here has its default.
CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL -- JSON
) STRICT;

-- Updates of kinds that VoxPilot does not know, as they came.
CREATE TABLE unknown_updates (
    id      TEXT    NOT NULL PRIMARY KEY,
    chat_id TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    session TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    raw     BLOB
) STRICT;

CREATE INDEX unknown_updates_of_chat ON unknown_updates (chat_id);

PRAGMA user_version = 1;
