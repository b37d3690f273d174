package suggest

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/backend/review/comment"
)

// locateAll returns suggestions for comments, with their places in the current versions of the files. unplaced is the
// number of comments that it leaves out because they refer to no lines (see suggestionOf).
func (m *Manager) locateAll(ctx context.Context, chatID, source string, remarks []remark) (list []comment.Suggestion, unplaced int, err error) {
	files := map[string]sides{}
	for _, f := range remarks {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		s, ok := files[f.file.Path]
		if !ok {
			if s, err = m.sides(ctx, chatID, source, f.file); err != nil {
				return nil, 0, err
			}
			files[f.file.Path] = s
		}
		if suggestion, ok := s.suggestionOf(f); ok {
			list = append(list, suggestion)
		} else {
			unplaced++
		}
	}
	return list, unplaced, nil
}

// sides holds the lines of both sides of a file, without their line breaks.
type sides struct {
	old, now []string
	isSame   bool // the file hasn't changed since the agent was asked
}

// sides reads the current version of a changed file. It returns no lines if the file no longer has changes, changes
// while it is read or has too many lines.
func (m *Manager) sides(ctx context.Context, chatID, source string, f file) (s sides, err error) {
	q := review.Request{ChatID: chatID, Source: source, Path: f.Path}
	d, err := m.cfg.Review.Diff(ctx, q)
	if err == nil {
		q.Version, s.isSame = d.Version, d.Version == f.Version
		q.Side = backend.NewSide
		s.now, err = m.cfg.Review.AllLines(ctx, q)
	}
	if err == nil {
		q.Side = backend.OldSide
		s.old, err = m.cfg.Review.AllLines(ctx, q)
	}
	if code := backend.CodeOf(err); code == backend.CodeStale || code == backend.CodeNotFound || len(s.now)+len(s.old) > maxLines {
		return sides{}, nil
	}
	return s, err
}

// maxLines is the maximum number of lines on both sides of a file. In larger files, VoxPilot doesn't search for quoted
// lines.
const maxLines = 400_000

// suggestionOf returns the suggestion for a comment. If the quoted lines aren't found, the suggestion has no range. ok
// is false if the comment quotes no lines and its line numbers can't be used: they are missing, don't exist or are too
// many, or the file has changed.
func (s sides) suggestionOf(f remark) (res comment.Suggestion, ok bool) {
	res = comment.Suggestion{Path: f.file.Path, Side: backend.NewSide, Text: f.text}
	quote := trimmed(f.quote)
	given := comment.Range{Start: f.start, End: f.end}
	if len(quote) == 0 {
		if !s.isSame || f.start < 0 || f.end >= len(s.now) || f.end-f.start >= backend.MaxReviewQuote {
			return res, false
		}
		res.Lines, res.Range = s.now, given
		return res, true
	}
	if !s.isSame {
		given = comment.Range{Start: -1, End: -1}
	}
	for _, q := range readings(quote, backend.NewSide) {
		if at, found := locate(s.now, q, given); found {
			res.Lines, res.Range = s.now, comment.Range{Start: at, End: at + len(q) - 1}
			return res, true
		}
	}
	for _, q := range readings(quote, backend.OldSide) { // the quoted lines may be removed ones
		if at, found := locate(s.old, q, comment.Range{Start: -1, End: -1}); found && !occurs(s.now, q) {
			res.Side, res.Lines, res.Range = backend.OldSide, s.old, comment.Range{Start: at, End: at + len(q) - 1}
			return res, true
		}
	}
	res.Quote = comment.Clean(strings.Join(quote, "\n"))
	return res, true
}

// trimmed returns lines without the empty ones at the start and at the end.
func trimmed(lines []string) []string {
	isText := func(line string) bool { return strings.TrimSpace(line) != "" }
	first := slices.IndexFunc(lines, isText)
	if first < 0 {
		return nil
	}
	for !isText(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines[first:]
}

// prefixes holds, for each side, expressions that match the prefixes of diff lines. Agents sometimes copy such prefixes
// together with the lines.
var prefixes = map[backend.ReviewSide][]*regexp.Regexp{
	backend.NewSide: {regexp.MustCompile(`^ *\d* [+ ]`), regexp.MustCompile(`^ *\d+[ \t]*[:|]? ?`), regexp.MustCompile(`^[+ ]`)},
	backend.OldSide: {regexp.MustCompile(`^ *\d* [- ]`), regexp.MustCompile(`^[- ]`)},
}

// readings returns the possible meanings of a quote: its lines unchanged, and its lines without the prefixes of diff
// lines.
func readings(quote []string, side backend.ReviewSide) [][]string {
	list := [][]string{quote}
	for _, prefix := range prefixes[side] {
		without := make([]string, len(quote))
		ok := true
		for i, line := range quote {
			found := prefix.FindString(line)
			ok = ok && (found != "" || strings.TrimSpace(line) == "")
			without[i] = line[len(found):]
		}
		if ok && len(trimmed(without)) == len(quote) {
			list = append(list, without)
		}
	}
	return list
}

// locate finds the quoted lines in a text and returns the index of the first. If they occur several times, it chooses
// the occurrence at the start of the given range or, failing that, the only one within the range. ok is false if there
// is no occurrence or no clear choice.
func locate(text, quote []string, given comment.Range) (at int, ok bool) {
	for _, same := range []func(a, b string) bool{isEqual, isSimilar} {
		var all, within []int
		for i := 0; i+len(quote) <= len(text); i++ {
			if !matches(text[i:], quote, same) {
				continue
			}
			if i == given.Start {
				return i, true
			}
			all = append(all, i)
			if given.Start >= 0 && i >= given.Start && i+len(quote)-1 <= given.End {
				within = append(within, i)
			}
		}
		switch {
		case len(all) == 1:
			return all[0], true
		case len(within) == 1:
			return within[0], true
		case len(all) > 1:
			return 0, false
		}
	}
	return 0, false
}

// occurs reports whether a text contains the quoted lines, apart from white space at the start and the end of each
// line.
func occurs(text, quote []string) bool {
	for i := range text {
		if matches(text[i:], quote, isSimilar) {
			return true
		}
	}
	return false
}

func matches(text, quote []string, same func(a, b string) bool) bool {
	for i, line := range quote {
		if i >= len(text) || !same(text[i], line) {
			return false
		}
	}
	return true
}

// isEqual reports whether a line equals the quoted one, apart from white space at the end. If the quoted line ends with
// cutMark, only the text before the mark must match.
func isEqual(line, quoted string) bool {
	line, quoted = strings.TrimRight(line, " \t\r"), strings.TrimRight(quoted, " \t\r")
	if start, isCut := strings.CutSuffix(quoted, strings.TrimSpace(cutMark)); isCut && len(start) > maxLine/2 {
		return strings.HasPrefix(line, strings.TrimRight(start, " "))
	}
	return line == quoted
}

// isSimilar reports whether a line equals the quoted one, apart from white space at the start and the end.
func isSimilar(line, quoted string) bool {
	return isEqual(strings.TrimSpace(line), strings.TrimSpace(quoted))
}
