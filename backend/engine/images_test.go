package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestSaveImage_WritesWholeImage(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	data := picture(t)
	path := filepath.Join(t.TempDir(), "saved.png")
	var offered string
	w.OnSaveFile(func(name string) (string, error) {
		offered = name
		return path, nil
	})
	w.Engine().AddPendingImage(backend.Attachment{ContentID: "k", Mime: "image/png"}, data)
	if err := w.App.SaveImage("k", "my/shot.jpg"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the image is saved", func(e backend.Event) bool {
		return e.DialogResult != nil && e.DialogResult.Request == "image k" && e.DialogResult.Path == path
	})
	if got, err := os.ReadFile(path); err != nil || string(got) != string(data) {
		t.Errorf("got %d bytes, error %v, want the %d of the image", len(got), err, len(data))
	}
	if offered != "shot.png" {
		t.Errorf("got the name %q, want shot.png", offered)
	}
	if err := w.App.SaveImage("none", "x.png"); err == nil {
		t.Error("got no error for an image that isn't there")
	}
}
