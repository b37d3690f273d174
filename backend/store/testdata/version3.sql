-- What a database of the third schema has besides: run after its migration.
INSERT INTO logins (id, host, login, kind, "key", created_at)
VALUES ('github.com/octocat', 'github.com', 'octocat', 'device', 'keychain', 1763700000000);
UPDATE profiles SET github = 1;
UPDATE chats SET main_id = 'provider1';
UPDATE turns SET main_id = 'provider1' WHERE id = 'turn1';
INSERT INTO items (id, chat_id, turn_id, parent_id, session, pos, kind, open, created_at, ended_at, has_error, block)
VALUES ('item6', 'chat', 'turn1', '', 'main', 6, 'block', 0, 1763700008000, 1763700009000, 0, '{"toolCallId":"call2","sessionName":"helper","turnId":"turn3","prompt":"Look after the walrus"}');
INSERT INTO turns (id, chat_id, session, state, stop_reason, started_at, ended_at, sent_at, block_id)
VALUES ('turn3', 'chat', 'helper', 'done', 'end_turn', 1763700008000, 1763700009000, 1763700008000, 'item6');
UPDATE providers SET kind = 'ollama', context = 32768;
