package process

// execArg makes this program replace itself with another program (exec) if it is the first argument.
const execArg = "__exec"

// exitNoExec is the exit code of a process that couldn't replace itself with the other program. The reason is on
// stderr, after the prefix execFailed.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
