package main

import (
	"io/fs"
	"net/http"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestLicenses_EmptyListWithoutBuild(t *testing.T) {
	made, err := fs.Sub(licenses, "build/licenses/made")
	if err != nil {
		t.Fatal(err)
	}
	apptest.Licenses = made
	w := apptest.Open(t, t.TempDir())
	var answer struct {
		Components []backend.Component
	}
	if code := w.Get("/data/licences", &answer); code != http.StatusOK || answer.Components == nil {
		t.Fatalf("the answer is (%d) %+v", code, answer)
	}
	_, err = made.Open("licenses.json.gz")
	if is := err == nil; is != (len(answer.Components) > 0) {
		t.Errorf("they were made: %v, and there are %d", is, len(answer.Components))
	}
	for _, c := range answer.Components {
		if c.Name == "" || c.License == "" && c.Text == "" {
			t.Errorf("%+v", c)
		}
	}
}
