package keychain

import (
	"context"
	"errors"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Fallback keeps secrets in the keychain and, while that cannot be used, in
// memory until the app ends. It never writes them anywhere else. Its zero value
// is ready for use, from several goroutines.
type Fallback struct {
	mu   sync.Mutex // held over calls of the keychain: what is in memory and what is there change together
	held map[Entry]string
}

// Set keeps a secret and says where. An error means that it is kept nowhere.
func (f *Fallback) Set(ctx context.Context, e Entry, secret string) (backend.KeyPlace, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set(ctx, e, secret)
}

func (f *Fallback) set(ctx context.Context, e Entry, secret string) (backend.KeyPlace, error) {
	err := Set(ctx, e, secret)
	switch {
	case err == nil:
		delete(f.held, e)
		return backend.KeyKeychain, nil
	case errors.Is(err, ErrUnavailable):
		if f.held == nil {
			f.held = map[Entry]string{}
		}
		f.held[e] = secret
		return backend.KeyMemory, nil
	}
	return backend.KeyNone, err
}

// Get returns a secret and where it is. One that is held in memory is put into
// the keychain first, if that can be used by now. ErrNotFound comes with
// KeyMissing; after ErrUnavailable it is not known whether there is one.
func (f *Fallback) Get(ctx context.Context, e Entry) (string, backend.KeyPlace, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if secret, ok := f.held[e]; ok {
		place, err := f.set(ctx, e, secret)
		if err != nil {
			place = backend.KeyMemory // Only the caller went away.
		}
		return secret, place, nil
	}
	secret, err := Get(ctx, e)
	switch {
	case err == nil:
		return secret, backend.KeyKeychain, nil
	case errors.Is(err, ErrNotFound):
		return "", backend.KeyMissing, ErrNotFound
	}
	return "", backend.KeyNone, err
}

// Delete removes a secret from wherever it is. ErrUnavailable means that it is
// not known whether the keychain has one still.
func (f *Fallback) Delete(ctx context.Context, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, wasHeld := f.held[e]
	delete(f.held, e)
	err := Delete(ctx, e)
	if errors.Is(err, ErrNotFound) && wasHeld {
		return nil
	}
	return err
}
