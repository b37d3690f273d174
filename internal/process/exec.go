package process

// execArg is the first argument of a process of this program that must exec another
// one.
const execArg = "__exec"

// exitNoExec is the exit code of a process that couldn't exec the other program; the
// reason follows execFailed on stderr.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
