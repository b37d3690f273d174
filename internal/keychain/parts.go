package keychain

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/zalando/go-keyring"
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
		return backend.Problem("it did not keep what was given to it")
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
		return backend.Problem("it is not there")
	}
	return err
}
