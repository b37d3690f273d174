package engine

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/guard/program"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/process"
)

// newGuard starts the server of the guard. The guard is a plugin of the Copilot CLI that asks this server before
// each tool call. newGuard returns nil if the server can't be started; every session of the CLI then reports that
// its guard is off.
func newGuard(e *Engine) *guard.Server {
	s, err := guard.New(guard.Config{Dir: filepath.Join(e.Dir, "guard"), Program: e.hookProgram, Decide: e.decideForGuard, Log: e.Log})
	if err == nil {
		return s
	}
	e.Log.Error("couldn't start the guard", "err", err)
	return nil
}

// writeHookProgram returns the path of the program that the guard's hooks and the sandbox run. It writes a
// small program, which is part of this build, to the data directory. If that fails, it returns the path of
// VoxPilot itself, which takes longer to start: 90 ms on Linux.
func (e *Engine) writeHookProgram() (string, error) {
	if path, err := program.Write(filepath.Join(e.Dir, "program")); err == nil {
		return path, nil
	}
	return process.ProgramPath()
}

// decideForGuard returns the decision on a tool call or another event that the guard of a chat's agent reports. The
// agent runs the tool only after decideForGuard returns. Unless the call is denied, decideForGuard therefore first
// makes Undo record the state of the chat's folder.
func (e *Engine) decideForGuard(ctx context.Context, chatID string, call guard.Call) guard.Answer {
	if strings.HasPrefix(chatID, draftPrefix) {
		return e.Agents.decideForDraft(ctx, chatID, call)
	}
	e.Agents.mu.Lock()
	a := e.Agents.byChat[chatID]
	e.Agents.mu.Unlock()
	if a == nil {
		return guard.Answer{Decision: guard.Denied, Reason: "VoxPilot has closed this chat."}
	}
	answer := a.Guard(ctx, call)
	if answer.Decision != guard.Denied {
		e.Undo.BeforeTool(ctx, chatID, call)
	}
	return answer
}

// withGuard adds the guard to the launch parameters of the Copilot CLI. If the guard isn't available, the
// CLI starts without it and each session reports that its guard is off.
func (e *Engine) withGuard(l agent.Launch, chatID string) agent.Launch {
	l.Guarded = true
	if e.guard == nil {
		return l
	}
	folder, err := e.guard.Plugin(chatID)
	if err != nil {
		e.Log.Error("couldn't write the guard's plugin", "err", err)
		return l
	}
	l.Args = append(l.Args, "--plugin-dir", folder)
	return l
}

// guardProblem returns the likely reason why the guard is off in a session that uses the folder
// (agent.Config.GuardProblem).
func (e *Engine) guardProblem(folder string) backend.Message {
	found, err := trust.Inventory(e.ctx, folder, trust.Everyone)
	if err != nil {
		e.Log.Warn("couldn't read the folder's hooks and settings", "err", err)
	}
	for _, entry := range found.Entries {
		if strings.HasSuffix(strings.TrimSuffix(entry.Key, ": true"), "disableAllHooks") {
			return backend.Say("%s in this folder turns off all hooks, including the one for VoxPilot's guard.", entry.File)
		}
	}
	if e.guard == nil {
		return backend.Say("VoxPilot couldn't start its guard. See the log in Settings > Doctor.")
	}
	return backend.Say("Copilot CLI %s doesn't run VoxPilot's guard.", e.CLI().Version)
}
