package environment

// ShellTime bounds how long a login shell is waited for.
var ShellTime = &shellTime
