package notify

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"log/slog"
	"sync"
)

// The scripts get what varies by the environment, so nothing of it is code.
const (
	toastTypes = `$ErrorActionPreference = 'Stop'
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom.XmlDocument, ContentType = WindowsRuntime]
`
	scriptShow = toastTypes + `$xml = New-Object Windows.Data.Xml.Dom.XmlDocument
$xml.LoadXml($env:VOXPILOT_TOAST)
$toast = New-Object Windows.UI.Notifications.ToastNotification $xml
$toast.Tag = $env:VOXPILOT_TAG
$toast.Group = 'voxpilot'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($env:VOXPILOT_APP).Show($toast)`
	scriptWithdraw = toastTypes + `[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($env:VOXPILOT_TAG, 'voxpilot', $env:VOXPILOT_APP)`
)

// toasts shows notices as Windows' toasts. Without a COM server, a click can only
// follow a link. One that shows something is the same each time; one that answers
// is made for its button alone, works once, and for as long as the notice is there.
type toasts struct {
	hears   hears
	run     func(script string, env ...string) error // a script of PowerShell's
	buttons bool                                     // links lead to this program
	space   func() room
	log     *slog.Logger

	mu    sync.Mutex
	links map[string][]func() // by key: what voids the links of its notice
}

func (t *toasts) room() room { return t.space() }

func (t *toasts) show(n Notice) error {
	t.void(n.Key)
	var voids []func()
	doc := toastOf(n)
	answers := n.Actions
	if !t.buttons {
		answers = nil
	}
	for _, a := range answers {
		link, void := t.hears.link(func() {
			t.void(n.Key) // one answer is given
			t.hears.acted(n.Key, n.serial, a.ID, "")
		})
		voids = append(voids, void)
		doc.add(a.Label, link)
	}
	if len(answers) == 0 && n.Stays && t.buttons {
		doc.add(n.Open, doc.Launch)
	}
	text, err := xml.Marshal(doc)
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.links[n.Key] = voids
	t.mu.Unlock()
	err = t.run(scriptShow, "VOXPILOT_TOAST="+string(text), "VOXPILOT_TAG="+tag(n.Key))
	if err != nil {
		t.void(n.Key)
	}
	return err
}

// void ends the links of a notice.
func (t *toasts) void(key string) {
	t.mu.Lock()
	voids := t.links[key]
	delete(t.links, key)
	t.mu.Unlock()
	for _, void := range voids {
		void()
	}
}

func (t *toasts) withdraw(key string) {
	t.void(key)
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
type toast struct {
	XMLName    xml.Name `xml:"toast"`
	Activation string   `xml:"activationType,attr"`
	Launch     string   `xml:"launch,attr"`
	Duration   string   `xml:"duration,attr,omitempty"`
	Binding    struct {
		Template string   `xml:"template,attr"`
		Text     []string `xml:"text"`
	} `xml:"visual>binding"`
	Buttons []toastButton `xml:"actions>action"`
}

type toastButton struct {
	Label      string `xml:"content,attr"`
	Activation string `xml:"activationType,attr"`
	Link       string `xml:"arguments,attr"`
}

func toastOf(n Notice) *toast {
	doc := &toast{Activation: "protocol", Launch: "voxpilot://open"}
	if n.ChatID != "" {
		doc.Launch = "voxpilot://chat/" + n.ChatID
	}
	if n.Stays {
		doc.Duration = "long" // then it is among the others
	}
	doc.Binding.Template, doc.Binding.Text = "ToastGeneric", []string{n.Title, n.Body}
	return doc
}

func (t *toast) add(label, link string) {
	t.Buttons = append(t.Buttons, toastButton{Label: label, Activation: "protocol", Link: link})
}
