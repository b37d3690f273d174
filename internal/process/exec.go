package process

// execArg is the first argument that makes this program replace itself with another program (exec).
const execArg = "__exec"

// exitNoExec is the exit code of a process that couldn't replace itself with the other program. The reason is on
// stderr, after the prefix execFailed.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
