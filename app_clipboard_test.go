package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestClipboardText_SaysWhyItFails(t *testing.T) {
	w := openWindow(t, t.TempDir())
	desk := *w.app.desktop()
	desk.paste = func() (string, error) { return "copied", nil }
	w.app.desk.Store(&desk)
	if got, err := w.app.ClipboardText(); got != "copied" || err != nil {
		t.Errorf("got %q, %v, want the text", got, err)
	}
	desk.paste = func() (string, error) { return "", errors.New("no owner") }
	var failed *backend.Error
	if _, err := w.app.ClipboardText(); !errors.As(err, &failed) || failed.Detail != "no owner" {
		t.Errorf("got %v, want the cause in the detail", err)
	}
}

func TestSaveImage_WritesTheWholeImage(t *testing.T) {
	w := openWindow(t, t.TempDir())
	data := picture(t)
	path := filepath.Join(t.TempDir(), "saved.png")
	var offered string
	desk := *w.app.desktop()
	desk.saveFile = func(name string) (string, error) {
		offered = name
		return path, nil
	}
	w.app.desk.Store(&desk)
	w.app.eng.held.add(backend.Attachment{ContentID: "k", Mime: "image/png"}, data)
	if err := w.app.SaveImage("k", "my/shot.jpg"); err != nil {
		t.Fatal(err)
	}
	w.until("the image is saved", func(e backend.Event) bool {
		return e.Picked != nil && e.Picked.Request == "image k" && e.Picked.Path == path
	})
	if got, err := os.ReadFile(path); err != nil || string(got) != string(data) {
		t.Errorf("got %d bytes, error %v, want the %d of the image", len(got), err, len(data))
	}
	if offered != "shot.png" {
		t.Errorf("got the name %q, want shot.png", offered)
	}
	if err := w.app.SaveImage("none", "x.png"); err == nil {
		t.Error("got no error for an image that isn't there")
	}
}

func TestImageName_HasTheEndingOfItsType(t *testing.T) {
	for name, want := range map[string]string{"a.png": "a.png", "a.PNG": "a.PNG", "a": "a.png", `c:\x\b.gif`: "b.png"} {
		if got := imageName(name, "image/png"); got != want {
			t.Errorf("imageName(%q): got %q, want %q", name, got, want)
		}
	}
	if got := imageName("a.jpg", "image/jpeg"); got != "a.jpg" {
		t.Errorf("got %q, want a.jpg", got)
	}
}
