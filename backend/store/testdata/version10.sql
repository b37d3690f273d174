-- What a database of the tenth schema has besides, run after its migration.
INSERT INTO trusted_folders VALUES ('/home/u/project/.git', '/home/u/project', 1, 1763700110000);
INSERT INTO trusted_entries VALUES ('3f', '/home/u/project/.git', '.github/hooks/e.json', 'hooks.sessionStart', 'a1', './start.sh', 1763700110000);
