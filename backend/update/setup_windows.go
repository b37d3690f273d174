package update

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// setupFolder returns the folder into which the installer installed VoxPilot for this user, or "".
func setupFolder() string {
	key, err := registry.OpenKey(registry.CURRENT_USER, `Software\Microsoft\Windows\CurrentVersion\Uninstall\`+feedProgram, registry.QUERY_VALUE)
	if err != nil {
		return "" // not installed
	}
	defer func() { _ = key.Close() }()
	folder, _, _ := key.GetStringValue("InstallLocation")
	return folder
}

// runSetup runs the installer silently and waits until it has finished. NSIS requires the folder as the last argument,
// without quotes.
func runSetup(setup, dir string) error {
	cmd := exec.Command(setup) //nolint:noctx // must not be interrupted
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: syscall.EscapeArg(setup) + " /S /D=" + dir}
	return cmd.Run()
}

// hide suppresses the console window of a command.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
