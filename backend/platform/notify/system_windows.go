package notify

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// appID is the AppUserModelID under which Windows lists the notifications.
const appID = "io.github.voxpilot.VoxPilot"

// shellTime is the time limit for PowerShell, which starts slowly.
const shellTime = 30 * time.Second

// open returns a system that shows notices by running Windows PowerShell, which can use the Windows Runtime.
func open(h callbacks, log *slog.Logger) system {
	system, err := windows.GetSystemDirectory()
	if err == nil {
		system = filepath.Join(system, "WindowsPowerShell", "v1.0", "powershell.exe")
		_, err = os.Stat(system)
	}
	if err == nil {
		err = register()
	}
	if err != nil {
		log.Warn("notifications aren't available", "err", err)
		h.available(backend.Say("VoxPilot can't show notifications: Windows PowerShell is missing or blocked, or VoxPilot couldn't register with Windows. See the log in Settings > Doctor."), false)
		return noop{}
	}
	buttons := isOwnScheme(registry.CLASSES_ROOT, "voxpilot")
	h.available(backend.Message{}, buttons)
	return &toasts{
		callbacks: h, buttons: buttons, log: log, links: map[string]*toastAnswers{},
		readLimits: func() textLimits { return toastLimits(registry.CURRENT_USER, `Software\Microsoft\Accessibility`) },
		run:        func(script string, env ...string) error { return runShell(system, script, env...) },
	}
}

// register registers the program's name with Windows, which shows no notifications from
// unknown programs.
func register() error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, `Software\Classes\AppUserModelId\`+appID, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close() //nolint:errcheck // the value is already set
	return key.SetStringValue("DisplayName", "VoxPilot")
}

// isOwnScheme reports whether Windows opens links with the given scheme in this program, as the
// installer configures it. If it returns false, for example because another copy handles the links,
// buttons don't work.
func isOwnScheme(classes registry.Key, scheme string) bool {
	key, err := registry.OpenKey(classes, scheme+`\shell\open\command`, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close() //nolint:errcheck // opened for reading only
	command, _, err := key.GetStringValue("")
	if err != nil {
		return false
	}
	program, _, _ := strings.Cut(strings.TrimPrefix(command, `"`), `"`)
	self, err := os.Executable()
	if err != nil {
		return false
	}
	theirs, err := os.Stat(program)
	if err != nil {
		return false
	}
	ours, err := os.Stat(self)
	return err == nil && os.SameFile(theirs, ours)
}

// toastLimits returns the limits for a toast's text at the user's text size.
func toastLimits(in registry.Key, path string) textLimits {
	scale := uint64(100)
	if key, err := registry.OpenKey(in, path, registry.QUERY_VALUE); err == nil {
		if set, _, err := key.GetIntegerValue("TextScaleFactor"); err == nil {
			scale = set
		}
		_ = key.Close() // opened for reading only
	}
	return limitsAt(scale)
}

func runShell(shell, script string, env ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), shellTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell, "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-Command", script)
	cmd.Env = append(os.Environ(), append(env, "VOXPILOT_APP="+appID)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %.500s", err, out)
	}
	return nil
}
