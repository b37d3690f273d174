-- What a database of the sixteenth schema has besides, run after its migration.
INSERT INTO review_drafts VALUES ('chat', '{"note":"later"}');
