-- What a database of the seventh schema has besides, run after its migration.
UPDATE permissions SET files = '[{"path":"/home/me/app/app.go","contentId":"content1"},{"path":"/home/me/app/go.mod"}]';
