package notify

import (
	"encoding/xml"
	"testing"
)

func TestNothingInANotificationIsMarkup(t *testing.T) {
	n := Notice{Key: "chat c1", ChatID: "c1", Title: `</text><actions>"`, Body: "a & b\nin <c>"}
	var back struct {
		Launch string   `xml:"launch,attr"`
		Text   []string `xml:"visual>binding>text"`
		All    []any    `xml:"actions"`
	}
	if err := xml.Unmarshal([]byte(toast(n)), &back); err != nil {
		t.Fatal(err)
	}
	if back.Launch != "voxpilot://chat/c1" || len(back.Text) != 2 || back.Text[0] != n.Title || back.Text[1] != n.Body || len(back.All) != 0 {
		t.Errorf("%s is read as %+v", toast(n), back)
	}
	if len(tag(n.Key)) != 16 || tag("a") == tag("b") {
		t.Errorf("tags: %s, %s", tag("a"), tag("b"))
	}
}
