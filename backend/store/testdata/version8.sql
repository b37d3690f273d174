-- What a database of the eighth schema has besides, run after its migration.
-- Text that a later try repeated is not found by the search, so it is another item's.
UPDATE items SET waited = 1500, retry = '{"reason":"connection closed","tookMs":900}' WHERE id = 'item2';
UPDATE items SET replaced = 1, cut_off = 1 WHERE id = 'item1';
UPDATE turns SET waited = 1500;
UPDATE permissions SET reason = 'Use the other file.';
UPDATE permissions SET text_id = 'content1', creates = 1, marks = '[{"kind":"delete","start":0,"end":6,"part":"rm -rf","of":["dist"],"files":2}]';
