-- What a database of the fifteenth schema has besides, run after its migration.
INSERT INTO review_comments VALUES ('comment1', 'chat', 'a.go', 'new', 4, 5, 'Say why', 'x := 1', 'answered', 'user', 'turn1', 'item1', 1763700106000, 1763700107000, 1763700108000, 1763700109000, 'hash1');
INSERT INTO review_texts VALUES ('chat', 'hash1', x'78');
