package review

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

const (
	maxLineChars = 10_000 // characters of a line that are sent
	hunkContext  = 3      // unchanged lines before and after the changes of a hunk
)

// text holds the contents and lines of both sides of a file.
type text struct {
	chat     string
	key      measureKey
	sides    sides
	old, new []string
	blocks   map[bool][]diff.Block // by whether white space is ignored
}

// textOf returns the text of the file that v identifies. The texts that were read most recently stay in memory.
func (m *Manager) textOf(ctx context.Context, v version) (*text, error) {
	chat, key := v.list.chat.ID, keyOf(v.file, false)
	m.mu.Lock()
	for _, t := range m.texts {
		if t.chat == chat && t.key == key {
			m.mu.Unlock()
			return t, nil
		}
	}
	m.mu.Unlock()
	if v.file.Pending {
		l := *v.list // a copy, because the attributes of the list don't include those of the file
		l.readAttributes(ctx, []file{v.file})
		v.list = &l
	}
	t := &text{chat: chat, key: key, blocks: map[bool][]diff.Block{}}
	err := v.list.each(ctx, []file{v.file}, func(_ int, s sides) { t.sides = s })
	if err != nil {
		return nil, err
	}
	v.list.fill(v.file, &t.sides)
	v.list.compare(ctx, v.file, &t.sides, false)
	if !t.sides.binary && !t.sides.tooLarge {
		t.old, t.new = diff.Lines(string(t.sides.old)), diff.Lines(string(t.sides.new))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts = append(m.texts, t)
	m.texts = m.texts[max(0, len(m.texts)-maxTexts):]
	return t, nil
}

// changed returns the blocks in which the sides of a text differ. If hide is true, it ignores differences in white
// space.
func (m *Manager) changed(t *text, hide bool) []diff.Block {
	m.mu.Lock()
	blocks, ok := t.blocks[hide]
	m.mu.Unlock()
	if !ok {
		blocks = diff.Blocks(t.old, t.new, spaceKey(hide))
		m.mu.Lock()
		t.blocks[hide] = blocks
		m.mu.Unlock()
	}
	return blocks
}

// Diff returns the current diff of a file. It ignores the version in q.
func (m *Manager) Diff(ctx context.Context, q Request) (backend.ReviewDiff, error) {
	q.Version = ""
	v, err := m.current(ctx, q)
	if err != nil {
		return backend.ReviewDiff{}, err
	}
	m.remember(v)
	t, err := m.textOf(ctx, v)
	if err != nil {
		return backend.ReviewDiff{}, err
	}
	f := v.file
	res := backend.ReviewDiff{
		Path: f.Path, Version: f.Version, Index: f.Index, Blocks: [][4]int{}, OldSize: t.sides.oldSize, NewSize: t.sides.size, Binary: t.sides.binary,
		OldLines: len(t.old), NewLines: len(t.new), OldEnd: ends(t.old), NewEnd: ends(t.new), Image: t.image(q, f), Message: t.reason(f),
	}
	res.TooLarge = t.sides.tooLarge && res.Message.IsZero()
	if res.TooLarge || res.Binary || !res.Message.IsZero() {
		return res, nil
	}
	if mostlyCRLF(t.sides.old) {
		res.CRLF = append(res.CRLF, string(backend.OldSide))
	}
	if mostlyCRLF(t.sides.new) {
		res.CRLF = append(res.CRLF, string(backend.NewSide))
	}
	blocks := m.changed(t, q.HideWhitespace)
	for _, b := range blocks {
		res.Blocks = append(res.Blocks, [4]int{b.Old, b.Olds, b.New, b.News})
	}
	if res.Staged, err = v.list.stagedOf(ctx, f, t, m.changed(t, false), blocks); err != nil {
		return res, err
	}
	res.Sections = sectionsOf(t.old, blocks)
	res.Conflicts = v.list.conflictsOf(ctx, f, t)
	if len(blocks) == 0 && f.Kind != backend.ReviewMoved && f.Kind != backend.ReviewMode && q.HideWhitespace {
		res.Message = backend.Say("Only whitespace has changed.")
	}
	return res, nil
}

// reason returns the reason why the diff shows no lines. It returns the zero Message if the diff can show lines, or if
// other fields of the diff state the reason.
func (t *text) reason(f file) backend.Message {
	switch {
	case f.Resolved && f.Unmerged:
		return backend.Say("The conflicts have been resolved with the text from the last commit. Stage the file to mark it as resolved.")
	case f.Resolved:
		return backend.Say("The conflicts were resolved with the text from the last commit.")
	case f.new.reason == snapshot.Unreadable || f.old.reason == snapshot.Unreadable:
		return backend.Say("VoxPilot can't compare this file because the file can't be read.")
	case f.new.kind == snapshot.Unknown || f.old.kind == snapshot.Unknown:
		return backend.Say("VoxPilot has no saved copy of this file to compare.")
	case t.sides.encoded:
		return backend.Say("Because of a filter or an encoding, Git stores this file in a different form. VoxPilot can't compare or revert it.")
	case t.sides.tooLarge && max(t.sides.size, t.sides.oldSize) <= maxDiffed:
		return backend.Say("VoxPilot can't compare this file because one of its versions is no longer stored.")
	case t.sides.oldSize+t.sides.size == 0 && f.Kind != backend.ReviewMode:
		return backend.Say("The file is empty.")
	}
	return backend.Message{}
}

func ends(lines []string) bool {
	return len(lines) == 0 || strings.HasSuffix(lines[len(lines)-1], "\n")
}

// imageTypes lists the media types of the images that the page can show.
var imageTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// imageType returns the media type of content, or "" if it isn't an image that the page can show.
func imageType(content []byte) string {
	if mime := http.DetectContentType(content); imageTypes[mime] {
		return mime
	}
	return ""
}

// image returns the addresses of both sides of an image, or nil if neither side is an image that the page can show, or if
// the sides can't be compared.
func (t *text) image(q Request, f file) *backend.ReviewImage {
	if t.sides.encoded {
		return nil
	}
	address := func(side backend.ReviewSide, content []byte) string {
		if imageType(content) == "" {
			return ""
		}
		values := url.Values{"chat": {q.ChatID}, "source": {q.Source}, "path": {f.Path}, "version": {f.Version}, "side": {string(side)}}
		return "/data/review-image?" + values.Encode()
	}
	i := backend.ReviewImage{Old: address(backend.OldSide, t.sides.old), New: address(backend.NewSide, t.sides.new)}
	if i.Old+i.New == "" {
		return nil
	}
	return &i
}

// sectionsOf returns the last declaration before each hunk of a diff. Like git, it takes a line that starts with a
// letter, "_" or "$" for a declaration. It skips hunks without a declaration before them.
func sectionsOf(old []string, blocks []diff.Block) (sections []backend.ReviewSection) {
	searched, last, hunk := 0, "", -1
	end := 0 // end of the previous hunk on the old side
	for i, b := range blocks {
		start := max(0, b.Old-hunkContext)
		if i > 0 && b.Old-end <= 2*hunkContext {
			end = b.Old + b.Olds
			continue
		}
		hunk++
		end = b.Old + b.Olds
		for at := start - 1; at >= searched; at-- {
			if line := old[at]; isDeclaration(line) {
				last = strings.TrimRight(line, " \t\r\n\f\v")
				break
			}
		}
		searched = max(searched, start)
		if last != "" {
			shown, _ := cut(last, 80)
			sections = append(sections, backend.ReviewSection{Hunk: hunk, Line: max(0, b.New-(b.Old-start)), Text: shown})
		}
	}
	return sections
}

func isDeclaration(line string) bool {
	if line == "" {
		return false
	}
	c := line[0]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// shownVersion returns the version q.Version of a file, which the page has received before. It returns errStale if
// q.Version is "" or isn't the current version. Unless the new side is the file on disk, a version that is still in
// memory needn't be the current one.
func (m *Manager) shownVersion(ctx context.Context, q Request) (version, error) {
	if v, ok := m.remembered(q); ok && (!v.list.onDisk || v.list.isOnDisk(v.file)) {
		return v, nil
	}
	if q.Version == "" {
		return version{}, errStale
	}
	v, err := m.current(ctx, q)
	if err == nil {
		m.remember(v)
	}
	return v, err
}

// Lines returns lines of one side of a file, starting at the index from. The parameter count is the maximum number.
func (m *Manager) Lines(ctx context.Context, q Request, from, count int) (backend.ReviewLines, error) {
	res := backend.ReviewLines{From: from, Lines: []string{}}
	v, err := m.shownVersion(ctx, q)
	if err != nil {
		return res, err
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return res, err
	}
	lines, crlf := t.side(q.Side)
	from = min(from, len(lines))
	for i, line := range lines[from:min(from+count, len(lines))] {
		shown, whole := cut(shownLine(line, crlf), maxLineChars)
		if !whole {
			res.Cut = append(res.Cut, i)
		}
		res.Lines = append(res.Lines, shown)
	}
	return res, nil
}

// AllLines returns all lines of one side of a file in the same form as Lines. Unlike Lines, it also succeeds if the
// file on disk has changed since it was shown.
func (m *Manager) AllLines(ctx context.Context, q Request) ([]string, error) {
	v, ok := m.remembered(q)
	if !ok {
		var err error
		if v, err = m.shownVersion(ctx, q); err != nil {
			return nil, err
		}
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return nil, err
	}
	lines, crlf := t.side(q.Side)
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i], _ = cut(shownLine(line, crlf), maxLineChars)
	}
	return all, nil
}

// side returns the lines of one side. crlf reports whether most of the line breaks on that side are CR LF.
func (t *text) side(side backend.ReviewSide) (lines []string, crlf bool) {
	if side == backend.OldSide {
		return t.old, mostlyCRLF(t.sides.old)
	}
	return t.new, mostlyCRLF(t.sides.new)
}

// shownLine returns a line without the line break at its end. It removes a CR only if crlf is true.
func shownLine(line string, crlf bool) string {
	line = strings.TrimSuffix(line, "\n")
	if crlf {
		line = strings.TrimSuffix(line, "\r")
	}
	return line
}

// Image returns one side of an image file and its media type. It returns CodeNotFound if the page can't show that side.
func (m *Manager) Image(ctx context.Context, q Request) (mime string, data []byte, err error) {
	v, err := m.shownVersion(ctx, q)
	if err != nil {
		return "", nil, err
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return "", nil, err
	}
	if data = t.sides.new; q.Side == backend.OldSide {
		data = t.sides.old
	}
	if mime = imageType(data); mime == "" {
		return "", nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("VoxPilot can't show this file as an image.")}
	}
	return mime, data, nil
}
