package keychain

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zalando/go-keyring"

	"github.com/voxpilot/voxpilot/backend"
)

// partBytes is the size of the longest value in one entry of the system's
// keychain: Windows takes 2,560 bytes, macOS about 2,900 with the names.
const partBytes = 2000

// head begins the value of an entry whose secret is in parts: the number of
// parts and the name under which they are follow. Parts are written under a new
// name before the head and the old ones removed after it, so at any moment the
// head leads to a whole secret.
const head = "voxpilot-parts:"

func get(e Entry) (string, error) {
	value, err := keyring.Get(e.Service, e.Account)
	if err != nil {
		return "", err
	}
	n, name, ok := parseHead(value)
	if !ok {
		return value, nil
	}
	var b strings.Builder
	for i := range n {
		part, err := keyring.Get(e.Service, partAccount(e, name, i))
		if err != nil {
			if errors.Is(err, keyring.ErrNotFound) {
				err = backend.Problem("part %d of %d is missing", i+1, n) // The secret is damaged, not gone.
			}
			return "", err
		}
		b.WriteString(part)
	}
	return b.String(), nil
}

func set(e Entry, secret string) error {
	old, err := keyring.Get(e.Service, e.Account)
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return err
	}
	value := secret
	if len(secret) > partBytes || strings.HasPrefix(secret, head) {
		parts := cut(secret)
		name := strings.ToLower(rand.Text())
		value = fmt.Sprintf("%s%d:%s", head, len(parts), name)
		for i, part := range parts {
			if err := keyring.Set(e.Service, partAccount(e, name, i), part); err != nil {
				return errors.Join(err, removeParts(e, value))
			}
		}
	}
	if err := keyring.Set(e.Service, e.Account, value); err != nil {
		return errors.Join(err, removeParts(e, value))
	}
	if err := removeParts(e, old); err != nil {
		return err
	}
	// A dismissed prompt is no error to the Secret Service's client, and macOS
	// may refuse in words only.
	switch back, err := get(e); {
	case err != nil:
		return backend.Problem("reading it back: %w", notGone(err))
	case back != secret:
		return backend.Problem("it didn't store the value")
	}
	return nil
}

func remove(e Entry) error {
	value, err := keyring.Get(e.Service, e.Account)
	if err != nil {
		return err
	}
	if err := keyring.Delete(e.Service, e.Account); err != nil {
		return err
	}
	return removeParts(e, value)
}

// removeParts removes the parts that a value leads to. One that is missing is
// no error: it is to be removed.
func removeParts(e Entry, value string) error {
	n, name, ok := parseHead(value)
	if !ok {
		return nil
	}
	for i := range n {
		if err := keyring.Delete(e.Service, partAccount(e, name, i)); err != nil && !errors.Is(err, keyring.ErrNotFound) {
			return err
		}
	}
	return nil
}

func partAccount(e Entry, name string, i int) string {
	return e.Account + "/" + name + "/" + strconv.Itoa(i+1)
}

func parseHead(value string) (n int, name string, ok bool) {
	rest, ok := strings.CutPrefix(value, head)
	if !ok {
		return 0, "", false
	}
	count, name, ok := strings.Cut(rest, ":")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 || n > MaxBytes/partBytes*2 {
		return 0, "", false
	}
	return n, name, true
}

// cut divides a secret into parts, between runes where there are any.
func cut(secret string) []string {
	var parts []string
	for len(secret) > partBytes {
		at := partBytes
		for at > partBytes-utf8.UTFMax && !utf8.RuneStart(secret[at]) {
			at--
		}
		parts = append(parts, secret[:at])
		secret = secret[at:]
	}
	return append(parts, secret)
}

// notGone hides that an error says "not found", which would be taken for an
// answer about the entry.
func notGone(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return backend.Problem("it doesn't exist")
	}
	return err
}

// Fallback keeps secrets in the keychain and, while that cannot be used, in
// memory until the app ends. It never writes them anywhere else. Its zero value
// is ready for use, from several goroutines.
type Fallback struct {
	mu       sync.Mutex // held over calls of the keychain: what is in memory and what is there change together
	inMemory map[Entry]string
}

// Set keeps a secret and says where. An error means that it is kept nowhere.
func (f *Fallback) Set(ctx context.Context, e Entry, secret string) (backend.KeyStorage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set(ctx, e, secret)
}

func (f *Fallback) set(ctx context.Context, e Entry, secret string) (backend.KeyStorage, error) {
	err := Set(ctx, e, secret)
	switch {
	case err == nil:
		delete(f.inMemory, e)
		return backend.KeyKeychain, nil
	case errors.Is(err, ErrUnavailable):
		if f.inMemory == nil {
			f.inMemory = map[Entry]string{}
		}
		f.inMemory[e] = secret
		return backend.KeyMemory, nil
	}
	return backend.KeyNone, err
}

// Get returns a secret and where it is. One that is held in memory is put into
// the keychain first, if that can be used by now. ErrNotFound comes with
// KeyMissing; after ErrUnavailable it is not known whether there is one.
func (f *Fallback) Get(ctx context.Context, e Entry) (string, backend.KeyStorage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if secret, ok := f.inMemory[e]; ok {
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
	_, wasHeld := f.inMemory[e]
	delete(f.inMemory, e)
	err := Delete(ctx, e)
	if errors.Is(err, ErrNotFound) && wasHeld {
		return nil
	}
	return err
}
