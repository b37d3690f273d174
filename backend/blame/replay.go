package blame

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// maxRemembered is the maximum total number of lines in replay.remembered.
const maxRemembered = 4 << 20

// version is a version of the file with the writers of its lines.
type version struct {
	hash    snapshot.Hash // zero if the file doesn't exist
	lines   []int32
	writers []set
}

// replay goes through the versions of a file and determines the writers of the lines of each version.
type replay struct {
	timeline  *timeline
	snapshots *snapshot.Stores
	path      string // the file's current path
	sets      *sets
	align     *aligner
	numbers   map[string]int32 // numbers of the lines, by text
	texts     []string         // texts of the lines, by number
	recorded  bool             // a version of the file was recorded

	// remembered holds earlier versions, which may reappear. order lists their hashes, the oldest first.
	remembered map[snapshot.Hash]version
	order      []snapshot.Hash
	size       int // total number of lines in remembered
	budget     int // number of bytes that may still be searched for the texts that edits replaced
}

func newReplay(t *timeline, snapshots *snapshot.Stores, path string) *replay {
	r := &replay{
		timeline: t, snapshots: snapshots, path: path, budget: maxSearchedText,
		sets: newSets(), numbers: map[string]int32{}, remembered: map[snapshot.Hash]version{},
	}
	r.align = &aligner{sets: r.sets, text: func(line int32) string { return r.texts[line] }}
	return r
}

// run returns the lines of the current file and the writers of each line. The parameter text is the file's content.
func (r *replay) run(ctx context.Context, text []byte) ([]int32, []set, error) {
	if err := r.locate(ctx); err != nil {
		return nil, nil, err
	}
	var now version
	var missed []writer // writers of the changes after the version now, in steps whose versions aren't known
	for _, s := range r.timeline.steps {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		by := s.by
		if len(by) == 0 {
			by = []writer{outside}
		}
		missed = append(missed, by...)
		if !s.known {
			continue
		}
		hash := s.entry.Hash
		if r.recorded && hash == now.hash {
			missed = nil
			continue
		}
		var content []byte
		if s.entry.Kind == snapshot.File {
			var err error
			if content, err = s.recording.store.Content(hash); isLost(err) {
				continue
			} else if err != nil {
				return nil, nil, err
			}
		}
		now = r.next(now, hash, content, missed, s)
		missed = nil
	}
	steps := r.timeline.steps
	if n := len(steps); n == 0 || !steps[n-1].running {
		missed = append(missed, outside)
	}
	if hash := snapshot.Hash(sha256.Sum256(text)); !r.recorded || hash != now.hash {
		recorded := r.recorded
		now = r.next(now, hash, text, missed, step{})
		r.recorded = recorded
	}
	return now.lines, now.writers, nil
}

// next returns the version with the given hash and content. Its other arguments are the previous version (was), the
// writers of the changes between the two versions (by), and the step that recorded the returned version (s). For the
// current file, s is the zero step.
func (r *replay) next(was version, hash snapshot.Hash, content []byte, by []writer, s step) version {
	now := version{hash: hash, lines: r.split(content, was.lines)}
	isOutside := !slices.ContainsFunc(by, func(w writer) bool { return w != outside })
	old, isBack := r.remembered[hash]
	switch {
	case !r.recorded:
		now.writers = slices.Repeat([]set{r.sets.of(earlier)}, len(now.lines))
		r.recorded = true
	case isOutside && isBack: // for example by an undo
		return old
	case r.edit(&now, was, by, s):
	default:
		by = slices.Clone(by)
		slices.SortStableFunc(by, func(a, b writer) int { // turns are more likely than tasks that weren't recorded
			return int(min(b, firstTurn)) - int(min(a, firstTurn))
		})
		now.writers = r.align.carry(was.lines, was.writers, now.lines, r.sets.of(by...))
		if s.ref != "" && isOutside {
			r.restore(&now, was, s)
		}
		if s.putBack && isOutside {
			r.putBack(&now, was)
		}
	}
	r.remember(now)
	return now
}

func (r *replay) remember(v version) {
	if _, ok := r.remembered[v.hash]; !ok {
		r.order = append(r.order, v.hash)
		r.size += len(v.lines)
	}
	r.remembered[v.hash] = v
	for r.size > maxRemembered && len(r.order) > 1 {
		r.size -= len(r.remembered[r.order[0]].lines)
		delete(r.remembered, r.order[0])
		r.order = r.order[1:]
	}
}

// maxSkipped is the maximum number of removed lines that split skips to find the next line of the previous version. If
// more lines were removed in one place, split is slower.
const maxSkipped = 16

// split returns the lines of a text as numbers (see number), ignoring line endings. It is fast if most of the lines
// also occur in the previous version (was).
func (r *replay) split(text []byte, was []int32) []int32 {
	lines := make([]int32, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(was) > 0 && r.texts[was[0]] == string(line) {
			lines, was = append(lines, was[0]), was[1:]
			continue
		}
		number := r.number(line)
		if at := slices.Index(was[:min(maxSkipped, len(was))], number); at >= 0 {
			was = was[at+1:]
		}
		lines = append(lines, number)
	}
	return lines
}

// number returns the number of a line, assigning a new one if its text is new.
func (r *replay) number(line []byte) int32 {
	number, ok := r.numbers[string(line)]
	if !ok {
		number = int32(len(r.texts)) //nolint:gosec // each line is in memory
		r.texts = append(r.texts, string(line))
		r.numbers[r.texts[number]] = number
	}
	return number
}

// isLost reports whether err means that a snapshot or a file's content is missing or damaged.
func isLost(err error) bool {
	return errors.Is(err, snapshot.ErrNotFound) || errors.Is(err, snapshot.ErrDamaged)
}

// maxSearches is the maximum number of searches for a file's earlier path.
const maxSearches = 50

// locate sets the file's path and entry in each step, from the last step to the first.
func (r *replay) locate(ctx context.Context) error {
	at := r.path
	var later *step // the known step after the current one; nil means the current file
	isThere := true // the file exists in later
	searches := 0
	steps := r.timeline.steps
	for k := len(steps) - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &steps[k]
		if err := s.find(at); err != nil {
			return err
		}
		if !s.known {
			continue
		}
		if s.entry.Kind == snapshot.None && isThere && searches < maxSearches && (later == nil || later.recording == s.recording) {
			searches++
			from, err := r.movedFrom(ctx, s, later, at)
			if err != nil {
				return err
			}
			if from != "" {
				at = from
				if err := s.find(at); err != nil {
					return err
				}
			}
		}
		later, isThere = s, s.entry.Kind == snapshot.File
	}
	return nil
}

// find sets the step's path and, if the file's state in the step is known, its entry. The state is unknown if it
// wasn't recorded, if it is no longer stored, or if the file is larger than maxFile.
func (s *step) find(path string) error {
	name, ok := s.recording.name(path)
	s.path, s.known = path, false
	if s.id == "" || !ok {
		return nil
	}
	e, err := s.recording.store.Entry(s.id, name)
	if isLost(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if e.Kind == snapshot.Unknown || e.Kind == snapshot.File && e.Size > maxFile {
		return nil
	}
	if e.Kind != snapshot.File {
		e = snapshot.Entry{}
	}
	s.entry, s.known = e, true
	return nil
}

// Limits for finding the path that a file had earlier.
const (
	maxCandidates = 100      // number of removed files that are compared
	maxCompared   = 32 << 20 // total size of these files in bytes
)

// movedFrom returns the path that a file had in step s if the file was moved after that step. It returns "" if it finds
// no such path. The caller passes the file's path in a later step or, if later is nil, its current path (at).
func (r *replay) movedFrom(ctx context.Context, s, later *step, at string) (string, error) {
	st := s.recording.store
	var id snapshot.ID
	if later != nil {
		id = later.id
	} else {
		open, err := r.snapshots.Open(s.recording.chat.ID, s.recording.chat.Folder)
		if err != nil {
			return "", err
		}
		now, err := open.Snapshot(ctx)
		if err != nil {
			return "", err
		}
		id = now.ID
	}
	name, _ := s.recording.name(at)
	is, err := st.Entry(id, name)
	if err != nil || is.Kind != snapshot.File || is.Size == 0 {
		return "", ignoreLost(err)
	}
	items, err := st.Changes(s.id, id)
	if err != nil {
		return "", ignoreLost(err)
	}
	var gone []snapshot.Item
	for _, it := range items {
		if it.Before.Kind == snapshot.File && it.After.Kind == snapshot.None {
			gone = append(gone, it)
		}
	}
	slices.SortStableFunc(gone, func(a, b snapshot.Item) int { // files with the same name come first
		return sameName(b.Path, name) - sameName(a.Path, name)
	})
	for _, it := range gone {
		if it.Before.Hash == is.Hash {
			return filepath.Join(s.recording.folder, filepath.FromSlash(it.Path)), nil
		}
	}
	from, err := r.similar(st, is, gone)
	if from == "" || err != nil {
		return "", ignoreLost(err)
	}
	return filepath.Join(s.recording.folder, filepath.FromSlash(from)), nil
}

func sameName(a, b string) int {
	if path.Base(a) == path.Base(b) {
		return 1
	}
	return 0
}

func ignoreLost(err error) error {
	if isLost(err) {
		return nil
	}
	return err
}

// similar returns the path of the removed file that has the most lines in common with the given file. It returns "" if
// none has at least half of the lines in common. Blank lines don't count.
func (r *replay) similar(st *snapshot.Store, is snapshot.Entry, gone []snapshot.Item) (best string, err error) {
	content, err := st.Content(is.Hash)
	if err != nil {
		return "", err
	}
	want := lineCounts(content)
	most, budget := 0, int64(maxCompared)
	for _, it := range gone[:min(len(gone), maxCandidates)] {
		if it.Before.Size > 4*is.Size || is.Size > 4*it.Before.Size || it.Before.Size > budget {
			continue
		}
		budget -= it.Before.Size
		content, err := st.Content(it.Before.Hash)
		if isLost(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		have := lineCounts(content)
		common, all, other := 0, 0, 0
		for line, n := range want {
			common, all = common+min(n, have[line]), all+n
		}
		for _, n := range have {
			other += n
		}
		if 2*common >= max(all, other) && common > most {
			best, most = it.Path, common
		}
	}
	return best, nil
}

// lineCounts returns how often each line that isn't blank occurs in a text.
func lineCounts(text []byte) map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			counts[line]++
		}
	}
	return counts
}
