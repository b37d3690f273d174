package review

import (
	"context"
	"regexp"
	"unicode/utf16"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// maxMatchText is the maximum number of characters in ReviewMatch.Text.
const maxMatchText = 1000

// Find searches the changed files of a source for a text. It searches all lines of the new side and the changed lines
// of the old side. It returns the total number of occurrences and a list of the first ones. The parameter limit is the
// maximum length of that list. Find ignores case unless exact is true.
func (m *Manager) Find(ctx context.Context, q Request, wanted string, exact bool, limit int) (backend.ReviewMatches, error) {
	res := backend.ReviewMatches{Matches: []backend.ReviewMatch{}}
	if wanted == "" {
		return res, nil
	}
	l := m.stored(q)
	if l == nil {
		var err error
		if l, err = m.read(ctx, q); err != nil {
			return res, err
		}
	}
	pattern := regexp.QuoteMeta(wanted)
	if !exact {
		pattern = "(?i)" + pattern
	}
	is, err := regexp.Compile(pattern)
	if err != nil {
		return res, backend.Invalid("Can't search for this text.")
	}
	return res, l.each(ctx, l.files, func(i int, s sides) {
		f := l.files[i]
		l.fill(f, &s)
		if ctx.Err() != nil || s.tooLarge || f.Binary || f.old.encoded || !is.Match(s.old) && !is.Match(s.new) {
			return
		}
		if f.old.crlf {
			l.convert(ctx, f, &s, l.attributes[f.Path])
		}
		old, now := diff.Lines(string(s.old)), diff.Lines(string(s.new))
		search := func(side backend.ReviewSide, lines []string, from, to int) {
			crlf := mostlyCRLF(s.new)
			if side == backend.OldSide {
				crlf = mostlyCRLF(s.old)
			}
			for n := from; n < to; n++ {
				line := shownLine(lines[n], crlf)
				for _, at := range is.FindAllStringIndex(line, -1) {
					if res.Total++; len(res.Matches) < limit {
						text, _ := cut(line, maxMatchText)
						res.Matches = append(res.Matches, backend.ReviewMatch{Path: f.Path, Side: side, Line: n, Start: units(line[:at[0]]), End: units(line[:at[1]]), Text: text})
					}
				}
			}
		}
		next := 0
		for _, b := range diff.Blocks(old, now, spaceKey(q.HideWhitespace)) {
			search(backend.NewSide, now, next, b.New)
			search(backend.OldSide, old, b.Old, b.Old+b.Olds)
			search(backend.NewSide, now, b.New, b.New+b.News)
			next = b.New + b.News
		}
		search(backend.NewSide, now, next, len(now))
	})
}

// units returns the length of a text in UTF-16 code units.
func units(text string) (n int) {
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
