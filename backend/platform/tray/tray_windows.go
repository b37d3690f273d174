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

// run gives the tray a thread of its own: the window of its icon gets messages
// on the thread that made it only.
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

// setTapped opens the window with a left click; a right click shows the menu.
func setTapped(open func()) { systray.SetOnTapped(open) }

// label doubles what would underline the next letter.
func label(text string) string { return strings.ReplaceAll(text, "&", "&&") }

// personalize is where Windows keeps the user's choice of colours.
const personalize = `Software\Microsoft\Windows\CurrentVersion\Themes\Personalize`

// setIcon shows the shape in the colour that is seen on the taskbar.
func setIcon(s Shape) {
	colour := "light"
	if taskbarIsLight() {
		colour = "dark"
	}
	icon, err := icons.ReadFile("icons/" + string(s) + "-" + colour + ".ico")
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

// watchColours calls changed whenever the user's choice of colours may have
// changed, for as long as the app runs.
func watchColours(changed func()) {
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
