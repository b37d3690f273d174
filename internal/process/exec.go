package process

// execArg is the first argument of a process that is to become another one.
const execArg = "__exec"

// exitNoExec is the exit code of a process that could not become the other
// one; it says why on stderr after execFailed.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
