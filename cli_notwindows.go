//go:build !windows

package main

// attachConsole does nothing: what is printed shows where VoxPilot was started.
func attachConsole() {}
