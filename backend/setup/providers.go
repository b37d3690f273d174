package setup

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// keyOf returns the keychain entry for a provider's key.
func keyOf(providerID string) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: "provider/" + providerID}
}

// CheckExists returns an error unless id is the ID of Copilot or of an existing provider or custom agent.
func (m *Manager) CheckExists(id string) error {
	if id == backend.ProviderCopilot {
		return nil
	}
	if m.IsCustomAgent(id) {
		return nil
	}
	_, err := m.Provider(id)
	return err
}

// errNoModel is returned for a chat whose provider or custom agent was deleted.
var errNoModel = &backend.Error{
	Code:    backend.CodeNotFound,
	Message: backend.Say("This chat's model or agent was removed in Settings. Choose another one to continue. The conversation is kept."),
}

// storeSecret stores secret in the keychain under entry, and returns the place where it is stored. If secret is "", it
// deletes the entry. The returned function undo restores the previous secret. The caller must call undo if the database
// row that refers to the secret can't be saved.
func (m *Manager) storeSecret(ctx context.Context, entry keychain.Entry, secret, previous string) (place backend.KeyStorage, undo func(), err error) {
	set := func(ctx context.Context, secret string) (backend.KeyStorage, error) {
		if secret == "" {
			err := m.cfg.Keys.Delete(ctx, entry)
			if errors.Is(err, keychain.ErrNotFound) {
				err = nil
			}
			return backend.KeyNone, err
		}
		m.cfg.Redact(secret)
		return m.cfg.Keys.Set(ctx, entry, secret)
	}
	place, err = set(ctx, secret)
	return place, func() {
		ctx, cancel := context.WithTimeout(m.cfg.Life, undoTime)
		defer cancel()
		if _, err := set(ctx, previous); err != nil {
			m.cfg.Log.Error("couldn't restore a secret in the keychain", "account", entry.Account, "err", err)
		}
	}, err
}

// Provider returns a model endpoint, or an error if it was removed.
func (m *Manager) Provider(id string) (backend.Provider, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.providers[id]
	if !ok {
		return p, errNoModel
	}
	p.Headers, p.Models = maps.Clone(p.Headers), slices.Clone(p.Models)
	return p, nil
}

// ProviderWithKey returns a provider and its key. The key is "" if the provider needs none.
func (m *Manager) ProviderWithKey(ctx context.Context, id string) (backend.Provider, string, error) {
	p, err := m.Provider(id)
	if err != nil || p.Key == backend.KeyNone {
		return p, "", err
	}
	key, place, err := m.cfg.Keys.Get(ctx, keyOf(id))
	switch {
	case err == nil:
		m.cfg.Redact(key)
		if place != p.Key {
			p.Key = place
			m.put(p)
		}
		return p, key, nil
	case errors.Is(err, keychain.ErrNotFound):
		p.Key = backend.KeyMissing
		m.put(p)
		return p, "", &backend.Error{Code: backend.CodeAuth, Message: backend.Say("The key for %s is no longer in the keychain. Enter it again in Settings.", p.Name)}
	default:
		return p, "", &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the key for %s from the system keychain. If the keychain is locked, unlock it, then try again.", p.Name), Detail: err.Error()}
	}
}

// put updates a provider in memory and publishes it. It does nothing if the provider was removed.
func (m *Manager) put(p backend.Provider) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.providers[p.ID]; ok {
		m.providers[p.ID] = p
		m.cfg.Publish(backend.Event{Provider: &p})
	}
}

// SaveProvider saves a provider. A new key is stored in the keychain first, so that the provider's database row never
// refers to a missing key. If the row can't be saved, the old key is restored, provided that it could be read. If key
// is "", the stored key remains.
func (m *Manager) SaveProvider(ctx context.Context, p backend.Provider, key string) (backend.Provider, error) {
	p.Name, p.BaseURL, p.Model = strings.TrimSpace(p.Name), strings.TrimRight(strings.TrimSpace(p.BaseURL), "/"), strings.TrimSpace(p.Model)
	key = strings.TrimSpace(key)
	p.Key = backend.KeyNone
	if p.ID == "" {
		p.ID, p.CreatedAt = backend.NewID(), backend.Now()
	} else {
		old, err := m.Provider(p.ID)
		if err != nil {
			return p, err
		}
		p.Key, p.CreatedAt = old.Key, old.CreatedAt
		if p.Model != old.Model && p.Context == old.Context {
			p.Context = 0 // it belonged to the other model
		}
	}
	checked := p
	if key != "" {
		checked.Key = backend.KeyKeychain // its presence affects the validation
	}
	if err := llm.Validate(checked); err != nil {
		return p, err
	}
	undo := func() {}
	if key != "" {
		was, _, err := m.cfg.Keys.Get(ctx, keyOf(p.ID))
		if err != nil {
			was = "" // missing or unreadable, so it can't be restored
		}
		if p.Key, undo, err = m.storeSecret(ctx, keyOf(p.ID), key, was); err != nil {
			return p, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't save the key: %s", err)}
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.cfg.Commit(ctx, backend.Event{Provider: &p}); err != nil {
		undo()
		return p, backend.NotSaved(backend.Say("the model"), err)
	}
	before := m.providers[p.ID]
	m.providers[p.ID] = p
	if before.Model != p.Model {
		m.cfg.ModelChanged(p.ID)
	}
	return p, nil
}

// DeleteProvider deletes a provider and its key. Its chats remain, but sending a
// message in them fails because the model is no longer set up.
func (m *Manager) DeleteProvider(ctx context.Context, id string) error {
	p, err := m.Provider(id)
	if err != nil {
		return err
	}
	// This removes a key kept in memory even if the keychain is still unavailable.
	err = m.cfg.Keys.Delete(ctx, keyOf(id))
	if p.Key == backend.KeyKeychain && err != nil && !errors.Is(err, keychain.ErrNotFound) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't remove the key from the keychain, so the model wasn't removed. If the keychain is locked, unlock it, then try again."), Detail: err.Error()}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	events, settings := []backend.Event{{ProviderDeleted: &backend.Deleted{ID: id}}}, m.settings
	if settings.OrchestratorID == id { // new chats use Copilot again
		settings.OrchestratorID = ""
		events = append(events, backend.Event{Settings: &settings})
	}
	if err := m.cfg.Commit(ctx, events...); err != nil {
		return backend.NotSaved(backend.Say("the change"), err)
	}
	delete(m.providers, id)
	m.settings = settings
	return nil
}

// checkTime is the time limit for checking an endpoint.
const checkTime = 15 * time.Second

// CheckProvider checks a provider's endpoint in the background by requesting its
// models, and publishes the result.
func (m *Manager) CheckProvider(id string) error {
	if _, err := m.Provider(id); err != nil {
		return err
	}
	m.cfg.Go(func() {
		ctx, cancel := context.WithTimeout(m.cfg.Life, checkTime)
		defer cancel()
		p, key, err := m.ProviderWithKey(ctx, id)
		var models []string
		var fits int64
		model := p.Model
		if err == nil {
			var bad *backend.Error
			if models, fits, bad = m.cfg.Check(ctx, p, key); bad != nil {
				err = bad
			}
		}
		if p, e2 := m.Provider(id); e2 == nil { // read again, because it may have changed during the check
			p.CheckedAt, p.Check = backend.Now(), backend.Message{}
			if err != nil {
				p.Check = backend.MessageOf(err)
			} else {
				p.Models = models
				if p.Context == 0 && p.Model == model {
					p.Context = fits // the user's setting takes precedence
				}
			}
			m.put(p)
		}
	})
	return nil
}
