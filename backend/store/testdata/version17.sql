-- What a database of the seventeenth schema has besides, run after its migration.
INSERT INTO session_logs VALUES (1, '/home/ada/.copilot', 'session', 'A session', '/home/ada/shop', 120, 7);
INSERT INTO session_texts VALUES (17592186044417, 1, 'user', 'execute', 1, 1763700000000, 'marmalade');
INSERT INTO search_ranges VALUES (1, 2);
