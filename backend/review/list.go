package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// side is the state of a file on one side of a comparison.
type side struct {
	kind    snapshot.Kind   // None, File, Link, or Unknown if the content isn't available
	reason  snapshot.Reason // the reason why kind is Unknown
	mode    string          // as git writes it; "" if the file doesn't exist
	perm    uint32          // permissions
	size    int64           // in bytes; 0 for an object in git that hasn't been read
	blob    string          // hash of the content in git, or ""
	hash    snapshot.Hash   // hash of the content in the snapshots; not used if blob is set
	commit  string          // hash of the commit, for a submodule
	encoded bool            // git stores the file in another form than on disk (measure.encoded)
	stamp   string          // size and time of a file on disk whose content isn't available, or ""
	crlf    bool            // git's content is compared with CR LF line endings, as the file on disk has them
}

func (s side) exists() bool { return s.kind != snapshot.None }

// id returns a string that identifies the side's content and mode.
func (s side) id() string {
	content := s.blob + s.commit + string(s.reason) + s.stamp
	if content == "" && s.exists() {
		content = s.hash.String()
	}
	return s.mode + " " + content
}

// gitSide returns the side for an object in git with the given mode and hash. If mode is "", the file doesn't exist.
func gitSide(mode, blob string) side {
	s := side{mode: mode, blob: blob, kind: snapshot.File, perm: 0o644}
	switch mode {
	case "":
		return side{}
	case "120000":
		s.kind = snapshot.Link
	case "100755":
		s.perm = 0o755
	case submoduleMode:
		s.blob, s.commit = "", blob
	}
	return s
}

// storedSide returns the side for a file in a snapshot. If trusted is the mode of a regular file in git, it takes
// precedence over the snapshot's, except for a link.
func storedSide(e snapshot.Entry, trusted string) side {
	s := side{kind: e.Kind, reason: e.Reason, perm: e.Mode, size: e.Size, hash: e.Hash, mode: "100644"}
	switch {
	case e.Kind == snapshot.None || e.Kind == snapshot.Dir:
		return side{}
	case e.Kind == snapshot.Link:
		s.mode = "120000"
	case strings.HasPrefix(trusted, "100"):
		s.mode = trusted
	case e.Mode&0o100 != 0:
		s.mode = "100755"
	}
	return s
}

// file is a changed file with both sides.
type file struct {
	backend.ReviewFile
	index string // hash of the content in the index, if it differs from the old side
	// removed states whether the removal of a moved file's old path is staged.
	removed backend.ReviewStaged
	// conflicted reports whether the file had conflicts and the merge isn't committed yet. Such a file is listed even if
	// its sides are equal.
	conflicted bool
	old, new   side
}

// version returns a hash of both sides. It changes whenever one of the sides does (backend.ReviewFile.Version).
func (f file) version() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Path, f.From, f.old.id(), f.new.id()}, "\x00")))
	return hex.EncodeToString(sum[:10])
}

// list holds the changed files of a source.
type list struct {
	chat         backend.Chat
	source       string
	st           *snapshot.Store
	repo         *repository // nil if the folder isn't in a repository
	onDisk       bool        // the new side is the disk
	files        []file      // by path
	total        int
	partial      bool // some files haven't been compared
	from, to     string
	message      backend.Message
	nested       backend.Message // names the repositories inside the folder that have uncommitted changes
	fileVersions string
	like         string                       // hash of any object in git, or "" if files on disk aren't compared with git
	attributes   map[string]map[string]string // git attributes of the files, by path and attribute
}

// find returns the file with a path as the page has received it (backend.ShownPath), or false if there is none or more
// than one.
func (l *list) find(path string) (f file, ok bool) {
	if i, ok := slices.BinarySearchFunc(l.files, path, func(f file, path string) int { return cmp.Compare(f.Path, path) }); ok {
		return l.files[i], true
	}
	if !strings.ContainsRune(path, utf8.RuneError) {
		return file{}, false
	}
	for _, other := range l.files {
		if backend.ShownPath(other.Path) != path {
			continue
		}
		if ok {
			return file{}, false
		}
		f, ok = other, true
	}
	return f, ok
}

// list determines the changed files of a source.
func (m *Manager) list(ctx context.Context, q Request) (*list, error) {
	chat, err := m.cfg.Chat(q.ChatID)
	if err != nil {
		return nil, err
	}
	st, err := m.cfg.Undo.Snapshots().Open(chat.ID, chat.Folder)
	if err != nil {
		return nil, unreadable(err)
	}
	l := &list{chat: chat, source: q.Source, st: st, repo: m.repositoryOf(chat.Folder)}
	kind, id, _ := strings.Cut(q.Source, ":")
	switch {
	case q.Source == "chat":
		err = m.chatChanges(ctx, l)
	case kind == "turn":
		err = m.turnChanges(ctx, l, id)
	case l.repo == nil && slices.Contains([]string{"working", "base", "commit"}, kind):
		l.message = m.whyNoRepository(chat.Folder)
	case q.Source == "working":
		err = m.workingChanges(ctx, l)
	case q.Source == "base":
		err = m.baseChanges(ctx, l)
	case kind == "commit" && isHash(id):
		err = l.commitChanges(ctx, id)
	default:
		err = backend.Invalid("Unknown source %s.", q.Source)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(l.files, func(a, b file) int { return cmp.Compare(a.Path, b.Path) })
	all := len(l.files)
	l.files = l.files[:min(all, 4*backend.MaxReviewFiles)] // it would take too long to search more of them for moved files
	unread := all - len(l.files)
	if q.First > 0 && l.isCertain() {
		err = m.measureFirst(ctx, l, q)
	} else {
		err = m.measure(ctx, l, q)
	}
	if err != nil {
		return nil, err
	}
	if l.total = len(l.files) + unread; l.total > backend.MaxReviewFiles {
		l.files = l.files[:backend.MaxReviewFiles]
		l.note(backend.Say("Only the first %s of %s files are listed.", backend.GroupDigits(backend.MaxReviewFiles), backend.GroupDigits(l.total)))
	}
	if len(l.files) == 0 && l.message.IsZero() {
		l.message = backend.Say("No files have changed.")
	}
	sum := sha256.New()
	for _, f := range l.files {
		fmt.Fprintln(sum, f.Version, f.Index, f.Unmerged)
	}
	l.fileVersions = hex.EncodeToString(sum.Sum(nil)[:10])
	return l, nil
}

// whyNoRepository returns the reason why repositoryOf returns nil for a folder.
func (m *Manager) whyNoRepository(folder string) backend.Message {
	at := workspace.FindRepository(workspace.WithoutLinks(folder))
	switch {
	case at.Dir == "":
		return backend.Say("This folder isn't in a Git repository.")
	case at.Dir == at.Root:
		return backend.Say("This is a bare repository. It has no files to commit.")
	}
	return backend.Say("Git isn't installed, or isn't in your PATH.")
}

// note adds a sentence to the list's message.
func (l *list) note(text backend.Message) { l.message = backend.Sentences(l.message, text) }

func unreadable(err error) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the files."), Detail: backend.AsError(err).Detail}
}

// record takes a snapshot of the chat's folder and returns its ID.
func (m *Manager) record(ctx context.Context, chat backend.Chat) (string, error) {
	id, err := m.cfg.Undo.Record(ctx, chat)
	if err != nil {
		return "", unreadable(err)
	}
	return id, nil
}

// chatChanges lists the changes of a chat. These are the changes since the chat's first snapshot that is still stored.
func (m *Manager) chatChanges(ctx context.Context, l *list) error {
	undos, err := m.cfg.Store.TurnUndos(ctx, l.chat.ID)
	if err != nil {
		return err
	}
	l.onDisk = true
	isCut := false
	for _, u := range undos {
		if u.Before == "" {
			continue
		}
		if !has(l.st, u.Before) {
			isCut = true
			continue
		}
		if isCut {
			l.noteExpired(ctx, m, u.TurnID)
		}
		now, err := m.record(ctx, l.chat)
		if err != nil {
			return err
		}
		return l.addStored(u.Before, now)
	}
	if l.message = backend.Say("VoxPilot has no saved changes for this chat."); isCut {
		l.message = backend.Say("This chat's changes are no longer stored.")
	}
	return nil
}

// has reports whether a snapshot still exists. Snapshots are removed after some time.
func has(st *snapshot.Store, id string) bool {
	_, err := st.Entry(snapshot.ID(id), "x")
	return err == nil
}

// noteExpired adds to the list's message that changes before a turn are missing.
func (l *list) noteExpired(ctx context.Context, m *Manager, turnID string) {
	if turn, err := m.cfg.Store.Turn(ctx, turnID); err == nil && turn.StartedAt > 0 {
		l.note(backend.Say("Changes before %s are no longer stored.", time.UnixMilli(int64(turn.StartedAt)).Format("2006-01-02 15:04")))
		return
	}
	l.note(backend.Say("This chat's earlier changes are no longer stored."))
}

// turnChanges lists the changes of a turn. For a turn that is still running, these are its changes so far.
func (m *Manager) turnChanges(ctx context.Context, l *list, turnID string) error {
	undos, err := m.cfg.Store.TurnUndos(ctx, l.chat.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(undos, func(u backend.TurnUndo) bool { return u.TurnID == turnID })
	if i < 0 || undos[i].Before == "" {
		l.message = backend.Say("VoxPilot has no saved changes for this message.")
		return nil
	}
	after := undos[i].After
	if after == "" && undos[i].State == backend.UndoRecording {
		l.onDisk = true
		if after, err = m.record(ctx, l.chat); err != nil {
			return err
		}
	}
	if after == "" {
		l.message = backend.Say("VoxPilot has no saved changes for this message.")
		return nil
	}
	if !has(l.st, undos[i].Before) || !has(l.st, after) {
		l.message = backend.Say("This message's changes are no longer stored.")
		return nil
	}
	return l.addStored(undos[i].Before, after)
}

// addStored adds the files that differ between the snapshots with the given IDs.
func (l *list) addStored(before, after string) error {
	items, err := l.st.Changes(snapshot.ID(before), snapshot.ID(after))
	if err != nil {
		return unreadable(err)
	}
	left := 0
	for _, it := range items {
		if it.State == snapshot.Omitted {
			left++
			continue
		}
		l.add(file{old: storedSide(it.Before, ""), new: storedSide(it.After, "")}, it.Path)
	}
	if left > 0 {
		l.note(backend.Count(left, "VoxPilot kept no copy of 1 file, so it isn't listed.", "VoxPilot kept no copies of %d files, so they aren't listed."))
	}
	return nil
}

// add adds a file, unless its two sides are equal and it had no conflicts.
func (l *list) add(f file, path string) {
	if f.old.id() == f.new.id() && !f.conflicted {
		return
	}
	f.Path = path
	l.files = append(l.files, f)
}

// commitChanges lists the changes of a commit since its first parent.
func (l *list) commitChanges(ctx context.Context, name string) error {
	out, err := l.repo.run(ctx, nil, "rev-list", "--parents", "-n", "1", "--end-of-options", name)
	commits := strings.Fields(string(out))
	if err != nil || len(commits) == 0 {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The commit %s doesn't exist.", name), Detail: backend.MessageOf(err).String()}
	}
	args := []string{"diff-tree", "-r", "--no-commit-id", "--root", commits[0]}
	if len(commits) > 1 {
		args = []string{"diff-tree", "-r", commits[1], commits[0]}
		l.from = short(commits[1])
	}
	l.to = short(commits[0])
	changes, err := l.repo.changes(ctx, nil, args...)
	for _, c := range changes {
		l.add(file{old: gitSide(c.oldMode, c.old), new: gitSide(c.newMode, c.new)}, c.path)
	}
	return err
}

func short(commit string) string { return commit[:min(len(commit), 7)] }
