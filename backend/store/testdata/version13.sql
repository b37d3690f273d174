-- What a database of the thirteenth schema has besides, run after its migration.
INSERT INTO asides VALUES ('aside1', 'chat', 'aside', 'turn1', 'turn9', 'both', 1763700104000, 1763700103000, 2, 'copilot', '[{"name": "main"}]', 'b1', 'b2', 3, 1763700105000, 'b3', 'b4');
INSERT INTO turns (id, chat_id, session, state, stop_reason, started_at, ended_at, aside) VALUES ('turn9', 'chat', 'main', 'done', '', 1763700103000, 1763700104000, 'aside1');
INSERT INTO items (id, chat_id, turn_id, parent_id, session, pos, kind, open, created_at, ended_at, has_error, aside)
VALUES ('item9', 'chat', 'turn9', '', 'main', 1000, 'user', 0, 1763700103000, 1763700103000, 0, 'aside1');
