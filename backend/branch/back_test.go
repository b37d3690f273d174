package branch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func write(command string) fakeagent.Turn { return fakeagent.Turn{fakeagent.Run(command)} }

// TestGoBack_KeepsWhatIsYours checks that going back keeps files that the user changed between or after the turns,
// unless the user chooses otherwise, and doesn't list files that only the user changed.
func TestGoBack_KeepsWhatIsYours(t *testing.T) {
	e := newEnv(t, write("echo 1 > a; echo 1 > b; echo 1 > c"), write("echo 2 >> a; echo 2 >> b"))
	e.write("own", "mine")
	first := e.say(e.chat, "first")
	e.write("own", "mine too") // between the turns
	e.write("b", "1\nby hand\n")
	e.say(e.chat, "second")
	e.write("c", "by hand") // after them
	p := e.preview(first)
	var got []string
	for _, f := range p.Files {
		got = append(got, f.Path+" "+string(f.Choice)+" "+f.Reason.String())
	}
	want := "b keep You or another program also changed this file between these messages., c keep Edited outside VoxPilot., a take "
	if strings.Join(got, ", ") != want || p.Ready != 1 || p.Changed != 2 || p.Messages != 2 {
		t.Errorf("the preview is %q, %+v", got, p)
	}
	e.goBack(first, backend.BackBoth)
	kept := map[string]string{"own": "mine too", "b": "1\nby hand\n2\n", "c": "by hand"}
	e.wantFiles("after going back", kept)
	e.wantMessages("after going back", "")
	id := e.branches().WentBack.AsideID
	aside := 0
	for _, ev := range e.Snapshot("/data/items?chat=" + e.chat.ID + "&aside=" + id).Events {
		if ev.Item != nil && ev.Item.Kind == backend.ItemUser && ev.Item.Aside == id {
			aside++
		}
	}
	if aside != 2 {
		t.Errorf("%d messages are set aside", aside)
	}
	var hits backend.Hits
	if code := e.Get("/data/search?q=second", &hits); code != 200 || len(hits.Hits) == 0 || hits.Hits[0].Aside != id {
		t.Errorf("the search finds (%d) %+v", code, hits)
	}
	e.bringBack(id, true)
	kept["a"] = "1\n2\n"
	e.wantFiles("after bringing back", kept)
	e.wantMessages("after bringing back", "first, second")

	err := e.App.GoBack(first, backend.GoBackRequest{Scope: backend.BackFiles, Choices: map[string]backend.UndoChoice{"b": backend.UndoTake, "c": backend.UndoTake}})
	if err != nil {
		t.Fatal(err)
	}
	e.wantFiles("with other choices", map[string]string{"own": "mine too"})
	e.wantMessages("with only the files", "first, second")
	b := e.branches()
	if b.WentBack == nil || b.WentBack.Messages != 0 || b.WentBack.Files != 3 || len(b.Forks) != 0 {
		t.Fatalf("the branches are %+v", b)
	}
	e.bringBack(b.WentBack.AsideID, true)
	e.wantFiles("after the files came back", kept)
	if b := e.branches(); b.WentBack != nil {
		t.Errorf("the branches are %+v", b)
	}
}

// TestGoBack_MergesWhatChangedBetween checks that if both the turns and the user changed a file, the file can be merged
// as long as the changes don't overlap: the turns' changes are reverted, and the user's changes stay. If the changes
// overlap, both sides are shown and nothing is written.
func TestGoBack_MergesWhatChangedBetween(t *testing.T) {
	lines := func(changed ...string) string {
		all := strings.Split("1 2 3 4 5 6 7 8 9", " ")
		for i := 0; i < len(changed); i += 2 {
			all[slices.Index(all, changed[i])] = changed[i+1]
		}
		return strings.Join(all, "\n") + "\n"
	}
	e := newEnv(t, write("sed -i s/1/one/ apart near; echo new > fresh"), write("sed -i s/5/five/ apart near; echo newer >> fresh"))
	e.write("apart", lines())
	e.write("near", lines())
	first := e.say(e.chat, "first")
	e.write("apart", lines("1", "one", "9", "mine")) // between the turns
	e.write("near", lines("1", "one by me"))
	e.write("fresh", "new\nmine\n")
	e.say(e.chat, "second")
	e.write("apart", lines("1", "one", "5", "five", "7", "mine too", "9", "mine")) // after them
	was := map[string]string{
		"apart": lines("1", "one", "5", "five", "7", "mine too", "9", "mine"),
		"near":  lines("1", "one by me", "5", "five"), "fresh": "new\nmine\nnewer\n",
	}
	var got []string
	for _, f := range e.preview(first).Files {
		got = append(got, fmt.Sprintf("%s %s %t", f.Path, f.Choice, f.Merge))
	}
	if diff := cmp.Diff([]string{"apart keep true", "fresh keep false", "near keep false"}, got); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	var c backend.UndoComparison
	if code := e.Get("/data/undo-file?back=1&path=near&turn="+first, &c); code != 200 || !c.ToEarlier ||
		!strings.Contains(c.Diff, "-one by me\n") || !strings.Contains(c.Diff, "+1\n") || !strings.Contains(c.Diff, "-five\n") {
		t.Errorf("the comparison is (%d) %+v", code, c)
	}
	merge := backend.GoBackRequest{Scope: backend.BackBoth, Choices: map[string]backend.UndoChoice{"apart": backend.UndoMerge, "near": backend.UndoMerge}}
	if err := e.App.GoBack(first, merge); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("merging what overlaps: %v", err)
	}
	e.wantFiles("after it was refused", was)
	e.wantMessages("after it was refused", "first, second")
	delete(merge.Choices, "near")
	if err := e.App.GoBack(first, merge); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after going back", map[string]string{"apart": lines("7", "mine too", "9", "mine"), "near": was["near"], "fresh": was["fresh"]})
	e.bringBack(e.branches().WentBack.AsideID, true)
	e.wantFiles("after bringing back", was)
	e.wantMessages("after bringing back", "first, second")
}

// TestBringBack_NamesWhatStays checks that files that were changed after going back stay as they are when the messages
// are brought back, and that the chat names these files.
func TestBringBack_NamesWhatStays(t *testing.T) {
	e := newEnv(t, write("echo 1 > a; echo 1 > b"))
	first := e.say(e.chat, "first")
	e.goBack(first, backend.BackBoth)
	e.write("a", "by hand\n")
	e.bringBack(e.branches().WentBack.AsideID, true)
	e.wantFiles("after bringing back", map[string]string{"a": "by hand\n", "b": "1\n"})
	var notes []string
	for _, ev := range e.Snapshot("/data/chat?id=" + e.chat.ID).Events {
		if ev.Item != nil && ev.Item.Banner != nil && ev.Item.Banner.Kind != backend.BannerGuardOff {
			notes = append(notes, fmt.Sprintf("%s %d %s", ev.Item.Banner.Kind, ev.Item.Banner.Skipped, ev.Item.Banner.Note))
		}
	}
	if diff := cmp.Diff([]string{"redone 1 Files with later changes were kept: a."}, notes); diff != "" {
		t.Errorf("the chat says (-want +got):\n%s", diff)
	}
}

// TestBringBack_AfterUndoAndRedo checks that files can be brought back after an undo and its redo, which together
// change nothing. Changes that the user made between the undo and the redo stay.
func TestBringBack_AfterUndoAndRedo(t *testing.T) {
	e := newEnv(t, write("echo 1 > a; echo 1 > b; echo 1 > c"), write("echo 2 >> a; echo 2 >> b; echo 2 >> c"))
	first := e.say(e.chat, "first")
	second := e.say(e.chat, "second")
	e.goBack(second, backend.BackBoth)
	if err := e.Engine().Undo.Undo(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{})
	e.write("c", "by hand\n")
	if err := e.Engine().Undo.Redo(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", map[string]string{"a": "1\n", "b": "1\n", "c": "by hand\n"})
	e.bringBack(e.branches().WentBack.AsideID, true)
	e.wantFiles("after bringing back", map[string]string{"a": "1\n2\n", "b": "1\n2\n", "c": "by hand\n"})
	e.wantMessages("after bringing back", "first, second")
}

// TestBringBack_WithoutRecordings checks that once the snapshots of files have been removed, only the messages can be
// brought back, and HasFiles isn't set.
func TestBringBack_WithoutRecordings(t *testing.T) {
	e := newEnv(t, write("echo 1 > a"))
	first := e.say(e.chat, "first")
	e.goBack(first, backend.BackBoth)
	if b := e.branches(); b.WentBack == nil || !b.WentBack.HasFiles {
		t.Fatalf("the branches are %+v", b)
	}
	then := time.Now().Add(-48 * time.Hour)
	marks, err := filepath.Glob(filepath.Join(e.App.Dir, "snapshots", e.chat.ID, "snapshots", "*"))
	if err != nil || len(marks) == 0 {
		t.Fatalf("the snapshots are %q, %v", marks, err)
	}
	for _, path := range marks {
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	s := e.Engine().Setup.Settings()
	s.UndoDays = 1
	if err := e.App.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
	went := e.WaitFor("the removal", func(ev backend.Event) bool {
		return ev.ChatBranches != nil && ev.ChatBranches.WentBack != nil && !ev.ChatBranches.WentBack.HasFiles
	}).ChatBranches.WentBack
	if went.Files != 1 || went.Messages != 1 {
		t.Errorf("the page learns %+v", went)
	}
	if err := e.App.BringBack(e.chat.ID, went.AsideID, true); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("with the files: %v", err)
	}
	e.wantMessages("after it was refused", "")
	e.bringBack(went.AsideID, false)
	e.wantMessages("after bringing back", "first")
	e.wantFiles("after bringing back", map[string]string{})
}

// TestGoBack_RecapForOtherAgents checks that after going back, an agent whose sessions can't be copied gets a recap of
// the messages that the chat shows.
func TestGoBack_RecapForOtherAgents(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	e := newEnvWith(t, fakeagent.Script{Calls: calls})
	e.say(e.chat, "keep the apples")
	second := e.say(e.chat, "drop the pears")
	if p := e.preview(second); p.Memory != backend.MemoryRecap {
		t.Errorf("the preview is %+v", p)
	}
	e.goBack(second, backend.BackConversation)
	e.say(e.chat, "and now")
	log, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	last := ""
	for _, l := range lines {
		if strings.Contains(l, "session/prompt") {
			last = l
		}
	}
	if !strings.Contains(last, "and now") || !strings.Contains(last, "keep the apples") || strings.Contains(last, "pears") {
		t.Errorf("the agent got %s", last)
	}
	e.wantMessages("in the new version", "keep the apples, and now")
}

// TestGoBack_RecapForAddedAgent checks that a custom agent, whose sessions VoxPilot can't fork, gets only a recap of
// the shown messages after going back and in a new chat from a message. The files are restored as with any agent.
func TestGoBack_RecapForAddedAgent(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	script := fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("apples it is")}, write("echo pears > list")}, Calls: calls}
	e := newEnvWith(t, fakeagent.Script{})
	p, err := e.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: apptest.FakeAgentProgram(t, script), Home: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.chat, err = e.App.CreateChat(t.TempDir(), p.ID); err == nil {
		err = e.App.SetPermissionMode(e.chat.ID, backend.ModeBypass)
	}
	if err != nil {
		t.Fatal(err)
	}
	prompts := func() (texts []string) {
		t.Helper()
		log, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(log)) {
			if strings.Contains(l, "session/prompt") {
				texts = append(texts, l)
			}
		}
		return texts
	}
	e.say(e.chat, "keep the apples")
	second := e.say(e.chat, "write the pears")
	e.wantFiles("after the turns", map[string]string{"list": "pears\n"})
	if p := e.preview(second); p.Memory != backend.MemoryRecap || p.Total != 1 {
		t.Errorf("the preview is %+v", p)
	}
	fresh, err := e.App.NewChatFrom(second)
	if err != nil {
		t.Fatal(err)
	}
	e.wantNewSession(fresh, 1)
	e.goBack(second, backend.BackBoth)
	e.wantFiles("after going back", map[string]string{})
	e.wantNewSession(e.chat, 0) // the menu has already announced the new session
	for _, chat := range []backend.Chat{e.chat, fresh} {
		e.say(chat, "and now")
		got := prompts()
		last := got[len(got)-1]
		if !strings.Contains(last, "and now") || !strings.Contains(last, "keep the apples") || !strings.Contains(last, "apples it is") || strings.Contains(last, "pears") {
			t.Errorf("the agent got %s", last)
		}
	}
	e.wantMessages("in the new version", "keep the apples, and now")
	if err := e.App.SetProvider(e.chat.ID, backend.ProviderCopilot); err != nil {
		t.Fatal(err)
	}
	e.wantNewSession(e.chat, 1) // because of the other agent
	e.bringBack(e.branches().Forks[0].Versions[0].ID, false)
	e.wantNewSession(e.chat, 1) // the earlier banner is set aside
}

// wantNewSession fails the test unless a chat has n banners about a new session of its agent.
func (e *env) wantNewSession(chat backend.Chat, n int) {
	e.T.Helper()
	got := 0
	err := e.Engine().Store.Read(e.T.Context(), func(v *store.ReadTx) error {
		return v.EachItem(e.T.Context(), chat.ID, "", func(item backend.Item) error {
			if item.Kind == backend.ItemBanner && item.Banner.Kind == backend.BannerSessionLost {
				got++
			}
			return nil
		})
	})
	if err != nil || got != n {
		e.T.Errorf("got %d banners of a new session, %v, want %d", got, err, n)
	}
}

// TestGoBack_Refused checks that GoBack fails while the chat is running, and for a message that is set aside or doesn't
// exist.
func TestGoBack_Refused(t *testing.T) {
	release := filepath.Join(t.TempDir(), "release")
	e := newEnv(t, nil, fakeagent.Turn{fakeagent.Run("until [ -e " + release + " ]; do sleep 0.05; done")})
	first := e.say(e.chat, "first")
	id := e.Send(e.chat, "second")
	second := e.WaitFor("the command", func(ev backend.Event) bool {
		return ev.Item != nil && ev.Item.Tool != nil && ev.Item.Tool.Status == backend.ToolInProgress
	}).Item.TurnID
	refused := func(what string, err error, code backend.Code) {
		t.Helper()
		if backend.CodeOf(err) != code {
			t.Errorf("%s: %v (%s), want %s", what, err, backend.CodeOf(err), code)
		}
	}
	for _, scope := range []backend.BackScope{backend.BackBoth, backend.BackFiles, backend.BackConversation} {
		refused("while it runs", e.App.GoBack(first, backend.GoBackRequest{Scope: scope}), backend.CodeUnavailable)
	}
	if p := e.preview(first); p.Blocked.IsZero() || p.FilesBlocked.IsZero() {
		t.Errorf("the preview is %+v", p)
	}
	if err := os.WriteFile(release, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the end", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == second && ev.Turn.State == backend.TurnDone
	})
	_ = id
	if p := e.preview(first); !p.Blocked.IsZero() || !p.FilesBlocked.IsZero() || p.Total != 0 { // the conversation and no file can go back
		t.Errorf("without changed files, the preview is %+v", p)
	}
	refused("an unknown turn", e.App.GoBack("none", backend.GoBackRequest{Scope: backend.BackBoth}), backend.CodeNotFound)
	refused("an unknown scope", e.App.GoBack(first, backend.GoBackRequest{Scope: "all"}), backend.CodeInvalid)
	refused("an unknown aside", e.App.BringBack(e.chat.ID, "none", false), backend.CodeNotFound)
	refused("no files", e.App.GoBack(second, backend.GoBackRequest{Scope: backend.BackFiles}), backend.CodeUnavailable)
	e.goBack(second, backend.BackConversation)
	refused("a turn that is set aside", e.App.GoBack(second, backend.GoBackRequest{Scope: backend.BackConversation}), backend.CodeUnavailable)
	inner := e.branches().WentBack.AsideID
	e.goBack(first, backend.BackConversation)
	refused("after one that is set aside", e.App.BringBack(e.chat.ID, inner, false), backend.CodeUnavailable)
	e.bringBack(e.branches().WentBack.AsideID, false)
	e.bringBack(inner, false)
	e.wantMessages("in the end", "first, second")
}

// TestGoBack_AgentIsInformed checks that the next message names the files that differ from the state that the agent
// remembers.
func TestGoBack_AgentIsInformed(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	e := newEnvWith(t, fakeagent.Script{Calls: calls, Turns: []fakeagent.Turn{nil, write("echo 1 > made-later")}})
	e.say(e.chat, "first")
	second := e.say(e.chat, "second")
	e.goBack(second, backend.BackConversation)
	e.say(e.chat, "third")
	e.say(e.chat, "fourth")
	log, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for l := range strings.Lines(string(log)) {
		if strings.Contains(l, "voxpilot_note") {
			notes = append(notes, l)
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "made-later") || !strings.Contains(notes[0], "third") {
		t.Errorf("the notes are %q", notes)
	}
}
