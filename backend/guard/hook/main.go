// Command hook is the program that the Copilot CLI runs before each tool call: see the package guard.
// It is built into VoxPilot for Linux, where VoxPilot's own binary takes 90 ms to start because it
// loads GTK and WebKit. This program takes a few milliseconds.
package main

import "github.com/voxpilot/voxpilot/backend/guard"

func main() { guard.RunHook() }
