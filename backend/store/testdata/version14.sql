-- What a database of the fourteenth schema has besides, run after its migration.
INSERT INTO viewed_files VALUES ('chat', 'working', 'a.go', 'v1');
