package process

// execArg is the first argument of a process that must exec another program.
const execArg = "__exec"

// exitNoExec is the exit code of a process that couldn't exec; the reason follows
// execFailed on stderr.
const exitNoExec = 126

const execFailed = "voxpilot cannot start it: "
