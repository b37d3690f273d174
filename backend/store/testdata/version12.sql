-- What a database of the twelfth schema has besides, run after its migration.
INSERT INTO turn_undos VALUES ('turn1', 'chat', 'undone', 3, 10, 4, '"The folder was too large."', 1, 1763700103000, 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 1, 1, 1);
