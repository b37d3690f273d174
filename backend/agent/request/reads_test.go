package request

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

func TestReadsInside_OnlyTheAgentsOwnFolder(t *testing.T) {
	top := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
	folder, home, other := filepath.Join(top, "chat"), filepath.Join(top, "home"), filepath.Join(top, "repository")
	for _, dir := range []string{
		filepath.Join(top, "tmp"), folder, filepath.Join(home, "session-state", "s1"), filepath.Join(home, "session-state", "s2"),
		filepath.Join(other, "session-state", "s1"),
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(other, filepath.Join(home, "session-state", "s1", "link")); err != nil {
		t.Skip(err)
	}
	own := OwnFolder(home, "s1")
	for path, want := range map[string]bool{
		filepath.Join(folder, "a.txt"):                              true,
		filepath.Join(home, "session-state", "s1", "plan.md"):       true,
		filepath.Join(home, "session-state", "s1", "link", "a.txt"): false,
		filepath.Join(home, "session-state", "s2", "plan.md"):       false,
		filepath.Join(other, "session-state", "s1", "plan.md"):      false,
	} {
		location, err := json.Marshal(map[string]any{"locations": []any{map[string]any{"path": path}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadsInside(folder, own, gjson.ParseBytes(location), backend.ToolRead); got != want {
			t.Errorf("reads of %s need no request: %v, want %v", path, got, want)
		}
		if got := IsOwn(folder, own, path); got != (want && filepath.Dir(path) != folder) {
			t.Errorf("%s is the agent's own: %v", path, got)
		}
	}
	for _, id := range []string{"", ".", "..", "../x", "a/b"} {
		if got := OwnFolder(home, id); got != "" {
			t.Errorf("the folder of the session %q is %s", id, got)
		}
	}
	if got := OwnFolder("", "s1"); got != "" {
		t.Errorf("without a home: %s", got)
	}
}
