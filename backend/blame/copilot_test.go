package blame_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/blame"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestBlame_ScriptedChatOnRealCLI checks that lines are attributed to the right turn when the real Copilot CLI edits a
// file with many equal lines, and the user changes the file between the edits.
func TestBlame_ScriptedChatOnRealCLI(t *testing.T) {
	t.Setenv(copilot.PathVar, copilottest.Path(t))
	t.Setenv("COPILOT_HOME", t.TempDir())
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e := &env{Window: apptest.Open(t, t.TempDir()), folder: folder}
	edits, seed := chaos.Runs(25, 200), chaos.Seed(t)
	result := chaos.Row(t, "Edits by the real CLI, of a file in which 15 % of the lines are equal, with the user's edits in between", edits)
	calls := make([][]practice.Step, edits)
	server, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		done := 0
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				done = 0
			case "tool":
				done++
			}
		}
		n, err := strconv.Atoi(strings.TrimPrefix(req.User(), "Edit "))
		if req.Side() || err != nil || done >= len(calls[n]) {
			return practice.Reply{practice.Text("Done.")}
		}
		return practice.Reply{calls[n][done]}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	p, err := e.App.SaveProvider(backend.Provider{Name: "Mine", BaseURL: server.URL(), Model: "m"}, server.Key())
	if err != nil {
		t.Fatal(err)
	}
	chat, err := e.App.CreateChat(folder, p.ID)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		t.Fatal(err)
	}
	a := blame.NewAuthor(chaos.Rand(t, seed, 0).Uint64(), 15)
	e.write("a.txt", a.String())
	var ids []string
	for i := range edits {
		a.Made, a.Texts = nil, true
		a.Edit(blame.ByTurn(i))
		a.Texts = false
		for _, m := range a.Made { // the texts aren't empty, because the CLI removes one line too many for an empty text
			calls[i] = append(calls[i], practice.ToolCall("edit", map[string]any{"path": filepath.Join(folder, "a.txt"), "old_str": m.Before, "new_str": m.After}))
		}
		ids = append(ids, e.run(chat, fmt.Sprintf("Edit %d", i)))
		if got, err := os.ReadFile(filepath.Join(folder, "a.txt")); err != nil || string(got) != a.String() {
			var results []string
			for _, m := range server.Requests()[len(server.Requests())-1].Messages {
				if m.Role == "tool" {
					results = append(results, m.Text)
				}
			}
			t.Fatalf("after edit %d by %+v, the file is\n%s (%v), want\n%s\nthe tools returned %q", i, a.Made, got, err, a.String(), results)
		}
		// The user edits the file at most once, because no version shows a line that one edit removes and the next adds.
		for range a.IntN(2) {
			a.Edit(blame.ByUser)
			e.write("a.txt", a.String())
		}
	}
	lines, right := e.wantRightTurns(map[string]*blame.Author{"a.txt": a}, ids)
	result("%d of %d lines of turns lead to the right turn, none to a wrong one", right, lines)
}
