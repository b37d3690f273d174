package blame_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/blame"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app in the mode "Allow everything".
type env struct {
	*apptest.Window
	folder string
}

func newEnv(t *testing.T, turns ...fakeagent.Turn) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: turns})
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &env{Window: apptest.Open(t, t.TempDir()), folder: folder}
}

func (e *env) newChat(folder string) backend.Chat {
	e.T.Helper()
	chat, err := e.App.CreateChat(folder, backend.ProviderCopilot)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		e.T.Fatal(err)
	}
	return chat
}

func (e *env) write(name, content string) {
	e.T.Helper()
	if err := os.WriteFile(filepath.Join(e.folder, name), []byte(content), 0o600); err != nil {
		e.T.Fatal(err)
	}
}

// start sends a message and returns its turn. The method end waits until the turn has ended, and run does both.
func (e *env) start(chat backend.Chat, text string) (turn string) {
	e.T.Helper()
	id := e.Send(chat, text)
	return e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
}

func (e *env) end(turn string) {
	e.T.Helper()
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
}

func (e *env) run(chat backend.Chat, text string) (turn string) {
	e.T.Helper()
	turn = e.start(chat, text)
	e.end(turn)
	return turn
}

func (e *env) blame(name string) (b blame.Blame) {
	e.T.Helper()
	query := "/data/blame?path=" + url.QueryEscape(filepath.Join(e.folder, name))
	if code := e.Get(query, &b); code != http.StatusOK {
		e.T.Fatalf("the answer has the status %d", code)
	}
	return b
}

// lines returns each line of a file with the prompts of its writers or, for writers other than turns, their kinds.
func (e *env) lines(name string) (lines []string) {
	e.T.Helper()
	b := e.blame(name)
	texts := strings.Split(b.Text, "\n")
	for _, span := range b.Spans {
		var by []string
		for _, i := range span.By {
			w := b.Writers[i]
			if w.Kind == blame.Turn {
				by = append(by, w.Prompt)
			} else {
				by = append(by, string(w.Kind))
			}
		}
		for range span.Lines {
			lines = append(lines, texts[len(lines)]+" | "+strings.Join(by, ", "))
		}
	}
	return lines
}

func (e *env) want(name string, want ...string) {
	e.T.Helper()
	if diff := cmp.Diff(want, e.lines(name)); diff != "" {
		e.T.Errorf("the lines of %s differ (-want +got):\n%s", name, diff)
	}
}

// TestBlame_ScriptedChatLeadsToRightTurns checks that lines are attributed to the right turn when commands in two chats
// each change several files, and the user changes the files in between.
func TestBlame_ScriptedChatLeadsToRightTurns(t *testing.T) {
	const edits, files = 200, 4
	seed, source := chaos.Seed(t), t.TempDir()
	result := chaos.Row(t, fmt.Sprintf("Commands in two chats that each change %d files in which 10 %% of the lines are equal, with the user's edits in between", files), edits)
	var turns []fakeagent.Turn
	for i := range edits {
		turns = append(turns, fakeagent.Turn{fakeagent.Run(fmt.Sprintf("cp %s/%d/* .", source, i))})
	}
	e := newEnv(t, turns...)
	chats := []backend.Chat{e.newChat(e.folder), e.newChat(e.folder)}
	r := chaos.Rand(t, seed, 0)
	authors := map[string]*blame.Author{}
	for i := range files {
		name := fmt.Sprintf("%d.txt", i)
		authors[name] = blame.NewAuthor(chaos.Rand(t, seed, 1+i).Uint64(), 10)
		e.write(name, authors[name].String())
	}
	var ids []string
	for i := range edits {
		dir := filepath.Join(source, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, a := range authors {
			a.Edit(blame.ByTurn(i))
			if err := os.WriteFile(filepath.Join(dir, name), []byte(a.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ids = append(ids, e.run(chats[r.IntN(2)], fmt.Sprintf("Edit %d", i)))
		for name, a := range authors {
			for range a.IntN(3) {
				a.Edit(blame.ByUser)
				e.write(name, a.String())
			}
		}
	}
	lines, right := e.wantRightTurns(authors, ids)
	result("%d of %d lines of turns lead to the right turn, none to a wrong one", right, lines)
}

// wantRightTurns fails the test unless at least 95 % of the lines that turns wrote are attributed to the right turn,
// and none to a wrong turn. It returns the number of lines that turns wrote, and the number of those attributed to the
// right turn. The parameter authors holds the author of each file, keyed by the file's name. The parameter ids holds
// the IDs of the turns "Edit 0", "Edit 1" and so on.
func (e *env) wantRightTurns(authors map[string]*blame.Author, ids []string) (lines, right int) {
	e.T.Helper()
	t := e.T
	wrong := 0
	for name, a := range authors {
		b := e.blame(name)
		if b.Text != a.String() {
			t.Fatalf("%s isn't as the agents and the user left it", name)
		}
		at := 0
		for _, span := range b.Spans {
			for range span.Lines {
				want := ""
				if n := blame.TurnOf(a.Lines[at].By); n >= 0 {
					want = ids[n]
					lines++
				}
				at++
				switch w := b.Writers[span.By[0]]; {
				case len(span.By) > 1:
				case w.TurnID != want && w.TurnID != "":
					wrong++
				case w.TurnID == want && want != "":
					right++
					if n := slices.Index(ids, want); w.Prompt != fmt.Sprintf("Edit %d", n) || w.ItemID == "" || w.Pos == 0 || w.At == 0 {
						t.Fatalf("the turn %d is described as %+v", n, w)
					}
				}
			}
		}
		if at != len(a.Lines) {
			t.Errorf("%s has %d lines, want %d", name, at, len(a.Lines))
		}
	}
	t.Logf("of %d lines of turns, %d lead to the right turn; %d lines lead to a wrong one", lines, right, wrong)
	if lines < len(ids)/2 || right*100 < lines*95 || wrong > 0 {
		t.Errorf("of %d lines of turns, %d lead to the right turn; %d lines lead to a wrong one", lines, right, wrong)
	}
	return lines, right
}

func TestBlame_PutBackBringsWritersBack(t *testing.T) {
	e := newEnv(t,
		fakeagent.Turn{fakeagent.Run("printf 'two\\nthree\\nfour\\n' >> a.txt")},
		fakeagent.Turn{fakeagent.Edit("a.txt", "two\nthree\n", "TWO\nTHREE\n")},
		fakeagent.Turn{fakeagent.Run("echo five >> a.txt")},
	)
	chat := e.newChat(e.folder)
	e.write("a.txt", "zero\none\n")
	e.run(chat, "First")
	e.run(chat, "Second")
	e.want("a.txt", "zero | earlier", "one | earlier", "TWO | Second", "THREE | Second", "four | First")
	e.write("a.txt", "top\nzero\none\nTWO\nTHREE\nfour\n")
	part := backend.UndoPart{Path: "a.txt", Diff: "--- a.txt\n+++ a.txt\n@@ -3,4 +3,4 @@\n one\n-two\n-three\n+TWO\n+THREE\n four\n"}
	if res, err := e.App.PutBack(chat.ID, part); err != nil || res.Diff != "" {
		t.Fatalf("putting it back: %+v, %v", res, err)
	}
	want := []string{"top | outside", "zero | earlier", "one | earlier", "two | First", "three | First", "four | First"}
	e.want("a.txt", want...)
	e.run(chat, "Third")
	e.want("a.txt", append(want, "five | Third")...)

	// The redo attributes the lines to the second turn again.
	var list struct{ Parts []backend.PutBack }
	if code := e.Get("/data/put-back?chat="+chat.ID, &list); code != http.StatusOK || len(list.Parts) != 1 {
		t.Fatalf("the parts are (%d) %+v", code, list)
	}
	if res, err := e.App.PutBack(chat.ID, backend.UndoPart{Redo: list.Parts[0].ID}); err != nil || res.Diff != "" {
		t.Fatalf("the redo: %+v, %v", res, err)
	}
	e.want("a.txt", "top | outside", "zero | earlier", "one | earlier", "TWO | Second", "THREE | Second", "four | First", "five | Third")

	// The restored line is in no recorded version. It could be from Git's last commit.
	part = backend.UndoPart{Path: "a.txt", Diff: "--- a.txt\n+++ a.txt\n@@ -2,1 +2,1 @@\n-nought\n+zero\n"}
	if res, err := e.App.PutBack(chat.ID, part); err != nil || res.Diff != "" {
		t.Fatalf("putting back an older line: %+v, %v", res, err)
	}
	if got := e.lines("a.txt"); got[1] != "nought | putBack" {
		t.Errorf("the line is %q", got[1])
	}
}

func TestBlame_FollowsRenames(t *testing.T) {
	e := newEnv(t,
		fakeagent.Turn{fakeagent.Run("echo two >> a.txt")},
		fakeagent.Turn{fakeagent.Run("mkdir dir; mv a.txt dir/b.txt; echo three >> dir/b.txt")},
		fakeagent.Turn{fakeagent.Run("echo four >> c.txt")},
	)
	chat := e.newChat(e.folder)
	e.write("a.txt", "zero\none\n")
	e.run(chat, "First")
	e.run(chat, "Second")
	if err := os.Rename(filepath.Join(e.folder, "dir/b.txt"), filepath.Join(e.folder, "c.txt")); err != nil {
		t.Fatal(err)
	}
	e.run(chat, "Third")
	want := []string{"zero | earlier", "one | earlier", "two | First", "three | Second", "four | Third"}
	e.want("c.txt", want...)
	if err := os.Rename(filepath.Join(e.folder, "c.txt"), filepath.Join(e.folder, "d.txt")); err != nil {
		t.Fatal(err)
	}
	e.want("d.txt", want...)
}

func TestBlame_UndoBringsWritersBack(t *testing.T) {
	e := newEnv(t,
		fakeagent.Turn{fakeagent.Run("echo two >> a.txt")},
		fakeagent.Turn{fakeagent.Run("printf 'the first line of the file\\nnew\\n' > a.txt")},
	)
	chat := e.newChat(e.folder)
	e.write("a.txt", "the first line of the file\none\n")
	e.run(chat, "First")
	second := e.run(chat, "Second")
	e.want("a.txt", "the first line of the file | earlier", "new | Second")
	e.write("a.txt", "top\nthe first line of the file\nnew\n")
	choices := map[string]backend.UndoChoice{"a.txt": backend.UndoMerge}
	if err := e.Engine().Undo.Undo(t.Context(), second, choices); err != nil {
		t.Fatal(err)
	}
	e.want("a.txt", "top | outside", "the first line of the file | earlier", "one | earlier", "two | First")
	if err := e.Engine().Undo.Redo(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	e.want("a.txt", "top | outside", "the first line of the file | earlier", "new | Second")
}

// TestBlame_GoingBackBringsWritersBack checks that going back over several turns is like an undo of all of them: lines
// that reappear are attributed to the turns that wrote them, even if later changes were merged.
func TestBlame_GoingBackBringsWritersBack(t *testing.T) {
	for _, scope := range []backend.BackScope{backend.BackBoth, backend.BackFiles} {
		t.Run(string(scope), func(t *testing.T) {
			e := newEnv(t,
				fakeagent.Turn{fakeagent.Run("echo the second line of the file >> a.txt")},
				fakeagent.Turn{fakeagent.Run("printf 'the first line of the file\\nnew\\n' > a.txt")},
				fakeagent.Turn{fakeagent.Run("echo newer >> a.txt")},
				fakeagent.Turn{fakeagent.Run("echo newest >> a.txt")},
			)
			chat := e.newChat(e.folder)
			e.write("a.txt", "the first line of the file\n")
			e.run(chat, "First")
			second := e.run(chat, "Second")
			e.run(chat, "Third")
			e.write("a.txt", "top\nthe first line of the file\nnew\nnewer\n")
			err := e.App.GoBack(second, backend.GoBackRequest{Scope: scope, Choices: map[string]backend.UndoChoice{"a.txt": backend.UndoMerge}})
			if err != nil {
				t.Fatal(err)
			}
			back := []string{"top | outside", "the first line of the file | earlier", "the second line of the file | First"}
			e.want("a.txt", back...)
			asides, err := e.Engine().Store.Asides(t.Context(), chat.ID)
			if err == nil {
				err = e.App.BringBack(chat.ID, asides[0].ID, true)
			}
			if err != nil {
				t.Fatal(err)
			}
			forward := []string{"top | outside", "the first line of the file | earlier", "new | Second", "newer | Third"}
			e.want("a.txt", forward...)
			e.run(chat, "Fourth")
			e.want("a.txt", append(forward, "newest | Fourth")...)
		})
	}
}

func TestBlame_OverlappingTurnsAreUncertain(t *testing.T) {
	e := newEnv(t,
		fakeagent.Turn{fakeagent.Run("touch started; while [ ! -e go ]; do sleep 0.05; done; echo long >> a.txt")},
		fakeagent.Turn{fakeagent.Run("while [ ! -e started ]; do sleep 0.05; done; echo short >> a.txt")},
		fakeagent.Turn{fakeagent.Run("echo alone >> a.txt")},
	)
	one, two := e.newChat(e.folder), e.newChat(e.folder)
	e.write("a.txt", "zero\n")
	long := e.start(one, "Long")
	e.WaitFor("the command", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.TurnID == long && ev.Item.Tool != nil })
	e.run(two, "Short")
	e.write("go", "")
	e.end(long)
	e.run(two, "Alone")
	e.want("a.txt", "zero | earlier", "short | Short, another, Long", "long | Long, another", "alone | Alone")
}

func TestBlame_RemovedVersionsAreEarlier(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("echo one >> a.txt")}, fakeagent.Turn{fakeagent.Run("echo two >> a.txt")}, fakeagent.Turn{fakeagent.Run("echo three >> a.txt")})
	chat := e.newChat(e.folder)
	e.run(chat, "First")
	e.run(chat, "Second")
	e.want("a.txt", "one | First", "two | Second")
	swept, err := e.Engine().Undo.Snapshots().Sweep(t.Context(), snapshot.Limits{Age: -time.Hour, Bytes: 1 << 30})
	if err != nil || swept.Removed == 0 {
		t.Fatalf("got %+v, %v", swept, err)
	}
	e.run(chat, "Third")
	e.want("a.txt", "one | earlier", "two | earlier", "three | Third")
}

func TestBlame_UnrecordedFiles(t *testing.T) {
	e := newEnv(t)
	e.newChat(e.folder)
	e.write("text", "one\r\ntwo")
	e.write("binary", "a\x00b")
	e.write("large", strings.Repeat("0123456789abcde\n", 400_000))
	if b := e.blame("text"); b.Recorded {
		t.Error("a file in a folder without turns counts as recorded")
	}
	e.want("text", "one\r | earlier", "two | earlier")
	for path, want := range map[string]string{
		filepath.Join(e.folder, "binary"): "This isn't a text file, so blame isn't available.",
		filepath.Join(e.folder, "large"):  "The file is larger than 5 MB, so blame isn't available.",
		filepath.Join(e.folder, "none"):   "none",
		e.folder:                          "is a folder",
		filepath.Dir(e.folder):            "isn't in any chat's folder.",
	} {
		if _, err := e.Engine().Blame(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}
