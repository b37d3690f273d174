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

// partBytes is the maximum size in bytes of a value in one entry of the system's keychain: Windows allows 2,560 bytes,
// and macOS about 2,900 including the names.
const partBytes = 2000

// head is the prefix of the value of an entry whose secret is split into parts. It is followed by the number of
// parts and their name. New parts are written under a new name before the head is replaced, and old parts are
// deleted only afterward, so that the head always refers to a complete secret.
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
				err = backend.Problem("part %d of %d is missing", i+1, n) // damaged, not deleted
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
	// Reading the value back detects failures without an error: the Secret Service client returns none for
	// a dismissed prompt, and macOS may report a failure as text only.
	switch back, err := get(e); {
	case err != nil:
		return backend.Problem("couldn't read the stored value back: %w", maskNotFound(err))
	case back != secret:
		return backend.Problem("the keychain didn't store the value")
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

// removeParts deletes the parts that a value refers to. Missing parts are not an error.
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

// cut splits a secret into parts. If the secret is valid UTF-8, it is split between runes only.
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

// maskNotFound returns a different error in place of keyring.ErrNotFound, from which callers would conclude that the
// entry was deleted. It returns all other errors unchanged.
func maskNotFound(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return backend.Problem("the keychain entry doesn't exist")
	}
	return err
}

// Fallback stores secrets in the keychain or, while the keychain is unavailable, in
// memory until the app exits. It never writes them anywhere else. The zero value is
// ready to use. It is safe for concurrent use.
type Fallback struct {
	mu       sync.Mutex // held during keychain calls, so that memory and keychain change together
	inMemory map[Entry]string
}

// Set stores a secret and returns where it was stored. After an error, the entry's earlier secret may remain. If ctx
// ended during the call, the keychain may still store the new secret.
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

// Get returns a secret and where it is stored. If the secret is in memory, Get first tries to move it to the
// keychain. If the secret doesn't exist, Get returns KeyMissing and ErrNotFound. ErrUnavailable means that
// the secret may exist.
func (f *Fallback) Get(ctx context.Context, e Entry) (string, backend.KeyStorage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if secret, ok := f.inMemory[e]; ok {
		place, err := f.set(ctx, e, secret)
		if err != nil {
			place = backend.KeyMemory // set fails here only if the caller has canceled
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

// Delete deletes a secret from memory and from the keychain. ErrUnavailable means that
// the keychain may still have it.
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
