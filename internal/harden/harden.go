// Package harden protects this process's memory from other programs.
package harden

import "os"

// hardVariables are set for VoxPilot and all its children. Without the first one,
// cmd.exe looks for programs in the current folder before PATH; in a chat's folder,
// git.bat isn't the user's git.
var hardVariables = map[string]map[string]string{
	"windows": {"NoDefaultCurrentDirectoryInExePath": "1"},
}

// Process keeps this process's memory, which contains secrets, out of core dumps and
// away from other programs, as far as the system allows. released means that no
// debugger needs access.
func Process(goos string, released bool) {
	for name, value := range hardVariables[goos] {
		_ = os.Setenv(name, value)
	}
	limitCore()
	if released {
		hideMemory()
	}
}
