//go:build !windows

package commandline

// AttachConsole does nothing: what is printed shows where VoxPilot was started.
func AttachConsole() {}

// giveForeground does nothing: a window comes to the front here by its own wish.
func giveForeground() {}
