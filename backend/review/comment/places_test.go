package comment_test

import (
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// commitAll commits all files in the chat's folder. It first creates a repository there if needed.
func (e *env) commitAll() {
	e.T.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--no-verify", "--no-gpg-sign", "-m", "all"}} {
		cmd := exec.CommandContext(e.T.Context(), "git", args...)
		cmd.Dir = e.chat.Folder
		if out, err := cmd.CombinedOutput(); err != nil {
			e.T.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// version returns the current version of a.go in the given source.
func (e *env) version(source string) string {
	e.T.Helper()
	d, err := e.Engine().Review.Diff(e.T.Context(), review.Request{ChatID: e.chat.ID, Source: source, Path: "a.go"})
	if err != nil {
		e.T.Fatal(err)
	}
	return d.Version
}

func (e *env) addOld(source, version string, line int, comment string) backend.ReviewComment {
	e.T.Helper()
	c, err := e.Engine().Comments.Add(e.T.Context(), e.chat.ID, backend.NewReviewComment{
		Source: source, Path: "a.go", Version: version, Side: backend.OldSide, Start: line, End: line, Text: comment,
	})
	if err != nil {
		e.T.Fatal(err)
	}
	return c
}

// wantPlaces checks the lines of the comments on a.go in the given version of a source. The parameter want maps the
// text of each comment to its line. Comments that aren't in want must have no place.
func (e *env) wantPlaces(source, version string, want map[string]int) {
	e.T.Helper()
	query := url.Values{"chat": {e.chat.ID}, "source": {source}, "path": {"a.go"}, "version": {version}}
	var places []backend.ReviewPlace
	if code := e.Get("/data/review-places?"+query.Encode(), &places); code != http.StatusOK {
		e.T.Fatalf("the places have status %d", code)
	}
	ids := map[string]backend.ReviewPlace{}
	for _, p := range places {
		ids[p.ID] = p
	}
	for text, c := range e.list() {
		line, isWanted := want[text]
		if p, ok := ids[c.ID]; ok != isWanted || ok && (p.Start != line || p.End != line) {
			e.T.Errorf("in %s, the comment %q is at %+v (%v), want line %d (%v)", source, text, p, ok, line, isWanted)
		}
	}
}

func TestPlaces_FollowTheSideShown(t *testing.T) {
	e := newEnv(t)
	three := "the text of line number three"
	e.commitAll()
	e.write(text(map[int]string{3: three, 20: "other", 30: "different"}))
	first := e.version("working")
	e.addOld("working", first, 20, "stays")
	e.addOld("working", first, 30, "goes")
	if _, err := e.Engine().Comments.Add(t.Context(), e.chat.ID, backend.NewReviewComment{
		Source: "working", Path: "a.go", Version: first, Side: backend.NewSide, Start: 20, End: 20, Text: "new",
	}); err != nil {
		t.Fatal(err)
	}
	e.wantPlaces("working", first, map[string]int{"stays": 20, "goes": 30, "new": 20})
	// The old side of the chat is another version, in which both lines exist.
	e.wantPlaces("chat", e.version("chat"), map[string]int{"stays": 20, "goes": 30, "new": 20})

	// A new commit moves the line of one comment on the old side, and removes the line of the other.
	e.write("one\ntwo\n" + text(map[int]string{3: three, 30: "different"}))
	e.commitAll()
	e.write("zero\none\ntwo\n" + text(map[int]string{3: three, 20: "other", 30: "different"}))
	e.wantPlaces("working", e.version("working"), map[string]int{"stays": 22, "new": 23})
	e.wantPlaces("chat", e.version("chat"), map[string]int{"stays": 20, "goes": 30, "new": 23})
	// The version that was shown first is still known, although the file has changed.
	e.wantPlaces("working", first, map[string]int{"stays": 20, "goes": 30, "new": 20})
	if c := e.list()["stays"]; c.Start != 20 || c.Outdated {
		t.Errorf("in the list, the comment is %+v; want the lines on which it was made", c)
	}
	if _, err := e.Engine().Comments.Places(t.Context(), e.chat.ID, "working", "a.go", "unknown"); backend.CodeOf(err) != backend.CodeStale {
		t.Errorf("of an unknown version: %v", err)
	}
}

func TestPlaces_NewSideOfAnOlderCommit(t *testing.T) {
	e := newEnv(t)
	e.commitAll()
	e.write(text(map[int]string{10: "ten"}))
	e.commitAll()
	sources, err := e.Engine().Review.Sources(t.Context(), e.chat.ID)
	if err != nil {
		t.Fatal(err)
	}
	commit := "commit:" + sources.Commits[0].SHA
	if _, err := e.Engine().Comments.Add(t.Context(), e.chat.ID, backend.NewReviewComment{
		Source: commit, Path: "a.go", Version: e.version(commit), Side: backend.NewSide, Start: 10, End: 10, Text: "ten",
	}); err != nil {
		t.Fatal(err)
	}
	e.write("a new first line\n" + text(map[int]string{10: "ten"}))
	e.wantLines("on the disk", "ten", 11, 11)
	e.wantPlaces(commit, e.version(commit), map[string]int{"ten": 10})
}

// TestAdd_OnTheVersionShown checks that a comment is on the lines that the user saw, even if the file changed while the
// user was writing the comment.
func TestAdd_OnTheVersionShown(t *testing.T) {
	e := newEnv(t)
	q := review.Request{ChatID: e.chat.ID, Source: "chat", Path: "a.go"}
	shown, err := e.Engine().Review.Diff(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	e.write("a new first line\n" + text(map[int]string{3: "the text of line number three"}))
	if _, err := e.Engine().Comments.Add(t.Context(), e.chat.ID, backend.NewReviewComment{
		Source: "chat", Path: "a.go", Version: shown.Version, Side: backend.NewSide, Start: 3, End: 3, Text: "late",
	}); err != nil {
		t.Fatal(err)
	}
	e.wantLines("in the new version", "late", 4, 4)
}

func TestAnswer_RemovedLinesComeBack(t *testing.T) {
	e := newEnv(t, fakeagent.Turn{fakeagent.Run("sed -i -e 's/line number three$/line number 3/' -e 's/line number 7$/seven/' -e '$d' a.go")})
	e.write(text(map[int]string{3: "the text of line number three", 12: "twelve"}))
	version := e.version("chat")
	back := e.addOld("chat", version, 3, "why?")
	e.addOld("chat", version, 12, "and this?")
	id, err := e.Engine().Comments.Send(t.Context(), e.chat.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	sent, _, err := e.Engine().Store.Text(t.Context(), id, 0, 0)
	if err != nil || !strings.Contains(string(sent), "line 4 before the change:\n\n```go\nthe text of line number 3\n```") {
		t.Errorf("the message is %q, %v", sent, err)
	}
	e.turnEnds(2)
	got := e.WaitFor("the answer", func(ev backend.Event) bool {
		return ev.ReviewComment != nil && ev.ReviewComment.ID == back.ID && ev.ReviewComment.State == backend.CommentAnswered
	}).ReviewComment
	if item, err := e.Engine().Store.Item(t.Context(), id); err != nil || item.TurnID != got.TurnID || got.AnsweredAt == 0 {
		t.Errorf("the comment is %+v, its message %+v", got, item)
	}
	if c := e.list()["and this?"]; c.State != backend.CommentSent || c.Start != 12 {
		t.Errorf("the comment on lines that are still missing is %+v", c)
	}
}
