-- What a database of the fourth schema has besides: run after its migration.
INSERT INTO contents (id, item_id, chat_id, type, path, mime, size, version, added, removed, lines)
VALUES ('content2', '', 'chat', 'image', '', 'image/png', 4, 1, 0, 0, 0);
INSERT INTO content_bodies (content_id, offset, body) VALUES ('content2', 0, X'89504E47');
UPDATE chats SET draft_with = '[{"kind":"image","name":"a.png","contentId":"content2"}]', pinned = 1;
UPDATE queued SET attachments = '[{"kind":"file","name":"app.go","path":"/home/me/app/app.go"}]';
UPDATE items SET attachments = '[{"kind":"file","name":"app_test.go","path":"/home/me/app/app_test.go"}]' WHERE id = 'item1';
INSERT INTO chats (id, title, title_by_user, folder, provider_id, turn_state, turn_since, detail, unread, draft, created_at, updated_at,
    permission_mode, main_id, pinned, archived, deleted_at, drop_sessions)
VALUES ('chat2', 'Put aside', 1, '/home/me/app', 'copilot', '', 0, '', 0, '', 1763700000000, 1763700000000, 'ask', '', 0, 1, 1763700200000, 1);
