//go:build !windows

package commandline

// AttachConsole does nothing: output already goes to the terminal.
func AttachConsole() {}

// giveForeground does nothing: windows can come to the front without permission.
func giveForeground() {}
