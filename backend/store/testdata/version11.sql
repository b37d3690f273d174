-- What a database of the eleventh schema has besides, run after its migration.
UPDATE chats SET sandbox = '{"on":true,"network":"off"}';
UPDATE permissions SET sandbox = 'inside', earlier = '"It already ran."';
