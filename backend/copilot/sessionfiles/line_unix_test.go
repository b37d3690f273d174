//go:build unix

package sessionfiles

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenLog_OnlyRegularFiles checks that only a regular file in the session's own folder is opened, and that opening
// never waits.
func TestOpenLog_OnlyRegularFiles(t *testing.T) {
	const id = "0cd2575d-d593-4ec5-bc0e-fc0862cc248f"
	secret := filepath.Join(t.TempDir(), "secret")
	noErr := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	noErr(os.Mkdir(secret, 0o700))
	noErr(os.WriteFile(filepath.Join(secret, "events.jsonl"), []byte("secret"), 0o600))
	for name, c := range map[string]struct {
		make  func(folder string)
		opens bool
	}{
		"a file":  {func(folder string) { noErr(os.WriteFile(filepath.Join(folder, "events.jsonl"), []byte("log"), 0o600)) }, true},
		"nothing": {func(string) {}, false},
		"a link to a file": {func(folder string) {
			noErr(os.Symlink(filepath.Join(secret, "events.jsonl"), filepath.Join(folder, "events.jsonl")))
		}, false},
		"a folder":          {func(folder string) { noErr(os.Mkdir(filepath.Join(folder, "events.jsonl"), 0o700)) }, false},
		"a pipe":            {func(folder string) { noErr(syscall.Mkfifo(filepath.Join(folder, "events.jsonl"), 0o600)) }, false},
		"a link of folders": {func(folder string) { noErr(os.Remove(folder)); noErr(os.Symlink(secret, folder)) }, false},
	} {
		home := t.TempDir()
		folder := filepath.Join(home, "session-state", id)
		noErr(os.MkdirAll(folder, 0o700))
		c.make(folder)
		file, err := OpenLog(home, id)
		if c.opens != (err == nil) || err != nil && !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if text, err := io.ReadAll(file); err != nil || string(text) != "log" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		noErr(file.Close())
	}
	if _, err := OpenLog(t.TempDir(), "../"+id); !errors.Is(err, ErrNoSession) {
		t.Errorf("an ID that isn't one: %v", err)
	}
}
