package review

import (
	"cmp"
	"context"
	"hash/maphash"
	"path"
	"slices"

	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for finding moved files that were also edited.
const (
	maxMoved     = 200       // number of removed files, and of added files, that are compared
	maxMovedSize = 512 << 10 // size in bytes of a file that is compared
	minAlike     = 0.5       // share of the larger file that is also in the other one
)

// pairMoves combines each pair of a removed and an added file with the same or similar content into one moved file.
func (m *Manager) pairMoves(ctx context.Context, l *list, files []file, hide bool) ([]file, error) {
	var gone, added []int
	for i, f := range files {
		switch {
		case f.old.commit != "" || f.new.commit != "":
		case !f.new.exists():
			gone = append(gone, i)
		case !f.old.exists():
			added = append(added, i)
		}
	}
	if len(gone) == 0 || len(added) == 0 {
		return files, nil
	}
	from := m.sameContent(files, gone, added, hide)
	rest := func(list []int, taken func(int) bool) []int {
		return slices.DeleteFunc(slices.Clone(list), taken)
	}
	used := map[int]bool{}
	for _, i := range from {
		used[i] = true
	}
	gone = rest(gone, func(i int) bool { return used[i] })
	added = rest(added, func(i int) bool { _, is := from[i]; return is })
	if len(gone) > 0 && len(added) > 0 && len(gone) <= maxMoved && len(added) <= maxMoved {
		if err := m.similar(ctx, l, files, gone, added, from); err != nil {
			return nil, err
		}
	}
	used = map[int]bool{}
	var moved []file
	for to, i := range from {
		used[i], used[to] = true, true
		f := files[to]
		f.From, f.old = files[i].Path, files[i].old
		f.removed = files[i].Staged
		moved = append(moved, f)
	}
	left := files[:0:0]
	for i, f := range files {
		if !used[i] {
			left = append(left, f)
		}
	}
	files = append(left, moved...)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.Path, b.Path) })
	_, err := m.measureAll(ctx, l, moved, hide)
	return files, err
}

// sameContent finds removed files with the same content as added ones. It returns a map from the index of the added
// file to that of the removed file. If several removed files have that content, it prefers one with the same name.
func (m *Manager) sameContent(files []file, gone, added []int, hide bool) map[int]int {
	byContent := map[string][]int{}
	for _, i := range gone {
		if r, ok := m.measured(files[i], hide); ok && r.oldSize > 0 {
			byContent[contentKey(files[i].old, files[i].old.blob)] = append(byContent[contentKey(files[i].old, files[i].old.blob)], i)
		}
	}
	from := map[int]int{}
	for _, sameName := range []bool{true, false} {
		for _, to := range added {
			if _, has := from[to]; has {
				continue
			}
			r, _ := m.measured(files[to], hide)
			key := contentKey(files[to].new, cmp.Or(files[to].new.blob, r.name))
			if len(byContent[key]) == 0 {
				key = contentKey(files[to].new, "")
			}
			j := slices.IndexFunc(byContent[key], func(i int) bool {
				return !sameName || path.Base(files[i].Path) == path.Base(files[to].Path)
			})
			if j >= 0 && files[to].new.kind == files[byContent[key][j]].old.kind {
				from[to] = byContent[key][j]
				byContent[key] = slices.Delete(byContent[key], j, j+1)
			}
		}
	}
	return from
}

func contentKey(s side, blob string) string {
	if blob != "" {
		return blob
	}
	return s.hash.String()
}

// similar finds pairs of an added and a removed file that have at least half of their content in common. It adds them
// to the given map, which has the form of the result of sameContent. If a file is similar to several others, similar
// chooses the most similar pair.
func (m *Manager) similar(ctx context.Context, l *list, files []file, gone, added []int, from map[int]int) error {
	indexes := slices.Concat(gone, added)
	some := make([]file, len(indexes))
	for i, at := range indexes {
		some[i] = files[at]
	}
	lines := make([]map[uint64]int, len(indexes)) // for each file, the total size of equal lines, by the hash of the line
	sizes := make([]int, len(indexes))
	seed := maphash.MakeSeed()
	err := l.each(ctx, some, func(i int, s sides) {
		l.fill(some[i], &s)
		content := s.new
		if i < len(gone) {
			content = s.old
		}
		f := some[i]
		if s.tooLarge || f.old.kind == snapshot.Link || f.new.kind == snapshot.Link || len(content) == 0 || len(content) > maxMovedSize || !isText(content) {
			return
		}
		lines[i], sizes[i] = map[uint64]int{}, len(content)
		for _, line := range diff.Lines(string(content)) {
			lines[i][maphash.String(seed, line)] += len(line)
		}
	})
	if err != nil {
		return err
	}
	type pair struct {
		gone, added int
		alike       float64
	}
	var pairs []pair
	for i, a := range lines[:len(gone)] {
		for j, b := range lines[len(gone):] {
			sizeA, sizeB := sizes[i], sizes[len(gone)+j]
			if a == nil || b == nil || float64(min(sizeA, sizeB)) < minAlike*float64(max(sizeA, sizeB)) {
				continue
			}
			common := 0
			for hash, size := range a {
				common += min(size, b[hash])
			}
			if alike := float64(common) / float64(max(sizeA, sizeB)); alike >= minAlike {
				pairs = append(pairs, pair{gone[i], added[j], alike})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.alike, a.alike) })
	used := map[int]bool{}
	for _, p := range pairs {
		if _, has := from[p.added]; !has && !used[p.gone] {
			from[p.added], used[p.gone] = p.gone, true
		}
	}
	return nil
}
