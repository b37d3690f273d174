package environment

// ShellTime points to the time limit for the login shell, which tests change.
var ShellTime = &shellTime
