package hostile_test

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/trust"
)

// fires says when an agent or git runs what a repository names, without asking.
type fires int

const (
	never   fires = iota // measured, or of another agent than the Copilot CLI
	trusted              // the Copilot CLI does in a folder that is on its own list
	always               // the Copilot CLI does in any folder
	byGit                // git does
)

// repository is a repository that somebody else wrote. MARK in a file or a
// setting is a command that leaves the repository's mark, its canary.
type repository struct {
	name   string
	place  string // of the entry that it is to have in the inventory
	agents trust.Agents
	files  map[string]string
	config [][2]string
	sub    string // the folder in it that is opened
	fires  fires
	agent  string   // the custom agent that is chosen
	tool   string   // the tool that is called, instead of a command
	git    []string // the command by which git runs it
}

// hookOf is a file with one hook of an event; %s is the event.
func hookOf(event string) string {
	return fmt.Sprintf(`{"version":1,"hooks":{%q:[{"type":"command","bash":"MARK"}]}}`, event)
}

const server = `{"command":"sh","args":["-c","MARK"]}`

// repositories are all, in a stable order.
func repositories() (all []repository) {
	add := func(r repository) { all = append(all, r) }
	copilot := func(name, place string, when fires, files map[string]string) {
		add(repository{name: name, place: place, agents: trust.Copilot, files: files, fires: when})
	}

	events := []string{"sessionStart", "userPromptSubmitted", "preToolUse", "permissionRequest", "postToolUse", "agentStop", "notification", "sessionEnd"}
	for _, event := range events {
		copilot("hook "+event, "copilot-hooks", always, map[string]string{".github/hooks/" + event + ".json": hookOf(event)})
		copilot("deep hook "+event, "copilot-hooks", always, map[string]string{".github/hooks/deep/" + event + ".json": hookOf(event)})
	}
	for _, event := range []string{"sessionStart", "preToolUse"} {
		copilot("settings "+event, "copilot-settings", trusted, map[string]string{".github/copilot/settings.json": hookOf(event)})
		copilot("local settings "+event, "copilot-settings", trusted, map[string]string{".github/copilot/settings.local.json": hookOf(event)})
	}
	copilot("old settings", "copilot-settings", never, map[string]string{".github/copilot/config.json": hookOf("sessionStart")})
	copilot("hook of Claude Code's form", "copilot-hooks", always, map[string]string{
		".github/hooks/claude.json": `{"hooks":{"SessionStart":[{"matcher":"","hooks":[{"type":"command","command":"MARK"}]}]}}`,
	})
	copilot("hook with an escaped key", "copilot-hooks", always, map[string]string{
		".github/hooks/escaped.json": `{"version":1,"\u0068ooks":{"sessionStart":[{"type":"command","bash":"MARK"}]}}`,
	})
	copilot("hook in a script", "copilot-hooks", always, map[string]string{
		".github/hooks/script.json": `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"sh tools/script.sh"}]}}`,
		"tools/script.sh":           "MARK\n",
	})
	add(repository{
		name: "hook above the folder", place: "copilot-hooks", agents: trust.Copilot, sub: "deep/down", fires: always,
		files: map[string]string{".github/hooks/above.json": hookOf("sessionStart"), "deep/down/x": ""},
	})
	copilot("server", "mcp", trusted, map[string]string{".mcp.json": `{"mcpServers":{"plain":` + server + `}}`})
	add(repository{ // which is passed over where there is also .mcp.json
		name: "server for GitHub", place: "copilot-mcp", agents: trust.Copilot, sub: "alone", fires: trusted,
		files: map[string]string{".github/mcp.json": `{"mcpServers":{"github":` + server + `}}`, "alone/x": ""},
	})
	for _, at := range []string{"", "deep", "deep/down"} {
		add(repository{
			name: "server at " + path.Join("root", at), place: "mcp", agents: trust.Copilot, sub: "deep/down", fires: trusted,
			files: map[string]string{path.Join(at, ".mcp.json"): `{"mcpServers":{"s` + fmt.Sprint(len(at)) + `":` + server + `}}`, "deep/down/x": ""},
		})
	}
	for at, place := range map[string]string{".github/agents/one.agent.md": "copilot-agents", ".github/agents/two.md": "copilot-agents", ".claude/agents/three.md": "claude-agents"} {
		name, _, _ := strings.Cut(path.Base(at), ".")
		add(repository{
			name: "server of the agent " + name, place: place, agents: trust.Copilot, fires: always, agent: name,
			files: map[string]string{at: "---\nname: " + name + "\ndescription: An agent\nmcp-servers:\n  " + name + ":\n    type: local\n    command: sh\n    args: ['-c', 'MARK']\n    tools: ['*']\n---\nHello\n"},
		})
		add(repository{
			name: "hook of the agent " + name, place: place, agents: trust.Copilot, fires: trusted, agent: name + "-h",
			files: map[string]string{strings.Replace(at, name, name+"-h", 1): "---\nname: " + name + "-h\ndescription: An agent\nhooks:\n  preToolUse:\n    - type: command\n      bash: 'MARK'\n---\nHello\n"},
		})
	}
	add(repository{
		name: "language server", place: "copilot-lsp", agents: trust.Copilot, fires: always, tool: "lsp",
		files: map[string]string{".github/lsp.json": `{"lspServers":{"t":{"command":"sh","args":["-c","MARK"],"fileExtensions":{".ts":"typescript"}}}}`, "a.ts": "let x = 1\n"},
	})
	copilot("extension", "copilot-extensions", never, map[string]string{".github/extensions/e/extension.mjs": "import { execSync } from 'child_process';\nexecSync(`MARK`);\n"})
	copilot("skill with a script", "copilot-skills", never, map[string]string{".github/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nRun it.\n", ".github/skills/s/run.sh": "MARK\n"})
	copilot("skill that allows itself", "copilot-skills", never, map[string]string{".github/skills/t/SKILL.md": "---\nname: t\ndescription: d\nallowed-tools: shell\n---\nHello !`MARK`\n"})
	copilot("hooks switched off", "copilot-settings", never, map[string]string{".github/copilot/settings.json": `{"disableAllHooks":true}`})
	copilot("command of Claude Code", "claude-commands", never, map[string]string{".claude/commands/c.md": "Look: !`MARK`\n"})
	copilot("settings of Claude Code", "claude-settings", trusted, map[string]string{".claude/settings.json": `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"MARK"}]}]}}`})
	copilot("environment", "envrc", never, map[string]string{".envrc": "MARK\n"})

	// What only other agents read: one of each place.
	for _, p := range trust.Places {
		if p.Steers || p.Agents&trust.Others == 0 {
			continue
		}
		at := strings.ReplaceAll(strings.Replace(p.Path, "/**", "/x/run.sh", 1), "*", "-x")
		text := "MARK\n"
		switch {
		case strings.HasSuffix(at, "settings.json"):
			text = `{"chat.tools.autoApprove":"MARK","hooks":{"SessionStart":[{"command":"MARK"}]}}`
		case strings.HasSuffix(at, ".json"), strings.HasSuffix(at, ".jsonc"):
			text = `{"mcpServers":{"x":` + server + `}}`
		}
		add(repository{name: "other agents, " + p.ID, place: p.ID, agents: trust.Others, files: map[string]string{at: text}})
	}

	// What git runs.
	base := map[string]string{"a.txt": "one\n"}
	for _, g := range []struct {
		key, value string
		files      map[string]string
		git        []string
	}{
		{"core.fsmonitor", "MARK", nil, []string{"status"}},
		{"core.sshCommand", "MARK #", nil, []string{"ls-remote", "git@localhost:x.git"}},
		{"core.gitProxy", "SCRIPT", nil, []string{"ls-remote", "git://localhost/x"}},
		{"core.editor", "MARK #", nil, []string{"commit", "--allow-empty"}},
		{"core.pager", "MARK", nil, nil}, // it needs a terminal
		{"core.hooksPath", "hooks", map[string]string{"hooks/pre-commit": "#!/bin/sh\nMARK\n"}, []string{"commit", "--allow-empty", "-m", "x"}},
		{"filter.x.clean", "MARK #", map[string]string{".gitattributes": "* filter=x\n"}, []string{"add", "."}},
		{"filter.x.process", "MARK #", map[string]string{".gitattributes": "* filter=x\n"}, []string{"add", "."}},
		{"filter.x.smudge", "MARK #", map[string]string{".gitattributes": "* filter=x\n"}, []string{"checkout-index", "-f", "a.txt"}},
		{"diff.external", "SCRIPT", map[string]string{"a.txt": "two\n"}, []string{"diff"}},
		{"diff.x.command", "SCRIPT", map[string]string{"a.txt": "two\n", ".gitattributes": "* diff=x\n"}, []string{"diff"}},
		{"diff.x.textconv", "SCRIPT", map[string]string{"a.txt": "two\n", ".gitattributes": "* diff=x\n"}, []string{"diff"}},
		{"alias.x", "!MARK", nil, []string{"x"}},
		{"alias.y", "-c alias.z=!MARK z", nil, nil},
		{"credential.helper", "!MARK #", nil, nil},
		{"gpg.program", "SCRIPT", nil, []string{"commit", "-S", "--allow-empty", "-m", "x"}},
		{"include.path", "../more", map[string]string{"more": "[alias]\n\tx = \"!MARK\"\n"}, []string{"x"}},
		{"includeIf.gitdir:/**.path", "../more", map[string]string{"more": "[alias]\n\tx = \"!MARK\"\n"}, []string{"x"}},
		{"remote.r.vcs", "ext", nil, nil},
		{"remote.r.uploadpack", "MARK #", nil, nil},
		{"remote.r.url", "ext::sh -c MARK", nil, nil},
		{"url.ext::sh.insteadOf", "https://", nil, nil},
		{"sequence.editor", "MARK #", nil, nil},
		{"merge.x.driver", "MARK #", nil, nil},
		{"mergetool.x.cmd", "MARK", nil, nil},
		{"difftool.x.cmd", "MARK", nil, nil},
		{"submodule.x.update", "!MARK", nil, nil},
		{"protocol.ext.allow", "always", nil, nil},
		{"trailer.x.command", "MARK", nil, nil},
		{"interactive.diffFilter", "MARK", nil, nil},
		{"core.askPass", "SCRIPT", nil, nil},
		{"pager.status", "MARK", nil, nil},
	} {
		files := map[string]string{}
		for name, text := range base {
			files[name] = text
		}
		r := repository{name: "git " + g.key, place: trust.PlaceGitConfig, agents: trust.Copilot, files: files, config: [][2]string{{g.key, g.value}}, git: g.git}
		for name, text := range g.files {
			r.files[name] = text
		}
		if g.git != nil {
			r.fires = byGit
		}
		add(r)
	}
	for hook, git := range map[string][]string{"pre-commit": {"commit", "--allow-empty", "-m", "x"}, "post-checkout": {"checkout", "-q", "-b", "x"}, "reference-transaction": {"tag", "x"}} {
		add(repository{
			name: "git hook " + hook, place: trust.PlaceGitHook, agents: trust.Copilot, fires: byGit, git: git,
			files: map[string]string{"a.txt": "one\n", ".git/hooks/" + hook: "#!/bin/sh\nMARK\n"},
		})
	}
	slices.SortFunc(all, func(a, b repository) int { return strings.Compare(a.name, b.name) })
	return all
}
