// Package keychain keeps secrets in the system's keychain: the Secret Service
// on Linux, the Keychain on macOS, the Credential Manager on Windows.
//
// The system's keychain may be missing, locked, or wait for a person for ever.
// So every call is bounded in time, at most one call is ever left hanging, and
// whoever calls learns only three things apart: it is there, it is not there
// (ErrNotFound), or it cannot be told now (ErrUnavailable). Only ErrNotFound
// means that a secret is gone.
package keychain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/zalando/go-keyring"
)

// Service is the service that VoxPilot's entries are of.
const Service = "VoxPilot"

// MaxBytes is the size of the longest secret that is kept.
const MaxBytes = 16 << 10

// limit is how long a call may take: a keychain that answers does so in
// milliseconds, one that waits for a person may never do.
const limit = 3 * time.Second

// The errors that callers tell apart.
var (
	ErrNotFound    = backend.Problem("the keychain has no such entry")
	ErrUnavailable = backend.Problem("the system keychain isn't available")
	ErrTooLarge    = backend.Problem("the secret is longer than %d bytes", MaxBytes)

	errHanging  = backend.Problem("it hasn't responded to an earlier request; it may be waiting to be unlocked")
	errNoAnswer = backend.Problem("it didn't respond within %v; it may be waiting to be unlocked", limit)
)

// Entry names a secret.
type Entry struct {
	Service string // Service, but for tests
	Account string // "provider/<id>" or "github.com/<login>"
}

// Get returns the secret of an entry.
func Get(ctx context.Context, e Entry) (string, error) {
	return call(ctx, func() (string, error) { return get(e) })
}

// Set makes secret the secret of an entry. When it returns nil, the secret was
// read back.
func Set(ctx context.Context, e Entry, secret string) error {
	if len(secret) > MaxBytes {
		return ErrTooLarge
	}
	_, err := call(ctx, func() (string, error) { return "", set(e, secret) })
	return err
}

// Delete removes an entry. It is ErrNotFound where there is none.
func Delete(ctx context.Context, e Entry) error {
	_, err := call(ctx, func() (string, error) { return "", remove(e) })
	return err
}

// Check returns nil where the keychain can be used and ErrUnavailable where it
// cannot. It reads an entry that nobody has set.
func Check(ctx context.Context) error {
	_, err := Get(ctx, Entry{Service: Service, Account: "check"})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// serial is the call of the system's keychain that runs now. There is one for the
// process, as there is one keychain.
var serial = newSerializer()

func call(ctx context.Context, f func() (string, error)) (string, error) {
	if err := reachable(); err != nil {
		return "", unavailable(err)
	}
	secret, err := serial.do(ctx, f)
	switch {
	case err == nil:
		return secret, nil
	case errors.Is(err, keyring.ErrNotFound):
		return "", ErrNotFound
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return "", backend.Problem("asking the keychain: %w", err)
	}
	return "", unavailable(err)
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", ErrUnavailable, err) }
