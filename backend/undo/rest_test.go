package undo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
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

const ignoredRemain = "VoxPilot doesn't keep copies of files that Git ignores. If a command changed such files, they stay as they are."

// TestUndo_NamesUnrecordedFilesChangedInPlace checks that the preview names a file that a command changed in place but
// that is too large to be recorded. If a command ran, it also states that ignored files aren't recorded.
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
	want := map[string]string{"video.bin": "This file is too large for VoxPilot to copy.", "": ignoredRemain}
	if p := e.preview(u.TurnID); cmp.Diff(want, rests(p)) != "" || p.Ready != 1 || u.Files != 1 {
		t.Errorf("the preview is %+v (-want +got):\n%s", p, cmp.Diff(want, rests(p)))
	}
	edit := e.run(e.chat, "go") // a turn without a command
	if p := e.preview(edit.TurnID); len(p.NotUndone) != 0 {
		t.Errorf("the preview of an edit is %+v", p)
	}
}

// TestUndo_NamesWhatLeftTheFolder checks that the preview names the effects of commands and MCP servers' tools that go
// beyond the folder's files, each with a reason.
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

// call commits a tool call that started during a turn.
func (f *slowFolder) call(turn backend.Turn, tool backend.Tool) {
	f.t.Helper()
	item := backend.Item{ID: backend.NewID(), ChatID: f.chat.ID, TurnID: turn.ID, Session: turn.Session, Kind: backend.ItemTool, CreatedAt: turn.StartedAt, EndedAt: turn.StartedAt, Tool: &tool}
	if err := f.undo.Commit(f.t.Context(), backend.Event{Item: &item}); err != nil {
		f.t.Fatal(err)
	}
}

// notUndone returns the rows of the preview of a turn's undo, each as a line.
func (f *slowFolder) notUndone(turn string) (lines []string) {
	f.t.Helper()
	p, err := f.undo.Preview(f.t.Context(), turn)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, r := range p.NotUndone {
		lines = append(lines, r.What+": "+r.Reason.String())
	}
	return lines
}

// TestUndo_RejectedCommandsHaveNoEffects checks that the preview names the effects of a command that ran and failed. It
// must not name those of commands that weren't allowed to run, although their tool calls also ended as failed.
func TestUndo_RejectedCommandsHaveNoEffects(t *testing.T) {
	f := newSlowFolder(t, func(*undo.Config) {})
	turn := f.turnOf(f.turn("1"))
	f.call(turn, backend.Tool{Kind: backend.ToolExecute, Command: "git push", Status: backend.ToolFailed, Decision: backend.DecisionRejected})
	f.call(turn, backend.Tool{Kind: backend.ToolExecute, Command: "git tag a", Status: backend.ToolFailed, Decision: backend.DecisionClosed})
	f.call(turn, backend.Tool{Kind: backend.ToolExecute, Command: "git tag b", Status: backend.ToolFailed, Decision: backend.DecisionAllowedOnce})
	if diff := cmp.Diff([]string{"git tag b: Git's commits, branches and index stay as they are."}, f.notUndone(turn.ID)); diff != "" {
		t.Errorf("not undone (-want +got):\n%s", diff)
	}
}

// TestUndo_LimitsRows checks the preview of a turn with more ignored files, large files, commands and files outside the
// folder than it can list. The last row of each group must state how many more there are.
func TestUndo_LimitsRows(t *testing.T) {
	f := newSlowFolder(t, func(*undo.Config) {})
	f.write(".gitignore", "*.o\n")
	f.write(".git/x", "")
	f.turn("1")
	during := func() {
		for i := range 60 {
			f.write(fmt.Sprintf("%03d.o", i), "")
		}
		for i := range 21 {
			f.write(fmt.Sprintf("large%02d", i), "")
			if err := os.Truncate(filepath.Join(f.chat.Folder, fmt.Sprintf("large%02d", i)), 51<<20); err != nil {
				t.Fatal(err)
			}
		}
	}
	turn := f.turnOf(f.turn("2", during))
	for i := range 600 {
		f.call(turn, backend.Tool{Kind: backend.ToolExecute, Command: fmt.Sprintf("git tag v%03d", i), Status: backend.ToolCompleted})
		f.call(turn, backend.Tool{Kind: backend.ToolExecute, Command: "git tag v000", Status: backend.ToolCompleted})
	}
	for i := range 22 {
		f.call(turn, backend.Tool{Kind: backend.ToolEdit, Path: fmt.Sprintf("/elsewhere/%02d", i), Status: backend.ToolCompleted})
	}
	var want []string
	rows := func(n int, format, reason, last string) {
		for i := range n {
			want = append(want, fmt.Sprintf(format, i)+": "+reason)
		}
		want = append(want, ": "+last)
	}
	rows(20, "%03d.o", "Git ignores this file, so VoxPilot kept no copy of it.", "VoxPilot kept no copies of 40 more files that Git ignores.")
	rows(20, "large%02d", "This file is too large for VoxPilot to copy.", "VoxPilot kept no copy of 1 more file for the same reason.")
	rows(50, "git tag v%03d", "Git's commits, branches and index stay as they are.", "550 more commands or tool calls can't be undone.")
	rows(20, "/elsewhere/%02d", "This file isn't in the chat's folder.", "2 more files aren't in the chat's folder.")
	want = append(want, ": "+ignoredRemain)
	if diff := cmp.Diff(want, f.notUndone(turn.ID)); diff != "" {
		t.Errorf("not undone (-want +got):\n%s", diff)
	}
}
