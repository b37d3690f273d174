package blame

import "slices"

// restore sets the writers of the lines of a version (now) that an undo or redo created from the previous version
// (was). The argument s is the step that recorded it. If the restored version is remembered, each line that reappears
// gets its earlier writers back.
func (r *replay) restore(now *version, was version, s step) {
	name, ok := s.recording.name(s.path)
	entry, err := s.recording.store.Entry(s.ref, name)
	old, isKnown := r.remembered[entry.Hash]
	if !ok || err != nil || !isKnown {
		return
	}
	r.bringBack(now, was, r.align.carry(old.lines, old.writers, now.lines, r.sets.of(outside)))
}

// maxVersions is the maximum number of versions that are searched for lines that were put back.
const maxVersions = 50

// putBack sets the writers of the lines that the user put back. It takes the writers from the remembered version that
// has the most of these lines. Of several such versions, it takes the latest one.
func (r *replay) putBack(now *version, was version) {
	mark := r.sets.of(restored)
	isBack := func(s set) bool { return slices.Contains(r.sets.list[s], restored) }
	var lines []int
	for j, s := range r.align.carry(was.lines, was.writers, now.lines, mark) {
		if isBack(s) {
			lines = append(lines, j)
		}
	}
	most := 0
	best := slices.Repeat([]set{mark}, len(now.lines))
	for _, hash := range slices.Backward(r.order[max(0, len(r.order)-maxVersions):]) {
		if most == len(lines) {
			break
		}
		old := r.remembered[hash]
		back := r.align.carry(old.lines, old.writers, now.lines, mark)
		n := 0
		for _, j := range lines {
			if r.sets.list[back[j]][0] != restored {
				n++
			}
		}
		if n > most {
			best, most = back, n
		}
	}
	for j, s := range best {
		if isBack(s) {
			best[j] = r.sets.with(s, restored, returned)
		}
	}
	r.bringBack(now, was, best)
}

// bringBack sets the writers of the lines of a new version (now). Lines that don't occur in the previous version (was)
// get the writers that the caller passes for them (back).
func (r *replay) bringBack(now *version, was version, back []set) {
	for j, s := range r.align.carry(was.lines, was.writers, now.lines, r.sets.of(restored)) {
		list := r.sets.list[s]
		stayed := slices.DeleteFunc(slices.Clone(list), func(w writer) bool { return w == restored })
		switch {
		case len(stayed) == len(list):
			now.writers[j] = s
		case list[0] == restored:
			now.writers[j] = r.sets.add(back[j], r.sets.of(stayed...))
		default:
			now.writers[j] = r.sets.add(r.sets.of(stayed...), back[j])
		}
	}
}
