-- What a database of the seventeenth schema has besides, run after its migration.
INSERT INTO session_logs VALUES (1, '/home/anna/.copilot', 'session', 'Refresh', '/home/anna/code', 120, 7);
INSERT INTO session_texts VALUES (1000000000001, 1, 'user', 'bash', 1, 1763700101000, 'a text of a session');
INSERT INTO search_ranges VALUES (900000, 900001);
