package review

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// reviewAttributes are the git attributes that affect a review.
var reviewAttributes = []string{"linguist-generated", "diff", "text", "eol", "crlf", "filter", "working-tree-encoding", "ident"}

// attributes returns the git attributes of paths as a map from path to attribute to value. It includes only the
// reviewAttributes. An attribute without a value has the value "set" or "unset".
func (r *repository) attributes(ctx context.Context, paths []string) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	if len(paths) == 0 {
		return all, nil
	}
	out, err := r.run(ctx, strings.NewReader(strings.Join(paths, "\x00")+"\x00"), append([]string{"check-attr", "-z", "--stdin"}, reviewAttributes...)...)
	if err != nil {
		return all, err
	}
	fields := strings.Split(string(out), "\x00")
	for ; len(fields) > 3; fields = fields[3:] {
		if fields[2] == "unspecified" {
			continue
		}
		if all[fields[0]] == nil {
			all[fields[0]] = map[string]string{}
		}
		all[fields[0]][fields[1]] = fields[2]
	}
	return all, nil
}

// settings are the values in git's configuration that affect how git writes files to disk. They are read when they are
// first needed.
type settings struct {
	mu            sync.Mutex
	isRead        bool
	filters       map[string]bool // names of the filters that have a program
	autocrlf, eol string          // core.autocrlf as "true", "input" or "", and core.eol
}

// config returns the repository's settings.
func (r *repository) config(ctx context.Context) (*settings, error) {
	s := r.settings
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isRead {
		return s, nil
	}
	out, err := r.run(ctx, nil, "config", "--null", "--list")
	if err != nil {
		return nil, err
	}
	s.isRead, s.filters = true, map[string]bool{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		name, value, hasValue := strings.Cut(entry, "\n")
		switch filter, is := strings.CutPrefix(name, "filter."); {
		case is:
			at := strings.LastIndexByte(filter, '.')
			if at >= 0 && value != "" && (filter[at:] == ".clean" || filter[at:] == ".smudge" || filter[at:] == ".process") {
				s.filters[filter[:at]] = true
			}
		case name == "core.eol":
			s.eol = strings.ToLower(value)
		case name == "core.autocrlf":
			switch value = strings.ToLower(value); {
			case value == "input":
				s.autocrlf = value
			case !hasValue || value == "true" || value == "yes" || value == "on" || value == "1":
				s.autocrlf = "true"
			default:
				s.autocrlf = ""
			}
		}
	}
	return s, nil
}

// isEncoded reports whether git stores a file with the given attributes in another form than on disk, apart from line
// endings: through a filter, in another encoding, or with other text for "$Id$". The parameter contents holds the
// available contents of the file's sides.
func (r *repository) isEncoded(ctx context.Context, attributes map[string]string, contents ...[]byte) (bool, error) {
	if encoding := attributes["working-tree-encoding"]; encoding != "" && encoding != "set" && encoding != "unset" && !strings.EqualFold(encoding, "UTF-8") {
		return true, nil
	}
	if attributes["ident"] == "set" {
		for _, content := range contents {
			if bytes.Contains(content, []byte("$Id")) {
				return true, nil
			}
		}
	}
	filter := attributes["filter"]
	if filter == "" || filter == "set" || filter == "unset" {
		return false, nil
	}
	config, err := r.config(ctx)
	if err != nil {
		return false, err
	}
	return config.filters[filter], nil
}

var errEncoded = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Because of a filter or an encoding, Git stores this file in a different form. VoxPilot can't revert it. Use Git in a terminal instead.")}

// oldPath returns the path of the file's old side.
func (f file) oldPath() string {
	if f.From != "" {
		return f.From
	}
	return f.Path
}

// lineAction states how git converts the line endings of a file.
type lineAction int

const (
	keepEnds lineAction = iota // no conversion
	toLF                       // only when the file is added
	toCRLF                     // also when the file is written to disk
)

// lineActionOf returns how git converts the line endings of a file with the given attributes. isAuto reports whether
// git does so only if the content looks like text.
func (r *repository) lineActionOf(ctx context.Context, attributes map[string]string) (action lineAction, isAuto bool) {
	text := attributes["text"]
	if text == "" {
		text = attributes["crlf"]
	}
	if text == "unset" {
		return keepEnds, false
	}
	isAuto = text == "auto" || text == "" && attributes["eol"] == ""
	switch {
	case text == "input":
		return toLF, false
	case attributes["eol"] == "crlf":
		return toCRLF, isAuto
	case attributes["eol"] == "lf":
		return toLF, isAuto
	}
	config, err := r.config(ctx)
	switch {
	case err != nil || text == "" && config.autocrlf == "":
		return keepEnds, false
	case config.autocrlf == "true":
		return toCRLF, isAuto
	case config.autocrlf == "input":
		return toLF, isAuto
	case config.eol == "crlf" || config.eol != "lf" && nativeCRLF:
		return toCRLF, isAuto
	}
	return toLF, isAuto
}

// converts reports whether git converts the line endings of a file with the given attributes when the file is added.
func (r *repository) converts(ctx context.Context, attributes map[string]string) bool {
	action, _ := r.lineActionOf(ctx, attributes)
	return action != keepEnds
}

// checkedOut converts content from the form in which git stores it to the line endings that git would write to disk.
func (r *repository) checkedOut(ctx context.Context, attributes map[string]string, content []byte) []byte {
	action, isAuto := r.lineActionOf(ctx, attributes)
	if action != toCRLF || isAuto && (bytes.IndexByte(content, '\r') >= 0 || looksBinary(content)) {
		return content
	}
	return withCRLF(content)
}

// withCRLF returns content with CR LF line endings.
func withCRLF(content []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// looksBinary reports whether git takes content for binary when it decides about line endings.
func looksBinary(content []byte) bool {
	printable, other := 0, 0
	for i, c := range content {
		switch {
		case c == 0:
			return true
		case c == '\r' || c == '\n':
		case c == '\b' || c == '\t' || c == 0x1B || c == '\f':
			printable++
		case c == 0x1A && i == len(content)-1:
		case c < ' ' || c == 0x7F:
			other++
		default:
			printable++
		}
	}
	return printable>>7 < other
}

// diskEnds returns a function that converts the line endings of content stored by git to those of the file on disk or,
// if onDisk is nil, to those that git would write.
func (r *repository) diskEnds(ctx context.Context, attributes map[string]string, onDisk []byte) func([]byte) []byte {
	return func(content []byte) []byte {
		switch {
		case onDisk == nil:
			return r.checkedOut(ctx, attributes, content)
		case !mostlyCRLF(onDisk) || bytes.Contains(content, []byte("\r\n")) || bytes.IndexByte(content, 0) >= 0 || !r.converts(ctx, attributes):
			return content
		}
		return withCRLF(content)
	}
}

// toDisk returns functions that convert contents of a file's old and new side, as they are compared, to the form that
// they have on disk. It returns errEncoded if that takes more than a change of line endings. The parameters old and now
// are the contents of the two sides.
func (l *list) toDisk(ctx context.Context, f file, old, now []byte) (ofOld, ofNew func([]byte) []byte, err error) {
	same := func(content []byte) []byte { return content }
	ofOld, ofNew = same, same
	if f.old.blob == "" && f.new.blob == "" {
		return ofOld, ofNew, nil
	}
	attributes, err := l.repo.attributes(ctx, []string{f.Path, f.oldPath()})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range []struct {
		side side
		path string
	}{{f.old, f.oldPath()}, {f.new, f.Path}} {
		if s.side.blob == "" || s.side.kind != snapshot.File {
			continue
		}
		switch is, err := l.repo.isEncoded(ctx, attributes[s.path], old, now); {
		case err != nil:
			return nil, nil, err
		case is:
			return nil, nil, errEncoded
		}
	}
	var onDisk []byte
	switch {
	case f.new.blob == "" && f.new.kind == snapshot.File:
		onDisk = now
	case f.new.blob != "":
		onDisk = l.read(f.Path)
	}
	if f.old.blob != "" && f.old.kind == snapshot.File {
		ofOld = l.repo.diskEnds(ctx, attributes[f.oldPath()], onDisk)
	}
	if f.new.blob != "" && f.new.kind == snapshot.File {
		ofNew = l.repo.diskEnds(ctx, attributes[f.Path], onDisk)
	}
	return ofOld, ofNew, nil
}

// read returns the content of a file on disk, or nil if the file is empty, can't be read or has more than maxWhole
// bytes.
func (l *list) read(name string) []byte {
	files, err := workspace.OpenTree(l.chat.Folder)
	if err != nil {
		return nil
	}
	defer files.Close()
	file, info, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	if info.Size() > maxWhole {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(file, maxWhole))
	if err != nil || len(content) == 0 {
		return nil
	}
	return content
}
