-- +goose Up

-- Sessions of the Copilot CLI whose texts the search finds, with the part of the log that was read.
CREATE TABLE session_logs (
    id         INTEGER NOT NULL PRIMARY KEY,
    home       TEXT    NOT NULL,
    session_id TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    folder     TEXT    NOT NULL,
    offset     INTEGER NOT NULL,
    "check"    INTEGER NOT NULL, -- hash of the bytes before offset
    UNIQUE (home, session_id)
) STRICT;

-- The texts of these sessions. The row of a text in the search index has the same row number, which is derived from
-- the text's time.
CREATE TABLE session_texts (
    id     INTEGER NOT NULL PRIMARY KEY,
    log_id INTEGER NOT NULL REFERENCES session_logs (id) ON DELETE CASCADE,
    kind   TEXT    NOT NULL,
    tool   TEXT    NOT NULL,
    agent  INTEGER NOT NULL, -- the text is from a subagent
    at     INTEGER NOT NULL,
    body   TEXT    NOT NULL
) STRICT;

CREATE INDEX session_texts_of_log ON session_texts (log_id, id);

-- Ranges of row numbers of items that were imported and are to be read for search.
CREATE TABLE search_ranges (
    first INTEGER NOT NULL PRIMARY KEY,
    last  INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 17;
