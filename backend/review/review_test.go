package review_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat whose agent may do anything without asking.
type env struct {
	*apptest.Window
	chat backend.Chat
}

func newEnv(t *testing.T, turns ...fakeagent.Turn) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: turns})
	e := &env{Window: apptest.Open(t, t.TempDir())}
	chat, err := e.App.CreateChat(t.TempDir(), backend.ProviderCopilot)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		t.Fatal(err)
	}
	e.chat = chat
	return e
}

// newRepository is like newEnv, but the folder is a repository with one commit of the files.
func newRepository(t *testing.T, files map[string]string, turns ...fakeagent.Turn) *env {
	t.Helper()
	e := newEnv(t, turns...)
	e.git("init", "-q", "-b", "main")
	for name, content := range files {
		e.write(name, content)
	}
	e.commit("first")
	return e
}

func (e *env) git(args ...string) string {
	e.T.Helper()
	return gitIn(e.T, e.chat.Folder, args...)
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "protocol.file.allow=always"}, args...)...) //nolint:gosec // a test
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

func (e *env) commit(message string) string {
	e.T.Helper()
	e.git("add", "-A")
	e.git("commit", "-q", "--allow-empty", "-m", message)
	return e.git("rev-parse", "HEAD")
}

func (e *env) path(name string) string { return filepath.Join(e.chat.Folder, filepath.FromSlash(name)) }

func (e *env) write(name, content string) {
	e.T.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(e.path(name)), 0o700), os.WriteFile(e.path(name), []byte(content), 0o600)); err != nil {
		e.T.Fatal(err)
	}
}

func (e *env) text(name string) string {
	e.T.Helper()
	content, err := os.ReadFile(e.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		e.T.Fatal(err)
	}
	return string(content)
}

// run sends a message, waits for the end of its turn and returns the turn's ID.
func (e *env) run(text string) string {
	e.T.Helper()
	id := e.Send(e.chat, text)
	turn := e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
	return turn
}

// query returns the address of a route with parameters, which are given as alternating names and values.
func (e *env) query(route string, params ...string) string {
	v := url.Values{"chat": {e.chat.ID}}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	return "/data/" + route + "?" + v.Encode()
}

// get requests a route and returns the response. It fails the test if the request fails.
func get[T any](e *env, route string, params ...string) (res T) {
	e.T.Helper()
	var text string
	if code := e.Get(e.query(route, params...), &text); code != http.StatusOK {
		e.T.Fatalf("%s %v answers %d: %s", route, params, code, text)
	}
	e.Get(e.query(route, params...), &res)
	return res
}

func (e *env) list(source string) backend.ReviewFiles {
	e.T.Helper()
	return get[backend.ReviewFiles](e, "review-files", "source", source)
}

func (e *env) diff(source, path string) backend.ReviewDiff {
	e.T.Helper()
	return get[backend.ReviewDiff](e, "review-diff", "source", source, "path", path)
}

func (e *env) lines(source string, d backend.ReviewDiff, side backend.ReviewSide) []string {
	e.T.Helper()
	return get[backend.ReviewLines](e, "review-lines", "source", source, "path", d.Path, "version", d.Version, "side", string(side)).Lines
}

// summary returns a list as text, one file per line.
func summary(l backend.ReviewFiles) string {
	var b strings.Builder
	for _, f := range l.Files {
		fmt.Fprintf(&b, "%s %s +%d -%d", f.Kind, f.Path, f.Added, f.Removed)
		for _, is := range []struct {
			set  bool
			text string
		}{
			{f.From != "", " from " + f.From},
			{f.Binary, " binary"},
			{f.Generated, " generated"},
			{f.Large, " large"},
			{f.TooLarge, " too large"},
			{f.Conflict > 0, fmt.Sprint(" conflicts ", f.Conflict)},
			{f.Staged != "", " staged " + string(f.Staged)},
			{f.Mode != nil, fmt.Sprint(" mode ", f.Mode)},
			{f.Viewed, " viewed"},
		} {
			if is.set {
				b.WriteString(is.text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (e *env) want(source, want string) backend.ReviewFiles {
	e.T.Helper()
	l := e.list(source)
	if got := summary(l); got != strings.ReplaceAll(want, "\t", "") {
		e.T.Errorf("the files of %s are (%s)\n%swant\n%s", source, l.Message, got, want)
	}
	return l
}

const tenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func TestSources_WorkingTree(t *testing.T) {
	e := newRepository(t, map[string]string{
		"edited.txt": tenLines, "same.txt": "same\n", "touched.txt": "touched\n", "gone.txt": "gone\n1\n2\n", "old/name.txt": tenLines + "moved\n", "old/exact.txt": "exact\n",
		"run.sh": "echo\n", ".gitignore": "ignored.txt\n", "picture.bin": "a\x00b", "staged.txt": "a\nb\nc\nd\ne\nf\ng\nh\n", "part.txt": "a\nb\nc\nd\ne\nf\ng\nh\n",
		"über.txt": "ü\n", "lock/go.sum": "x\n",
	})
	e.write("edited.txt", strings.Replace(tenLines, "5", "five", 1)+"11\n")
	e.write("touched.txt", "other\n")
	e.git("add", "touched.txt")
	e.write("touched.txt", "touched\n")
	e.git("add", "touched.txt")
	e.write("touched.txt", "touched\n") // again, so that git doesn't know that it is the same
	for _, name := range []string{"gone.txt", "old/name.txt", "old/exact.txt"} {
		if err := os.Remove(e.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	e.write("new/name.txt", tenLines+"Moved\n")
	e.write("new/exact.txt", "exact\n")
	e.write("ignored.txt", "x\n")
	e.write("untracked.txt", "x\ny\n")
	e.write("picture.bin", "a\x00c")
	e.write("über.txt", "u\n")
	e.write("lock/go.sum", "y\n")
	e.write("merge.txt", "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n")
	if err := os.Chmod(e.path("run.sh"), 0o700); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	e.write("staged.txt", "a\nb\nc\nd\ne\nf\ng\nH\n")
	e.write("part.txt", "a\nb\nc\nd\ne\nf\ng\nH\n")
	e.git("add", "staged.txt", "part.txt")
	e.write("part.txt", "A\nb\nc\nd\ne\nf\ng\nH\n")
	l := e.want("working", `edited edited.txt +2 -1
	removed gone.txt +0 -3
	edited lock/go.sum +1 -1 generated
	added merge.txt +6 -0 conflicts 1
	moved new/exact.txt +0 -0 from old/exact.txt
	moved new/name.txt +1 -1 from old/name.txt
	edited part.txt +2 -2 staged part
	edited picture.bin +0 -0 binary
	mode run.sh +0 -0 mode [100644 100755]
	edited staged.txt +1 -1 staged all
	added untracked.txt +2 -0
	edited über.txt +1 -1
	`)
	if l.From != e.git("rev-parse", "--short=7", "HEAD") || l.To != "" || l.Total != len(l.Files) || l.Added != 16 || l.Removed != 10 {
		t.Errorf("the list is %+v", l)
	}
	d := e.diff("working", "edited.txt")
	if fmt.Sprint(d.Blocks) != "[[4 1 4 1] [10 0 10 1]]" || d.OldLines != 10 || d.NewLines != 11 || !d.OldEnd || !d.NewEnd {
		t.Errorf("the diff is %+v", d)
	}
	if old, now := e.lines("working", d, backend.OldSide), e.lines("working", d, backend.NewSide); strings.Join(old, "\n")+"\n" != tenLines || now[4] != "five" || now[10] != "11" {
		t.Errorf("the lines are %q and %q", old, now)
	}
	if again := e.list("working"); again.Version != l.Version {
		t.Error("the version of the list has changed without a change")
	}
	e.write("edited.txt", tenLines)
	if again := e.list("working"); again.Version == l.Version {
		t.Error("the version of the list hasn't changed")
	}
	e.commit("all")
	if l := e.want("working", ""); l.Message.String() != "No files have changed." {
		t.Errorf("the message is %q", l.Message)
	}
}

func TestSources_CommitsAndBranches(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n", "b.txt": tenLines})
	e.git("checkout", "-q", "-b", "topic")
	if err := os.Rename(e.path("b.txt"), e.path("c.txt")); err != nil {
		t.Fatal(err)
	}
	second := e.commit("second")
	e.write("a.txt", "A\n")
	third := e.commit("third: subject")
	first := e.git("rev-parse", "main")
	e.want("commit:"+first, "added a.txt +1 -0\nadded b.txt +10 -0\n")
	e.want("commit:"+second, "moved c.txt +0 -0 from b.txt\n")
	l := e.want("commit:"+third[:10], "edited a.txt +1 -1\n")
	if l.From != second[:7] || l.To != third[:7] {
		t.Errorf("the sides are %q and %q", l.From, l.To)
	}
	e.write("d.txt", "d\n")
	e.want("base", "edited a.txt +1 -1\nmoved c.txt +0 -0 from b.txt\nadded d.txt +1 -0\n")
	e.git("checkout", "-q", "main")
	e.git("merge", "-q", "--no-ff", "-m", "merged", "topic")
	e.want("commit:"+e.git("rev-parse", "HEAD"), "edited a.txt +1 -1\nmoved c.txt +0 -0 from b.txt\n")
	s := get[backend.ReviewSources](e, "review-sources")
	if !s.Repository || s.Branch != "main" || s.Detached || s.Busy != "" || s.Base != "" || len(s.Commits) != 4 || s.Commits[0].Subject != "merged" || s.Commits[0].Author != "Test" || s.Commits[0].At == 0 {
		t.Errorf("the sources are %+v", s)
	}
	e.git("checkout", "-q", "topic")
	if s := get[backend.ReviewSources](e, "review-sources"); s.Branch != "topic" || s.Base != "main" || s.Ahead != 0 || s.Behind != 1 {
		t.Errorf("the sources of the branch are %+v", s)
	}
	e.git("checkout", "-q", "--detach")
	e.git("bisect", "start")
	if s := get[backend.ReviewSources](e, "review-sources"); s.Branch != "" || !s.Detached || s.Busy != backend.BusyBisect {
		t.Errorf("the sources of a detached HEAD are %+v", s)
	}
	var text string
	for _, source := range []string{"commit:--output=x", "commit:12", "other", "commit:" + strings.Repeat("1", 40)} {
		if code := e.Get(e.query("review-files", "source", source), &text); code == http.StatusOK {
			t.Errorf("%s answers %s", source, text)
		}
	}
}

func TestSources_TurnsAndChat(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("printf 'a\\nb\\n' > a.txt; printf 1 > gone.txt")}, fakeagent.Turn{fakeagent.Run("printf 'a\\nB\\n' > a.txt; rm gone.txt; mkdir x; mv b.txt x/b.txt")})
	e.write("b.txt", tenLines)
	if l := e.want("chat", ""); l.Message.IsZero() {
		t.Error("a chat without turns has no message")
	}
	first := e.run("first message")
	second := e.run("second message")
	e.want("turn:"+first, "added a.txt +2 -0\nadded gone.txt +1 -0\n")
	e.want("turn:"+second, "edited a.txt +1 -1\nremoved gone.txt +0 -1\nmoved x/b.txt +0 -0 from b.txt\n")
	e.want("chat", "added a.txt +2 -0\nmoved x/b.txt +0 -0 from b.txt\n")
	e.write("mine.txt", "mine\n")
	e.want("chat", "added a.txt +2 -0\nadded mine.txt +1 -0\nmoved x/b.txt +0 -0 from b.txt\n")
	s := get[backend.ReviewSources](e, "review-sources")
	if s.Repository || len(s.Turns) != 2 || s.Turns[0].ID != second || s.Turns[0].Text != "second message" || s.Turns[1].Files != 2 || s.Turns[1].Added != 3 || s.Turns[0].At == 0 {
		t.Errorf("the sources are %+v", s)
	}
	if l := e.want("working", ""); l.Message.String() != "This folder isn't in a Git repository." {
		t.Errorf("without a repository, the message is %q", l.Message)
	}
	d := e.diff("turn:"+second, "a.txt")
	if fmt.Sprint(d.Blocks) != "[[1 1 1 1]]" {
		t.Errorf("the diff is %+v", d)
	}
}
