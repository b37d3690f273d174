package keychain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

const testService = "VoxPilot test"

func entry(account string) keychain.Entry {
	return keychain.Entry{Service: testService, Account: account}
}

// checkStoresSecrets checks that a working keychain stores and deletes secrets.
func checkStoresSecrets() error {
	ctx := context.Background()
	if err := keychain.Check(ctx); err != nil {
		return fmt.Errorf("Check: %w", err)
	}
	e := entry("provider/1")
	if _, err := keychain.Get(ctx, e); !errors.Is(err, keychain.ErrNotFound) || errors.Is(err, keychain.ErrUnavailable) {
		return fmt.Errorf("Get of nothing: %w", err)
	}
	if err := keychain.Delete(ctx, e); !errors.Is(err, keychain.ErrNotFound) {
		return fmt.Errorf("Delete of nothing: %w", err)
	}
	long := strings.Repeat("ünïcödé 日本語 ", 2000)
	for _, secret := range []string{
		"sk-1", "two\nlines\n", " spaces ", "quotes ' \" $HOME `id` \\", "日本語 🙂", "voxpilot-parts:2:x",
		long[:2000], long[:2001], strings.Repeat("x", 2560), strings.Repeat("x", 2561), long[:keychain.MaxBytes],
		strings.Repeat("\xbf", 5000), "short again",
	} {
		if err := keychain.Set(ctx, e, secret); err != nil {
			return fmt.Errorf("Set of %d bytes: %w", len(secret), err)
		}
		if got, err := keychain.Get(ctx, e); err != nil || got != secret {
			return fmt.Errorf("Get of %d bytes: %d bytes, %w", len(secret), len(got), err)
		}
	}
	if err := keychain.Set(ctx, e, strings.Repeat("x", keychain.MaxBytes+1)); !errors.Is(err, keychain.ErrTooLarge) {
		return fmt.Errorf("Set of too much: %w", err)
	}
	if got, err := keychain.Get(ctx, e); err != nil || got != "short again" {
		return fmt.Errorf("after Set of too much: %q, %w", got, err)
	}
	if err := keychain.Set(ctx, e, long[:keychain.MaxBytes]); err != nil {
		return err
	}
	if err := keychain.Delete(ctx, e); err != nil {
		return fmt.Errorf("Delete: %w", err)
	}
	if _, err := keychain.Get(ctx, e); !errors.Is(err, keychain.ErrNotFound) {
		return fmt.Errorf("Get after Delete: %w", err)
	}
	return errors.Join(checkConcurrentWrites(ctx), checkPrefersKeychain(ctx), checkCancel(e))
}

func checkConcurrentWrites(ctx context.Context) error {
	var wait sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wait.Go(func() {
			e := entry(fmt.Sprintf("provider/many-%d", i))
			want := strings.Repeat(fmt.Sprint(i), 1000)
			if err := keychain.Set(ctx, e, want); err != nil {
				errs[i] = err
			} else if got, err := keychain.Get(ctx, e); err != nil || got != want {
				errs[i] = fmt.Errorf("%d: %w", i, err)
			} else {
				errs[i] = keychain.Delete(ctx, e)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func checkPrefersKeychain(ctx context.Context) error {
	var f keychain.Fallback
	e := entry("provider/2")
	if place, err := f.Set(ctx, e, "key"); err != nil || place != backend.KeyKeychain {
		return fmt.Errorf("Fallback.Set: %q, %w", place, err)
	}
	var other keychain.Fallback // as after a restart of the app
	if got, place, err := other.Get(ctx, e); err != nil || got != "key" || place != backend.KeyKeychain {
		return fmt.Errorf("Fallback.Get: %q, %q, %w", got, place, err)
	}
	if _, err := f.Set(ctx, e, strings.Repeat("x", keychain.MaxBytes+1)); !errors.Is(err, keychain.ErrTooLarge) {
		return fmt.Errorf("Fallback.Set of too much: %w", err)
	}
	if err := f.Delete(ctx, e); err != nil {
		return fmt.Errorf("Fallback.Delete: %w", err)
	}
	if _, place, err := other.Get(ctx, e); !errors.Is(err, keychain.ErrNotFound) || place != backend.KeyMissing {
		return fmt.Errorf("Fallback.Get after Delete: %q, %w", place, err)
	}
	return nil
}

func checkCancel(e keychain.Entry) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 100 { // a call in progress may still win
		_, err := keychain.Get(ctx, e)
		if errors.Is(err, context.Canceled) && !errors.Is(err, keychain.ErrUnavailable) {
			return nil
		}
		if !errors.Is(err, keychain.ErrNotFound) {
			return fmt.Errorf("Get by a caller that has gone: %w", err)
		}
	}
	return errors.New("a caller that has gone is answered each time")
}

// checkFallback checks that Fallback uses memory while the keychain is unavailable.
func checkFallback() error {
	ctx := context.Background()
	e := entry("provider/1")
	if err := keychain.Check(ctx); !errors.Is(err, keychain.ErrUnavailable) {
		return fmt.Errorf("Check: %w", err)
	}
	if _, err := keychain.Get(ctx, e); !errors.Is(err, keychain.ErrUnavailable) || errors.Is(err, keychain.ErrNotFound) {
		return fmt.Errorf("Get: %w", err)
	}
	if err := keychain.Set(ctx, e, "key"); !errors.Is(err, keychain.ErrUnavailable) {
		return fmt.Errorf("Set: %w", err)
	}
	if err := keychain.Delete(ctx, e); !errors.Is(err, keychain.ErrUnavailable) {
		return fmt.Errorf("Delete: %w", err)
	}
	var f keychain.Fallback
	if _, place, err := f.Get(ctx, e); !errors.Is(err, keychain.ErrUnavailable) || place != backend.KeyNone {
		return fmt.Errorf("Fallback.Get of nothing: %q, %w", place, err)
	}
	if place, err := f.Set(ctx, e, "key"); err != nil || place != backend.KeyMemory {
		return fmt.Errorf("Fallback.Set: %q, %w", place, err)
	}
	if got, place, err := f.Get(ctx, e); err != nil || got != "key" || place != backend.KeyMemory {
		return fmt.Errorf("Fallback.Get: %q, %q, %w", got, place, err)
	}
	if err := f.Delete(ctx, e); !errors.Is(err, keychain.ErrUnavailable) {
		return fmt.Errorf("Fallback.Delete: %w", err)
	}
	if got, _, err := f.Get(ctx, e); err == nil {
		return fmt.Errorf("Fallback.Get after Delete: %q", got)
	}
	return nil
}
