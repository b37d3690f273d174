-- +goose Up

-- The words that the search index knows, in their order: where the beginning of
-- a word is searched for, those that begin so are looked up in it. It keeps
-- nothing of its own.
CREATE VIRTUAL TABLE search_words USING fts5vocab (search, instance);

PRAGMA user_version = 6;
