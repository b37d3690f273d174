package sessionfiles

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const (
	previewRead = 8 * backend.MaxPreviewText // bytes of an event that are read for the text of its message
	maxPart     = 2000                       // bytes of a damaged entry in a SessionReport
)

// Texts are messages of a session.
type Texts struct{ First, Last, Answer string }

// Texts returns the user's first and last messages and the agent's last message, at most backend.MaxPreviewText bytes of
// each. scan must describe the session's current log.
func (f *Folder) Texts(id string, scan Scan) (t Texts, err error) {
	s, log, err := f.openLog(id)
	if s != nil {
		defer s.close()
	}
	if log == nil {
		return t, err
	}
	defer log.close()
	for _, m := range []struct {
		at int64
		to *string
	}{{scan.First, &t.First}, {scan.Last, &t.Last}, {scan.Answer, &t.Answer}} {
		if m.at == 0 {
			continue
		}
		line, err := log.line(m.at-1, previewRead)
		if err != nil {
			return t, err
		}
		*m.to = contentOf(line, backend.MaxPreviewText)
	}
	return t, nil
}

// Report describes a damaged session. scan must describe the session's current log, and damage is the damage that was
// found.
func (f *Folder) Report(id string, scan Scan, damage backend.SessionDamage) (r backend.SessionReport, err error) {
	r = backend.SessionReport{
		Messages: scan.Messages(), ToolCalls: scan.ToolCalls, FileChanges: scan.FileChanges,
		CutOff: cmp.Or(scan.BadEnd, scan.Rest), Invalid: scan.Invalid, Mixed: scan.Mixed, UpTo: millisOf(scan.Time), Line: scan.BadLine,
	}
	if scan.BadEnd > 0 {
		r.Invalid--
	}
	s, log, err := f.openLog(id)
	if s == nil {
		return r, err
	}
	defer s.close()
	if log != nil {
		defer log.close()
	}
	r.Checkpoints = s.checkpoints()
	file, at := log, max(scan.Bad-1, 0)
	switch {
	case err != nil:
		return r, err
	case damage == backend.DamageMetadata:
		r.Line = 0
		if file, err = s.file(sessionWorkspace); err != nil {
			return r, nil //nolint:nilerr // it isn't a file, so there is nothing to show
		}
		defer file.close()
	case damage == backend.DamageNoStart:
		r.Line = 1
	}
	if file == nil {
		return r, nil
	}
	part, err := file.part(at, maxPart)
	if damage != backend.DamageMetadata {
		part, _, _ = bytes.Cut(part, []byte("\n"))
	}
	r.Part = strings.ToValidUTF8(string(part), "\uFFFD")
	return r, err
}

// openLog opens the log of a session. If there is no session, all results but the error are nil. If the session has no
// log, log is nil without an error.
func (f *Folder) openLog(id string) (s *openSession, log *countedFile, err error) {
	if s, err = f.open(id); err != nil {
		return nil, nil, err
	}
	log, err = s.file(sessionLog)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, nil
	}
	return s, log, err
}

// line returns the line at the given position, or its first bytes if it is longer than limit.
func (f *countedFile) line(at, limit int64) ([]byte, error) {
	part, err := f.part(at, limit)
	line, _, _ := bytes.Cut(part, []byte("\n"))
	return trimLine(line), err
}

// checkpoints returns the number of the session's checkpoints, which the CLI creates when it shortens the conversation.
func (s *openSession) checkpoints() (n int) {
	info, err := s.root.Lstat("checkpoints")
	if err != nil || !info.IsDir() {
		return 0
	}
	dir, err := s.root.OpenFile("checkpoints", openFlags, 0)
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".md") && name != "index.md" {
			n++
		}
	}
	return n
}
