package store

import (
	"context"
	"encoding/json"

	"github.com/voxpilot/voxpilot/backend"
)

// words turns rows into words.
func words[Row, Word any](rows []Row, word func(Row) Word) []Word {
	list := make([]Word, len(rows))
	for i, row := range rows {
		list[i] = word(row)
	}
	return list
}

func chatWord(r chatRow) backend.Chat                   { return backend.Chat(r) }
func sessionWord(r sessionRow) backend.Session          { return backend.Session(r) }
func turnWord(r turnRow) backend.Turn                   { return backend.Turn(r) }
func itemWord(r itemRow) backend.Item                   { return backend.Item(r) }
func contentWord(r contentRow) backend.Content          { return backend.Content(r) }
func permissionWord(r permissionRow) backend.Permission { return backend.Permission(r) }
func ruleWord(r ruleRow) backend.Rule                   { return backend.Rule(r) }
func queuedWord(r queuedRow) backend.Queued             { return backend.Queued(r) }
func providerWord(r providerRow) backend.Provider       { return backend.Provider(r) }

// Chat is the chat with this id.
func (v *View) Chat(ctx context.Context, id string) (backend.Chat, error) {
	var rows []chatRow
	if err := v.query(ctx, &rows, "SELECT * FROM chats WHERE id = ?", id); err != nil {
		return backend.Chat{}, err
	}
	if len(rows) == 0 {
		return backend.Chat{}, notFound("chat")
	}
	return backend.Chat(rows[0]), nil
}

// Chats are all chats, the newest activity first.
func (v *View) Chats(ctx context.Context) ([]backend.Chat, error) {
	var rows []chatRow
	err := v.query(ctx, &rows, "SELECT * FROM chats ORDER BY updated_at DESC, id")
	return words(rows, chatWord), err
}

// Sessions are the sessions of a chat, in the order in which they were made.
func (v *View) Sessions(ctx context.Context, chatID string) ([]backend.Session, error) {
	var rows []sessionRow
	err := v.query(ctx, &rows, "SELECT * FROM acp_sessions WHERE chat_id = ? ORDER BY created_at, name", chatID)
	return words(rows, sessionWord), err
}

// QueuedOf are the prompts that wait in a chat, in their order.
func (v *View) QueuedOf(ctx context.Context, chatID string) ([]backend.Queued, error) {
	var rows []queuedRow
	err := v.query(ctx, &rows, "SELECT * FROM queued WHERE chat_id = ? ORDER BY pos, created_at, id", chatID)
	return words(rows, queuedWord), err
}

// Permission is the request with this id, with all that was kept of it.
func (v *View) Permission(ctx context.Context, id string) (backend.Permission, error) {
	var rows []permissionRow
	if err := v.query(ctx, &rows, "SELECT * FROM permissions WHERE id = ?", id); err != nil {
		return backend.Permission{}, err
	}
	if len(rows) == 0 {
		return backend.Permission{}, notFound("request")
	}
	return backend.Permission(rows[0]), nil
}

// Rules are the permissions that the user gave for good, the oldest first.
func (v *View) Rules(ctx context.Context) ([]backend.Rule, error) {
	var rows []ruleRow
	err := v.query(ctx, &rows, "SELECT * FROM permission_rules ORDER BY created_at, id")
	return words(rows, ruleWord), err
}

// Providers are the user's own model endpoints, the oldest first.
func (v *View) Providers(ctx context.Context) ([]backend.Provider, error) {
	var rows []providerRow
	err := v.query(ctx, &rows, "SELECT * FROM providers ORDER BY created_at, id")
	return words(rows, providerWord), err
}

// Settings are the user's choices, with the defaults for what was not chosen.
func (v *View) Settings(ctx context.Context) (backend.Settings, error) {
	settings := backend.DefaultSettings()
	var chosen string
	if err := v.query(ctx, &chosen, "SELECT json_group_object(key, json(value)) FROM settings"); err != nil {
		return settings, err
	}
	if err := json.Unmarshal([]byte(chosen), &settings); err != nil {
		return settings, v.failed(err)
	}
	return settings, nil
}

// read is one read in a view of its own.
func read[T any](ctx context.Context, s *Store, do func(*View) (T, error)) (result T, err error) {
	err = s.View(ctx, func(v *View) error {
		result, err = do(v)
		return err
	})
	return result, err
}

// Chat is View.Chat, now.
func (s *Store) Chat(ctx context.Context, id string) (backend.Chat, error) {
	return read(ctx, s, func(v *View) (backend.Chat, error) { return v.Chat(ctx, id) })
}

// Chats is View.Chats, now.
func (s *Store) Chats(ctx context.Context) ([]backend.Chat, error) {
	return read(ctx, s, func(v *View) ([]backend.Chat, error) { return v.Chats(ctx) })
}

// Sessions is View.Sessions, now.
func (s *Store) Sessions(ctx context.Context, chatID string) ([]backend.Session, error) {
	return read(ctx, s, func(v *View) ([]backend.Session, error) { return v.Sessions(ctx, chatID) })
}

// QueuedOf is View.QueuedOf, now.
func (s *Store) QueuedOf(ctx context.Context, chatID string) ([]backend.Queued, error) {
	return read(ctx, s, func(v *View) ([]backend.Queued, error) { return v.QueuedOf(ctx, chatID) })
}

// Permission is View.Permission, now.
func (s *Store) Permission(ctx context.Context, id string) (backend.Permission, error) {
	return read(ctx, s, func(v *View) (backend.Permission, error) { return v.Permission(ctx, id) })
}

// Rules is View.Rules, now.
func (s *Store) Rules(ctx context.Context) ([]backend.Rule, error) {
	return read(ctx, s, func(v *View) ([]backend.Rule, error) { return v.Rules(ctx) })
}

// Providers is View.Providers, now.
func (s *Store) Providers(ctx context.Context) ([]backend.Provider, error) {
	return read(ctx, s, func(v *View) ([]backend.Provider, error) { return v.Providers(ctx) })
}

// Settings is View.Settings, now.
func (s *Store) Settings(ctx context.Context) (backend.Settings, error) {
	return read(ctx, s, func(v *View) (backend.Settings, error) { return v.Settings(ctx) })
}
