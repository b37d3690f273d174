-- A database of VoxPilot's first schema, as the app wrote it: every table has
-- rows, and one turn was running when it ended. It is never changed; a later
-- schema is tested by migrating it.
BEGIN TRANSACTION;
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
INSERT INTO "acp_sessions" VALUES('chat','main','acp1','/home/me/app','',1,'loaded','agent',0,'[{"id":"agent","name":"Agent"}]','[{"id":"help","name":"help"}]',1000,100000,1763700003000,1763700100000);
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
INSERT INTO "chats" VALUES('chat','Fix the tests',0,'/home/me/app','copilot','running',1763700100000,'',0,'and then',1763700000000,1763700100000);
CREATE TABLE content_bodies (
    content_id TEXT    NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
    offset     INTEGER NOT NULL,
    body       BLOB    NOT NULL,
    PRIMARY KEY (content_id, offset)
) STRICT;
INSERT INTO "content_bodies" VALUES('content1',0,X'4040202D31202B312C322040400A2D610A2B620A2B630A');
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
INSERT INTO "contents" VALUES('content1','item3','chat','diff','/home/me/app/app.go','',23,1,2,1,4);
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO "goose_db_version" VALUES(1,0,1,'2025-11-21 00:00:00');
INSERT INTO "goose_db_version" VALUES(2,1,1,'2025-11-21 00:00:00');
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
INSERT INTO "items" VALUES('item1','chat','turn1','','main',1,'user',0,1763700001000,1763700001000,NULL,NULL,NULL,0);
INSERT INTO "items" VALUES('item2','chat','turn1','','main',2,'message',0,1763700005000,1763700005000,NULL,NULL,NULL,0);
INSERT INTO "items" VALUES('item3','chat','turn1','','main',3,'tool',0,1763700006000,1763700007000,'{"callId":"call1","title":"Edit app.go","kind":"edit","status":"completed","path":"/home/me/app/app.go","decision":"always_allowed"}',NULL,NULL,0);
INSERT INTO "items" VALUES('item4','chat','turn2','','main',4,'user',0,1763700100000,1763700100000,NULL,NULL,NULL,0);
INSERT INTO "items" VALUES('item5','chat','turn2','','main',5,'message',1,1763700102000,0,NULL,NULL,NULL,0);
CREATE TABLE permission_rules (
    id         TEXT    NOT NULL PRIMARY KEY,
    kind       TEXT    NOT NULL,
    folder     TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "permission_rules" VALUES('rule1','edits','/home/me/app','',1763700006500);
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
INSERT INTO "permissions" VALUES('permission1','chat','turn1','main','item3','decided','Edit app.go','edit','/home/me/app/app.go','','','','[{"id":"allow_once","kind":"allow_once","name":"Allow"}]','{"kind":"edits","folder":"/home/me/app"}','always_allowed','allow_once','rule1',1763700006000,1763700006500,NULL,X'7B22746F6F6C43616C6C223A7B7D7D');
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
INSERT INTO "providers" VALUES('provider1','Ollama','http://127.0.0.1:11434/v1',NULL,'["qwen3"]','qwen3','keychain',0,'',1763700000000);
CREATE TABLE queued (
    id         TEXT    NOT NULL PRIMARY KEY,
    chat_id    TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    text       TEXT    NOT NULL,
    pos        INTEGER NOT NULL,
    paused     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "queued" VALUES('queued1','chat','and the changelog',1,0,1763700101000);
CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL -- JSON
) STRICT;
INSERT INTO "settings" VALUES('theme','"dark"');
INSERT INTO "settings" VALUES('contrast','"system"');
INSERT INTO "settings" VALUES('motion','"system"');
INSERT INTO "settings" VALUES('setupDone','true');
CREATE TABLE texts (
    item_id TEXT    NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    offset  INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (item_id, offset)
) STRICT;
INSERT INTO "texts" VALUES('item1',0,X'46697820746865207465737473');
INSERT INTO "texts" VALUES('item2',0,X'54686579206172652066697865642E204772C3B6C39F653A203520C2B56D2E');
INSERT INTO "texts" VALUES('item4',0,X'4E6F772074686520646F63756D656E746174696F6E');
INSERT INTO "texts" VALUES('item5',0,X'492077696C6C');
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
INSERT INTO "turns" VALUES('turn1','chat','main','done','end_turn',NULL,1763700001000,1763700060000);
INSERT INTO "turns" VALUES('turn2','chat','main','running','',NULL,1763700100000,0);
CREATE TABLE unknown_updates (
    id      TEXT    NOT NULL PRIMARY KEY,
    chat_id TEXT    NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    session TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    raw     BLOB
) STRICT;
INSERT INTO "unknown_updates" VALUES('unknown1','chat','main','new_kind',1763700005000,X'7B2261223A317D');
CREATE INDEX turns_of_chat ON turns (chat_id);
CREATE INDEX turns_running ON turns (state) WHERE state = 'running';
CREATE UNIQUE INDEX items_in_order ON items (chat_id, pos);
CREATE INDEX items_of_parent ON items (chat_id, parent_id, pos);
CREATE INDEX items_open ON items (open) WHERE open = 1;
CREATE INDEX contents_of_chat ON contents (chat_id);
CREATE INDEX contents_of_item ON contents (item_id);
CREATE INDEX permissions_of_chat ON permissions (chat_id);
CREATE INDEX permissions_of_item ON permissions (item_id);
CREATE INDEX permissions_open ON permissions (state) WHERE state = 'open';
CREATE INDEX queued_of_chat ON queued (chat_id, pos);
CREATE INDEX unknown_updates_of_chat ON unknown_updates (chat_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('goose_db_version',2);
COMMIT;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
