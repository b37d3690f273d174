-- What a database of the second schema has besides: run after its migration.
UPDATE chats SET permission_mode = 'accept_edits';
UPDATE acp_sessions SET options = '[{"id":"model","name":"Model","type":"select","value":"small"}]', tools = '[{"id":"view","name":"View"}]', title = 'Fixing tests', replaces_id = 'acp0';
UPDATE turns SET usage = '{"input":12,"output":34}', sent_at = 1763700002000 WHERE id = 'turn1';
UPDATE permissions SET mode = 'ask', outside = 1;
UPDATE permission_rules SET effect = 'deny', expires_at = 1863700006500;
INSERT INTO profiles (id, name, address, command, args, env, home, "key", created_at)
VALUES ('profile1', 'Another agent', 'localhost:4000', '/usr/bin/agent', '["--acp"]', '["AGENT_KEY"]', '/home/me/.agent', 'keychain', 1763700000000);
