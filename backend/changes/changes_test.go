package changes_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// editHistory is the edit history of a chat, with the current files of the chat's folder.
type editHistory struct {
	t      *testing.T
	folder string
	steps  []changes.Edit
	bodies map[string][]byte
	files  map[string]string // current contents
}

func newEditHistory(t *testing.T) *editHistory {
	return &editHistory{t: t, folder: t.TempDir(), bodies: map[string][]byte{}, files: map[string]string{}}
}

func (p *editHistory) path(name string) string { return filepath.Join(p.folder, name) }

func (p *editHistory) addStep(s changes.Edit) {
	s.At = backend.Millis(len(p.steps) + 1)
	p.steps = append(p.steps, s)
}

// addDiff records a diff reported by an agent.
func (p *editHistory) addDiff(name, diff string) {
	p.t.Helper()
	id, path := fmt.Sprint("c", len(p.steps)), p.path(name)
	p.bodies[id] = []byte(diff)
	s := changes.Edit{Kind: backend.ToolEdit, Path: path, ContentID: id, Size: int64(len(diff))}
	s.Creates = strings.HasPrefix(diff, "--- /dev/null\n")
	s.Deletes = strings.Contains(diff, "\n+++ /dev/null\n")
	for _, line := range strings.Split(diff, "\n")[2:] {
		switch {
		case strings.HasPrefix(line, "+"):
			s.Added++
		case strings.HasPrefix(line, "-"):
			s.Removed++
		}
	}
	p.addStep(s)
}

// edit changes a file and records the diff that an agent would report for the change.
func (p *editHistory) edit(name, now string) {
	p.t.Helper()
	before, there := p.files[name]
	from := p.path(name)
	if !there {
		from = "/dev/null"
	}
	p.addDiff(name, p.unified(from, p.path(name), before, now))
	p.files[name] = now
}

func (p *editHistory) unified(from, to, before, now string) string {
	p.t.Helper()
	text, _, _ := diff.Unified(from, to, before, now)
	return text
}

// addSnippetEdit changes a file, but reports only a diff of the old and new fragments.
func (p *editHistory) addSnippetEdit(name, old, now string) {
	p.t.Helper()
	if strings.Count(p.files[name], old) != 1 {
		p.t.Fatalf("%q is not once in the file", old)
	}
	p.addDiff(name, p.unified(p.path(name), p.path(name), old, now))
	p.files[name] = strings.Replace(p.files[name], old, now, 1)
}

func (p *editHistory) diff(name string) changes.Diff {
	p.t.Helper()
	d, err := p.netDiff(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	if !utf8.ValidString(d.Diff) {
		p.t.Errorf("the diff of %s is no UTF-8", name)
	}
	return d
}

func (p *editHistory) netDiff(path string) (changes.Diff, error) {
	return changes.Of(context.Background(), p.steps, p.folder, path, func() changes.Current {
		name, err := filepath.Rel(p.folder, path)
		if err != nil {
			return changes.Current{Failed: err}
		}
		text, there := p.files[name]
		return changes.Current{Text: []byte(text), Absent: !there}
	}, func(id string) ([]byte, error) {
		if body, ok := p.bodies[id]; ok {
			return body, nil
		}
		return nil, errors.New("no such content")
	})
}

func TestFiles_TotalsPerChat(t *testing.T) {
	p := newEditHistory(t)
	p.files["b"] = "a\nb\n"
	p.edit("b", "a\nc\n")
	p.edit("b", "a\nc\nd\n")
	p.edit("a", "new\n")
	p.files["from"] = "x\n"
	p.edit("from", "x\ny\n")
	p.addStep(changes.Edit{Kind: backend.ToolMove, Path: p.path("from"), To: p.path("to")})
	p.edit("made", "1\n")
	p.addStep(changes.Edit{Kind: backend.ToolMove, Path: p.path("made"), To: p.path("dir/made")})
	p.addStep(changes.Edit{Kind: backend.ToolDelete, Path: p.path("old")})
	outside := filepath.Join(filepath.Dir(p.folder), "outside")
	p.addStep(changes.Edit{Kind: backend.ToolEdit, Path: outside})
	for i := range p.steps {
		p.steps[i].Session = []string{"auth", "log"}[i%2]
	}
	got := changes.Files(p.steps, p.folder)
	want := changes.List{Added: 5, Removed: 1, Sessions: 2, Files: []changes.File{
		{Path: outside, Name: outside, Kind: changes.Edited, Edits: 1, At: 9},
		{Path: p.path("a"), Name: "a", Kind: changes.Added, Added: 1, Edits: 1, At: 3},
		{Path: p.path("b"), Name: "b", Kind: changes.Edited, Added: 2, Removed: 1, Edits: 2, At: 2},
		{Path: p.path("dir/made"), Name: "dir/made", Kind: changes.Added, Added: 1, Edits: 2, At: 7},
		{Path: p.path("from"), Name: "from", Kind: changes.Removed, Edits: 1, At: 5},
		{Path: p.path("old"), Name: "old", Kind: changes.Removed, Edits: 1, At: 8},
		{Path: p.path("to"), Name: "to", Kind: changes.Added, Added: 1, Edits: 2, At: 5},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := changes.Files(nil, p.folder); got.Files == nil || len(got.Files) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
