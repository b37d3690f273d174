package diff

import "strings"

// Replacement is an edit of a file that replaces one text (before) with another (after). If before is "", the file is
// new.
type Replacement struct{ before, after string }

// Applied reports whether the given steps turn the old text into the current one. The steps apply in order, each
// after the previous one in the text. Differences in line endings and byte order marks are ignored. If there is
// only one step and the text that it replaces occurs several times, it may have replaced any one or all of the
// occurrences.
func Applied(old, current string, steps []Replacement) bool {
	old, current = unixLines(old), unixLines(current)
	if len(steps) == 1 {
		return appliedOnce(old, current, steps[0])
	}
	var made strings.Builder
	for _, step := range steps {
		before, after := unixLines(step.before), unixLines(step.after)
		if before == "" {
			return false
		}
		at := strings.Index(old, before)
		if at < 0 || made.Len()+at+len(after) > len(current) {
			return false
		}
		made.WriteString(old[:at])
		made.WriteString(after)
		old = old[at+len(before):]
	}
	return len(steps) > 0 && made.String()+old == current
}

// appliedOnce is like Applied, but for a single step.
func appliedOnce(old, current string, step Replacement) bool {
	before, after := unixLines(step.before), unixLines(step.after)
	if before == "" {
		return old == "" && current == after
	}
	all := strings.Count(old, before) // check the length first: the result may exceed the memory
	if all > 0 && len(old)+all*(len(after)-len(before)) == len(current) && strings.ReplaceAll(old, before, after) == current {
		return true
	}
	if len(old)-len(before)+len(after) != len(current) {
		return false
	}
	start, end := sameStart(old, current), sameEnd(old, current)
	from := max(0, len(old)-end-len(before)) // a replacement must extend to the common end of the texts, or into it
	for left := maxCompared; left > 0; left -= len(before) + len(after) {
		at := strings.Index(old[from:], before)
		if at < 0 || from+at > start {
			return false
		}
		at += from
		if current[at:at+len(after)] == after {
			return true
		}
		from = at + 1
	}
	return false
}

// sameStart returns the length in bytes of the common prefix of a and b.
func sameStart(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// sameEnd returns the length in bytes of the common suffix of a and b.
func sameEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// maxCompared limits the number of bytes compared to find the position of a replacement. Without a limit,
// an agent could block the app.
const maxCompared = 64 << 20

// unixLines returns text with LF line endings and without a byte order mark. An agent's copy of a file may differ from
// the file in its line endings and its byte order mark.
func unixLines(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, ByteOrderMark), "\r\n", "\n")
}

// ByteOrderMark is the mark that some editors write at the start of a file.
const ByteOrderMark = "\uFEFF"
