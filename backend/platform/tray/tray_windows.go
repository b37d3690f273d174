package tray

import (
	"embed"
	"runtime"
	"strings"

	"fyne.io/systray"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

//go:embed icons/*.ico
var icons embed.FS

// run gives the tray a separate thread, because the icon's window receives messages only on the thread that created it.
func run(ready func()) {
	go func() {
		runtime.LockOSThread()
		systray.Run(ready, nil)
	}()
}

func (n *native) close() {
	<-n.ready
	systray.Quit()
}

// setTapped sets the function to call on a left click. A right click shows the menu.
func setTapped(open func()) { systray.SetOnTapped(open) }

// label doubles ampersands, which would otherwise mark a mnemonic.
func label(text string) string { return strings.ReplaceAll(text, "&", "&&") }

// personalize is the registry key of the user's color settings.
const personalize = `Software\Microsoft\Windows\CurrentVersion\Themes\Personalize`

// setIcon shows the shape in the color that contrasts with the taskbar.
func setIcon(s Shape) {
	color := "light"
	if taskbarIsLight() {
		color = "dark"
	}
	icon, err := icons.ReadFile("icons/" + string(s) + "-" + color + ".ico")
	if err != nil {
		panic(err) // every shape is embedded
	}
	systray.SetIcon(icon)
}

func taskbarIsLight() bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, personalize, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer func() { _ = key.Close() }()
	light, _, err := key.GetIntegerValue("SystemUsesLightTheme")
	return err == nil && light == 1
}

// watchColors calls changed whenever the user's color settings may have changed, while the app runs.
func watchColors(changed func()) {
	go func() {
		key, err := registry.OpenKey(registry.CURRENT_USER, personalize, windows.KEY_NOTIFY)
		if err != nil {
			return
		}
		defer func() { _ = key.Close() }()
		for windows.RegNotifyChangeKeyValue(windows.Handle(key), false, windows.REG_NOTIFY_CHANGE_LAST_SET, 0, false) == nil {
			changed()
		}
	}()
}
