package cmdline

// notDirectory reports whether a name was looked for below a file. Windows says
// then that it doesn't exist.
func notDirectory(error) bool { return false }
