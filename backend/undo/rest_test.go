package undo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// rests returns the effects that a preview lists as not undone, as a map from command or path to reason.
func rests(p backend.UndoPreview) map[string]string {
	all := map[string]string{}
	for _, r := range p.NotUndone {
		all[r.What] = r.Reason.String()
	}
	return all
}

const ignoredRemain = "VoxPilot keeps no copies of files that Git ignores. If a command changed any, they stay as they are."

// TestUndo_NamesUnrecordedFilesChangedInPlace checks that the preview names an ignored file and one that is too large
// if a command changed them in place, because their content isn't recorded.
func TestUndo_NamesUnrecordedFilesChangedInPlace(t *testing.T) {
	e := newEnv(t, map[string]string{".gitignore": "*.log\n", "build.log": "x\n", "a.txt": "1\n"},
		fakeagent.Turn{fakeagent.Run("echo more >> build.log; echo more >> video.bin; echo 2 > a.txt")},
		fakeagent.Turn{fakeagent.Edit("a.txt", "2", "3")})
	video := filepath.Join(e.chat.Folder, "video.bin")
	if err := os.WriteFile(video, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(video, 51<<20); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(e.chat.Folder, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	u := e.run(e.chat, "go")
	want := map[string]string{"video.bin": "This file is too large for VoxPilot to keep a copy.", "": ignoredRemain}
	if p := e.preview(u.TurnID); cmp.Diff(want, rests(p)) != "" || p.Ready != 1 || u.Files != 1 {
		t.Errorf("the preview is %+v (-want +got):\n%s", p, cmp.Diff(want, rests(p)))
	}
	edit := e.run(e.chat, "go") // a turn without a command
	if p := e.preview(edit.TurnID); len(p.NotUndone) != 0 {
		t.Errorf("the preview of an edit is %+v", p)
	}
}

// TestUndo_NamesWhatLeftTheFolder checks that the preview names the effects that commands and tools of MCP servers had
// beyond the folder's files, each with its reason.
func TestUndo_NamesWhatLeftTheFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	mcp := func(id, title string) []fakeagent.Step {
		return []fakeagent.Step{
			fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"` + id + `","title":"` + title + `","kind":"other","status":"pending","rawInput":{"a":1}}`),
			fakeagent.Ask("session/request_permission", `{"sessionId":"$SESSION","toolCall":{"toolCallId":"`+id+`","title":"`+title+`","kind":"other","rawInput":{"a":1}},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}`),
			fakeagent.Update(`{"sessionUpdate":"tool_call_update","toolCallId":"` + id + `","status":"completed"}`),
		}
	}
	turn := fakeagent.Turn{
		fakeagent.Run("echo 2 > a.txt; ls /usr; git status"), fakeagent.Run("echo x | tee ~/x; true"), fakeagent.Run("git checkout -b topic; true"), fakeagent.Run("git commit -m 1 && git push; true"),
		fakeagent.Run("cat <<END\ngit push\nEND\ntrue\ngit tag v1; true"),
		fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"intent","title":"report_intent","kind":"other","status":"completed","rawInput":{"a":1}}`),
	}
	turn = append(append(turn, mcp("m", "tracker-create_issue")...), mcp("v", "voxpilot-1-git_log")...)
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, turn)
	u := e.run(e.chat, "go")
	const git, remote = "Git's commits, branches and index stay as they are.", "VoxPilot can't remove data sent to other computers."
	want := []backend.UndoRest{
		{What: "echo x | tee ~/x; true", IsCommand: true, Reason: backend.Say("Files outside the chat's folder stay as they are.")},
		{What: "git checkout -b topic; true", IsCommand: true, Reason: backend.Say(git)},
		{What: "git commit -m 1 && git push; true", IsCommand: true, Reason: backend.Say(remote)},
		{What: "git commit -m 1 && git push; true", IsCommand: true, Reason: backend.Say(git)},
		{What: "cat <<END", IsCommand: true, Reason: backend.Say(git)}, // because of its last line
		{What: "tracker-create_issue", Reason: backend.Say("This tool may have changed something that VoxPilot can't undo.")},
	}
	text := func(all []backend.UndoRest) (lines []string) {
		for _, r := range all {
			lines = append(lines, r.What+": "+r.Reason.String())
		}
		return lines
	}
	if diff := cmp.Diff(text(want), text(e.preview(u.TurnID).NotUndone)); diff != "" {
		t.Errorf("not undone (-want +got):\n%s", diff)
	}
}
