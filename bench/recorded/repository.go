package recorded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The size of the large but realistic repository, and the numbers of its hooks and skills, which can run code.
const (
	inventoryFiles  = 20_000
	inventoryPerDir = 25
	inventoryHooks  = 10
	inventorySkills = 20
)

// DeepFolder is the folder in which a chat is opened, as a path in the repository. The inventory also checks each of
// its parent folders.
const DeepFolder = "packages/p001/src/d003"

// FillRepository creates the repository and returns the number of entries in its inventory. All files are committed.
func FillRepository(ctx context.Context, dir string) (entries int, err error) {
	return fill(ctx, dir, inventoryFiles)
}

// fill creates the repository with the given number of files.
func fill(ctx context.Context, dir string, count int) (entries int, err error) {
	files := map[string]string{
		".mcp.json":             `{"mcpServers":{"a":{"command":"sh"},"b":{"command":"sh"}}}`,
		".claude/settings.json": `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
		".envrc":                "export A=1\n",
	}
	entries = 6 // .mcp.json has two; .vscode and the git alias are created below
	for i := range inventoryHooks {
		files[fmt.Sprintf(".github/hooks/h%d.json", i)] = `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"sh tools/hook.sh"}]}}`
		entries++
	}
	files["tools/hook.sh"] = "true\n"
	for i := range inventorySkills {
		files[fmt.Sprintf(".github/skills/s%d/SKILL.md", i)] = "---\nname: s\ndescription: d\nallowed-tools: shell\n---\nRun it.\n"
		files[fmt.Sprintf(".github/skills/s%d/run.sh", i)] = "true\n"
		entries += 2
	}
	for i := 0; len(files) < count; i++ {
		d := i / inventoryPerDir
		files[fmt.Sprintf("packages/p%03d/src/d%03d/file-%05d.ts", d/10, d%10, i)] = "export {}\n"
	}
	files[DeepFolder+"/.vscode/tasks.json"] = `{"tasks":[{"label":"a","command":"true"}]}`
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return 0, err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		// Without a commit, git status would print a line for each file.
		{"-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgSign=false", "-c", "core.hooksPath=" + os.DevNull, "commit", "-qm", "x"},
		{"config", "alias.x", "!true"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	return entries, nil
}
