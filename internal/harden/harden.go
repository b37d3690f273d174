// Package harden protects this process and its secrets from other programs.
package harden

import "os"

// hardVariables maps each operating system to the environment variables that are set for VoxPilot and all its
// children. Without NoDefaultCurrentDirectoryInExePath, cmd.exe looks for programs in the current folder before the
// folders in PATH, so a git.bat in a chat's folder would run instead of the user's git.
var hardVariables = map[string]map[string]string{
	"windows": {"NoDefaultCurrentDirectoryInExePath": "1"},
}

// Process keeps this process's memory, which contains secrets, out of core dumps. In a release build, which no debugger
// needs to access, it also hides the memory from other programs. Both work only as far as the operating system allows.
// Process also sets the variables that hardVariables lists for goos. released reports whether this is a release build.
func Process(goos string, released bool) {
	for name, value := range hardVariables[goos] {
		_ = os.Setenv(name, value)
	}
	limitCore()
	if released {
		hideMemory()
	}
}
