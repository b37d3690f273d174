package trust_test

import (
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

func TestProtected_CoversEachPlace(t *testing.T) {
	home := t.TempDir()
	g := trust.Guard{Home: home, Data: []string{filepath.Join(home, "data")}, Agent: []string{filepath.Join(home, ".copilot")}}
	repo := filepath.Join(home, "src", "repo")
	for file, want := range map[string]backend.Protection{
		"src/repo/.git/config":                     backend.ProtectsGit,
		"src/repo/.GIT/Config":                     backend.ProtectsGit,
		"src/repo/.git/config.worktree":            backend.ProtectsGit,
		"src/repo/.git/hooks/pre-commit":           backend.ProtectsGit,
		"src/repo/.git/info/attributes":            backend.ProtectsGit,
		"src/repo/.git":                            backend.ProtectsGit,
		"src/repo/sub/.git":                        backend.ProtectsGit,
		"src/repo/.git/modules/a/b/config":         backend.ProtectsGit,
		"src/repo/.git/modules/a/hooks/x":          backend.ProtectsGit,
		"src/repo/.git/worktrees/w/gitdir":         backend.ProtectsGit,
		"src/repo/.git/modules/a/b":                backend.ProtectsGit, // a folder that has a config
		"src/repo/.git/modules/objects/config":     backend.ProtectsGit,
		"src/repo/.git/modules/a/b/objects/ab/cd":  "",
		"src/repo/.git/worktrees/w/HEAD":           "",
		"src/repo/.git/info":                       backend.ProtectsGit,
		"src/repo/.g\u200dit/config":               backend.ProtectsGit,     // as HFS+ reads it
		"src/repo/.v\u017fcode/tasks.json":         backend.ProtectsSession, // as APFS reads it
		"src/repo/.git/hoo\u212as/pre-commit":      backend.ProtectsGit,
		".ba\u017fhrc":                             backend.ProtectsShell,
		".config/fish":                             backend.ProtectsShell,
		".config":                                  backend.ProtectsShell,
		"src/repo/.husky/pre-commit":               backend.ProtectsGit,
		"src/repo/.github/hooks/e.json":            backend.ProtectsSession,
		"src/repo/.github/hooks/deep/e.json":       backend.ProtectsSession,
		"src/repo/.github":                         backend.ProtectsSession,
		"src/repo/.vscode/tasks.json":              backend.ProtectsSession,
		"src/repo/.mcp.json":                       backend.ProtectsSession,
		"src/repo/deep/.mcp.json":                  backend.ProtectsSession,
		"src/repo/.claude/skills/s/run.sh":         backend.ProtectsSession,
		"src/repo/.gemini/sandbox.Dockerfile":      backend.ProtectsSession,
		"src/repo/.envrc":                          backend.ProtectsShell,
		".bashrc":                                  backend.ProtectsShell,
		".config/fish/conf.d/x.fish":               backend.ProtectsShell,
		".gitconfig":                               backend.ProtectsGit,
		".ssh/authorized_keys":                     backend.ProtectsKeys,
		"data/voxpilot.db":                         backend.ProtectsApp,
		".copilot/settings.json":                   backend.ProtectsAgent,
		"src/repo/.git/index":                      "",
		"src/repo/.git/HEAD":                       "",
		"src/repo/.git/objects/ab/cd":              "",
		"src/repo/.git/refs/heads/main":            "",
		"src/repo/.git/info/exclude":               "",
		"src/repo/.gitignore":                      "",
		"src/repo/AGENTS.md":                       "",
		"src/repo/.github/workflows/ci.yml":        "",
		"src/repo/.github/copilot-instructions.md": "",
		"src/repo/.bashrc":                         "",
		"src/repo/config":                          "",
		"src/repo/package.json":                    "",
	} {
		if got := g.Protected(filepath.Join(home, filepath.FromSlash(file))); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
	for _, p := range trust.Locations {
		file := filepath.Join(repo, filepath.FromSlash(p.Path))
		if filepath.Base(file) == "**" {
			file = filepath.Join(filepath.Dir(file), "x")
		}
		if got := g.Protected(file); (got == "") != p.Steers {
			t.Errorf("%s: got %q", p.Path, got)
		}
	}
}
