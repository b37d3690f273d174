package environment

// ShellTime is the time limit for the login shell.
var ShellTime = &shellTime
