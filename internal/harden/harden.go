// Package harden keeps what is in this process's memory from others.
package harden

import "os"

// hardVariables are set for VoxPilot and all that it starts. cmd.exe looks for a
// program in its folder before it looks in PATH, unless the first one is set: the
// folder is a chat's, whose git.bat is not the user's git.
var hardVariables = map[string]map[string]string{
	"windows": {"NoDefaultCurrentDirectoryInExePath": "1"},
}

// Process keeps what is in this process's memory, secrets among it, out of files and
// of other programs, as far as the system has a way to say so. released says that
// nobody needs to debug it.
func Process(goos string, released bool) {
	for name, value := range hardVariables[goos] {
		_ = os.Setenv(name, value)
	}
	limitCore()
	if released {
		hideMemory()
	}
}
