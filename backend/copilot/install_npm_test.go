package copilot

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPinnedCLI_MatchesTestVersion(t *testing.T) {
	text, err := os.ReadFile("../../frontend/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	const at = "node_modules/" + packageName
	want := Package{lock.Packages[at].Version, lock.Packages[at].Integrity, map[string]string{}}
	for name, p := range lock.Packages {
		if system, is := strings.CutPrefix(name, at+"-"); is {
			want.Programs[system] = p.Integrity
		}
	}
	if diff := cmp.Diff(want, Pinned); diff != "" {
		t.Errorf("the pinned CLI (-want +got):\n%s", diff)
	}
}
