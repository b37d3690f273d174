package agent_test

import (
	"os"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestCommand_HarmMarkedAndCounted(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t,
		request(`"toolCallId":"1","title":"T","kind":"execute","rawInput":{"command":"make && rm -rf dist"}`),
		request(`"toolCallId":"2","title":"T","kind":"execute","rawInput":{"command":"cd sub && rm -rf dist"}`),
		request(`"toolCallId":"3","title":"T","kind":"execute","rawInput":{"command":"make"}`),
		request(`"toolCallId":"4","title":"T","content":[`+textBlock("Run command `git push --force`")+`]`),
		createTerminal("rm", `,"args":["-rf","dist"]`),
		fakeagent.Say("done"),
	)
	noErr(t, os.MkdirAll(w.path("dist/sub"), 0o700))
	w.write("dist/a.txt", "a")
	w.write("dist/sub/b.txt", "b")
	equalDeep(t, "marks", requestFrom(t, w).Marks, []backend.Mark{{Kind: backend.MarkDelete, Start: 8, End: 19, Part: "rm -rf", Of: []string{"dist"}, Files: 2}})
	if marks := requestFrom(t, w).Marks; len(marks) != 1 || marks[0].Files != 0 {
		t.Errorf("got %+v, want one mark without a number", marks)
	}
	if marks := requestFrom(t, w).Marks; marks != nil {
		t.Errorf("got %+v, want no marks", marks)
	}
	if marks := requestFrom(t, w).Marks; len(marks) != 1 || marks[0].Kind != backend.MarkOverwrite {
		t.Errorf("got %+v, want one of what overwrites", marks)
	}
	if marks := requestFrom(t, w).Marks; len(marks) != 1 || marks[0].Files != 2 {
		t.Errorf("got %+v of a terminal, want one with a number", marks)
	}
}
