package comment

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// followed is a comment whose lines the model follows.
type followed struct {
	ids   []int
	quote []string
	seen  []line // the version in which it was last found
	at    Range  // in seen
	found Place  // in the current version
}

// truth returns the true place of the comment in a version. ok is false if one of the comment's lines was changed or
// removed, or if the lines are no longer next to each other.
func (c *followed) truth(now []line) (at Range, ok bool) {
	from := slices.IndexFunc(now, func(l line) bool { return l.id == c.ids[0] })
	if from < 0 || from+len(c.ids) > len(now) {
		return at, false
	}
	for i, id := range c.ids {
		if l := now[from+i]; l.id != id || l.text != c.quote[i] {
			return at, false
		}
	}
	return Range{from, from + len(c.ids) - 1}, true
}

// isOnText reports whether the comment was found on its own lines. Only lines with text must be the same ones: those
// with at least four letters or digits. If the comment has none, the closest line with text before or after it must be
// the same. Other lines, such as braces or empty lines, may have been exchanged for equal ones.
func (c *followed) isOnText(now []line) bool {
	hasText := func(l line) bool { return lettersIn(l.text) >= 4 }
	isSame := func(from, to int) bool {
		shift := c.found.Start - c.at.Start
		if from < 0 || to > len(c.seen) || from+shift < 0 || to+shift > len(now) {
			return false
		}
		for i := from; i < to; i++ {
			if was, is := c.seen[i], now[i+shift]; was.text != is.text || hasText(was) && was.id != is.id {
				return false
			}
		}
		return true
	}
	from, to := c.at.Start, c.at.End+1
	if slices.ContainsFunc(c.seen[from:to], hasText) {
		return isSame(from, to)
	}
	before, after := from-1, to
	for before >= 0 && !hasText(c.seen[before]) {
		before--
	}
	for after < len(c.seen) && !hasText(c.seen[after]) {
		after++
	}
	return isSame(before, to) || isSame(from, after+1)
}

// score counts the results of following comments.
type score struct{ alive, right, ended, same, wrong int }

// scores holds the results of all rounds: of each time that comments were followed, of the last time in each round, and
// of following the comments only once, after all edits.
type scores struct{ total, atEnd, once score }

// round adds comments and makes edits. After every few edits, it follows the comments.
func round(t *testing.T, a *author, comments, edits int, s *scores) {
	var all, once []*followed
	for range comments {
		from, to := a.span(6)
		c := &followed{seen: a.lines, at: Range{from, to - 1}}
		for _, l := range a.lines[from:to] {
			c.ids, c.quote = append(c.ids, l.id), append(c.quote, l.text)
		}
		all, once = append(all, c), append(once, c.clone())
	}
	for done := 0; done < edits; {
		for n := 1 + a.IntN(4); n > 0 && done < edits; n-- {
			a.edit()
			done++
		}
		bySeen := map[*line][]*followed{}
		for _, c := range all {
			bySeen[&c.seen[0]] = append(bySeen[&c.seen[0]], c)
		}
		for _, group := range bySeen {
			var ranges []Range
			for _, c := range group {
				ranges = append(ranges, c.at)
			}
			places := Follow(texts(group[0].seen), texts(a.lines), ranges)
			for i, c := range group {
				c.found = places[i]
				if done == edits {
					c.clone().look(t, a, a.lines, &s.atEnd)
				}
				c.look(t, a, a.lines, &s.total)
			}
		}
	}
	var ranges []Range
	for _, c := range once {
		ranges = append(ranges, c.at)
	}
	for i, place := range Follow(texts(once[0].seen), texts(a.lines), ranges) {
		once[i].found = place
		once[i].look(t, a, a.lines, &s.once)
	}
}

// clone returns a copy of the comment that the method look can change.
func (c *followed) clone() *followed {
	other := *c
	other.ids = slices.Clone(c.ids)
	return &other
}

// look finds the comment's place in the current version and compares it with the truth.
func (c *followed) look(t *testing.T, a *author, now []line, s *score) {
	want, alive := c.truth(now)
	if alive {
		s.alive++
	} else {
		s.ended++
	}
	if c.found.Outcome != Followed {
		return
	}
	if got := texts(now[c.found.Start : c.found.End+1]); !slices.Equal(got, c.quote) {
		t.Errorf("a comment on %q is on lines with the text %q", c.quote, got)
	}
	switch {
	case alive && c.found.Range == want:
		s.right++
	case c.isOnText(now) || explains(c.seen, now, c.at.Start, c.found.Start, len(c.ids)) || a.replaces(c.ids, now, c.found.Start):
		s.same++
		for i := range c.ids {
			c.ids[i] = now[c.found.Start+i].id
		}
	default:
		s.wrong++
		for i := range c.ids {
			c.ids[i] = now[c.found.Start+i].id
		}
	}
	c.seen, c.at = now, c.found.Range
}

// TestFollow_NeverOnWrongLines checks the places of comments against a model that knows the identity of each line. If a
// comment's lines still exist, unchanged and next to each other, the comment must be on them or be unsure. Any other
// comment must not be on any lines. In three cases, lines with equal text count as the comment's own (isOnText,
// explains and replaces). A comment must never be on lines with a different text. It may be on a copy of its lines if
// the text alone doesn't show the difference; looksPerWrong limits how often this may happen.
func TestFollow_NeverOnWrongLines(t *testing.T) {
	result := chaos.Row(t, "200 random edits to a file with 50 comments", chaos.Runs(30, 2000))
	seed := chaos.Seed(t)
	var s scores
	for n := range chaos.Rounds(30, 2000) {
		round(t, newAuthor(chaos.Rand(t, seed, n)), 50, 200, &s)
	}
	looks := s.total.alive + s.total.ended
	result("%d of %d on their lines each time, %d of %d after all edits, %d of %d if followed once; 0 on other text; %d of %d and %d of %d on a copy",
		s.total.right, s.total.alive, s.atEnd.right, s.atEnd.alive, s.once.right, s.once.alive, s.total.wrong, looks, s.once.wrong, s.once.alive+s.once.ended)
	t.Logf("each time: %+v, after all edits: %+v, once: %+v", s.total, s.atEnd, s.once)
	if limit := looks / looksPerWrong; s.total.wrong > limit+slack {
		t.Errorf("%d of %d comments are on wrong lines, more than %d", s.total.wrong, looks, limit+slack)
	}
	if s.total.right*100 < s.total.alive*minRight {
		t.Errorf("%d of %d comments are on their lines", s.total.right, s.total.alive)
	}
	if chaos.Long() && s.atEnd.right*100 < s.atEnd.alive*minRight {
		t.Errorf("%d of %d comments are on their lines after all edits", s.atEnd.right, s.atEnd.alive)
	}
}

const (
	// minRight is the minimum percentage of comments that must be on their lines. For the results after all edits, it is
	// checked only in long runs, because too few comments are left in short ones.
	minRight = 95
	// looksPerWrong limits how often a followed comment may end up on a copy of its lines: once in this many times. In
	// 920 rounds, it happened 34 times in 3.7 million. slack is the number of additional times allowed, for short runs.
	looksPerWrong, slack = 50_000, 3
)
