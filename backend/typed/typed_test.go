package typed

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// TestInstead_KnowsComposersCommands checks that the lists of commands are the same as those of the composer in
// VoxPilot's window.
func TestInstead_KnowsComposersCommands(t *testing.T) {
	source, err := os.ReadFile("../../frontend/src/state/typedCommands.ts")
	if err != nil {
		t.Fatal(err)
	}
	list := func(begin, entry string) (names []string) {
		t.Helper()
		body := regexp.MustCompile(`(?s)` + begin + `(.*?)\n[}\]];`).FindSubmatch(source)
		if body == nil {
			t.Fatalf("the source has no %s", begin)
		}
		for _, m := range regexp.MustCompile(entry).FindAllSubmatch(body[1], -1) {
			names = append(names, string(m[1]))
		}
		return slices.Sorted(slices.Values(names))
	}
	if diff := cmp.Diff(list(`const typedCommands: [^\n]*`, `(?m)^  (\w+)[:,]`), slices.Sorted(slices.Values(inWindow))); diff != "" {
		t.Errorf("the commands differ (-composer +here):\n%s", diff)
	}
	if diff := cmp.Diff(list(`const terminalCommands = \[`, `"([\w-]+)"`), slices.Sorted(slices.Values(inTerminal))); diff != "" {
		t.Errorf("the terminal's commands differ (-composer +here):\n%s", diff)
	}
}

func TestInstead_OnlyForUndeclaredCommands(t *testing.T) {
	declared := []backend.Choice{{ID: "pr", Name: "pr"}}
	for text, want := range map[string]bool{
		"/undo": true, "/review": true, "/undo the last one": true, "/vim\n": true, "/pr fix it": false, "/compact": false, "/": false,
		"/ undo": false, " /undo": false, "undo": false, "/undone": false, "": false,
	} {
		if got := Instead(text, declared); got.IsZero() == want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
