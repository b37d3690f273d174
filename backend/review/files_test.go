package review_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func (e *env) stage(config string, files map[string]string) {
	e.T.Helper()
	for name, content := range files {
		e.write(name, content)
	}
	for line := range strings.Lines(config) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		e.git("config", key, value)
	}
}

// TestReview_RunsNothingOfTheRepository checks that a review runs none of the programs that a repository specifies.
func TestReview_RunsNothingOfTheRepository(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n", "b.evil": "b\n", "c.txt": "c\n"})
	sub := t.TempDir()
	gitIn(t, sub, "init", "-q")
	gitIn(t, sub, "commit", "-q", "--allow-empty", "-m", "in the submodule")
	e.git("submodule", "--quiet", "add", sub, "sub")
	e.commit("submodule")
	marker := filepath.Join(t.TempDir(), "ran")
	run := e.path("evil.sh")
	e.write("evil.sh", "#!/bin/sh\necho \"$0 $*\" >> '"+marker+"'\ncat\n")
	if err := os.Chmod(run, 0o700); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	e.stage(strings.ReplaceAll(`diff.external RUN
core.fsmonitor RUN
core.pager RUN
core.sshCommand RUN
core.alternateRefsCommand RUN
core.askPass RUN
gpg.program RUN
log.showSignature true
diff.evil.textconv RUN
diff.evil.command RUN
filter.evil.clean RUN
filter.evil.smudge RUN
filter.evil.process RUN
filter.evil.required true
`, "RUN", run), map[string]string{".gitattributes": "* diff=evil filter=evil\nc.txt -filter\n"})
	hooks := e.path(".git/hooks")
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc", "post-checkout"} {
		if err := os.Symlink(run, filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{e.path("sub"), e.chat.Folder} {
		gitDir := gitIn(t, dir, "rev-parse", "--absolute-git-dir")
		if config, err := os.OpenFile(filepath.Join(gitDir, "config"), os.O_APPEND|os.O_WRONLY, 0); err != nil {
			t.Fatal(err)
		} else if _, err := fmt.Fprintf(config, "[core]\n\tfsmonitor = %s\n", run); err != nil || config.Close() != nil {
			t.Fatal(err)
		}
	}
	e.write("sub/new.txt", "new\n")
	e.write("a.txt", "A\n")
	e.write("c.txt", "C\n")
	e.write("b.evil", "b\n") // the same content with another time
	before := e.text(".git/index")
	_ = os.Remove(marker) // the preparation may have run it
	first := gitNames(e)
	for _, source := range []string{"working", "base", "commit:" + first, "chat"} {
		l := e.list(source)
		for _, f := range l.Files {
			d := e.diff(source, f.Path)
			e.lines(source, d, backend.OldSide)
		}
		get[backend.ReviewMatches](e, "review-find", "source", source, "q", "a")
	}
	get[backend.ReviewSources](e, "review-sources")
	e.putBack("working", e.diff("working", "c.txt"))
	e.wantRefused(e.diff("working", "a.txt"), "")
	if ran, err := os.ReadFile(marker); err == nil {
		t.Errorf("the repository ran\n%s", ran)
	}
	if e.text(".git/index") != before {
		t.Error("the index has changed")
	}
	if e.text("c.txt") != "c\n" {
		t.Error("the file wasn't put back")
	}
	e.want("working", "added .gitattributes +2 -0\nedited a.txt +0 -0 large too large\nadded evil.sh +3 -0\n")
}

// gitNames returns the hash of HEAD without running git, because the repository is hostile.
func gitNames(e *env) string { return strings.TrimSpace(e.text(".git/refs/heads/main")) }

func TestReview_LineEndings(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\nb\nc\n", "same.txt": "a\nb\n", "crlf.txt": "a\r\nb\r\n", ".gitattributes": "*.txt text=auto\ncrlf.txt -text\n"})
	e.write("a.txt", "a\r\nB\r\nc\r\n")
	e.write("same.txt", "a\r\nb\r\n")
	e.write("crlf.txt", "a\nb\n")
	e.want("working", "edited a.txt +1 -1\nedited crlf.txt +2 -2\n")
	d := e.diff("working", "a.txt")
	if !reflect.DeepEqual(d.CRLF, []string{"old", "new"}) || fmt.Sprint(d.Blocks) != "[[1 1 1 1]]" {
		t.Errorf("the diff is %+v", d)
	}
	if old := e.lines("working", d, backend.OldSide); !reflect.DeepEqual(old, []string{"a", "b", "c"}) {
		t.Errorf("the old lines are %q", old)
	}
	if d := e.diff("working", "crlf.txt"); !reflect.DeepEqual(d.CRLF, []string{"old"}) || fmt.Sprint(d.Blocks) != "[[0 2 0 2]]" {
		t.Errorf("the diff of the line endings is %+v", d)
	}
	e.putBack("working", d, d.Blocks...)
	if got := e.text("a.txt"); got != "a\r\nb\r\nc\r\n" {
		t.Errorf("put back, the file is %q", got)
	}
	e.want("working", "edited crlf.txt +2 -2\n")
}

func TestReview_SubmodulesAndLinks(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	sub := t.TempDir()
	gitIn(t, sub, "init", "-q")
	gitIn(t, sub, "commit", "-q", "--allow-empty", "-m", "1")
	e.git("submodule", "--quiet", "add", sub, "sub")
	if err := os.Symlink("a.txt", e.path("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", e.path("away")); err != nil {
		t.Fatal(err)
	}
	old := e.commit("submodule")
	e.want("commit:"+old, "added .gitmodules +3 -0\nadded away +1 -0\nadded link +1 -0\nsubmodule sub +1 -0\n")
	gitIn(t, e.path("sub"), "commit", "-q", "--allow-empty", "-m", "2")
	if err := os.Remove(e.path("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", e.path("link")); err != nil {
		t.Fatal(err)
	}
	e.want("working", "edited link +1 -1\nsubmodule sub +1 -1\n")
	d := e.diff("working", "sub")
	if now := e.lines("working", d, backend.NewSide); len(now) != 1 || now[0] != "Subproject commit "+gitIn(t, e.path("sub"), "rev-parse", "HEAD") {
		t.Errorf("the submodule is %q", now)
	}
	e.putBack("working", e.diff("working", "link"))
	if to, err := os.Readlink(e.path("link")); err != nil || to != "a.txt" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if _, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, backend.ReviewPart{Source: "working", Path: "sub", Version: d.Version}); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("putting back a submodule: %v", err)
	}
}

func TestReview_NoCommitAndSubfolder(t *testing.T) {
	e := newEnv(t)
	e.git("init", "-q", "-b", "main")
	e.write("a.txt", "a\n")
	e.want("working", "added a.txt +1 -0\n")
	if s := get[backend.ReviewSources](e, "review-sources"); s.Branch != "main" || len(s.Commits) != 0 {
		t.Errorf("before the first commit, the sources are %+v", s)
	}
	e.write("sub/b.txt", "b\n")
	e.commit("first")
	e.write("a.txt", "A\n")
	e.write("sub/b.txt", "B\n")
	e.write("sub/c.txt", "c\n")
	chat, err := e.App.CreateChat(e.path("sub"), backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	e.chat = chat
	e.want("working", "edited b.txt +1 -1\nadded c.txt +1 -0\n")
}

func TestReview_WhitespaceSectionsAndGenerated(t *testing.T) {
	code := "package a\n\nfunc one() {\n\ta()\n\tb()\n\tc()\n\td()\n\te()\n\tf()\n\tg()\n}\n\nfunc two() {\n\ta()\n\tb()\n\tc()\n\td()\n\te()\n}\n"
	e := newRepository(t, map[string]string{"a.go": code, "space.go": "a\n  b\n", "made.txt": "x\n", ".gitattributes": "made.txt linguist-generated\n", "x.go": "// Code generated by x. DO NOT EDIT.\nx\n"})
	e.write("a.go", strings.Replace(strings.Replace(code, "\tg()", "\tG()", 1), "\te()\n}", "\tE()\n}", 1))
	e.write("space.go", "a\n\tb\n")
	e.write("made.txt", "y\n")
	e.write("x.go", "// Code generated by x. DO NOT EDIT.\ny\n")
	e.want("working", "edited a.go +2 -2\nedited made.txt +1 -1 generated\nedited space.go +1 -1\nedited x.go +1 -1 generated\n")
	l := get[backend.ReviewFiles](e, "review-files", "source", "working", "whitespace", "hide")
	if got := summary(l); !strings.Contains(got, "edited space.go +0 -0\n") || !strings.Contains(got, "edited a.go +2 -2\n") {
		t.Errorf("without white space, the files are\n%s", got)
	}
	if d := get[backend.ReviewDiff](e, "review-diff", "source", "working", "path", "space.go", "whitespace", "hide"); len(d.Blocks) != 0 || d.Message.IsZero() {
		t.Errorf("without white space, the diff is %+v", d)
	}
	d := e.diff("working", "a.go")
	var heads []string
	for line := range strings.Lines(e.git("diff", "--no-ext-diff", "--", "a.go")) {
		if strings.HasPrefix(line, "@@") {
			heads = append(heads, strings.TrimSpace(line[strings.LastIndex(line, "@@")+2:]))
		}
	}
	var sections []string
	for _, s := range d.Sections {
		sections = append(sections, s.Text)
	}
	if !reflect.DeepEqual(sections, heads) || len(heads) != 2 {
		t.Errorf("the sections are %+v, want %q", d.Sections, heads)
	}
}

func TestReview_TicksFallAndVersionsGoStale(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "b.txt": "b\n"})
	e.write("a.txt", strings.Replace(tenLines, "5", "five", 1))
	e.write("b.txt", "B\n")
	d := e.diff("working", "a.txt")
	tick := func(viewed bool) {
		t.Helper()
		if err := e.Engine().Review.SetViewed(t.Context(), e.chat.ID, "working", "a.txt", d.Version, viewed); err != nil {
			t.Fatal(err)
		}
	}
	tick(true)
	if l := e.want("working", "edited a.txt +1 -1 viewed\nedited b.txt +1 -1\n"); l.Viewed != 1 {
		t.Errorf("%d files are viewed", l.Viewed)
	}
	e.want("base", "")
	tick(false)
	e.want("working", "edited a.txt +1 -1\nedited b.txt +1 -1\n")
	tick(true)
	e.write("a.txt", strings.Replace(tenLines, "5", "FIVE", 1))
	var failure backend.Error
	if code := e.Get(e.query("review-lines", "source", "working", "path", "a.txt", "version", d.Version, "side", "new"), &failure); code != http.StatusConflict || failure.Code != backend.CodeStale {
		t.Errorf("lines of an old version: %d, %+v", code, failure)
	}
	e.want("working", "edited a.txt +1 -1\nedited b.txt +1 -1\n")
	if again := e.diff("working", "a.txt"); again.Version == d.Version || e.lines("working", again, backend.NewSide)[4] != "FIVE" {
		t.Errorf("the diff is %+v", again)
	}
	e.write("a.txt", strings.Replace(tenLines, "5", "five", 1)) // as it was viewed
	e.want("working", "edited a.txt +1 -1 viewed\nedited b.txt +1 -1\n")
	d = e.diff("working", "b.txt")
	e.git("commit", "-q", "-m", "b", "b.txt")
	e.write("b.txt", "B2\n")
	if d := e.diff("working", "b.txt"); e.lines("working", d, backend.OldSide)[0] != "B" {
		t.Errorf("after a commit, the diff is %+v", d)
	}
	e.write("a.txt", tenLines)
	if again := e.diff("working", "b.txt"); again.Version == d.Version {
		t.Errorf("the version is still %q", again.Version)
	}
	var text string
	if code := e.Get(e.query("review-diff", "source", "working", "path", "other.txt"), &text); code != http.StatusNotFound {
		t.Errorf("a file without changes answers %d: %s", code, text)
	}
}

func TestReview_Find(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "Word\nsame\n", "b.txt": "😀 word word\n", "c.txt": "word\n"})
	e.write("a.txt", "other\nsame Word\n")
	e.write("b.txt", "x\n😀 word word\n")
	find := func(params ...string) string {
		t.Helper()
		res := get[backend.ReviewMatches](e, "review-find", append([]string{"source", "working"}, params...)...)
		var b strings.Builder
		for _, m := range res.Matches {
			fmt.Fprintf(&b, "%s %s %d %d-%d %s\n", m.Path, m.Side, m.Line, m.Start, m.End, m.Text)
		}
		return fmt.Sprint(b.String(), res.Total)
	}
	all := "a.txt old 0 0-4 Word\na.txt new 1 5-9 same Word\nb.txt new 1 3-7 😀 word word\nb.txt new 1 8-12 😀 word word\n4"
	if got := find("q", "word"); got != all {
		t.Errorf("got\n%s", got)
	}
	if got := find("q", "word", "limit", "1"); got != "a.txt old 0 0-4 Word\n4" {
		t.Errorf("with a limit: %s", got)
	}
	if got := find("q", "Word", "case", "1"); got != "a.txt old 0 0-4 Word\na.txt new 1 5-9 same Word\n2" {
		t.Errorf("with case: %s", got)
	}
	if got := find("q", ".*"); got != "0" {
		t.Errorf("a pattern: %s", got)
	}
}

func TestReview_ImagesAndLargeFiles(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	var lines, changed strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&lines, "line %d\n", i)
		fmt.Fprintf(&changed, "other %d\n", i*7)
	}
	e := newRepository(t, map[string]string{"a.png": png, "s.svg": "<svg/>\n", "many.txt": lines.String(), "big.txt": "x\n", "long.txt": "x\n", "latin.txt": "a\xe4\n"})
	e.write("a.png", png+"2")
	e.write("s.svg", "<svg></svg>\n")
	e.write("many.txt", changed.String())
	e.write("big.txt", strings.Repeat("x\n", 3<<20))
	e.write("long.txt", strings.Repeat("ü", 20_000)+"\n")
	e.write("latin.txt", "b\xe4\n")
	e.want("working", `edited a.png +0 -0 binary
	edited big.txt +0 -0 large too large
	edited latin.txt +1 -1
	edited long.txt +1 -1
	edited many.txt +100000 -100000 large
	edited s.svg +1 -1
	`)
	d := e.diff("working", "a.png")
	if d.Image == nil || d.Image.Old == "" || !d.Binary || d.OldSize != int64(len(png)) {
		t.Fatalf("the diff of an image is %+v", d)
	}
	var content string
	if code := e.Get(d.Image.New, &content); code != http.StatusOK || content != png+"2" {
		t.Errorf("the image is (%d) %q", code, content)
	}
	if d := e.diff("working", "s.svg"); d.Image != nil || len(d.Blocks) != 1 {
		t.Errorf("the diff of an SVG is %+v", d)
	}
	if d := e.diff("working", "big.txt"); !d.TooLarge || !d.Message.IsZero() || d.NewSize != 6<<20 {
		t.Errorf("the diff of a large file is %+v", d)
	}
	d = e.diff("working", "many.txt")
	if d.OldLines != 100_000 || len(d.Blocks) != 1 || d.Blocks[0] != [4]int{0, 100_000, 0, 100_000} {
		t.Errorf("the diff of many lines is %v, %d", d.Blocks, d.OldLines)
	}
	page := get[backend.ReviewLines](e, "review-lines", "source", "working", "path", "many.txt", "version", d.Version, "side", "new", "from", "99990", "count", "5000")
	if len(page.Lines) != 10 || page.From != 99_990 || page.Lines[9] != "other 699993" {
		t.Errorf("the last lines are %+v", page)
	}
	d = e.diff("working", "long.txt")
	page = get[backend.ReviewLines](e, "review-lines", "source", "working", "path", "long.txt", "version", d.Version, "side", "new")
	if len(page.Lines) != 1 || page.Lines[0] != strings.Repeat("ü", 10_000) || !reflect.DeepEqual(page.Cut, []int{0}) {
		t.Errorf("a long line is cut at %v, %d bytes", page.Cut, len(page.Lines[0]))
	}
	e.putBack("working", backend.ReviewDiff{Path: "big.txt", Version: e.diff("working", "big.txt").Version})
	if got := e.text("big.txt"); got != "x\n" {
		t.Errorf("put back, the large file has %d bytes", len(got))
	}
}

func TestReview_ManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 2000 {
		files[fmt.Sprintf("dir%d/file%d.txt", i%20, i)] = fmt.Sprintf("%s%d\n", tenLines, i)
	}
	e := newRepository(t, files)
	for name, content := range files {
		e.write(name, strings.Replace(content, "5", "five", 1))
	}
	l := e.list("working")
	if l.Total != 2000 || l.Added != 2000 || l.Removed != 2000 || !l.Message.IsZero() {
		t.Errorf("the list has %d files, +%d -%d: %s", l.Total, l.Added, l.Removed, l.Message)
	}
}

func TestReview_MergeConflict(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": tenLines, "b.txt": "b\n", "gone.txt": "x\ny\n"})
	e.git("checkout", "-q", "-b", "topic")
	e.write("a.txt", strings.Replace(tenLines, "5", "theirs", 1))
	e.write("gone.txt", "x\nz\n")
	e.commit("theirs")
	e.git("checkout", "-q", "main")
	e.write("a.txt", strings.Replace(tenLines, "5", "ours", 1))
	if err := os.Remove(e.path("gone.txt")); err != nil {
		t.Fatal(err)
	}
	e.commit("ours")
	cmd := exec.CommandContext(t.Context(), "git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "merge", "-q", "topic")
	cmd.Dir = e.chat.Folder
	if err := cmd.Run(); err == nil {
		t.Fatal("the merge has no conflict")
	}
	e.want("working", "edited a.txt +4 -0 conflicts 1\nadded gone.txt +2 -0\n")
	if s := get[backend.ReviewSources](e, "review-sources"); s.Busy != backend.BusyMerge {
		t.Errorf("the sources are %+v", s)
	}
	e.putBack("working", e.diff("working", "a.txt"))
	if got := e.text("a.txt"); got != strings.Replace(tenLines, "5", "ours", 1) {
		t.Errorf("put back, the file is %q", got)
	}
}
