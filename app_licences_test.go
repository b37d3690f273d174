package main

import (
	"net/http"
	"testing"
)

func TestTheLicencesAreAListWhetherTheyWereMadeOrNot(t *testing.T) {
	w := openWindow(t, t.TempDir())
	var answer struct {
		Components []struct{ Name, Version, Licence, Text string }
	}
	if code := w.get("/data/licences", &answer); code != http.StatusOK || answer.Components == nil {
		t.Fatalf("the answer is (%d) %+v", code, answer)
	}
	_, err := made.Open("build/licences/made/licences.json.gz")
	if is := err == nil; is != (len(answer.Components) > 0) {
		t.Errorf("they were made: %v, and there are %d", is, len(answer.Components))
	}
	for _, c := range answer.Components {
		if c.Name == "" || c.Licence == "" && c.Text == "" {
			t.Errorf("%+v", c)
		}
	}
}
