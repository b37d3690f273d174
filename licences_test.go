package main

import (
	"io/fs"
	"net/http"
	"testing"

	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestLicences_EmptyListWithoutBuild(t *testing.T) {
	made, err := fs.Sub(licences, "build/licences/made")
	if err != nil {
		t.Fatal(err)
	}
	apptest.Licences = made
	w := apptest.Open(t, t.TempDir())
	var answer struct {
		Components []struct{ Name, Version, Licence, Text string }
	}
	if code := w.Get("/data/licences", &answer); code != http.StatusOK || answer.Components == nil {
		t.Fatalf("the answer is (%d) %+v", code, answer)
	}
	_, err = made.Open("licences.json.gz")
	if is := err == nil; is != (len(answer.Components) > 0) {
		t.Errorf("they were made: %v, and there are %d", is, len(answer.Components))
	}
	for _, c := range answer.Components {
		if c.Name == "" || c.Licence == "" && c.Text == "" {
			t.Errorf("%+v", c)
		}
	}
}
