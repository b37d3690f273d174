package trust_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
)

// env is a folder that a test fills with files.
type env struct {
	*testing.T
	dir string
}

func newEnv(t *testing.T) *env {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &env{t, dir}
}

func (w *env) write(name, text string) string {
	w.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil { //nolint:gosec // hooks must be executable
		w.Fatal(err)
	}
	return file
}

func (w *env) git(args ...string) {
	w.Helper()
	cmd := exec.CommandContext(w.Context(), "git", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("git %v: %v %s", args, err, out)
	}
}

func (w *env) findings(folder string, agents trust.AgentSet) trust.Findings {
	w.Helper()
	f, err := trust.Inventory(w.Context(), filepath.Join(w.dir, folder), agents)
	if err != nil {
		w.Fatal(err)
	}
	return f
}

// entryKeys returns one line per entry, with its file, key and value.
func entryKeys(entries []trust.Entry) []string {
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		line := e.File
		if e.Key != "" {
			line += " " + e.Key
		}
		out = append(out, line+": "+strings.ReplaceAll(e.Value, "\n", " · "))
	}
	return out
}

func containsEntries(t *testing.T, entries []trust.Entry, want ...string) {
	t.Helper()
	got := entryKeys(entries)
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("got %q, want %q among them", got, line)
		}
	}
}

func TestInventory_EmptyFolderHasNothing(t *testing.T) {
	w := newEnv(t)
	if f := w.findings("", trust.Everyone); len(f.Entries)+len(f.Steers) > 0 || f.Incomplete || f.Common != "" {
		t.Errorf("got %+v, want nothing", f)
	}
	w.git("init", "-q")
	w.git("config", "user.name", "Ann")
	w.git("remote", "add", "origin", "git@example.org:ann/x.git")
	w.git("config", "core.fsmonitor", "true")
	w.git("config", "alias.st", "status")
	w.git("config", "pager.log", "false")
	w.write(".git/hooks/pre-commit.sample", "#!/bin/sh\n")
	w.write("package.json", `{"scripts":{"test":"node x"}}`)
	w.write(".github/workflows/ci.yml", "on: push")
	if f := w.findings("", trust.Everyone); len(f.Entries)+len(f.Steers) > 0 || f.Incomplete {
		t.Errorf("got %+v, want nothing in an ordinary repository", f)
	}
}

func TestInventory_ListsExecutableFiles(t *testing.T) {
	w := newEnv(t)
	w.git("init", "-q")
	w.write(".github/hooks/a.json", `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"./go.sh","powershell":"go.ps1"}],"disableAllHooks":true}}`)
	w.write(".github/hooks/deep/b.json", `{"\u0068ooks":{"preToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"deep"}]}]}}`)
	w.write(".github/copilot/settings.json", `// a comment
		{"enabledPlugins":{"x@y":true,},}`)
	w.write(".mcp.json", `{"mcpServers":{"a":{"command":"node","args":["x.js","-v"],"env":{"K":"1"}}}}`)
	w.write(".github/mcp.json", `{"bare":{"url":"http://example.org"}}`)
	w.write(".github/lsp.json", `{"lspServers":{"ts":{"command":"evil"}}}`)
	w.write(".github/agents/plain.agent.md", "---\nname: plain\ndescription: Says hello\ntools:\n  - read\n---\nHello\n")
	w.write(".github/agents/evil.agent.md", "---\nname: evil\nmcp-servers:\n  x:\n    command: sh\n---\nHello\n")
	w.write(".github/skills/s/SKILL.md", "---\nname: s\nallowed-tools: shell\n---\n")
	w.write(".github/skills/s/run.sh", "echo")
	w.write(".github/skills/s/notes.txt", "notes")
	w.write(".claude/commands/c.md", "Look: !`date`\n")
	w.write(".claude/commands/block.md", "---\nname: block\n---\n```!\ndate\n```\n")
	w.write(".envrc", "export A=1")
	w.write("AGENTS.md", "Be kind.")
	w.write(".vscode/mcp.json", `{"servers":{"v":{"command":"v"}}}`)
	w.write(".vscode/settings.json", `{"editor.tabSize":2,"chat.tools.autoApprove":true}`)
	f := w.findings("", trust.Copilot)
	containsEntries(t, f.Entries,
		".github/hooks/a.json hooks.sessionStart: ./go.sh · go.ps1",
		".github/hooks/a.json hooks.disableAllHooks: true",
		".github/hooks/deep/b.json hooks.preToolUse (Bash): deep",
		`.github/copilot/settings.json enabledPlugins: {"x@y":true}`,
		`.mcp.json mcpServers.a: node x.js -v · env: {"K":"1"}`,
		".github/mcp.json bare: http://example.org",
		".github/lsp.json lspServers.ts: evil",
		".github/agents/evil.agent.md: name: evil · mcp-servers: ·   x: ·     command: sh",
		".github/skills/s/SKILL.md: name: s · allowed-tools: shell",
		".github/skills/s/run.sh: echo",
		".claude/commands/c.md: Look: !`date` · ",
		".claude/commands/block.md: --- · name: block · --- · ```! · date · ``` · ",
		".envrc: export A=1",
	)
	containsEntries(t, f.Steers, "AGENTS.md: ", ".github/agents/plain.agent.md: ", ".github/skills/s/notes.txt: ")
	if len(f.Entries) != 13 || len(f.Steers) != 3 {
		t.Errorf("got %d and %d entries, want 13 and 3: %q %q", len(f.Entries), len(f.Steers), entryKeys(f.Entries), entryKeys(f.Steers))
	}
	others := w.findings("", trust.Others)
	containsEntries(t, others.Entries, ".vscode/mcp.json servers.v: v", ".vscode/settings.json chat.tools.autoApprove: true", `.mcp.json mcpServers.a: node x.js -v · env: {"K":"1"}`)
	if slices.ContainsFunc(others.Entries, func(e trust.Entry) bool { return e.Key == "editor.tabSize" || e.Location == "copilot-hooks" }) {
		t.Errorf("got %q, want neither harmless settings nor places of the Copilot CLI", entryKeys(others.Entries))
	}
}

func TestInventory_IncludesParentRepository(t *testing.T) {
	w := newEnv(t)
	w.write(".mcp.json", `{"mcpServers":{"above":{"command":"x"}}}`)
	w.write("repo/.mcp.json", `{"mcpServers":{"root":{"command":"x"}}}`)
	w.write("repo/a/.mcp.json", `{"mcpServers":{"middle":{"command":"x"}}}`)
	w.write("repo/a/b/.mcp.json", `{"mcpServers":{"here":{"command":"x"}}}`)
	w.write("repo/a/b/.git/x", "no git directory, which git passes over")
	w.write("repo/other/.mcp.json", `{"mcpServers":{"beside":{"command":"x"}}}`)
	in := &env{t, filepath.Join(w.dir, "repo")}
	in.git("init", "-q")
	f := w.findings("repo/a/b", trust.Copilot)
	containsEntries(t, f.Entries, ".mcp.json mcpServers.root: x", "a/.mcp.json mcpServers.middle: x", "a/b/.mcp.json mcpServers.here: x")
	if len(f.Entries) != 3 || f.Root != in.dir {
		t.Errorf("got %q up to %s, want three up to the repository's root", entryKeys(f.Entries), f.Root)
	}
}

func TestInventory_ReadsGitConfiguration(t *testing.T) {
	w := newEnv(t)
	w.git("init", "-q")
	config, err := os.ReadFile(filepath.Join(w.dir, ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	w.write("tracked.inc", "[diff \"x\"]\n\ttextconv = conv\n")
	w.write(".husky/pre-commit", "npm test")
	w.write(".git/hooks/post-checkout", "#!/bin/sh\nevil\n")
	w.write(".git/config", string(config)+`
[Core] FSMonitor = "ev\"il" # a comment
	sshCommand = one \
two ; and
	pager = less
	hooksPath = .husky
[filter "a.b"]
	clean = c
	smudge = s
	process = p
	required
[alias]
	st = status
	x = !evil
[remote "origin"]
	url = ext::sh -c evil
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "good"]
	url = https://example.org/x::y
[include]
	path = ../tracked.inc
[includeIf "gitdir:/"]
	path = ~/outside.inc
[branch "main"]
	remote = origin
[url "ext::evil"]
	insteadOf = https://
`)
	f := w.findings("", trust.Copilot)
	containsEntries(t, f.Entries,
		`.git/config core.fsmonitor: ev"il`, ".git/config core.sshcommand: one two", ".git/config core.pager: less", ".git/config core.hookspath: .husky",
		".git/config filter.a.b.clean: c", ".git/config filter.a.b.smudge: s", ".git/config filter.a.b.process: p", ".git/config alias.x: !evil",
		".git/config remote.origin.url: ext::sh -c evil", ".git/config include.path: ../tracked.inc", ".git/config includeif.gitdir:/.path: ~/outside.inc",
		".git/config url.ext::evil.insteadof: https://", "tracked.inc diff.x.textconv: conv", ".husky/pre-commit: npm test",
	)
	if runtime.GOOS != "windows" && len(f.Entries) != 15 {
		t.Errorf("got %d, want 15: %q", len(f.Entries), entryKeys(f.Entries))
	}
	w.write(".git/config", string(config)+"[core]\n\tbroken\n[x\n")
	if f := w.findings("", trust.Copilot); !slices.ContainsFunc(f.Entries, func(e trust.Entry) bool { return e.File == ".git/config" && e.Key == "" }) {
		t.Errorf("got %q, want a file that cannot be read as an entry", entryKeys(f.Entries))
	}
}

func TestInventory_HookManagersFilesRead(t *testing.T) {
	w := newEnv(t)
	w.git("init", "-q")
	w.write(".husky/pre-commit", "npm test")
	w.write(".pre-commit-config.yaml", "repos: []")
	w.write("lefthook.yml", "pre-commit: {}")
	if f := w.findings("", trust.Copilot); len(f.Entries) > 0 { // git runs no hook, so nothing reads them
		t.Errorf("got %q without a hook, want none", entryKeys(f.Entries))
	}
	w.git("config", "core.hooksPath", ".husky/_")
	w.write(".husky/_/h", `sh -e ".husky/$n"`)
	w.write(".husky/_/pre-commit", `. "$(dirname "$0")/h"`)
	f := w.findings("", trust.Copilot)
	containsEntries(t, f.Entries, ".husky/_/pre-commit: . \"$(dirname \"$0\")/h\"", ".husky/_/h: sh -e \".husky/$n\"",
		".husky/pre-commit: npm test", ".pre-commit-config.yaml: repos: []", "lefthook.yml: pre-commit: {}")
}

// TestInventory_ConfigMatchesGit checks that parsing a configuration file gives the same result as git does.
func TestInventory_ConfigMatchesGit(t *testing.T) {
	for _, text := range []string{
		"[core]\n pager=a\n", "[CORE]pager=a\\\n  b", "[core]\n\tpager = \"a;b\" # c\n", "[pager \"sub.sec\\\"tion\"] x = y", "[filter.Dot]\n clean = x y   z  \n",
		"\xEF\xBB\xBF[core]\r\n\tpager = a\r\n", "[core]\n\teditor = a\\tb\\\\c\n", "[core] ; c\n# d\neditor\n=x", "[core]\neditor = \"open\n", "[filter \"a\nb\"]\nclean = x\n",
		"[core]\n\teditor = one \\\n\ttwo\n", "editor = x\n", "[core]\n\tgitProxy = \"a\"b\"c\"\n", "[gpg \"ssh\"]\n\tdefaultKeyCommand = k\n",
	} {
		w := newEnv(t)
		w.git("init", "-q")
		w.write(".git/config", "[core]\n\trepositoryformatversion = 0\n"+text)
		cmd := exec.CommandContext(t.Context(), "git", "config", "--null", "--file", filepath.Join(w.dir, ".git", "config"), "--list")
		out, err := cmd.Output()
		got := w.findings("", trust.Copilot).Entries
		if err != nil {
			if !slices.ContainsFunc(got, func(e trust.Entry) bool { return e.Key == "" }) {
				t.Errorf("%q: git refuses it, got %q", text, entryKeys(got))
			}
			continue
		}
		want := map[string]bool{}
		for pair := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			key, value, _ := strings.Cut(pair, "\n")
			if key != "core.repositoryformatversion" && value != "" {
				want[key+"="+value] = true
			}
		}
		for _, e := range got {
			if !want[e.Key+"="+e.Value] {
				t.Errorf("%q: got %s=%q, want one of %v", text, e.Key, e.Value, want)
			}
			delete(want, e.Key+"="+e.Value)
		}
		for left := range want {
			t.Errorf("%q: got %q, want also %s", text, entryKeys(got), left)
		}
	}
}

func TestInventory_DigestFollowsContent(t *testing.T) {
	w := newEnv(t)
	w.git("init", "-q")
	w.write(".github/hooks/a.json", `{"hooks":{"sessionStart":[{"bash":"tools/go.sh"}]}}`)
	w.write("tools/go.sh", "echo 1")
	before := w.findings("", trust.Copilot).Entries
	same := func() bool { return slices.EqualFunc(before, w.findings("", trust.Copilot).Entries, trust.Entry.Is) }
	w.write(".github/hooks/a.json", "{ \"hooks\":\n{\"sessionStart\":[{\"bash\" : \"tools/go.sh\"}]}}")
	w.git("config", "branch.main.remote", "origin")
	if !same() {
		t.Error("got a change of blanks, or of a branch, as another content")
	}
	w.write("tools/go.sh", "echo 2")
	if same() {
		t.Error("got no change from a script that a hook names")
	}
	w.write("tools/go.sh", "echo 1")
	if !same() {
		t.Error("got a change after the script is what it was")
	}
	w.write(".github/hooks/a.json", `{"hooks":{"sessionStart":[{"bash":"tools/go.sh","timeoutSec":9}]}}`)
	if same() {
		t.Error("got no change from another value")
	}
}

func TestInventory_WorktreesShareEntries(t *testing.T) {
	w := newEnv(t)
	main := &env{t, filepath.Join(w.dir, "main")}
	main.write(".mcp.json", `{"mcpServers":{"a":{"command":"x"}}}`)
	main.git("init", "-q")
	main.git("add", "-A")
	main.git("commit", "-qm", "a")
	main.git("config", "core.pager", "evil")
	main.git("worktree", "add", "-q", "../other")
	one, two := w.findings("main", trust.Copilot), w.findings("other", trust.Copilot)
	if one.Common == "" || one.Common != two.Common || !slices.EqualFunc(one.Entries, two.Entries, trust.Entry.Is) || len(one.Entries) != 2 {
		t.Errorf("got %q and %q, want the same two", entryKeys(one.Entries), entryKeys(two.Entries))
	}
	sub := &env{t, filepath.Join(w.dir, "super")}
	sub.write("x", "x")
	sub.git("init", "-q")
	sub.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", main.dir, "deep/mod")
	sub.write(".git/modules/deep/mod/hooks/post-checkout", "#!/bin/sh\n")
	containsEntries(t, w.findings("super", trust.Copilot).Entries, ".git/modules/deep/mod/hooks/post-checkout: #!/bin/sh · ")
	containsEntries(t, w.findings("super/deep/mod", trust.Copilot).Entries, ".git/hooks/post-checkout: #!/bin/sh · ", ".mcp.json mcpServers.a: x")
}

func TestInventory_IgnoresLinksOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	w := newEnv(t)
	w.write("outside/a.json", `{"hooks":{"sessionStart":[{"bash":"secret"}]}}`)
	w.write("repo/inside/b.json", `{"hooks":{"sessionStart":[{"bash":"plain"}]}}`)
	repo := &env{t, filepath.Join(w.dir, "repo")}
	repo.git("init", "-q")
	repo.write(".github/x", "")
	for name, to := range map[string]string{".github/hooks": "../inside", ".github/copilot": filepath.Join(w.dir, "outside"), ".mcp.json": "../outside/a.json", ".envrc": "absent"} {
		if err := os.Symlink(to, filepath.Join(repo.dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	f := w.findings("repo", trust.Copilot)
	containsEntries(t, f.Entries, ".github/hooks/b.json hooks.sessionStart: plain", ".github/copilot: "+filepath.Join(w.dir, "outside"), ".mcp.json: ../outside/a.json", ".envrc: absent")
	if len(f.Entries) != 4 {
		t.Errorf("got %q, want 4", entryKeys(f.Entries))
	}
}

func TestInventory_IsBounded(t *testing.T) {
	w := newEnv(t)
	w.write(".github/hooks/large.json", strings.Repeat(" ", 2<<20)+"{}")
	f := w.findings("", trust.Copilot)
	if len(f.Entries) != 1 || f.Incomplete || f.Entries[0].Key != "" {
		t.Errorf("got %+v, want one entry of a large file", f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := trust.Inventory(ctx, w.dir, trust.Copilot); err != nil || !f.Incomplete {
		t.Errorf("got %+v, %v, want an incomplete inventory after the time is over", f, err)
	}
	for i := range 200 {
		w.write(".github/hooks/"+strings.Repeat("d/", i%20)+"a.sh", "x")
	}
	if f := w.findings("", trust.Copilot); !f.Incomplete {
		t.Errorf("got %d entries, want folders that are too deep to make it incomplete", len(f.Entries))
	}
}
