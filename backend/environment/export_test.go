package environment

// ShellTime points to the time limit for the login shell, so that tests can change it.
var ShellTime = &shellTime
