// Package sandboxed decides how an agent's shell commands run when a chat uses the sandbox, and records the
// commands that ran in it. Before a command runs, the guard replaces the agent's shell line with one that
// starts the sandbox. The user never sees that line.
package sandboxed

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
)

// Sandbox contains the functions that run a chat's commands in the sandbox. If Use is nil, the chat has no sandbox.
type Sandbox struct {
	// Use reports whether the chat's commands must currently run in the sandbox. problem is the reason why
	// they can't run there, or the zero Message if they can.
	Use func() (on bool, problem backend.Message)
	// Wrap prepares a command to run in the sandbox. Its error is the reason why the command can't run.
	Wrap func(ctx context.Context, c Command) (Run, error)
	// Leave prepares a command to run outside the sandbox, if the agent itself runs in the sandbox. Otherwise, needed
	// is false, and the agent can run the command itself. Leave is nil if agents never run in the sandbox.
	Leave func(line, folder string, env []string) (r Run, needed bool, err error)
}

// Command is a command to run in the sandbox.
type Command struct {
	Line   string   // the shell line to run
	Folder string   // the session's folder
	Env    []string // the environment, before the sandbox removes secrets from it
	Hint   string   // a sentence that the model receives if the command fails; "" for none
	// Ask asks the user whether the command may reach the site that p names. It returns false if the user
	// rejects p, the turn is stopped, or ctx ends.
	Ask func(ctx context.Context, p backend.Permission) (allowed bool)
	// Blocked records a site that the command couldn't reach. It returns immediately.
	Blocked func(site string)
	ByApp   bool // VoxPilot starts the command instead of the agent
}

// Run describes a command that was prepared to run in the sandbox, or outside of it.
type Run struct {
	Shell   string // the shell line that the agent must run instead of the command
	Discard func() // undoes the preparations if the run hasn't started
}

// OutsidePrefix is the prefix that the agent adds to a command to request that it run outside the sandbox. No program
// has this name, so a shell can't run the command by mistake.
const OutsidePrefix = "outside-sandbox -- "

// Hint is the text that tells the model how to request that a command run outside the sandbox.
const Hint = "To ask the user for permission to run it outside the sandbox, run it again with the prefix `" + OutsidePrefix + "`."

// Plan describes how to run a call's command.
type Plan struct {
	Role    backend.SandboxRole // "" if the sandbox isn't involved
	Line    string              // the command, without OutsidePrefix
	Changed bool                // Line differs from what the agent wrote
	Problem backend.Message     // the reason why the command can't run, or the zero Message
}

// PlanOf returns the plan for the call's command. If the command has the prefix OutsidePrefix, PlanOf removes it from
// the call. It returns the zero Plan if the call doesn't run a shell command or the chat has no sandbox.
func (s Sandbox) PlanOf(call *guard.Call) (p Plan, err error) {
	line, isShell := call.ShellCommand()
	if !isShell || s.Use == nil {
		return p, nil
	}
	p.Line, p.Changed = strings.CutPrefix(strings.TrimLeft(line, " \t\r\n"), OutsidePrefix)
	if !p.Changed {
		p.Line = line
	} else if *call, err = call.WithCommand(p.Line); err != nil {
		return p, err
	}
	on, problem := s.Use()
	switch {
	case !on:
	case p.Changed:
		p.Role = backend.SandboxLeaves
	default:
		p.Role, p.Problem = backend.SandboxInside, problem
	}
	return p, nil
}

// Args returns the arguments with which the agent must run the call, or nil to leave them unchanged.
func (p Plan) Args(call guard.Call) json.RawMessage {
	if !p.Changed {
		return nil
	}
	return call.Args
}

// SpecLine returns the shell line that runs command with args in dir. If dir isn't the session's folder, the line
// changes to dir first. If args is empty, command is itself a shell line.
func SpecLine(command string, args []string, dir, folder string) string {
	line := command
	if len(args) > 0 {
		words := make([]string, 0, 1+len(args))
		for _, word := range append([]string{command}, args...) {
			words = append(words, quote(word))
		}
		line = strings.Join(words, " ")
	}
	if dir == folder {
		return line
	}
	return "cd " + quote(dir) + " && { " + line + "\n}"
}

// quote quotes a word for bash.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
