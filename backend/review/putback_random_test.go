package review_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestChaosKeepAndPutBack_AsTheModel checks random sequences of keeping, reverting and redoing changes, with edits by
// the user in between, against a simple model. No line that the user wrote may be lost, everything that hasn't been
// changed since must be restored, and nothing else may change.
func TestChaosKeepAndPutBack_AsTheModel(t *testing.T) {
	runs := chaos.Runs(8, 500)
	result := chaos.Row(t, "files, changes and lines kept, put back and redone between the user's edits", runs)
	seed := chaos.Seed(t)
	total := map[string]int{}
	each := func(t *testing.T, runs iter.Seq[int], turns ...fakeagent.Turn) {
		e, viewed := newEnv(t, turns...), map[string]string{}
		for run := range runs {
			s := &sequence{env: e, run: run, r: chaos.Rand(t, seed, run), turns: len(turns) > 0, source: "working", viewed: viewed, counts: total}
			s.play()
		}
	}
	plain := max(2, runs/5) // each takes a turn of the agent
	t.Run("repository", func(t *testing.T) { each(t, chaos.Rounds(8-2, 400)) })
	t.Run("plain folder", func(t *testing.T) {
		script := filepath.Join(t.TempDir(), "agent.sh")
		t.Setenv("AGENT", script)
		each(t, numbers(plain), slices.Repeat([]fakeagent.Turn{{fakeagent.Run(`sh "` + script + `"`)}}, plain)...)
	})
	result("%s", figures(total))
	t.Log(figures(total))
	for _, what := range []string{"put back: file", "put back: change", "put back: lines", "redone at once", "redone later", "kept", "merged with later edits", "both sides shown"} {
		if total[what] == 0 && (chaos.Long() || what != "merged with later edits") { // which is rare
			t.Errorf("in no sequence: %s", what)
		}
	}
}

// numbers returns the numbers from 0 to n-1.
func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// figures returns counts as text.
func figures(counts map[string]int) string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprint(counts[what], " ", what))
	}
	return strings.Join(list, "; ")
}

// sequence is one random sequence in a folder, with its model.
type sequence struct {
	*env
	run    int
	r      *rand.Rand
	turns  bool   // the folder isn't a repository, and a turn of the agent changes the files
	source string // of the changes
	unique bool   // lines are new, and the user doesn't move them
	end    string // of a line
	n      int    // makes lines unique
	counts map[string]int
	log    []string

	head, files folder            // the old sides of the source, and the files now
	after       folder            // as the turn left the files
	gitDir      string            // the files of Git
	diffs       []shownFile       // all diffs that were read
	viewed      map[string]string // versions by source and path
	parts       []backPart        // parts that can be redone
	redone      []string
}

// shownFile is a diff that the method look has read.
type shownFile struct {
	path, from, version string
	old, now            *fileState
	blocks              [][4]int
}

// backPart is a part that was reverted. changes are the changes that redo it.
type backPart struct {
	id      string
	changes []change
}

func (s *sequence) logf(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *sequence) fatalf(format string, args ...any) {
	s.T.Helper()
	s.T.Fatalf("sequence %d: %s\nafter:\n%s", s.run, fmt.Sprintf(format, args...), strings.Join(s.log, "\n"))
}

// play runs the sequence.
func (s *sequence) play() {
	s.T.Helper()
	s.start()
	s.look()
	for range 10 {
		for range s.r.IntN(3) {
			s.userEdit()
		}
		switch s.r.IntN(9) {
		case 0:
			s.keep()
		case 1, 2:
			s.redoLater()
		case 3:
			s.redoAgain()
		default:
			if s.r.IntN(2) == 0 {
				s.look()
			}
			s.putBackRandom()
		}
	}
	s.look()
	for len(s.parts) > 0 {
		s.redoLater()
	}
}

// changed records a change by the user or the agent.
func (s *sequence) changed() { s.files, s.gitDir = s.folder(), s.gitFiles() }

// look reads the list and some of its diffs. It fails the test unless these are the diffs between the two sides of the
// model.
func (s *sequence) look() {
	s.T.Helper()
	now := s.files
	if s.turns {
		now = s.after
	}
	l, err := s.Engine().Review.Files(s.T.Context(), review.Request{ChatID: s.chat.ID, Source: s.source})
	if err != nil {
		s.fatalf("the list: %v", err)
	}
	listed := map[string]bool{}
	for _, f := range l.Files {
		listed[f.Path], listed[f.From] = true, f.From != "" || listed[f.From]
		if viewed := s.viewed[s.source+f.Path] == f.Version; f.Viewed != viewed {
			s.fatalf("%s is viewed: got %t, want %t", f.Path, f.Viewed, viewed)
		}
	}
	for _, files := range []folder{s.head, now} {
		for path := range files {
			if is := !s.head[path].isLike(now[path]); is != listed[path] {
				s.fatalf("%s is in the list: got %t, want %t", path, listed[path], is)
			}
		}
	}
	for _, i := range s.r.Perm(len(l.Files))[:min(len(l.Files), 3)] {
		f := l.Files[i]
		d, err := s.Engine().Review.Diff(s.T.Context(), review.Request{ChatID: s.chat.ID, Source: s.source, Path: f.Path})
		if err != nil || d.Version != f.Version {
			s.fatalf("the diff of %s: %+v, %v", f.Path, d, err)
		}
		v := shownFile{f.Path, f.From, f.Version, s.head[f.Path], now[f.Path], d.Blocks}
		if f.From != "" {
			v.old = s.head[f.From]
		}
		if to := v.without(v.blocks); len(v.blocks) > 0 && strings.Join(to, "") != v.old.content() {
			s.fatalf("without %v, %s is %q, want %q", v.blocks, f.Path, to, v.old.content())
		}
		s.diffs = append(s.diffs, v)
	}
	s.unchanged("reading")
}

// unchanged fails the test if the files in the folder have changed. The parameter what names the operation that must
// not change them.
func (s *sequence) unchanged(what string) {
	s.T.Helper()
	if path := s.files.differs(s.folder()); path != "" {
		s.fatalf("%s has changed %s", what, path)
	}
	if s.gitDir != s.gitFiles() {
		s.fatalf("%s has changed Git's files: before\n%safter\n%s", what, s.gitDir, s.gitFiles())
	}
}

// keep marks a file as kept or removes the mark, as the page does when the user keeps all of the file's changes.
func (s *sequence) keep() {
	s.T.Helper()
	if len(s.diffs) == 0 {
		return
	}
	v := s.diffs[len(s.diffs)-1-s.r.IntN(min(len(s.diffs), 3))]
	keeps := s.r.IntN(4) > 0
	s.logf("keep %s %s: %t", v.path, v.version, keeps)
	if err := s.Engine().Review.SetViewed(s.T.Context(), s.chat.ID, s.source, v.path, v.version, keeps); err != nil {
		s.fatalf("keeping: %v", err)
	}
	s.counts["kept"]++
	if s.viewed[s.source+v.path] = v.version; !keeps {
		delete(s.viewed, s.source+v.path)
	}
	s.unchanged("keeping")
}

// putBackRandom reverts a part of a diff that was shown. At random, in one of three cases, it immediately redoes the
// part.
func (s *sequence) putBackRandom() {
	s.T.Helper()
	if len(s.diffs) == 0 {
		return
	}
	v := s.diffs[len(s.diffs)-1-s.r.IntN(min(len(s.diffs), 3))]
	if s.r.IntN(4) == 0 {
		v = s.diffs[s.r.IntN(len(s.diffs))]
	}
	blocks, kind := s.part(v)
	s.logf("put back %s: %s %v of %s", kind, v.path, blocks, v.version)
	before := s.files
	part := backend.ReviewPart{Source: s.source, Path: v.path, Version: v.version, Blocks: blocks}
	res, back, done := s.do(v.changes(blocks), func() (backend.ReviewPutBackResult, error) {
		return s.Engine().Review.PutBack(s.T.Context(), s.chat.ID, part)
	})
	if done != (res.ID != "") {
		s.fatalf("put back: %t, but the result is %+v", done, res)
	}
	if !done {
		return
	}
	s.counts["put back: "+kind]++
	if s.parts = append(s.parts, backPart{res.ID, back}); s.r.IntN(3) == 0 {
		if !s.redoPart(len(s.parts) - 1) {
			s.fatalf("a part can't be redone at once")
		}
		s.counts["redone at once"]++
		if path := before.differs(s.files); path != "" {
			s.fatalf("after the redo, %s isn't as it was before: %+v, want %+v", path, s.files[path], before[path])
		}
	}
}

// redoLater redoes a random part.
func (s *sequence) redoLater() {
	s.T.Helper()
	if len(s.parts) == 0 {
		return
	}
	i := s.r.IntN(len(s.parts))
	if s.redoPart(i) {
		s.counts["redone later"]++
	} else {
		s.parts = slices.Delete(s.parts, i, i+1) // enough tries
	}
}

// redoPart redoes a part and reports whether files were changed.
func (s *sequence) redoPart(i int) bool {
	s.T.Helper()
	p := s.parts[i]
	s.logf("redo %s of %s", p.id, p.changes[0].path)
	_, _, done := s.do(p.changes, func() (backend.ReviewPutBackResult, error) {
		return s.Engine().Review.Redo(s.T.Context(), s.chat.ID, p.id)
	})
	if done {
		s.parts = slices.Delete(s.parts, i, i+1)
		s.redone = append(s.redone, p.id)
	}
	return done
}

// redoAgain tries to redo a part a second time.
func (s *sequence) redoAgain() {
	s.T.Helper()
	if len(s.redone) == 0 {
		return
	}
	id := s.redone[s.r.IntN(len(s.redone))]
	s.logf("redo %s again", id)
	if res, err := s.Engine().Review.Redo(s.T.Context(), s.chat.ID, id); backend.CodeOf(err) != backend.CodeNotFound {
		s.fatalf("a second redo: %+v, %v", res, err)
	}
	s.unchanged("a second redo")
}

// do runs an operation that must make the given changes, except to files that the user has changed since. It returns
// the changes that revert the operation, and reports whether files were changed.
func (s *sequence) do(changes []change, run func() (backend.ReviewPutBackResult, error)) (res backend.ReviewPutBackResult, back []change, done bool) {
	s.T.Helper()
	before := s.files
	want, known, since := maps.Clone(before), true, false
	paths := map[string]bool{}
	for _, c := range changes {
		is := before[c.path]
		to, b, ok := c.result(is, s.unique)
		known = known && ok
		if want[c.path] = to; to == nil {
			delete(want, c.path)
		}
		paths[c.path], since, back = true, since || !sameText(is, c.from), append(back, b)
	}
	for _, c := range changes {
		known = known && (c.to == nil || !want.isBlocked(c.path) && !s.hasEmptyFolder(c.path))
	}
	res, err := run()
	now := s.folder()
	if git := s.gitFiles(); git != s.gitDir {
		s.fatalf("Git's files have changed: before\n%safter\n%s", s.gitDir, git)
	}
	if done = before.differs(now) != ""; done && (err != nil || res.Diff != "") {
		s.fatalf("%s has changed although %+v, %v", before.differs(now), res, err)
	}
	if code := backend.CodeOf(err); err != nil && code != backend.CodeUnavailable && code != backend.CodeNotFound {
		s.fatalf("%v", err)
	}
	if res.Diff != "" {
		s.counts["both sides shown"]++
		if !slices.ContainsFunc(changes, func(c change) bool { return c.isShownBy(res.Diff, before[c.path]) }) {
			s.fatalf("these aren't both sides:\n%s", res.Diff)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if known && !want[path].isLike(now[path]) {
			s.fatalf("%s is %+v, want %+v, before %+v; %+v, %v", path, now[path], want[path], before[path], res, err)
		}
	}
	if known && done && since {
		if s.counts["merged with later edits"]++; !res.Merged {
			s.fatalf("later changes stay, but the result is %+v", res)
		}
	}
	s.files = now
	if !done {
		if err == nil && res.Diff == "" && slices.ContainsFunc(changes, func(c change) bool { return !sameText(before[c.path], c.to) }) {
			s.fatalf("nothing has changed, but the result is %+v", res)
		}
		return res, nil, false
	}
	rest := maps.Clone(now)
	for i, c := range changes {
		is, to := before[c.path], now[c.path]
		some := !s.unique || hasRepeats(c.from, c.to, is, to)
		if got, want := c.others(to, some), c.others(is, some); !slices.Equal(got, want) {
			s.fatalf("the other lines of %s are %q, want %q", c.path, got, want)
		}
		if !known {
			s.counts["without a known result"]++
			if back[i] = (change{path: c.path, from: to, to: is, own: c.lines()}); (c.from == nil || c.to == nil) && !sameText(to, c.to) {
				s.fatalf("%s is %+v, want %+v", c.path, to, c.to)
			}
		}
		if rest[c.path] = is; is == nil {
			delete(rest, c.path)
		}
	}
	if path := before.differs(rest); path != "" {
		s.fatalf("%s has changed, too: %+v, before %+v", path, rest[path], before[path])
	}
	back = slices.DeleteFunc(back, func(c change) bool { return c.from.isLike(c.to) })
	return res, back, true
}

// remove removes a file from the folder, and the folders that are empty afterward.
func (s *sequence) remove(name string) {
	s.T.Helper()
	if err := os.Remove(s.path(name)); err != nil {
		s.T.Fatal(err)
	}
	for dir := filepath.Dir(s.path(name)); dir != s.chat.Folder; dir = filepath.Dir(dir) {
		if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return // not empty
		}
	}
}
