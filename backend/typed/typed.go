// Package typed lists the commands that the Copilot CLI offers in a terminal but not over ACP. Sent as a message,
// such a command would go to the model and cost a request. The composer in VoxPilot's window runs VoxPilot's
// counterparts. For the quick prompt and the command line, the function Instead returns a sentence that names the
// place where the command can be used.
package typed

import (
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// inWindow lists the commands that the composer in VoxPilot's window runs, or for which it names an alternative.
var inWindow = []string{
	"new", "clear", "ask", "resume", "search", "diff", "review", "tasks", "fork", "branch", "restart", "help", "settings", "theme",
	"login", "logout", "user", "version", "update", "changelog", "undo", "rewind", "agent", "copy", "delegate",
	"exit", "instructions", "limits", "move", "pr", "worktree",
}

// inTerminal lists the commands that make sense only in a terminal.
var inTerminal = []string{
	"app", "collect-debug-logs", "computer", "diagnose", "experimental", "feedback", "footer", "ide", "keep-alive",
	"lsp", "refine", "rubber-duck", "statusline", "subagents", "terminal-setup", "vim", "voice",
}

// Instead returns a sentence that names the place where the command at the start of a text can be used. It returns the
// zero Message if the text can be sent to the agent, either because it doesn't start with such a command or because the
// agent declares the command.
func Instead(text string, declared []backend.Choice) backend.Message {
	rest, is := strings.CutPrefix(text, "/")
	words := strings.Fields(rest)
	if !is || len(words) == 0 || !strings.HasPrefix(rest, words[0]) {
		return backend.Message{}
	}
	name := words[0]
	switch {
	case slices.ContainsFunc(declared, func(c backend.Choice) bool { return c.ID == name }):
	case slices.Contains(inWindow, name):
		return backend.Say("/%s wasn't sent. To use it, type it in a chat in VoxPilot's window.", name)
	case slices.Contains(inTerminal, name):
		return backend.Say("/%s wasn't sent: it works only in Copilot CLI in a terminal.", name)
	}
	return backend.Message{}
}
