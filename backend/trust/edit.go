package trust

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// ShownFile is a file change as shown to the user.
type ShownFile struct {
	Path string // absolute
	Diff []byte // unified diff
}

// Edit is a change allowed by the user's answer to a permission request.
type Edit struct {
	by    Starter
	files []editedFile
}

// editedFile is a file changed by an Edit.
type editedFile struct {
	ShownFile
	name   string // as Entry.File
	before []byte // nil if the file didn't exist
}

// maxEdits is the maximum number of pending edits. If there are more, the oldest are discarded.
const maxEdits = 50

// ExpectEdit registers that the user is about to allow the shown changes. It records the current
// content of the files, so call it before the answer is sent to the agent. It returns nil if the answer
// can't count as trust, for example because a file is too large or isn't a regular file in the repository.
func (m *Manager) ExpectEdit(by Starter, shown []ShownFile) *Edit {
	e := &Edit{by: by}
	found, err := locate(by.Folder)
	if err != nil {
		return nil
	}
	for _, s := range shown {
		f := editedFile{ShownFile: s, name: nameIn(found, s.Path)}
		if f.name == "" || len(s.Diff) == 0 {
			return nil
		}
		if f.before, err = plain(found, f.name); err != nil {
			return nil
		}
		e.files = append(e.files, f)
	}
	if len(e.files) == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.edits = append(m.edits, e)
	if len(m.edits) > maxEdits {
		m.edits = slices.Delete(m.edits, 0, 1)
	}
	return e
}

// CancelEdit discards an edit that isn't allowed after all; e may be nil.
func (m *Manager) CancelEdit(e *Edit) { m.drop(e) }

// Edits reports whether the chat has an allowed edit that hasn't been found in the files yet.
func (m *Manager) Edits(chatID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.edits, func(e *Edit) bool { return e.by.ChatID == chatID })
}

// TakeEdits checks whether the files now contain a chat's allowed edits. If nothing else has changed, it trusts the
// entries that those edits add, so that an agent that exits can restart without asking the user.
func (m *Manager) TakeEdits(ctx context.Context, chatID string) {
	m.checking.Lock()
	defer m.checking.Unlock()
	m.takeEdits(ctx, func(e *Edit) bool { return e.by.ChatID == chatID })
}

// takeEdits is like TakeEdits, but checks the edits for which the function chosen returns true. The caller must hold
// m.checking.
func (m *Manager) takeEdits(ctx context.Context, chosen func(*Edit) bool) {
	m.mu.Lock()
	edits := slices.Clone(m.edits)
	m.mu.Unlock()
	for _, e := range edits {
		if !chosen(e) {
			continue
		}
		if err := m.takeEdit(ctx, e); err != nil {
			if !errors.Is(err, errNotShownYet) {
				m.cfg.Log.Warn("couldn't update the trust in a folder after an allowed edit", "err", err)
				m.drop(e)
			}
			continue
		}
		m.drop(e)
	}
}

func (m *Manager) drop(e *Edit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.edits = slices.DeleteFunc(m.edits, func(o *Edit) bool { return o == e })
}

var (
	errNotShownYet = backend.Problem("the files have changed since they were shown")
	errNotRegular  = backend.Problem("not a regular file in the repository")
	errMore        = backend.Problem("there may be other changes too")
)

// takeEdit trusts the entries added by an edit. It returns errNotShownYet if the files don't contain the edit yet, and
// errMore if the folder may already have had untrusted entries before the edit.
func (m *Manager) takeEdit(ctx context.Context, e *Edit) error {
	found, err := locate(e.by.Folder)
	if err != nil {
		return err
	}
	before, after := map[string][]byte{}, map[string][]byte{}
	for _, f := range e.files {
		now, err := plain(found, f.name)
		if err != nil {
			return err
		}
		was, ok := diff.Undo(now, f.Diff)
		if !ok || !bytes.Equal(was, f.before) && !bytes.Equal(bytes.TrimSuffix(was, []byte("\n")), bytes.TrimSuffix(f.before, []byte("\n"))) {
			return errNotShownYet
		}
		before[f.name], after[f.name] = f.before, now
	}
	was, err := inventory(ctx, e.by.Folder, e.by.Agents, before)
	if err != nil {
		return err
	}
	is, err := inventory(ctx, e.by.Folder, e.by.Agents, after)
	if err != nil {
		return err
	}
	if was.Incomplete || is.Incomplete {
		return errMore
	}
	key := keyOf(is)
	trusted, _, err := m.cfg.Trusted(ctx, key)
	if err != nil {
		return err
	}
	old, now := inspection{key: key, findings: was}, inspection{key: key, findings: is}
	if old.compare(trusted) {
		return errMore
	}
	if !now.compare(trusted) {
		return nil
	}
	folder := backend.TrustedFolder{Key: key, Folder: is.Root, TrustedAt: backend.Now()}
	for _, f := range now.newEntries {
		if f.Note == "" && wasShown(f.Entry, was.Entries, after) {
			folder.Add = append(folder.Add, m.entry(f.Entry))
		}
	}
	if len(folder.Add) == 0 {
		return nil
	}
	return m.cfg.Commit(ctx, backend.Event{TrustedFolder: &folder})
}

// wasShown reports whether the user has seen an entry completely, including each file that the entry names. Text that
// was trusted before the edit counts as seen, as do the files that the edit changed.
func wasShown(e Entry, trusted []Entry, files map[string][]byte) bool {
	if files[e.File] == nil && !slices.ContainsFunc(trusted, func(t Entry) bool { return t.File == e.File && t.Key == e.Key && t.rawValue == e.rawValue }) {
		return false
	}
	for _, s := range e.scripts {
		if files[s.name] == nil && !slices.ContainsFunc(trusted, func(t Entry) bool { return slices.Contains(t.scripts, s) }) {
			return false
		}
	}
	return true
}

// locate returns Findings for a folder that contain only its location, without any entries.
func locate(folder string) (Findings, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return Findings{}, err
	}
	return findingsIn(real), nil
}

// nameIn returns the path of a file in the form of Entry.File, or "" if the file isn't
// in the repository.
func nameIn(found Findings, file string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	for up := filepath.Dir(file); errors.Is(err, fs.ErrNotExist) && filepath.Dir(up) != up; { // the edit creates the folder
		rest, _ := filepath.Rel(filepath.Dir(up), filepath.Dir(file))
		up = filepath.Dir(up)
		if dir, err = filepath.EvalSymlinks(up); err == nil {
			dir = filepath.Join(dir, rest)
		}
	}
	if err != nil {
		return ""
	}
	file = filepath.Join(dir, filepath.Base(file))
	if found.Common != "" && found.Common != found.Root {
		if rel, err := filepath.Rel(found.Common, file); err == nil && filepath.IsLocal(rel) {
			return ".git/" + filepath.ToSlash(rel)
		}
	}
	if rel, err := filepath.Rel(found.Root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return ""
}

// plain returns the content of a file, or nil if the file doesn't exist. It returns an error if the file isn't regular,
// is larger than maxFile or can't be read.
func plain(found Findings, name string) ([]byte, error) {
	r := openReader(found)
	defer r.close()
	root, name := r.at(name)
	if root == nil {
		return nil, errNotRegular
	}
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(body) > maxFile {
		err = errNotRegular
	}
	if body == nil {
		body = []byte{}
	}
	return body, err
}
