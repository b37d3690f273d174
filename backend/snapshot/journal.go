package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// journal describes an Apply in progress. It is written before the first temporary file, and again, marked as
// committed, when all temporary files are complete. If the journal isn't marked, recovery removes the temporary files;
// if it is, recovery completes the changes. Each change can be resumed from any point, because its temporary file shows
// how far it got:
//
//   - Replaced file: the temporary file and the file are exchanged. If the old file doesn't match the plan, they are
//     exchanged back.
//   - Created file: the temporary file is renamed, unless the name is taken.
//   - Removed file: the file is renamed to the temporary name. If it doesn't match the plan, it is renamed back.
//
// The old content therefore exists under one of the two names until it has been compared with the plan, and it is also
// in the store.
type journal struct {
	Folder    string
	Committed bool
	Ops       []op // the changes; removals come first
	Dirs      []dirChange
	Rmdirs    []string
}

const journalName = "journal"

func (j *journal) write(s *Store) error { return writeGob(s.file(journalName), j) }

func (j *journal) remove(s *Store) error {
	err := os.Remove(s.file(journalName))
	syncDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Recover completes or reverts an Apply that an earlier process left unfinished.
func (s *Store) Recover() (Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return Result{}, err
	}
	return s.recover()
}

// recover implements Recover. The caller must hold s.mu.
func (s *Store) recover() (Result, error) {
	var j journal
	err := readGob(s.file(journalName), &j)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrPending, err)
	}
	root, err := os.OpenRoot(j.Folder)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrPending, err)
	}
	defer func() { _ = root.Close() }()
	w := &worker{s: s, root: root, limit: s.cfg.MaxFile}
	if !j.Committed {
		return Result{}, w.unstage(&j)
	}
	err = w.run(&j)
	return Result{w.done, w.skipped}, err
}

// Recover completes or reverts the changes that an earlier process left unfinished, in all chats. It returns the
// results by chat ID, for the chats that had such changes. It continues if one chat fails.
func (s *Stores) Recover(ctx context.Context) (map[string]Result, error) {
	found := map[string]Result{}
	list, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	for _, e := range list {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		st, e2 := s.chat(e.Name())
		if e2 != nil {
			continue
		}
		if _, e2 := os.Lstat(st.file(journalName)); e2 != nil {
			continue
		}
		res, e2 := st.Recover()
		found[e.Name()] = res
		err = errors.Join(err, e2)
	}
	return found, err
}

// run carries out a committed journal and removes it. If the process ends before that, run can be called again with the
// same journal.
func (w *worker) run(j *journal) error {
	w.touched = map[string]bool{}
	var errs error
	dirs := false
	for _, o := range j.Ops {
		if !dirs && o.To.isFile() {
			w.folders(j)
			dirs = true
		}
		reason, err := w.change(o)
		switch {
		case err != nil && reason == "":
			errs = errors.Join(errs, fmt.Errorf("%s: %w", w.abs(o.Path), err))
		case reason != "":
			w.skip(o, reason, err)
		default:
			w.done = append(w.done, o.Path)
		}
	}
	if !dirs {
		w.folders(j)
	}
	w.modes(j)
	if errs != nil {
		return errs // the journal is kept, because a temporary file may contain the user's content
	}
	for dir := range w.touched {
		syncDir(w.abs(dir))
	}
	return j.remove(w.s)
}

// folders undoes the changes to folders: it removes folders that were created, if they are empty, and creates folders
// that were removed.
func (w *worker) folders(j *journal) {
	slices.Sort(j.Rmdirs)
	for _, p := range slices.Backward(j.Rmdirs) {
		if dir, err := parentOf(w.root, p); err == nil {
			_ = rmdir(dir, path.Base(p)) // fails if it isn't empty
			_ = dir.Close()
		}
	}
	for _, d := range j.Dirs {
		if !d.Make {
			continue
		}
		if dir, err := parent(w.root, d.Path+"/x", true); err == nil { // otherwise a file is in the way
			_ = dir.Close()
		}
	}
}

// modes sets the modes of folders, innermost folders first, because an outer folder may become inaccessible.
func (w *worker) modes(j *journal) {
	slices.SortFunc(j.Dirs, func(a, b dirChange) int { return strings.Compare(b.Path, a.Path) })
	for _, d := range j.Dirs {
		dir, err := parentOf(w.root, d.Path+"/x")
		if err != nil {
			continue // a file is in the way
		}
		if info, err := dir.Stat("."); err == nil && (d.Make || modeOf(info.Mode()) == d.From) {
			_ = dir.Chmod(".", os.FileMode(d.Mode)) // fails unless the user owns the folder
		}
		_ = dir.Close()
	}
}

// change makes one change. If it returns a reason, it hasn't changed the path. If it returns an error but no reason,
// the temporary file still exists.
func (w *worker) change(o op) (Reason, error) {
	temp, err := parentOf(w.root, o.Temp)
	if err != nil {
		return NotFolder, err // the path's folder no longer exists, so neither does the temporary file
	}
	defer func() { _ = temp.Close() }()
	var dir *os.Root
	if o.To.isFile() {
		dir, err = parent(w.root, o.Path, true)
	} else {
		dir, err = parentOf(w.root, o.Path)
	}
	t := path.Base(o.Temp)
	if err != nil {
		reason := NotWritable
		if errors.Is(err, errNotFolder) {
			reason = NotFolder
		} else if errors.Is(err, fs.ErrNotExist) {
			reason = Meanwhile
		}
		return w.clean(temp, t, o, reason, err)
	}
	defer func() { _ = dir.Close() }()
	w.touched[path.Dir(o.Path)], w.touched[path.Dir(o.Temp)] = true, true
	c := changing{w: w, o: o, dir: dir, temp: temp, name: path.Base(o.Path), t: t}
	if err := c.settle(); err != nil {
		return "", err
	}
	switch {
	case !o.To.isFile():
		return c.remove()
	case o.From.isFile():
		return c.replace()
	}
	return c.create()
}

// clean removes the temporary file t, whose new content is no longer needed. It then returns the given reason and
// cause. If t contains anything else, clean keeps it and returns only an error.
func (w *worker) clean(temp *os.Root, t string, o op, reason Reason, cause error) (Reason, error) {
	e, _, err := entryAt(temp, t, w.limit)
	switch {
	case err != nil:
		return "", err
	case e.Kind == None:
	case !e.equal(o.To):
		return "", fmt.Errorf("%s has unexpected content", o.Temp)
	default:
		if err := removeFile(temp, t); err != nil {
			return "", err
		}
	}
	return reason, cause
}

// changing is a change in progress, with its open directories.
type changing struct {
	w         *worker
	o         op
	dir, temp *os.Root
	name, t   string // names of the file and of its temporary file
}

func (c changing) states() (file, temp Entry, err error) {
	file, _, err = entryAt(c.dir, c.name, c.w.limit)
	if err == nil {
		temp, _, err = entryAt(c.temp, c.t, c.w.limit)
	}
	return file, temp, err
}

// aside returns the temporary name that the old file has during an exchange that isn't atomic (see swap).
func (c changing) aside() string { return c.t + "-old" }

// settle completes or reverts an exchange that isn't atomic and was interrupted (see swap).
func (c changing) settle() error {
	if _, err := c.temp.Lstat(c.aside()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := c.dir.Lstat(c.name); errors.Is(err, fs.ErrNotExist) {
		return moveNew(c.temp, c.aside(), c.dir, c.name)
	}
	err := moveNew(c.temp, c.aside(), c.temp, c.t)
	if errors.Is(err, fs.ErrExist) { // the user has created another file meanwhile
		return c.rescue(c.aside())
	}
	return err
}

// rescue renames a temporary file that may hold the user's content, so that the user can see it in the same directory.
// If the file is equal to the old or new state of the change, rescue removes it instead.
func (c changing) rescue(t string) error {
	e, _, err := entryAt(c.temp, t, c.w.limit)
	if err != nil || e.Kind == None {
		return err
	}
	if e.equal(c.o.From) || e.equal(c.o.To) {
		return removeFile(c.temp, t)
	}
	return moveNew(c.temp, t, c.temp, c.name+"."+strings.TrimPrefix(t, tempName))
}

// exchangeNames and moveInSwap are the functions that swap calls. Tests replace them.
var exchangeNames, moveInSwap = exchange, moveNew

// swap exchanges the file and the temporary file, atomically if the file system supports that.
func (c changing) swap() error {
	err := exchangeNames(c.dir, c.name, c.temp, c.t)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := moveInSwap(c.dir, c.name, c.temp, c.aside()); err != nil {
		return err
	}
	if err := moveInSwap(c.temp, c.t, c.dir, c.name); err != nil {
		return errors.Join(err, moveNew(c.temp, c.aside(), c.dir, c.name))
	}
	return moveNew(c.temp, c.aside(), c.temp, c.t)
}

func (c changing) replace() (Reason, error) {
	file, temp, err := c.states()
	switch {
	case err != nil && refused(err):
		return c.w.clean(c.temp, c.t, c.o, Unreadable, err)
	case err != nil:
		return "", err
	case temp.Kind == None:
		return "", nil // the change has already been made
	case temp.equal(c.o.To) && !file.equal(c.o.From):
		return c.w.clean(c.temp, c.t, c.o, Meanwhile, nil)
	case temp.equal(c.o.To):
		if err := c.swap(); err != nil {
			return c.w.clean(c.temp, c.t, c.o, NotWritable, err)
		}
	}
	// The temporary file now contains the old file.
	file, temp, err = c.states()
	switch {
	case err == nil && temp.equal(c.o.From):
		return "", removeFile(c.temp, c.t)
	case err == nil && file.equal(c.o.To):
		if err := c.swap(); err != nil {
			return "", err
		}
		return Meanwhile, c.rescue(c.t)
	}
	return Meanwhile, errors.Join(err, c.rescue(c.t))
}

func (c changing) create() (Reason, error) {
	temp, _, err := entryAt(c.temp, c.t, c.w.limit)
	if err != nil {
		return "", err
	}
	if temp.Kind == None {
		return "", nil // the change has already been made
	}
	err = moveNew(c.temp, c.t, c.dir, c.name)
	switch {
	case errors.Is(err, fs.ErrExist):
		return c.w.clean(c.temp, c.t, c.o, Meanwhile, nil)
	case err != nil:
		return c.w.clean(c.temp, c.t, c.o, NotWritable, err)
	}
	return "", nil
}

func (c changing) remove() (Reason, error) {
	file, temp, err := c.states()
	switch {
	case err != nil && refused(err):
		return Unreadable, err
	case err != nil:
		return "", err
	case temp.Kind == None && file.Kind == None:
		return "", nil // the change has already been made
	case temp.Kind == None && !file.equal(c.o.From):
		return Meanwhile, nil
	case temp.Kind == None:
		if err := moveNew(c.dir, c.name, c.temp, c.t); err != nil {
			return NotWritable, err
		}
	}
	if temp, _, err = entryAt(c.temp, c.t, c.w.limit); err != nil {
		return "", err
	}
	if temp.equal(c.o.From) {
		return "", removeFile(c.temp, c.t)
	}
	err = moveNew(c.temp, c.t, c.dir, c.name)
	if errors.Is(err, fs.ErrExist) {
		err = c.rescue(c.t)
	}
	if err != nil {
		return "", err
	}
	return Meanwhile, nil
}
