-- What a database of the eighth schema has besides, run after its migration.
UPDATE items SET waited = 1500, replaced = 1, cut_off = 1, retry = '{"reason":"connection closed","tookMs":900}' WHERE id = 'item2';
UPDATE turns SET waited = 1500;
UPDATE permissions SET reason = 'Use the other file.';
