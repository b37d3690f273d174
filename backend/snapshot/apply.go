package snapshot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Choice determines what Apply does with a path instead of following the plan. The zero Choice restores the path, even
// if it was changed later.
type Choice struct {
	// Keep means that the path isn't changed.
	Keep bool
	// Merge keeps the later changes by merging them into the restored content, and restores the execute bits. If the
	// item isn't mergeable, Apply returns an error.
	Merge bool
	// Content, if not nil, becomes the content of the file. Callers can use it, for example, to restore only a part of
	// a file.
	Content []byte
}

// Result is the outcome of Apply or Recover. Its paths are relative to the chat's folder.
type Result struct {
	Done    []string
	Skipped []Skip
}

// Skip is a path that Apply didn't change.
type Skip struct {
	Path   string
	Reason Reason
	Err    error // the cause, or nil
}

// op is a change that Apply makes to one path.
type op struct {
	Path     string
	From, To Entry
	Temp     string // path of the temporary file, which holds the new content before the change and the old content after it
}

// Apply carries out a plan. It restores the items whose State is GoesBack. If choices has an entry for an item's path,
// Apply follows that choice instead. Items whose State is Omitted never change. Callers can also create a plan
// themselves, from items with Path, State, Before and Now.
//
// If Apply can't prepare the changes, for example because the disk is full, it returns an error and changes no file. If
// one of the changes fails, the next Open or Recover completes the operation; until then, Apply returns ErrPending. To
// be able to redo the changes, the caller must take a snapshot after Apply.
func (s *Store) Apply(ctx context.Context, plan *Plan, choices map[string]Choice) (Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var res Result
	if s.pack == nil || s.folder == "" {
		return res, fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	if _, err := os.Lstat(s.file(journalName)); !errors.Is(err, fs.ErrNotExist) {
		return res, errors.Join(ErrPending, err)
	}
	j := &journal{Folder: s.folder, Dirs: plan.dirs, Rmdirs: plan.rmdirs}
	for _, it := range plan.Items {
		o, ok, err := s.opOf(it, choices)
		switch {
		case errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged):
			res.Skipped = append(res.Skipped, Skip{it.Path, NotStored, err})
		case err != nil:
			s.pack.abort()
			return res, err
		case ok:
			j.Ops = append(j.Ops, o)
		}
	}
	if err := s.pack.flush(); err != nil {
		return res, err
	}
	root, err := os.OpenRoot(s.folder)
	if err != nil {
		return res, err
	}
	defer func() { _ = root.Close() }()
	w := &worker{s: s, root: root, limit: s.cfg.MaxFile, whole: plan.Whole, skipped: res.Skipped}
	w.check(j)
	if err := ctx.Err(); err != nil {
		return res, err
	}
	err = w.stage(j)
	res.Skipped = w.skipped
	switch {
	case errors.Is(err, errNotWhole):
		return res, w.unstage(j)
	case err != nil:
		return res, errors.Join(err, w.unstage(j))
	}
	err = w.run(j)
	res.Done, res.Skipped = w.done, w.skipped
	return res, err
}

// opOf returns the change that an item of the plan requires. ok is false if no change is required. The error is
// ErrNotFound if the content to write isn't stored.
func (s *Store) opOf(it Item, choices map[string]Choice) (o op, ok bool, err error) {
	choice, chosen := choices[it.Path]
	if it.State == Omitted || choice.Keep || !chosen && it.State != GoesBack {
		return o, false, nil
	}
	if rel, is := s.relative(it.Path); !is || rel != it.Path {
		return o, false, fmt.Errorf("%s: %w", it.Path, errForbidden)
	}
	o = op{Path: it.Path, From: it.Now, To: it.Before}
	if content := choice.Content; content != nil || choice.Merge {
		if choice.Merge {
			var clean bool
			if content, clean, err = s.merged(it); err != nil || !clean {
				return o, false, errors.Join(err, fmt.Errorf("%s: %w", it.Path, errNotMergeable))
			}
		}
		o.To = Entry{Kind: File, Mode: it.Now.Mode, Size: int64(len(content))}
		switch isExec := it.Before.Mode&0o100 != 0; {
		case it.Now.Kind != File:
			o.To.Mode = it.Before.Mode | 0o600
		case !choice.Merge || isExec == (it.After.Mode&0o100 != 0):
		case isExec:
			o.To.Mode |= it.Now.Mode & 0o444 >> 2
		default:
			o.To.Mode &^= 0o111
		}
		if o.To.Hash, err = s.pack.put(content, true); err != nil {
			return o, false, err
		}
	}
	if o.To.isFile() && !s.pack.has(o.To.Hash) {
		if choice.Content == nil && !choice.Merge {
			return o, false, fmt.Errorf("%s: %w", it.Path, ErrNotFound)
		}
	}
	return o, !o.From.equal(o.To) && (o.From.isFile() || o.To.isFile()), nil
}

var errForbidden = errors.New("this path is never in a snapshot")

// errNotWhole is returned if Plan.Whole is set but some of the plan's paths can't be changed.
var errNotWhole = errors.New("some paths can't be changed")

var errNotMergeable = errors.New("the changes can't be merged")

// worker changes the files during an Apply or Recover.
type worker struct {
	s     *Store
	root  *os.Root // the chat's folder
	limit int64    // maximum size of a file in bytes
	whole bool     // for Plan.Whole

	done    []string
	skipped []Skip
	touched map[string]bool // directories in which names have changed
}

func (w *worker) skip(o op, reason Reason, err error) {
	w.skipped = append(w.skipped, Skip{o.Path, reason, err})
}

// check removes changes from the journal if their paths have changed since the plan was made, and records these paths
// as skipped. It also moves removals to the front.
func (w *worker) check(j *journal) {
	gone := map[string]bool{} // paths that Apply removes; paths of folders end with a slash
	for _, p := range j.Rmdirs {
		gone[p+"/"] = true
	}
	var free []fs.FileInfo
	keep := func(o op) bool {
		e, dir, err := w.now(o.Path)
		if dir != nil {
			defer func() { _ = dir.Close() }()
		}
		switch {
		case errors.Is(err, errNotFolder) && !o.From.isFile() && hasAbove(gone, o.Path):
			return true // Apply removes the file or link that is in the way of the path's folder
		case errors.Is(err, errNotFolder):
			w.skip(o, NotFolder, nil)
			return false
		case err != nil:
			w.skip(o, Unreadable, err)
			return false
		case o.From.isFile() && e.equal(o.From), !o.From.isFile() && e.Kind == None:
		case !o.From.isFile() && e.Kind == Dir && w.clears(dir, path.Base(o.Path), o.Path, gone):
		case !o.From.isFile() && e.Kind == Dir:
			w.skip(o, FolderInWay, nil)
			return false
		case !o.From.isFile() && isOneOf(dir, path.Base(o.Path), free):
			// The name refers to the same file as a name that differs only in case.
		default:
			w.skip(o, Meanwhile, nil)
			return false
		}
		if o.From.isFile() && !o.To.isFile() {
			gone[o.Path] = true
			if info, err := dir.Lstat(path.Base(o.Path)); err == nil {
				free = append(free, info)
			}
		}
		return true
	}
	var ops []op
	for _, removals := range []bool{true, false} {
		for _, o := range j.Ops {
			if removals == (o.From.isFile() && !o.To.isFile()) && keep(o) {
				ops = append(ops, o)
			}
		}
	}
	j.Ops = ops
}

func hasAbove(paths map[string]bool, below string) bool {
	for at := path.Dir(below); at != "."; at = path.Dir(at) {
		if paths[at] {
			return true
		}
	}
	return false
}

func isOneOf(dir *os.Root, name string, infos []fs.FileInfo) bool {
	info, err := dir.Lstat(name)
	return err == nil && slices.ContainsFunc(infos, func(f fs.FileInfo) bool { return os.SameFile(f, info) })
}

// clears reports whether Apply will remove a folder together with everything in it. The folder is called name and is in
// the directory dir; rel is its path relative to the chat's folder. gone holds the paths that Apply removes; paths of
// folders end with a slash.
func (w *worker) clears(dir *os.Root, name, rel string, gone map[string]bool) bool {
	if !gone[rel+"/"] {
		return false
	}
	sub, err := enter(dir, name)
	if err != nil {
		return false
	}
	defer func() { _ = sub.Close() }()
	list, err := fs.ReadDir(sub.FS(), ".")
	if err != nil {
		return false
	}
	for _, e := range list {
		below := rel + "/" + e.Name()
		if !gone[below] && (!e.IsDir() || !w.clears(sub, e.Name(), below, gone)) {
			return false
		}
	}
	return true
}

// now returns the current state of a path and an open handle to its parent directory, which the caller must close. If
// the directory doesn't exist, the handle is nil, and so is the error.
func (w *worker) now(p string) (Entry, *os.Root, error) {
	dir, err := parentOf(w.root, p)
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, nil, nil
	}
	if err != nil {
		return Entry{}, nil, err
	}
	e, _, err := entryAt(dir, path.Base(p), w.limit)
	return e, dir, err
}

// stage writes the new contents of all files to temporary files, and then marks the journal as committed.
func (w *worker) stage(j *journal) error {
	id := tempName + strings.ToLower(rand.Text()[:12])
	for i := range j.Ops {
		dir, err := w.existing(path.Dir(j.Ops[i].Path))
		if err != nil {
			return err
		}
		j.Ops[i].Temp = path.Join(dir, fmt.Sprintf("%s-%d", id, i))
	}
	if err := j.write(w.s); err != nil {
		return err
	}
	var ops []op
	for _, o := range j.Ops {
		if o.To.isFile() {
			switch err := w.write(o, len(j.Ops) <= maxSynced); {
			case refused(err):
				w.skip(o, NotWritable, err)
				continue
			case errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound):
				w.skip(o, NotStored, err)
				continue
			case err != nil:
				return err
			}
		}
		ops = append(ops, o)
	}
	j.Ops = ops
	if w.whole && len(w.skipped) > 0 {
		return errNotWhole
	}
	if len(j.Ops) > maxSynced {
		if err := syncAll(w.root); err != nil {
			return err
		}
	}
	j.Committed = true
	return j.write(w.s)
}

// maxSynced is the maximum number of files that are synced to the disk one by one. If there are more, the whole file
// system is synced instead.
const maxSynced = 32

// refused reports whether err means that the system doesn't allow changing the file. It may allow changing other files.
func refused(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EPERM)
}

// existing returns p if it is an existing folder, or else the innermost existing folder that contains it. "" stands for
// the chat's folder.
func (w *worker) existing(p string) (string, error) {
	for ; p != "."; p = path.Dir(p) {
		dir, err := parentOf(w.root, p+"/x")
		if err == nil {
			return p, dir.Close()
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotFolder) {
			return "", err
		}
	}
	return "", nil
}

// write creates a file's temporary file with the new content. If sync is true, it syncs the temporary file to the disk.
func (w *worker) write(o op, sync bool) error {
	content, err := w.s.pack.get(o.To.Hash)
	if err != nil {
		return err
	}
	dir, err := parentOf(w.root, o.Temp)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	name := path.Base(o.Temp)
	if o.To.Kind == Link {
		return dir.Symlink(string(content), name)
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(os.FileMode(o.To.Mode))
	}
	if err == nil && sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// unstage removes the temporary files and the journal. It must not be called after the first change to a file.
func (w *worker) unstage(j *journal) error {
	for _, o := range j.Ops {
		dir, err := parentOf(w.root, o.Temp)
		if err == nil {
			err = removeFile(dir, path.Base(o.Temp))
			_ = dir.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotFolder) {
			return err
		}
	}
	return j.remove(w.s)
}

// abs returns the absolute form of a path that is relative to the chat's folder.
func (w *worker) abs(p string) string { return filepath.Join(w.root.Name(), filepath.FromSlash(p)) }
