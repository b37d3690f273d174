package notify

import (
	"context"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// appID is the AppUserModelID under which Windows lists the notifications.
const appID = "io.github.voxpilot.VoxPilot"

// shellTime bounds each run of PowerShell, whose start is slow.
const shellTime = 30 * time.Second

// The scripts get what varies by the environment, so nothing of it is code.
const (
	types = `$ErrorActionPreference = 'Stop'
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom.XmlDocument, ContentType = WindowsRuntime]
`
	scriptShow = types + `$xml = New-Object Windows.Data.Xml.Dom.XmlDocument
$xml.LoadXml($env:VOXPILOT_TOAST)
$toast = New-Object Windows.UI.Notifications.ToastNotification $xml
$toast.Tag = $env:VOXPILOT_TAG
$toast.Group = 'voxpilot'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($env:VOXPILOT_APP).Show($toast)`
	scriptWithdraw = types + `[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($env:VOXPILOT_TAG, 'voxpilot', $env:VOXPILOT_APP)`
)

// toasts shows notices by Windows' PowerShell, which has the Windows Runtime. A
// click follows a link to VoxPilot; buttons that answer would need a COM server,
// and a link that answers could be followed by any web page, so there are none.
type toasts struct {
	shell string
	log   *slog.Logger
}

func open(h hears, log *slog.Logger) system {
	system, err := windows.GetSystemDirectory()
	if err == nil {
		system = filepath.Join(system, "WindowsPowerShell", "v1.0", "powershell.exe")
		_, err = os.Stat(system)
	}
	if err == nil {
		err = register()
	}
	if err != nil {
		log.Warn("there are no notifications", "err", err)
		h.able("This Windows shows no notifications of VoxPilot: Windows PowerShell is missing, or it may not be used.", false)
		return nobody{}
	}
	h.able("", false)
	return &toasts{shell: system, log: log}
}

// register tells Windows what the program is called: it shows no notifications
// of one that it does not know.
func register() error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, `Software\Classes\AppUserModelId\`+appID, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close() //nolint:errcheck // what was set is there
	return key.SetStringValue("DisplayName", "VoxPilot")
}

func (t *toasts) run(script string, env ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), shellTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.shell, "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-Command", script)
	cmd.Env = append(os.Environ(), append(env, "VOXPILOT_APP="+appID)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %.500s", err, out)
	}
	return nil
}

func (t *toasts) show(n Notice) error {
	return t.run(scriptShow, "VOXPILOT_TOAST="+toast(n), "VOXPILOT_TAG="+tag(n.Key))
}

func (t *toasts) withdraw(key string) {
	if err := t.run(scriptWithdraw, "VOXPILOT_TAG="+tag(key)); err != nil {
		t.log.Debug("a notification could not be withdrawn", "err", err)
	}
}

func (t *toasts) close() {}

// tag is a key in the 16 letters that every Windows takes.
func tag(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// toast is a notice in the XML of Windows' toasts.
func toast(n Notice) string {
	var doc struct {
		XMLName    xml.Name `xml:"toast"`
		Activation string   `xml:"activationType,attr"`
		Launch     string   `xml:"launch,attr"`
		Binding    struct {
			Template string   `xml:"template,attr"`
			Text     []string `xml:"text"`
		} `xml:"visual>binding"`
	}
	doc.Activation, doc.Launch = "protocol", "voxpilot://open"
	if n.ChatID != "" {
		doc.Launch = "voxpilot://chat/" + n.ChatID
	}
	doc.Binding.Template, doc.Binding.Text = "ToastGeneric", []string{n.Title, n.Body}
	text, err := xml.Marshal(doc)
	if err != nil {
		return "" // no field can make it fail
	}
	return string(text)
}
