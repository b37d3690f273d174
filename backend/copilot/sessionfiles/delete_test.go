package sessionfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

func TestDrop_RemovesOneSessionOnly(t *testing.T) {
	const id, other = "0b8ba5c3-70b2-4d2c-9d3f-1f2e3d4c5b6a", "1b8ba5c3-70b2-4d2c-9d3f-1f2e3d4c5b6a"
	home, outside := t.TempDir(), t.TempDir()
	state := filepath.Join(home, "session-state")
	file := func(parts ...string) string {
		path := filepath.Join(parts...)
		noErr(t, os.MkdirAll(filepath.Dir(path), 0o700))
		noErr(t, os.WriteFile(path, []byte("x"), 0o600))
		return path
	}
	gone := []string{file(state, id, "events.jsonl"), file(state, id, "files", "plan.md"), file(state, id+".jsonl")}
	kept := []string{
		file(state, other, "events.jsonl"), file(state, other+".jsonl"), file(state, id+"x", "a"),
		file(home, "config.json"), file(outside, "kept.txt"),
	}
	noErr(t, os.Symlink(outside, filepath.Join(state, id, "link")))
	for _, hostile := range []string{"", ".", "..", "../config.json", other + "/..", "*", "x/../" + other, other + "\x00"} {
		noErr(t, sessionfiles.Delete(home, hostile))
	}
	noErr(t, sessionfiles.Delete(home, id))
	noErr(t, sessionfiles.Delete(home, id)) // already deleted
	for _, path := range gone {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	for _, path := range kept {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}

	// A link that replaces the session or the sessions folder isn't followed.
	noErr(t, os.Symlink(outside, filepath.Join(state, id)))
	noErr(t, sessionfiles.Delete(home, id))
	linked := t.TempDir()
	file(outside, id, "events.jsonl")
	noErr(t, os.Symlink(outside, filepath.Join(linked, "session-state")))
	noErr(t, sessionfiles.Delete(linked, id))
	noErr(t, sessionfiles.Delete(t.TempDir(), id)) // no sessions exist
	for _, path := range []string{filepath.Join(outside, "kept.txt"), filepath.Join(outside, id, "events.jsonl")} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
