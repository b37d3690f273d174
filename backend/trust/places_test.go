package trust_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil && strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPlaces_ListsExistingAndMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".git/HEAD", ".git/objects/", ".git/refs/", ".git/modules/a/b/HEAD", ".git/worktrees/w/HEAD",
		".claude/notes.md", "lib/.git/HEAD", "lib/.vscode/tasks.json", "lib/x.go", "lib/.github/hooks/a.json", "tools/.GitHub/skills/", "lib/.husky/", "node_modules/m/.mcp.json", "sub/.git", ".npmrc", ".ssh/id")
	g := trust.Guard{Home: dir}
	got := g.Places(dir)
	for _, want := range []string{
		".mcp.json", ".github/hooks", ".vscode/tasks.json", ".cursor", ".gemini", ".envrc", ".husky", ".claude/settings.json", ".claude/agents",
		".git/config", ".git/hooks", ".git/info/attributes", ".git/commondir", ".git/modules/a/b/config", ".git/modules/a/b/hooks", ".git/worktrees/w/gitdir",
		"lib/.git/config", "lib/.git/hooks", "lib/.vscode/tasks.json", "lib/.github/hooks", "tools/.GitHub/skills", "lib/.husky", "sub/.git", ".bashrc", ".ssh",
	} {
		if !slices.Contains(got, filepath.Join(dir, filepath.FromSlash(want))) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, free := range []string{".git", ".git/objects", ".git/index", ".claude", ".claude/notes.md", ".github", ".github/workflows", "lib/.github", "lib/.vscode", "lib/x.go", "node_modules/m/.mcp.json", "AGENTS.md"} {
		if slices.Contains(got, filepath.Join(dir, filepath.FromSlash(free))) {
			t.Errorf("%s is listed", free)
		}
	}
	for _, place := range got { // one table: what is listed is what Protected protects
		if g.Protected(place) == backend.Protection("") && filepath.Base(place) != ".claude" {
			t.Errorf("%s is listed, but isn't protected", place)
		}
	}
}

func TestPlaces_NewRepository(t *testing.T) {
	dir := t.TempDir()
	if got := (trust.Guard{}).Places(dir); !slices.Contains(got, filepath.Join(dir, ".git")) {
		t.Error("a repository can be created")
	}
}
