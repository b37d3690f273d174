package review_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// line returns a new line of text. Unless s.unique is true, it often equals another line.
func (s *sequence) line(by string) string {
	if s.n++; !s.unique && by != "mine" && s.r.IntN(3) == 0 {
		return []string{"}", "", "\treturn nil"}[s.r.IntN(3)] + s.end
	}
	return fmt.Sprint(by, " ", s.n, s.end)
}

// text returns n new lines of text.
func (s *sequence) text(by string, n int) (lines []string) {
	for range n {
		lines = append(lines, s.line(by))
	}
	return lines
}

// joined joins lines into one text, sometimes without the newline at the end.
func (s *sequence) joined(lines []string) string {
	text := strings.Join(lines, "")
	if s.r.IntN(12) == 0 {
		text = strings.TrimSuffix(text, s.end)
	}
	return text
}

// start creates files in the folder and changes them as the agent would.
func (s *sequence) start() {
	s.T.Helper()
	entries, err := os.ReadDir(s.chat.Folder)
	for _, d := range entries {
		err = errors.Join(err, os.RemoveAll(s.path(d.Name())))
	}
	if err != nil {
		s.T.Fatal(err)
	}
	s.unique, s.end = s.r.IntN(4) > 0, "\n"
	if s.r.IntN(5) == 0 {
		s.end = "\r\n"
	}
	for _, name := range []string{"a.txt", "b/b.txt", "c.txt", "d/e/d.txt", "run.sh"} {
		text := s.joined(s.text("base", s.r.IntN(25)))
		if s.r.IntN(12) == 0 {
			text = "\x00" + text
		}
		s.write(name, text)
	}
	if !s.turns {
		s.git("init", "-q", "-b", "main", "--template=")
		s.commit("base")
	}
	s.changed()
	s.head = s.files
	s.after = s.agentChange()
	if !s.turns {
		s.put(s.chat.Folder, s.after)
	} else {
		staged := s.T.TempDir()
		s.put(staged, s.after)
		script := "find . -type f -delete; find . -mindepth 1 -type d -empty -delete; cp -pR '" + staged + "/.' .\n"
		if err := os.WriteFile(os.Getenv("AGENT"), []byte(script), 0o600); err != nil {
			s.T.Fatal(err)
		}
		s.source = "turn:" + s.env.run("go")
	}
	s.changed()
	if path := s.after.differs(s.files); path != "" {
		s.fatalf("the agent hasn't changed %s", path)
	}
}

// put replaces the files in a directory with the files in f.
func (s *sequence) put(dir string, f folder) {
	s.T.Helper()
	for path := range s.files {
		if f[path] == nil && dir == s.chat.Folder {
			s.remove(path)
		}
	}
	for path, file := range f {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(file.text), file.perm), os.Chmod(name, file.perm)); err != nil {
			s.T.Fatal(err)
		}
	}
}

// agentChange returns the files after random changes by the agent: it changes, removes, moves and adds files.
func (s *sequence) agentChange() folder {
	f := maps.Clone(s.head)
	for _, path := range slices.Sorted(maps.Keys(s.head)) {
		file := *f[path]
		switch s.r.IntN(8) {
		case 0:
			delete(f, path)
			continue
		case 1:
			delete(f, path)
			if path = "moved/" + path; s.r.IntN(3) == 0 {
				path = strings.TrimPrefix(path, "moved/") + "/in.txt"
			}
		case 2:
			file.perm ^= 0o100
		case 3:
			continue
		default:
		}
		if s.r.IntN(5) > 0 {
			file.text = s.joined(s.agentEdit(file.lines()))
		}
		f[path] = &file
	}
	for _, path := range []string{"new/added.txt", "added.txt"}[:s.r.IntN(3)] {
		f[path] = &fileState{s.joined(s.text("agent", s.r.IntN(12))), 0o600}
	}
	return f
}

// agentEdit changes some groups of adjacent lines.
func (s *sequence) agentEdit(lines []string) (changed []string) {
	for i := 0; i < len(lines); {
		switch s.r.IntN(6) {
		case 0: // replaced, removed or, if there is no line left, added
			i += s.r.IntN(4)
			changed = append(changed, s.text("agent", s.r.IntN(4))...)
		default:
			changed = append(changed, lines[i])
			i++
		}
	}
	return append(changed, s.text("agent", max(0, s.r.IntN(6)-3))...)
}

// userEdit makes a random change to the folder on behalf of the user.
func (s *sequence) userEdit() {
	s.T.Helper()
	paths := slices.Sorted(maps.Keys(s.files))
	if len(paths) == 0 {
		return
	}
	path := paths[s.r.IntN(len(paths))]
	switch action := s.r.IntN(16); {
	case action == 0:
		s.logf("the user removes %s", path)
		s.remove(path)
	case action == 1:
		name := fmt.Sprint("user/", s.n, ".txt")
		s.n++
		s.logf("the user moves %s to %s", path, name)
		s.write(name, s.files[path].text)
		s.remove(path)
	case action == 2 || action == 3:
		s.create()
	case action == 4:
		s.logf("the user changes the mode of %s", path)
		if err := os.Chmod(s.path(path), s.files[path].perm^0o100); err != nil {
			s.T.Fatal(err)
		}
	case action == 5 && !s.turns:
		s.logf("the user stages %s", path)
		s.git("add", path)
	case action == 6 && !s.turns && s.r.IntN(4) == 0:
		s.logf("the user commits everything")
		s.commit("more")
		s.head = s.files
	default:
		s.write(path, s.userLines(path))
	}
	s.changed()
}

// create creates a file on behalf of the user, sometimes at the path of a file that no longer exists.
func (s *sequence) create() {
	s.T.Helper()
	s.n++
	names := []string{fmt.Sprint("user/", s.n, ".txt")}
	for _, v := range s.diffs {
		for _, path := range []string{v.path, v.from} {
			if path != "" && s.files[path] == nil {
				names = append(names, path, path, path+"/in.txt", strings.Split(path, "/")[0])
			}
		}
	}
	name := names[s.r.IntN(len(names))]
	if _, err := os.Lstat(s.path(name)); err == nil || s.files.isBlocked(name) {
		return
	}
	s.logf("the user creates %s", name)
	s.write(name, strings.Join(s.text("mine", s.r.IntN(4)), ""))
}

// userLines returns the text of a file after a random edit by the user.
func (s *sequence) userLines(path string) string {
	lines := s.files[path].lines()
	i := s.r.IntN(len(lines) + 1)
	switch action := s.r.IntN(8); {
	case action < 4 || i == len(lines):
		i = []int{i, i, i, 0, len(lines)}[s.r.IntN(5)]
		lines = slices.Insert(withEnds(append(lines, ""), s.end)[:len(lines)], i, s.text("mine", 1+s.r.IntN(2))...)
		s.logf("the user inserts lines at %d in %s", i, path)
	case action < 6:
		s.logf("the user replaces %q in %s", lines[i], path)
		lines[i] = s.line("mine")
	case action < 7 && !s.unique:
		j := s.r.IntN(len(lines))
		s.logf("the user swaps %q and %q in %s", lines[i], lines[j], path)
		lines[i], lines[j] = lines[j], lines[i]
	default:
		s.logf("the user removes %q from %s", lines[i], path)
		lines = slices.Delete(lines, i, i+1)
	}
	return strings.Join(withEnds(lines, s.end), "")
}

// part returns a random part of a diff and the kind of that part: the whole file, changes, or lines of changes.
func (s *sequence) part(v shownFile) (blocks [][4]int, kind string) {
	if len(v.blocks) == 0 || s.r.IntN(5) == 0 {
		return nil, "file"
	}
	first := s.r.IntN(len(v.blocks))
	last := first
	if s.r.IntN(3) == 0 {
		last += s.r.IntN(len(v.blocks) - first)
	}
	if s.r.IntN(3) == 0 {
		return slices.Clone(v.blocks[first : last+1]), "change"
	}
	for _, b := range v.blocks[first : last+1] {
		if p := s.selected(b); p[1]+p[3] > 0 {
			blocks = append(blocks, p)
		}
	}
	if blocks == nil {
		return v.blocks[first : first+1], "change"
	}
	return blocks, "lines"
}

// selected returns the part of a block that is covered by a random selection of rows, determined in the same way as on
// the page. The two sides are either next to each other, or the old one is above the new one.
func (s *sequence) selected(b [4]int) [4]int {
	isSplit := s.r.IntN(2) == 0
	rows := b[1] + b[3]
	if isSplit {
		rows = max(b[1], b[3])
	}
	from := s.r.IntN(rows)
	to := from + 1 + s.r.IntN(rows-from)
	if isSplit {
		oldFrom, newFrom := min(from, b[1]), min(from, b[3])
		return [4]int{b[0] + oldFrom, min(to, b[1]) - oldFrom, b[2] + newFrom, min(to, b[3]) - newFrom}
	}
	oldFrom, newFrom := min(from, b[1]), max(0, from-b[1])
	p := [4]int{b[0] + oldFrom, min(to, b[1]) - oldFrom, b[2] + newFrom, max(0, to-b[1]) - newFrom}
	if p[3] <= 0 {
		p[2], p[3] = b[2], 0
	}
	return p
}

// end returns the line ending of the new side.
func (v shownFile) end() string {
	if strings.Contains(v.now.content(), "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// edits returns the edits that undo the given parts of a diff.
func (v shownFile) edits(blocks [][4]int) (edits []lineEdit) {
	old, now := v.old.lines(), v.now.lines()
	for _, b := range blocks {
		added := old[b[0] : b[0]+b[1]]
		if b[2]+b[3] < len(now) {
			added = withEnds(append(slices.Clone(added), ""), v.end())[:len(added)]
		}
		edits = append(edits, lineEdit{b[2], now[b[2] : b[2]+b[3]], added})
	}
	return edits
}

// without returns the lines of the new side with the given parts of the diff undone.
func (v shownFile) without(blocks [][4]int) []string {
	now := v.now.lines()
	lines, _, _ := spliced(now, now, v.edits(blocks))
	return lines
}

// changes returns the changes that revert the given parts of a diff. If blocks is nil, they revert the whole file.
func (v shownFile) changes(blocks [][4]int) []change {
	isAll := blocks == nil || fmt.Sprint(blocks) == fmt.Sprint(v.blocks)
	switch {
	case v.from != "" && blocks == nil:
		return []change{{path: v.path, from: v.now}, {path: v.from, to: v.old}}
	case v.from == "" && isAll:
		return []change{{path: v.path, from: v.now, to: v.old, edits: v.edits(v.blocks)}}
	}
	to := &fileState{perm: 0o600}
	if v.now.isExec() || v.now == nil && v.old.isExec() {
		to.perm = 0o700
	}
	to.text = strings.Join(withEnds(v.without(blocks), v.end()), "")
	return []change{{path: v.path, from: v.now, to: to, edits: v.edits(blocks)}}
}
