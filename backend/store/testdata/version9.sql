-- What a database of the ninth schema has besides, run after its migration.
UPDATE permissions SET protected = 'session';
