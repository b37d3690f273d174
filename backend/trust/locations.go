package trust

import "github.com/voxpilot/voxpilot/backend"

// Reader determines how the entries of a file are found.
type Reader int

// The available readers.
const (
	// ReadWhole treats the whole file as one entry.
	ReadWhole Reader = iota
	// ReadJSON treats each hook, each server and each other key as an entry.
	ReadJSON
	// ReadKeys is like ReadJSON, but for files in which only a few keys matter (Location.Keys).
	ReadKeys
	// ReadFrontmatter treats a Markdown file as an entry if its frontmatter or text can run code, and otherwise as an
	// instruction file.
	ReadFrontmatter
)

// AgentSet is a set of agents, such as those that read a location.
type AgentSet uint8

// Groups of agents.
const (
	Copilot  AgentSet = 1 << iota // the Copilot CLI; experiments showed which locations it reads
	Others                        // any other agent: Claude Code, Gemini, Codex, Qwen, OpenCode, Cursor and VS Code
	Everyone = Copilot | Others
)

// Location is a path in a repository where files can make an agent or git run code, or can
// instruct an agent.
type Location struct {
	// ID identifies the location. It is stored with trusted entries.
	ID string
	// Path is a slash-separated pattern. It applies in each folder from the chat's folder up to the repository's root.
	// In a pattern, "*" matches any part of a name, and a final "**" matches everything below a folder.
	Path   string
	Agents AgentSet
	Read   Reader
	// Keys are the prefixes of the relevant keys, for ReadKeys.
	Keys []string
	// Why is the reason why edits at the location require the user's permission; "" means backend.ProtectsSession.
	Why backend.Protection
	// Steers is true if the files are instructions, which can't run code.
	Steers bool
}

// Locations lists all locations except those of git, grouped by agent.
var Locations = []Location{
	// Copilot CLI. It runs hooks, language servers and servers of custom agents even in
	// folders that aren't on its own list of trusted folders.
	{ID: "copilot-hooks", Path: ".github/hooks/**", Agents: Copilot, Read: ReadJSON},
	{ID: "copilot-settings", Path: ".github/copilot/**", Agents: Copilot, Read: ReadJSON},
	{ID: "copilot-lsp", Path: ".github/lsp.json", Agents: Copilot, Read: ReadJSON},
	{ID: "copilot-mcp", Path: ".github/mcp.json", Agents: Copilot, Read: ReadJSON},
	{ID: "mcp", Path: ".mcp.json", Agents: Everyone, Read: ReadJSON},
	{ID: "copilot-agents", Path: ".github/agents/**", Agents: Copilot, Read: ReadFrontmatter},
	{ID: "copilot-extensions", Path: ".github/extensions/**", Agents: Copilot},
	{ID: "copilot-skills", Path: ".github/skills/**", Agents: Copilot, Read: ReadFrontmatter},

	// Claude Code. The Copilot CLI reads its agents, skills, commands and settings too.
	{ID: "claude-settings", Path: ".claude/settings.json", Agents: Everyone, Read: ReadJSON},
	{ID: "claude-settings-local", Path: ".claude/settings.local.json", Agents: Everyone, Read: ReadJSON},
	{ID: "claude-agents", Path: ".claude/agents/**", Agents: Everyone, Read: ReadFrontmatter},
	{ID: "claude-commands", Path: ".claude/commands/**", Agents: Everyone, Read: ReadFrontmatter},
	{ID: "claude-skills", Path: ".claude/skills/**", Agents: Everyone, Read: ReadFrontmatter},
	{ID: "claude-hooks", Path: ".claude/hooks/**", Agents: Others},
	{ID: "claude-output-styles", Path: ".claude/output-styles/**", Agents: Others, Read: ReadFrontmatter},

	// Folder shared by several agents.
	{ID: "agents-skills", Path: ".agents/skills/**", Agents: Everyone, Read: ReadFrontmatter},
	{ID: "agents-agents", Path: ".agents/agents/**", Agents: Everyone, Read: ReadFrontmatter},
	{ID: "agents-commands", Path: ".agents/commands/**", Agents: Everyone, Read: ReadFrontmatter},

	// Gemini and its fork Qwen.
	{ID: "gemini-settings", Path: ".gemini/settings.json", Agents: Others, Read: ReadJSON},
	{ID: "gemini-commands", Path: ".gemini/commands/**", Agents: Others},
	{ID: "gemini-extensions", Path: ".gemini/extensions/**", Agents: Others},
	{ID: "gemini-hooks", Path: ".gemini/hooks/**", Agents: Others},
	{ID: "gemini-skills", Path: ".gemini/skills/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "gemini-agents", Path: ".gemini/agents/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "gemini-env", Path: ".gemini/.env", Agents: Others},
	{ID: "gemini-sandbox", Path: ".gemini/sandbox*", Agents: Others},
	{ID: "qwen-settings", Path: ".qwen/settings.json", Agents: Others, Read: ReadJSON},
	{ID: "qwen-commands", Path: ".qwen/commands/**", Agents: Others},
	{ID: "qwen-extensions", Path: ".qwen/extensions/**", Agents: Others},
	{ID: "qwen-hooks", Path: ".qwen/hooks/**", Agents: Others},
	{ID: "qwen-skills", Path: ".qwen/skills/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "qwen-agents", Path: ".qwen/agents/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "qwen-env", Path: ".qwen/.env", Agents: Others},

	// Codex.
	{ID: "codex-config", Path: ".codex/config.toml", Agents: Others},
	{ID: "codex-hooks", Path: ".codex/hooks.json", Agents: Others, Read: ReadJSON},
	{ID: "codex-hooks-folder", Path: ".codex/hooks/**", Agents: Others},
	{ID: "codex-rules", Path: ".codex/rules/**", Agents: Others},
	{ID: "codex-skills", Path: ".codex/skills/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "codex-agents", Path: ".codex/agents/**", Agents: Others},

	// OpenCode.
	{ID: "opencode-json", Path: "opencode.json", Agents: Others, Read: ReadJSON},
	{ID: "opencode-jsonc", Path: "opencode.jsonc", Agents: Others, Read: ReadJSON},
	{ID: "opencode-folder-json", Path: ".opencode/opencode.json", Agents: Others, Read: ReadJSON},
	{ID: "opencode-folder-jsonc", Path: ".opencode/opencode.jsonc", Agents: Others, Read: ReadJSON},
	{ID: "opencode-plugin", Path: ".opencode/plugin/**", Agents: Others},
	{ID: "opencode-plugins", Path: ".opencode/plugins/**", Agents: Others},
	{ID: "opencode-tool", Path: ".opencode/tool/**", Agents: Others},
	{ID: "opencode-tools", Path: ".opencode/tools/**", Agents: Others},
	{ID: "opencode-agent", Path: ".opencode/agent/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-agents", Path: ".opencode/agents/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-command", Path: ".opencode/command/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-commands", Path: ".opencode/commands/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-skill", Path: ".opencode/skill/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-skills", Path: ".opencode/skills/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "opencode-package", Path: ".opencode/package.json", Agents: Others, Read: ReadJSON},

	// Cursor.
	{ID: "cursor-mcp", Path: ".cursor/mcp.json", Agents: Others, Read: ReadJSON},
	{ID: "cursor-hooks", Path: ".cursor/hooks.json", Agents: Others, Read: ReadJSON},
	{ID: "cursor-hooks-folder", Path: ".cursor/hooks/**", Agents: Others},
	{ID: "cursor-cli", Path: ".cursor/cli.json", Agents: Others, Read: ReadJSON},
	{ID: "cursor-environment", Path: ".cursor/environment.json", Agents: Others, Read: ReadJSON},
	{ID: "cursor-worktrees", Path: ".cursor/worktrees.json", Agents: Others, Read: ReadJSON},
	{ID: "cursor-commands", Path: ".cursor/commands/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "cursor-agents", Path: ".cursor/agents/**", Agents: Others, Read: ReadFrontmatter},
	{ID: "cursor-skills", Path: ".cursor/skills/**", Agents: Others, Read: ReadFrontmatter},

	// VS Code and related tools.
	{ID: "vscode-mcp", Path: ".vscode/mcp.json", Agents: Others, Read: ReadJSON},
	{ID: "vscode-tasks", Path: ".vscode/tasks.json", Agents: Others},
	{ID: "vscode-launch", Path: ".vscode/launch.json", Agents: Others},
	{ID: "vscode-settings", Path: ".vscode/settings.json", Agents: Others, Read: ReadKeys, Keys: []string{
		"chat.", "github.copilot.", "mcp", "terminal.", "task.", "git.", "security.", "remote.", "dev.containers.", "npm.", "eslint.", "python.", "go.", "rust-analyzer.", "typescript.tsdk", "clangd.", "php.validate.executablePath",
	}},
	{ID: "devcontainer", Path: ".devcontainer/**", Agents: Others, Read: ReadJSON},
	{ID: "devcontainer-file", Path: ".devcontainer.json", Agents: Others, Read: ReadJSON},

	// Tools that run when a folder is entered.
	{ID: "envrc", Path: ".envrc", Agents: Everyone, Why: backend.ProtectsShell},
	{ID: "mise", Path: "mise.toml", Agents: Others},
	{ID: "mise-hidden", Path: ".mise.toml", Agents: Others},

	// Instructions.
	{ID: "agents-md", Path: "AGENTS.md", Agents: Everyone, Steers: true},
	{ID: "agents-md-override", Path: "AGENTS.override.md", Agents: Others, Steers: true},
	{ID: "claude-md", Path: "CLAUDE.md", Agents: Everyone, Steers: true},
	{ID: "claude-md-local", Path: "CLAUDE.local.md", Agents: Others, Steers: true},
	{ID: "claude-md-folder", Path: ".claude/CLAUDE.md", Agents: Everyone, Steers: true},
	{ID: "claude-rules", Path: ".claude/rules/**", Agents: Everyone, Steers: true},
	{ID: "gemini-md", Path: "GEMINI.md", Agents: Everyone, Steers: true},
	{ID: "qwen-md", Path: "QWEN.md", Agents: Others, Steers: true},
	{ID: "copilot-instructions", Path: ".github/copilot-instructions.md", Agents: Everyone, Steers: true},
	{ID: "copilot-instructions-folder", Path: ".github/instructions/**", Agents: Everyone, Steers: true},
	{ID: "copilot-prompts", Path: ".github/prompts/**", Agents: Everyone, Steers: true},
	{ID: "cursor-rules", Path: ".cursor/rules/**", Agents: Others, Steers: true},
	{ID: "cursorrules", Path: ".cursorrules", Agents: Others, Steers: true},
}

// IDs of git's locations. These locations concern all agents, since all agents run git.
const (
	GitConfigID = "git-config"
	GitHookID   = "git-hook"
)

// GitKeys are the keys of git's configuration that can make git run a program, directly or, like include.path,
// indirectly. They are in lower case; "*" stands for any name or part of a name. The method setting.runs decides
// whether a particular value has that effect.
var GitKeys = []string{
	"add.interactive.command", "alias.*", "browser.*.cmd", "browser.*.path",
	"core.alternaterefscommand", "core.askpass", "core.editor", "core.fsmonitor", "core.gitproxy", "core.hookspath", "core.pager", "core.sshcommand",
	"credential.helper", "credential.*.helper",
	"diff.external", "diff.*.command", "diff.*.textconv", "difftool.*.cmd", "difftool.*.path",
	"filter.*.clean", "filter.*.process", "filter.*.smudge",
	"gc.recentobjectshook", "gpg.program", "gpg.*.program", "gpg.ssh.defaultkeycommand", "guitool.*.cmd", "hook.*.command",
	"imap.tunnel", "include.path", "includeif.*.path", "init.templatedir", "instaweb.browser", "instaweb.httpd", "interactive.difffilter",
	"lfs.customtransfer.*.path", "lfs.extension.*.clean", "lfs.extension.*.smudge", "man.*.cmd", "man.*.path", "merge.*.driver", "mergetool.*.cmd", "mergetool.*.path",
	"pager.*", "protocol.allow", "protocol.*.allow", "rebase.editor", "receive.procreceiverefs", "remote.*.receivepack", "remote.*.uploadpack", "remote.*.url", "remote.*.pushurl", "remote.*.vcs",
	"sendemail.cccmd", "sendemail.headercmd", "sendemail.sendmailcmd", "sendemail.smtpserver", "sendemail.tocmd", "sendemail.*.sendmailcmd", "sendemail.*.smtpserver", "sequence.editor", "submodule.*.update", "submodule.*.url", "svn.authorsprog",
	"tar.*.command", "trailer.*.cmd", "trailer.*.command", "uploadpack.packobjectshook", "url.*.insteadof", "url.*.pushinsteadof", "web.browser",
}

// gitFiles lists the files that define what git runs, with paths relative to the git directory of a repository,
// submodule or worktree.
var gitFiles = []string{"config", "config.worktree", "commondir", "gitdir", "hooks/**", "info/attributes"}

// gitContent lists files and folders of a git directory that never make git run anything.
var gitContent = []string{"objects", "refs", "logs", "index", "head", "orig_head", "fetch_head", "merge_head", "packed-refs", "shallow", "commit_editmsg", "description", "exclude"}

// managedHooks lists files in the work tree that contain the commands run by the hooks of Husky, pre-commit and
// Lefthook.
var managedHooks = []string{
	".husky/**", ".pre-commit-config.yaml", ".pre-commit-config.yml",
	"lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", ".config/lefthook.yml", ".config/lefthook.yaml",
}

// homeFiles lists protected files, with paths relative to the user's home directory.
var homeFiles = []struct {
	path string
	why  backend.Protection
}{
	{".bashrc", backend.ProtectsShell},
	{".bash_profile", backend.ProtectsShell},
	{".bash_login", backend.ProtectsShell},
	{".bash_logout", backend.ProtectsShell},
	{".bash_aliases", backend.ProtectsShell},
	{".profile", backend.ProtectsShell},
	{".zshrc", backend.ProtectsShell},
	{".zshenv", backend.ProtectsShell},
	{".zprofile", backend.ProtectsShell},
	{".zlogin", backend.ProtectsShell},
	{".zlogout", backend.ProtectsShell},
	{".zsh/**", backend.ProtectsShell},
	{".kshrc", backend.ProtectsShell},
	{".mkshrc", backend.ProtectsShell},
	{".cshrc", backend.ProtectsShell},
	{".tcshrc", backend.ProtectsShell},
	{".inputrc", backend.ProtectsShell},
	{".config/fish/**", backend.ProtectsShell},
	{".config/nushell/**", backend.ProtectsShell},
	{".config/powershell/**", backend.ProtectsShell},
	{"Documents/PowerShell/**", backend.ProtectsShell},
	{"Documents/WindowsPowerShell/**", backend.ProtectsShell},
	{".xprofile", backend.ProtectsShell},
	{".xinitrc", backend.ProtectsShell},
	{".xsession", backend.ProtectsShell},
	{".xsessionrc", backend.ProtectsShell},
	{".pam_environment", backend.ProtectsShell},
	{".config/environment.d/**", backend.ProtectsShell},
	{".config/autostart/**", backend.ProtectsShell},
	{".config/systemd/user/**", backend.ProtectsShell},
	{".config/direnv/**", backend.ProtectsShell},
	{"Library/LaunchAgents/**", backend.ProtectsShell},
	{"AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/**", backend.ProtectsShell},
	{".gitconfig", backend.ProtectsGit},
	{".config/git/**", backend.ProtectsGit},
	{".ssh/**", backend.ProtectsKeys},
	{".gnupg/**", backend.ProtectsKeys},
}
