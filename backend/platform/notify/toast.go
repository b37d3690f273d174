package notify

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"log/slog"
	"sync"
)

// PowerShell scripts. They get their data from environment variables, so that the data
// can't be run as code.
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

// toasts shows notices as Windows toasts. Without a COM server, a click can only open a
// link. The link that opens a chat is always the same. A link that answers a request is
// created for one button, works once, and is valid only while its notice is shown.
type toasts struct {
	callbacks  callbacks
	run        func(script string, env ...string) error // runs a PowerShell script
	buttons    bool                                     // links open this program
	readLimits func() textLimits
	log        *slog.Logger

	mu    sync.Mutex
	links map[string]*toastAnswers // by key
}

// toastAnswers holds the links of one toast.
type toastAnswers struct {
	voids []func() // one function per link, to invalidate it
}

func (t *toasts) limits() textLimits { return t.readLimits() }

func (t *toasts) show(n Notice) error {
	t.void(n.Key)
	mine := &toastAnswers{}
	doc := toastOf(n)
	actions := n.Actions
	if !t.buttons {
		actions = nil
	}
	for _, a := range actions {
		link, void := t.callbacks.link(func() {
			t.end(n.Key, mine) // only one answer is accepted
			t.callbacks.acted(n.Key, n.serial, a.ID, "")
		})
		mine.voids = append(mine.voids, void)
		doc.add(a.Label, link)
	}
	if len(actions) == 0 && n.IsPersistent && t.buttons {
		doc.add(n.Open, doc.Launch)
	}
	text, err := xml.Marshal(doc)
	if err != nil {
		t.end(n.Key, mine)
		return err
	}
	t.mu.Lock()
	t.links[n.Key] = mine
	t.mu.Unlock()
	err = t.run(scriptShow, "VOXPILOT_TOAST="+string(text), "VOXPILOT_TAG="+tag(n.Key))
	if err != nil {
		t.end(n.Key, mine)
	}
	return err
}

// void invalidates the links of the toast with the given key.
func (t *toasts) void(key string) {
	t.mu.Lock()
	now := t.links[key]
	t.mu.Unlock()
	if now != nil {
		t.end(key, now)
	}
}

// end invalidates the links of one toast. The links of a newer toast with the same key stay valid, so a late click on
// the older toast doesn't affect them.
func (t *toasts) end(key string, of *toastAnswers) {
	t.mu.Lock()
	if t.links[key] == of {
		delete(t.links, key)
	}
	t.mu.Unlock()
	for _, void := range of.voids {
		void()
	}
}

func (t *toasts) withdraw(key string) {
	t.void(key)
	if err := t.run(scriptWithdraw, "VOXPILOT_TAG="+tag(key)); err != nil {
		t.log.Debug("couldn't remove a notification", "err", err)
	}
}

func (t *toasts) close() {}

// tag returns a hash of a key. The hash has 16 characters, a length that every Windows version accepts.
func tag(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// toast is a notice as Windows toast XML.
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
	if n.IsPersistent {
		doc.Duration = "long" // shown longer
	}
	doc.Binding.Template, doc.Binding.Text = "ToastGeneric", []string{n.Title, n.Body}
	return doc
}

func (t *toast) add(label, link string) {
	t.Buttons = append(t.Buttons, toastButton{Label: label, Activation: "protocol", Link: link})
}
