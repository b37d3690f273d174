package process

// execArg, as the first argument, makes this program exec another program.
const execArg = "__exec"

// exitNoExec is the exit code of a process that couldn't exec the other program. The reason is on
// stderr, after the prefix execFailed.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
