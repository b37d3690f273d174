package diff

import "strings"

// Replacement is a text that takes the place of another one in a file. Before is
// "" if the file is new.
type Replacement struct{ before, after string }

// Applied reports whether the replacements, one after the other, make now of was.
// A text that stands in the file several times may be replaced at any one place, or
// at all of them. A replacement that does not fit makes nothing.
func Applied(was, now string, steps []Replacement) bool {
	was, now = unixLines(was), unixLines(now)
	if len(steps) == 1 {
		return appliedOnce(was, now, steps[0])
	}
	var made strings.Builder
	for _, step := range steps {
		before, after := unixLines(step.before), unixLines(step.after)
		if before == "" {
			return false
		}
		at := strings.Index(was, before)
		if at < 0 || made.Len()+at+len(after) > len(now) {
			return false
		}
		made.WriteString(was[:at])
		made.WriteString(after)
		was = was[at+len(before):]
	}
	return len(steps) > 0 && made.String()+was == now
}

func appliedOnce(was, now string, step Replacement) bool {
	before, after := unixLines(step.before), unixLines(step.after)
	if before == "" {
		return was == "" && now == after
	}
	all := strings.Count(was, before) // first how long that is: it may be longer than the memory
	if all > 0 && len(was)+all*(len(after)-len(before)) == len(now) && strings.ReplaceAll(was, before, after) == now {
		return true
	}
	if len(was)-len(before)+len(after) != len(now) {
		return false
	}
	start, end := sameStart(was, now), sameEnd(was, now)
	from := max(0, len(was)-end-len(before)) // all behind a place from here on is the same
	for left := maxCompared; left > 0; left -= len(before) + len(after) {
		at := strings.Index(was[from:], before)
		if at < 0 || from+at > start {
			return false
		}
		at += from
		if now[at:at+len(after)] == after {
			return true
		}
		from = at + 1
	}
	return false
}

// sameStart is how many bytes two texts begin with alike, and sameEnd how many they
// end with.
func sameStart(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func sameEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// maxCompared bounds the bytes that are compared to find the place of a replacement:
// an agent must not keep the app busy.
const maxCompared = 64 << 20

// unixLines is a text without the marks in which a file and what an agent sends of
// it may differ: how lines end, and a byte order mark.
func unixLines(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, ByteOrderMark), "\r\n", "\n")
}

// ByteOrderMark is what some editors begin a file with.
const ByteOrderMark = "\uFEFF"
