-- +goose Up

-- Ranges of row numbers of items that were imported and are to be read for search.
CREATE TABLE search_ranges (
    first INTEGER NOT NULL PRIMARY KEY,
    last  INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 17;
