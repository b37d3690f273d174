// Package keychain stores secrets in the operating system's keychain: the Secret Service on Linux, the
// Keychain on macOS, and the Credential Manager on Windows.
//
// The system's keychain may be missing or locked, or it may wait for the user indefinitely. Every call therefore has a
// time limit, at most one call is ever left hanging, and callers distinguish only three results: the secret exists, it
// doesn't exist (ErrNotFound), or its state is unknown (ErrUnavailable). After ErrUnavailable, callers must not treat
// a secret as deleted.
package keychain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/zalando/go-keyring"
)

// Service is the service name of VoxPilot's entries.
const Service = "VoxPilot"

// MaxBytes is the maximum size of a secret in bytes.
const MaxBytes = 16 << 10

// limit is the time limit for a call: a working keychain answers in milliseconds, while
// one that waits for the user may never answer.
const limit = 3 * time.Second

// Errors that callers distinguish.
var (
	ErrNotFound    = backend.Problem("the keychain doesn't have this entry")
	ErrUnavailable = backend.Problem("the system keychain isn't available")
	ErrTooLarge    = backend.Problem("the secret is longer than %d bytes", MaxBytes)

	errHanging  = backend.Problem("the keychain hasn't responded to an earlier request; it may be waiting to be unlocked")
	errNoAnswer = backend.Problem("the keychain didn't respond within %v; it may be waiting to be unlocked", limit)
)

// Entry identifies a secret by its service and account.
type Entry struct {
	Service string // Service, except in tests
	Account string // "provider/<id>" or "github.com/<login>"
}

// Get returns the secret of an entry.
func Get(ctx context.Context, e Entry) (string, error) {
	return call(ctx, func() (string, error) { return get(e) })
}

// Set stores the secret of an entry. It returns nil only after reading the secret back successfully.
func Set(ctx context.Context, e Entry, secret string) error {
	if len(secret) > MaxBytes {
		return ErrTooLarge
	}
	_, err := call(ctx, func() (string, error) { return "", set(e, secret) })
	return err
}

// Delete deletes an entry. It returns ErrNotFound if there is none.
func Delete(ctx context.Context, e Entry) error {
	_, err := call(ctx, func() (string, error) { return "", remove(e) })
	return err
}

// Check returns nil if the keychain is usable, ErrUnavailable if it isn't, and another error if ctx was canceled. It
// reads an entry that is never set.
func Check(ctx context.Context) error {
	_, err := Get(ctx, Entry{Service: Service, Account: "check"})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// serial serializes all of this process's calls to the system's keychain, since there
// is only one keychain.
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
		return "", backend.Problem("couldn't query the keychain: %w", err)
	}
	return "", unavailable(err)
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", ErrUnavailable, err) }
