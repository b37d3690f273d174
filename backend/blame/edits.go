package blame

import (
	"bytes"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/undo"
)

// maxSearchedText is the maximum total size in bytes of the texts in which replay.replace looks for an edit's old text.
const maxSearchedText = 256 << 20

// edit sets the writers of the lines of a version (now) if all its differences from the previous version (was) come
// from known edits that the edit tools of a single turn made. Otherwise, edit returns false and sets nothing.
func (r *replay) edit(now *version, was version, by []writer, s step) bool {
	if len(by) != 1 || by[0] < firstTurn || s.recording == nil {
		return false
	}
	turn := r.timeline.ids[by[0]-firstTurn]
	name, _ := s.recording.name(s.path)
	lines, writers := was.lines, was.writers
	found := false
	for _, e := range s.recording.edits {
		if e.TurnID != turn || e.Path != name {
			continue
		}
		var ok bool
		if lines, writers, ok = r.replace(lines, writers, e, r.sets.of(by[0])); !ok {
			return false
		}
		found = true
	}
	if !found || !slices.Equal(lines, now.lines) {
		return false
	}
	r.align.count(was.lines, now.lines)
	r.align.clear(was.lines, now.lines)
	now.writers = writers
	return true
}

// replace returns the lines after an edit and their writers. ok is false if the text that the edit replaced doesn't
// occur exactly once in the lines, or if r.budget is used up.
func (r *replay) replace(lines []int32, writers []set, e undo.Edit, changed set) (_ []int32, _ []set, ok bool) {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(r.texts[line])
		b.WriteByte('\n')
	}
	text := b.String()
	before, after := unixLines(e.Before), unixLines(e.After)
	r.budget -= 2 * len(text)
	at := strings.Index(text, before)
	if before == "" || at < 0 || r.budget < 0 || strings.Contains(text[at+1:], before) {
		return nil, nil, false
	}
	// Widen the range of the replaced text to whole lines.
	start, end := strings.LastIndexByte(text[:at], '\n')+1, at+len(before)
	endsLine := text[end-1] == '\n' && (strings.HasSuffix(after, "\n") || after == "" && start == at)
	if !endsLine && end < len(text) {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	var by []int32
	for line := range bytes.Lines([]byte(text[start:at] + after + text[at+len(before):end])) {
		by = append(by, r.number(bytes.TrimSuffix(line, []byte("\n"))))
	}
	first := strings.Count(text[:start], "\n")
	last := first + strings.Count(text[start:end], "\n")
	own := r.align.replace(lines[first:last], writers[first:last], by, changed)
	if endsLine && end < len(text) && text[end] == '\n' {
		// A text that ends with a newline may consist of whole lines, or it may end with a blank line without its
		// newline. In the second case, the edit also covers the blank line that follows in the file. Both are possible.
		by = append(by, lines[last])
		own = append(own, writers[last])
		last++
		for j, w := range r.align.replace(lines[first:last], writers[first:last], by, changed) {
			own[j] = r.sets.add(own[j], w)
		}
	}
	return slices.Concat(lines[:first], by, lines[last:]), slices.Concat(writers[:first], own, writers[last:]), true
}

// unixLines returns text with LF line endings.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
