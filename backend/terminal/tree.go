package terminal

// markVar is an environment variable by which everything that a command started
// is known, also what has left its session.
const markVar = "VOXPILOT_TERMINAL"
