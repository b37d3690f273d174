//go:build !windows

package main

// attachConsole does nothing: what is printed shows where VoxPilot was started.
func attachConsole() {}

// giveForeground does nothing: a window comes to the front here by its own wish.
func giveForeground() {}
