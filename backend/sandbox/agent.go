package sandbox

// Agent describes how to start a whole agent in a sandbox, instead of only its commands. Its methods are safe for
// concurrent use.
//
// A command's sandbox can't be created inside the agent's: the kernel doesn't let root nest sandboxes, and AppArmor's
// profile for bubblewrap forbids it. VoxPilot therefore starts the command's sandbox next to the agent's: instead of
// the command, the agent runs a small program that passes its standard streams to VoxPilot and waits.
type Agent struct {
	ID string
	// Path, Args and Env describe the process to start instead of the agent.
	Path     string
	Args     []string
	Env      []string
	launcher *launcher
}
