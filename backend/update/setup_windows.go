package update

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// setupFolder is where the installer has installed VoxPilot for this user, or "".
func setupFolder() string {
	key, err := registry.OpenKey(registry.CURRENT_USER, `Software\Microsoft\Windows\CurrentVersion\Uninstall\`+feedProgram, registry.QUERY_VALUE)
	if err != nil {
		return "" // it has not
	}
	defer func() { _ = key.Close() }()
	folder, _, _ := key.GetStringValue("InstallLocation")
	return folder
}

// runSetup runs the installer without a word and waits for it. The folder is its
// last argument and, as NSIS wants it, without quotes.
func runSetup(setup, dir string) error {
	cmd := exec.Command(setup) //nolint:noctx // it is not to be cut short
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: syscall.EscapeArg(setup) + " /S /D=" + dir}
	return cmd.Run()
}

// hide keeps a console window from showing up.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
