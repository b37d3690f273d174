// Without these settings, Go would read the limits of the control group at startup, which takes longer than
// everything that the hook does.

//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command hook is the program that the Copilot CLI runs before each tool call: see package guard. It is also
// the first process in a sandbox: see package first. VoxPilot includes this program only on Linux, where its
// own binary takes 90 ms to start because it loads GTK and WebKit. The program starts in a few milliseconds.
package main

import "github.com/voxpilot/voxpilot/backend/guard"

func main() { guard.RunHook() }
