package sandbox

// Agent describes how to start a whole agent, not just its commands, in a sandbox. Its methods are safe for concurrent use.
//
// A command's sandbox can't be created inside the agent's: the kernel doesn't let root nest sandboxes, and
// AppArmor's profile for bubblewrap forbids it. So VoxPilot starts the command's sandbox next to the agent's:
// instead of the command, the agent runs a small program that passes its standard streams to VoxPilot and waits.
type Agent struct {
	ID string
	// Path, Args and Env describe the process to start instead of the agent's own.
	Path     string
	Args     []string
	Env      []string
	launcher *launcher
}
