// Without these, Go would read the limits of the control group at the start, which takes longer than the work.

//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command hook is the program that the Copilot CLI runs before each tool call: see the package guard. It is
// also the first process in a sandbox: see the package first. It is built into VoxPilot for Linux, where
// VoxPilot's own binary takes 90 ms to start because it loads GTK and WebKit. This program takes a few
// milliseconds.
package main

import "github.com/voxpilot/voxpilot/backend/guard"

func main() { guard.RunHook() }
