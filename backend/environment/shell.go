// Package environment is what programs are started with, and where VoxPilot keeps its
// data: this process's variables, what the user's login shell adds to them, the tokens
// among them, the proxies and certificates that follow from them.
package environment

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// LoginShell is what the user's login shell told of its environment, which an
// app that was started by a double click has not inherited.
type LoginShell struct {
	// Program is the shell; "" where the user has none that could be asked.
	Program string
	Path    []string
	// Vars are variables, as NAME=value, that programs need to get through the
	// user's network and that this process does not have: proxies, certificates,
	// the SSH agent, the language. No other variable is looked at.
	Vars []string
	Took time.Duration
	// Problem is why the shell did not tell, "" where it did or there is none.
	Problem backend.Message
}
