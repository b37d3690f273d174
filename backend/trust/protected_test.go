package trust_test

import (
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
)

func TestProtected_CoversEachPlace(t *testing.T) {
	home := t.TempDir()
	g := trust.Guard{Home: home, Data: []string{filepath.Join(home, "data")}, Agent: []string{filepath.Join(home, ".copilot")}}
	repo := filepath.Join(home, "src", "repo")
	for file, want := range map[string]trust.Protection{
		"src/repo/.git/config":                     trust.ProtectsGit,
		"src/repo/.GIT/Config":                     trust.ProtectsGit,
		"src/repo/.git/config.worktree":            trust.ProtectsGit,
		"src/repo/.git/hooks/pre-commit":           trust.ProtectsGit,
		"src/repo/.git/info/attributes":            trust.ProtectsGit,
		"src/repo/.git":                            trust.ProtectsGit,
		"src/repo/sub/.git":                        trust.ProtectsGit,
		"src/repo/.git/modules/a/b/config":         trust.ProtectsGit,
		"src/repo/.git/modules/a/hooks/x":          trust.ProtectsGit,
		"src/repo/.git/worktrees/w/gitdir":         trust.ProtectsGit,
		"src/repo/.husky/pre-commit":               trust.ProtectsGit,
		"src/repo/.github/hooks/e.json":            trust.ProtectsSession,
		"src/repo/.github/hooks/deep/e.json":       trust.ProtectsSession,
		"src/repo/.github":                         trust.ProtectsSession,
		"src/repo/.vscode/tasks.json":              trust.ProtectsSession,
		"src/repo/.mcp.json":                       trust.ProtectsSession,
		"src/repo/deep/.mcp.json":                  trust.ProtectsSession,
		"src/repo/.claude/skills/s/run.sh":         trust.ProtectsSession,
		"src/repo/.gemini/sandbox.Dockerfile":      trust.ProtectsSession,
		"src/repo/.envrc":                          trust.ProtectsShell,
		".bashrc":                                  trust.ProtectsShell,
		".config/fish/conf.d/x.fish":               trust.ProtectsShell,
		".gitconfig":                               trust.ProtectsGit,
		".ssh/authorized_keys":                     trust.ProtectsKeys,
		"data/voxpilot.db":                         trust.ProtectsApp,
		".copilot/settings.json":                   trust.ProtectsAgent,
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
		got, ok := g.Protected(filepath.Join(home, filepath.FromSlash(file)))
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
	for _, p := range trust.Places {
		file := filepath.Join(repo, filepath.FromSlash(p.Path))
		if filepath.Base(file) == "**" {
			file = filepath.Join(filepath.Dir(file), "x")
		}
		if _, ok := g.Protected(file); ok == p.Steers {
			t.Errorf("%s: got %v, want the opposite", p.Path, ok)
		}
	}
}
