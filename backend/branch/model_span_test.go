package branch_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// span is a period in which a chat changed files: a turn, or an operation such as an undo.
type span struct {
	at            int // by history.clock
	before, after files
	isOperation   bool
	isReplaced    bool            // an undo or redo that a later redo or undo of the same turn replaced; only the later one is recorded
	isShared      bool            // a turn during which a turn of the other chat ran
	hasWorked     bool            // a turn in which the agent ran a tool
	isUnclear     bool            // a turn during which a file that the user had changed was removed, moved or changed back
	byUser        map[string]bool // files that the user changed during the turn while no tool was running
}

// changed returns the names of the files that differ between two states of the folder.
func changed(a, b files) map[string]bool {
	all := map[string]bool{}
	for _, one := range []files{a, b} {
		for name := range one {
			if a[name] != b[name] {
				all[name] = true
			}
		}
	}
	return all
}

// hasLosses reports whether the user removed or moved a file during the turn, or a file that the user changed during
// the turn was removed or moved later in the turn.
func (s *span) hasLosses() bool {
	for name := range s.byUser {
		if s.after[name] == "" {
			return true
		}
	}
	return s.isUnclear
}

// textOf returns the content of a file without its mode.
func textOf(state string) string {
	_, text, _ := strings.Cut(state, "\n")
	return text
}

// texts returns the content of all files.
func (f files) texts() map[string]bool {
	all := map[string]bool{}
	for _, state := range f {
		all[textOf(state)] = true
	}
	return all
}

// linesOf returns the lines in text that contain a digit. Only lines that the user or an agent wrote contain digits.
func linesOf(text string) map[string]bool {
	lines := map[string]bool{}
	for _, line := range strings.Fields(text) {
		if strings.ContainsAny(line, "0123456789") {
			lines[line] = true
		}
	}
	return lines
}

// share returns the share of the bytes of old that are in lines of current.
func share(old, current string) float64 {
	left, common, total := map[string]int{}, 0, 0
	for _, line := range strings.Fields(current) {
		left[line]++
	}
	for _, line := range strings.Fields(old) {
		if total += len(line); left[line] > 0 {
			left[line]--
			common += len(line)
		}
	}
	return float64(common) / float64(max(total, 1))
}

// forecast is the expected result of going back, undo or redo.
type forecast struct {
	files files                      // unless the user chooses otherwise
	lines map[string]map[string]bool // by file: lines that the user or the other chat added later
	texts map[string]bool            // a file's earlier contents, and later ones by the user or the other chat
	moved []move                     // by the chat
	// mayStay holds files that may either go back or stay, because it isn't known whether they contain the user's
	// changes.
	mayStay map[string]bool
	merged  map[string]bool // files that the user chose to merge
	since   int             // by history.clock
}

// move is content that a file received from another file in a span. from is the other file's content, and differs
// from text if the content was also edited.
type move struct{ to, text, from string }

// moves returns all content that files received from other files in the span.
func (s *span) moves() (all []move) {
	files := changed(s.before, s.after)
	for to := range files {
		for from := range files {
			text, old := textOf(s.after[to]), textOf(s.before[from])
			part := share(old, text)
			isRenamed := part >= 0.5 && part > share(old, textOf(s.before[to])) && share(old, textOf(s.after[from])) <= 0.5
			if text != "" && old != "" && from != to && (text == old || isRenamed) {
				all = append(all, move{to, text, old})
			}
		}
	}
	return all
}

// gap is the change to a file between two spans of a chat.
type gap struct {
	from    string
	isAlien bool // the user or the other chat changed the file to a state that it had in no span
	steps   int  // number of the file's steps before the gap
}

// step is the change to a file in a span.
type step struct {
	from, to    string
	isOperation bool
}

// forecast returns the result of going back from the current files to the files at an earlier time. Files that only the
// chat has changed since that time go back. Files that the user or the other chat has also changed stay, unless that
// change only returned a file to a state that it had in a span of the chat. If an operation returns a file to its state
// before the user's change, that change no longer counts.
func (h *history) forecast(c *modelChat, earlier files, at int, now files) forecast {
	res := forecast{files: files{}, lines: map[string]map[string]bool{}, texts: earlier.texts(), mayStay: map[string]bool{}, merged: map[string]bool{}, since: at}
	touched, unsure := map[string]bool{}, map[string]bool{}
	seen, gaps, steps, last := map[string][]string{}, map[string][]gap{}, map[string][]step{}, earlier
	others := func(name, from, to string) {
		if textOf(from) != textOf(to) {
			res.texts[textOf(to)] = true
		}
		old := linesOf(from)
		for line := range linesOf(to) {
			if !old[line] && h.author[line] != c {
				if res.lines[name] == nil {
					res.lines[name] = map[string]bool{}
				}
				res.lines[name][line] = true
			}
		}
	}
	for _, s := range c.spans {
		if s.at < at || s.isReplaced { // the state after a replaced one looks like a change between spans
			continue
		}
		for name := range changed(last, s.before) {
			isAlien := !slices.Contains(seen[name], s.before[name])
			gaps[name] = append(gaps[name], gap{last[name], isAlien, len(steps[name])})
			if isAlien {
				others(name, last[name], s.before[name])
			}
		}
		for name := range changed(s.before, s.after) {
			from, to := s.before[name], s.after[name]
			touched[name], unsure[name] = true, unsure[name] || s.isShared || s.byUser[name] && s.after[name] != ""
			res.mayStay[name] = res.mayStay[name] || s.hasLosses()
			old := linesOf(from)
			maps.DeleteFunc(res.lines[name], func(line string, _ bool) bool { return !old[line] && linesOf(to)[line] }) // the chat's now
			n, g := len(steps[name]), len(gaps[name])
			isTurns := func(s step) bool { return !s.isOperation }
			i := slices.IndexFunc(gaps[name], func(g gap) bool {
				return g.from == to && !slices.ContainsFunc(steps[name][g.steps:], isTurns)
			})
			switch {
			case s.isOperation && n > 0 && steps[name][n-1] == step{to, from, true} && (g == 0 || gaps[name][g-1].steps < n):
				steps[name] = steps[name][:n-1]
				continue
			case s.isOperation && i >= 0:
				steps[name], gaps[name] = steps[name][:gaps[name][i].steps], gaps[name][:i]
				continue
			default:
				steps[name] = append(steps[name], step{from, to, s.isOperation})
			}
			seen[name] = append(seen[name], from, to)
		}
		last = s.after
		res.moved = append(res.moved, s.moves()...)
	}
	for name := range changed(files{}, union(earlier, last, now)) {
		text := now[name]
		alien := slices.ContainsFunc(gaps[name], func(g gap) bool { return g.isAlien })
		if touched[name] && now[name] == last[name] && !alien && !unsure[name] {
			text = earlier[name]
		}
		if text != "" {
			res.files[name] = text
		}
		if !slices.Contains(seen[name], now[name]) {
			others(name, last[name], now[name])
		}
	}
	return res
}

// union returns the files that exist in at least one of the given states.
func union(states ...files) files {
	all := files{}
	for _, s := range states {
		for name, text := range s {
			all[name] = text
		}
	}
	return all
}

// checkBack compares the files with the forecast after going back. Its arguments include the files at the time to which
// the chat went back (earlier) and the files before going back (was). In merged files, the lines that the user or the
// other chat has written since that time must still exist.
func (h *history) checkBack(earlier, was files, want forecast, merged map[string]backend.UndoChoice) {
	h.t.Helper()
	now := h.files()
	for name := range union(earlier, was, want.files, now) {
		if merged[name] == backend.UndoMerge {
			h.merged++
			want.merged[name] = true // a command of the chat may have brought lines of the user's back, for example a stash
			left := linesOf(now[name])
			for line := range linesOf(was[name]) {
				if want.lines[name][line] && !left[line] {
					h.t.Errorf("%s is %q and lost %q: it was %q, and earlier %q", name, now[name], line, was[name], earlier[name])
				}
			}
			want.files[name] = now[name]
			want.moved = slices.DeleteFunc(want.moved, func(m move) bool { return m.to == name })
		}
		if was[name] != now[name] {
			h.back++
		}
	}
	h.check(earlier, was, want)
}

// check compares the files with the forecast. If content was moved from one file to another and the first one stays,
// the other may stay, too. Moved content must not vanish from the folder if it was there earlier, or if the user or the
// other chat has written it since.
func (h *history) check(earlier, was files, want forecast) {
	h.t.Helper()
	now := h.files()
	for name := range changed(want.files, now) {
		if now[name] == was[name] && (want.mayStay[name] || slices.ContainsFunc(want.moved, func(m move) bool { return m.to == name })) {
			h.moved++
			continue
		}
		h.t.Errorf("%s is %q, want %q (was %q, earlier %q)", name, now[name], want.files[name], was[name], earlier[name])
	}
	lines := map[string]bool{}
	for _, state := range now {
		maps.Copy(lines, linesOf(state))
	}
	for name, state := range was {
		for line := range linesOf(state) {
			if at, is := h.written[line]; is && at >= want.since && !lines[line] && !want.merged[name] {
				h.t.Errorf("%q, which the user wrote during a turn, is in no file now; it was in %s: %q\nearlier: %q\nwas: %q\nis: %q", line, name, state, earlier, was, now)
			}
		}
	}
	left := now.texts()
	for name, state := range was {
		text := textOf(state)
		isMoved := func(m move) bool { return m.to == name && m.text == text && want.texts[m.from] && !left[m.from] }
		if i := slices.IndexFunc(want.moved, isMoved); i >= 0 && !left[text] {
			h.t.Errorf("the content of %s is in no file now: %q, which was %q\nearlier: %q\nwas: %q\nis: %q", name, text, want.moved[i].from, earlier, was, now)
		}
	}
}

// reverted returns the files without the changes of a span. Files that have been changed since the span stay as they
// are.
func (s *span) reverted(now files) files {
	all := union(now)
	for name := range changed(s.before, s.after) {
		if now[name] != s.after[name] || s.byUser[name] && s.after[name] != "" {
			continue
		}
		if delete(all, name); s.before[name] != "" {
			all[name] = s.before[name]
		}
	}
	return all
}
