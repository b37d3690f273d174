package sandbox

// Agent is the start of a whole agent in a sandbox. Its methods are safe for concurrent use.
//
// Commands of an agent can't get a sandbox in that of the agent: the kernel doesn't let root nest them, and
// AppArmor's profile for bubblewrap forbids it. So VoxPilot starts a command's sandbox outside, beside that of the agent: the agent runs a
// small program instead of the command, which passes its standard streams to VoxPilot and waits.
type Agent struct {
	ID string
	// Path, Args and Env are the process to start in place of the agent's.
	Path string
	Args []string
	Env  []string
	door *door
}
