package copilot

import "strings"

// ResumeCommand returns the terminal command that continues a session. If home isn't "", the command sets COPILOT_HOME to
// it. goos is the name of the operating system as in runtime.GOOS; on Windows, the command is for PowerShell.
func ResumeCommand(goos, home, id string) string {
	command := "copilot --resume=" + id
	switch {
	case home == "":
		return command
	case goos == "windows":
		return "$env:COPILOT_HOME='" + strings.ReplaceAll(home, "'", "''") + "'; " + command
	}
	return "COPILOT_HOME='" + strings.ReplaceAll(home, "'", `'\''`) + "' " + command
}
