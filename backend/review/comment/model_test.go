package comment

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// followed is a comment in the model.
type followed struct {
	ids   []int
	quote []string
	seen  []line // the version in which it was last found
	at    Range  // in seen
	found Place  // in the current version
	lost  bool
}

// truth returns the place of the comment in a version. ok is false if one of its lines was changed or removed or if
// they are no longer next to each other.
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

// score counts comments.
type score struct{ alive, right, deleted, same, wrong, reread int }

// round makes comments and edits, and looks at the file every few edits.
func round(t *testing.T, a *author, comments, edits int, total, atEnd *score) {
	var all []*followed
	for range comments {
		from, to := a.span(6)
		c := &followed{seen: a.lines, at: Range{from, to - 1}}
		for _, l := range a.lines[from:to] {
			c.ids, c.quote = append(c.ids, l.id), append(c.quote, l.text)
		}
		all = append(all, c)
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
					was := *c
					c.look(t, a, a.lines, atEnd)
					*c = was
				}
				c.look(t, a, a.lines, total)
			}
		}
	}
}

// look follows the comment to the current version and compares its place with the truth.
func (c *followed) look(t *testing.T, a *author, now []line, s *score) {
	want, alive := c.truth(now)
	if alive {
		s.alive++
	} else {
		s.deleted++
	}
	if c.found.Outcome != Followed {
		if alive && !c.lost {
			c.lost = true
			f := newFollower(texts(c.seen), texts(now))
			why := ""
			from := -1
			for i := c.at.Start; i <= c.at.End; i++ {
				at, ok := f.line(i)
				if !ok {
					why = "line"
					break
				}
				if from < 0 {
					from = at
				}
			}
			if why == "" {
				why = "original"
				if f.isMoved(f.runAt(c.at.Start, from-c.at.Start)) {
					why += " moved"
				}
			}
			reasons[why]++
			if Debug > 0 && why == os.Getenv("WHY") {
				Debug--
				debug = func(own run, i int, other run, f *follower) {
					t.Log("own", own, f.anchors(own), "trace", i, "other", other, f.anchors(other))
				}
				f.placeOf(c.at)
				debug = func(own run, i int, other run, f *follower) {}
				dump(t, c, now, want)
			}
		}
		return
	}
	switch {
	case alive && c.found.Range == want:
		s.right++
	case explains(c.seen, now, c.at.Start, c.found.Start, len(c.ids)) || a.replaces(c.ids, c.seen, c.at.Start, now, c.found.Start):
		s.same++
		for i := range c.ids {
			c.ids[i] = now[c.found.Start+i].id
		}
	default:
		s.wrong++
		if s.wrong < 4 {
			t.Errorf("a comment is on lines %v; want %v (%v)\nquote %q", c.found.Range, want, alive, c.quote)
			dump(t, c, now, want)
		}
		for i := range c.ids {
			c.ids[i] = now[c.found.Start+i].id
		}
	}
	c.lost = false
	c.seen, c.at = now, c.found.Range
}

func TestModel(t *testing.T) {
	seed := chaos.Seed(t)
	var total, atEnd score
	for n := range chaos.Runs(rounds(), 6000) {
		round(t, newAuthor(chaos.Rand(t, seed, n)), 50, 200, &total, &atEnd)
	}
	t.Logf("at each look: %+v (%.2f%%)", total, 100*float64(total.right)/float64(total.alive))
	t.Log(reasons)
	t.Logf("at the end: %+v (%.2f%%)", atEnd, 100*float64(atEnd.right)/float64(atEnd.alive))
}

var Debug = 5
var reasons = map[string]int{}

func dump(t *testing.T, c *followed, now []line, want Range) {
	show := func(ls []line, r Range) (out string) {
		for i := max(0, r.Start-5); i < min(len(ls), r.End+6); i++ {
			m := "  "
			if i >= r.Start && i <= r.End {
				m = "> "
			}
			out += fmt.Sprintf("%s%d %d %q\n", m, i, ls[i].id, ls[i].text)
		}
		return out
	}
	ans := ""
	if c.found.Outcome == Followed {
		ans = show(now, c.found.Range)
	}
	for _, id := range c.ids {
		for j, l := range now {
			if l.id == id {
				ans += fmt.Sprintf("line %d is at %d\n", id, j)
			}
		}
	}
	t.Logf("outcome %v\nwas:\n%s\nanswer:\n%s\ntruth:\n%s", c.found, show(c.seen, c.at), ans, show(now, want))
}

func rounds() int { n, _ := strconv.Atoi(os.Getenv("RC")); return n }
