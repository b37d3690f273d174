// Package boxed determines how an agent's shell commands are run when a chat uses the sandbox, and remembers
// what has run there. The guard lets the agent run another line than it wrote, which the user never sees.
package boxed

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
)

// Sandbox runs the commands of a chat in the sandbox. Nil functions mean that there is none.
type Sandbox struct {
	// Use reports whether the chat's commands run in the sandbox now, and, if they can't, the reason.
	Use func() (on bool, problem backend.Message)
	// Wrap prepares the run of a command. Errors describe why it can't run.
	Wrap func(ctx context.Context, c Command) (Run, error)
	// Leave prepares the run of a command outside of the sandbox for an agent that runs in it as a whole. It
	// returns false if the agent runs outside and can run the command itself.
	Leave func(line, folder string, env []string) (r Run, needed bool, err error)
}

// Command is a command to run in the sandbox.
type Command struct {
	Line   string   // as the agent wrote it
	Folder string   // of the session
	Env    []string // before filtering
	Hint   string   // a sentence for the model if the command fails
	// Ask asks the user whether the command may reach a site; p has the site. It returns false if the
	// user rejects it, the turn is stopped, or ctx ends.
	Ask func(ctx context.Context, p backend.Permission) (allowed bool)
	// Blocked records a site that the command couldn't reach. It doesn't block.
	Blocked func(site string)
	ByApp   bool // VoxPilot starts the command, not the agent
}

// Run is a prepared run.
type Run struct {
	Shell   string // the line of shell that the agent must run instead of the command
	Discard func() // removes the run if the agent hasn't started it
}

// OutsidePrefix is the start of a command that the agent asks to run outside of the sandbox. No program has
// this name, so no shell runs such a command.
const OutsidePrefix = "outside-sandbox -- "

// Hint tells the model how to ask for a run outside of the sandbox.
const Hint = "If it must run outside, and the user should be asked, run it again with `" + OutsidePrefix + "` in front of it."

// Way describes the run of a call's command.
type Way struct {
	Role    backend.SandboxRole // "" if the sandbox has no part in it
	Line    string              // the command, without OutsidePrefix
	Changed bool                // Line isn't what the agent wrote
	Problem backend.Message     // the reason why it can't run
}

// WayOf returns the way to run the call's command, and removes OutsidePrefix from the call. It returns
// the zero Way for calls of other tools.
func (s Sandbox) WayOf(call *guard.Call) (w Way, err error) {
	line, isShell := call.ShellCommand()
	if !isShell || s.Use == nil {
		return w, nil
	}
	w.Line, w.Changed = strings.CutPrefix(strings.TrimLeft(line, " \t\r\n"), OutsidePrefix)
	if !w.Changed {
		w.Line = line
	} else if *call, err = call.WithCommand(w.Line); err != nil {
		return w, err
	}
	on, problem := s.Use()
	switch {
	case !on:
	case w.Changed:
		w.Role = backend.SandboxLeaves
	default:
		w.Role, w.Problem = backend.SandboxInside, problem
	}
	return w, nil
}

// Args returns the arguments with which the agent must run the call, or nil for its own.
func (w Way) Args(call guard.Call) json.RawMessage {
	if !w.Changed {
		return nil
	}
	return call.Args
}

// SpecLine returns the line of shell that runs a program with its arguments in dir. Without arguments, command
// is a line itself. folder is the folder in which the line starts.
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
