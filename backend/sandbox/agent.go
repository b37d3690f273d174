package sandbox

// Agent is the start of a whole agent in a sandbox.
type Agent struct {
	ID string
	// Path, Args and Env are the process to start in place of the agent's.
	Path string
	Args []string
	Env  []string
	// Dir is the only folder of VoxPilot's that the agent sees. It is removed with the agent.
	Dir  string
	runs string // folder of the runs nested in this sandbox
	// real are the places in the sandbox with the content of the masked ones.
	real map[string]string
}
