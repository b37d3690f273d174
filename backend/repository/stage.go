package repository

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Stage adds a file's changes to the index or, if staged is false, removes them from it. The changes of a moved file
// include the removal of its old path. If blocks isn't empty, only the lines in these blocks of the diff from HEAD to
// the file on disk are staged or unstaged. version is the version of the file in the source "working" that was shown. If
// the file has changed since, only blocks whose lines are the same can be staged; otherwise, Stage returns CodeStale. A
// file with an unresolved conflict can't be staged.
func (m *Manager) Stage(ctx context.Context, chatID, file, version string, blocks [][4]int, staged bool) error {
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return err
	}
	files := []string{file}
	if m.cfg.Blocks != nil {
		var from string
		if blocks, from, err = m.cfg.Blocks(ctx, chatID, file, version, blocks); err != nil {
			return err
		}
		if from != "" {
			files = append(files, from)
		}
	}
	paths, err := r.actual(ctx, files)
	if err == nil {
		paths, err = r.inRoot(paths)
	}
	if err != nil {
		return err
	}
	if r.isLocked() {
		return errLocked
	}
	if err := r.checkMerged(ctx, paths, staged && len(blocks) == 0); err != nil {
		return err
	}
	head, err := r.head(ctx)
	if err != nil {
		return gitError(err)
	}
	switch {
	case len(blocks) > 0:
		return r.stageLines(ctx, head, paths[0], blocks, staged)
	case staged: // if all conflicts of an unmerged file are resolved, this tells git so
		return r.add(ctx, "", paths)
	}
	for _, path := range paths {
		before, err := r.inHead(ctx, head, path)
		if err != nil {
			return gitError(err)
		}
		if err := r.setFile(ctx, path, before); err != nil {
			return err
		}
	}
	return nil
}

var errUnmerged = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Resolve the conflict in this file first.")}

// checkMerged returns errUnmerged if the index contains a conflict in one of the files, because any other entry in the
// index would replace all sides of the conflict. If resolved is true, a file's conflict is accepted if the file
// contains no conflict markers.
func (r *repo) checkMerged(ctx context.Context, files []string, resolved bool) error {
	unmerged, err := r.read(ctx, "", nil, append([]string{"ls-files", "--unmerged", "-z", "--"}, files...)...)
	switch {
	case err != nil:
		return gitError(err)
	case len(unmerged) == 0:
		return nil
	case !resolved:
		return errUnmerged
	}
	for _, file := range files {
		marked, err := r.hasMarkers(ctx, file)
		if err != nil {
			return err
		}
		if marked {
			return errUnmerged
		}
	}
	return nil
}

// hasMarkers reports whether a file on disk contains lines that start or end a conflict.
func (r *repo) hasMarkers(ctx context.Context, file string) (bool, error) {
	on := filepath.Join(r.Root, filepath.FromSlash(file))
	info, err := os.Lstat(on)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil //nolint:nilerr // the file was removed
	}
	if info.Size() > maxRead {
		return false, errUnmerged
	}
	text, err := os.ReadFile(on)
	if err != nil {
		return false, fileError(err)
	}
	size := 7
	attribute := strings.Split(r.line(ctx, "check-attr", "-z", "conflict-marker-size", "--", file), "\x00")
	if len(attribute) > 2 {
		if n, err := strconv.Atoi(attribute[2]); err == nil && n > 0 {
			size = n
		}
	}
	for line := range bytes.Lines(text) {
		for _, mark := range []string{"<", ">"} {
			if rest, ok := bytes.CutPrefix(line, []byte(strings.Repeat(mark, size))); ok && (len(bytes.TrimSpace(rest)) == 0 || rest[0] == ' ') {
				return true, nil
			}
		}
	}
	return false, nil
}

// inHead returns the entry of a file in the commit head, or the zero entry if head is "".
func (r *repo) inHead(ctx context.Context, head, file string) (entry, error) {
	if head == "" {
		return entry{}, nil
	}
	return r.inTree(ctx, head, file)
}

// setFile sets the entry of a file in the repository's index. It then makes git record the file's modification time, so
// that later commands don't have to read the file's content.
func (r *repo) setFile(ctx context.Context, file string, e entry) error {
	if err := r.set(ctx, "", map[string]entry{file: e}); err != nil {
		return err
	}
	if e != (entry{}) {
		_ = r.write(ctx, "", nil, "add", "--refresh", "--", file) // fails if the file no longer exists
	}
	return nil
}

// isLink reports whether the entry is a symbolic link, and isSubmodule whether it is a submodule.
func (e entry) isLink() bool      { return e.mode == "120000" }
func (e entry) isSubmodule() bool { return e.mode == "160000" }

// stageLines stages the lines in the given blocks or, if staged is false, unstages them. It returns errWhole if the
// file can be staged only as a whole.
func (r *repo) stageLines(ctx context.Context, head, file string, blocks [][4]int, staged bool) error {
	old, err := r.inHead(ctx, head, file)
	if err != nil {
		return gitError(err)
	}
	now, raw, err := r.onDisk(ctx, file)
	if err != nil {
		return err
	}
	entries, err := r.entries(ctx, "", file)
	if err != nil {
		return gitError(err)
	}
	index := entries[file]
	var texts [3]string
	for i, e := range []entry{old, now, index} {
		if e.isSubmodule() || e.isLink() {
			return errWhole
		}
		if texts[i], err = r.text(ctx, e); err != nil {
			return err
		}
		if strings.ContainsRune(texts[i], 0) {
			return errWhole
		}
	}
	if now != (entry{}) && strings.Count(texts[1], "\n") != bytes.Count(raw, []byte("\n")) {
		return errWhole // a filter makes git store lines that differ from those on disk
	}
	rows, err := rowsOf(splitLines(texts[0]), splitLines(texts[1]), blocks)
	if err != nil {
		return err
	}
	text := toggle(splitLines(texts[2]), rows, staged)
	switch {
	case text == texts[1] && staged:
		return r.setFile(ctx, file, keepMode(now, index)) // all changes of the file are to be staged
	case text == texts[0] && !staged:
		return r.setFile(ctx, file, keepMode(old, index))
	}
	hash, err := r.change(ctx, nil, []byte(text), "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return err
	}
	e := entry{hash: strings.TrimSpace(hash)}
	for _, like := range []entry{now, old, index} { // the last entry's mode takes precedence
		if like.mode != "" {
			e.mode = like.mode
		}
	}
	return r.setFile(ctx, file, e)
}

// keepMode returns e with the mode of the file's entry in the index. If one of the two entries is zero, keepMode
// returns e unchanged.
func keepMode(e, index entry) entry {
	if e.mode != "" && index.mode != "" {
		e.mode = index.mode
	}
	return e
}

var errWhole = backend.Invalid("You can only stage or unstage this file as a whole because it's binary or because a Git filter changes its lines.")

// onDisk returns the entry that git add would create for a file, and the file's content on disk. If the file doesn't
// exist, the entry is the zero entry.
func (r *repo) onDisk(ctx context.Context, file string) (e entry, raw []byte, err error) {
	on := filepath.Join(r.Root, filepath.FromSlash(file))
	info, err := os.Lstat(on)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil, nil
	}
	if err != nil {
		return e, nil, err
	}
	if info.Mode().IsRegular() {
		if info.Size() > maxRead {
			return e, nil, &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("%s is too large to stage in parts.", file)}
		}
		if raw, err = os.ReadFile(on); err != nil {
			return e, nil, fileError(err)
		}
	}
	dir, err := os.MkdirTemp("", "voxpilot-stage-")
	if err != nil {
		return e, nil, fileError(err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if _, err := copyIndex(r.index(), index); err != nil {
		return e, nil, fileError(err)
	}
	if err := r.add(ctx, index, []string{file}); err != nil {
		return e, nil, err
	}
	entries, err := r.entries(ctx, index, file)
	if err != nil {
		return e, nil, gitError(err)
	}
	return entries[file], raw, nil
}

// text returns the content of the object to which an entry refers, or "" for the zero entry.
func (r *repo) text(ctx context.Context, e entry) (string, error) {
	if e.hash == "" || strings.Trim(e.hash, "0") == "" {
		return "", nil
	}
	out, err := r.read(ctx, "", nil, "cat-file", "blob", e.hash)
	if err != nil {
		return "", gitError(err)
	}
	return string(out), nil
}
