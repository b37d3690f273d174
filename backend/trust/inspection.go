package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// inspection is the result of comparing a folder's content with the entries that the user trusts.
type inspection struct {
	key        string // see keyOf
	findings   Findings
	known      bool       // the user has trusted the folder before
	newEntries []newEntry // untrusted entries
	// steers holds the instruction files in the form shown to the user.
	steers   []backend.TrustEntry
	from     string         // host and path that the repository was cloned from; "" if unknown
	clonedAt backend.Millis // 0 if unknown
}

// newEntry holds an untrusted entry and the form in which it is shown to the user.
type newEntry struct {
	Entry
	display backend.TrustEntry
}

// maxListed is the maximum number of entries, and of instruction files, listed in a request.
const maxListed = 200

// inspect takes the inventory of the starter's folder and compares it with the trusted
// entries. It returns an error if the folder doesn't exist or ctx has ended.
func (m *Manager) inspect(ctx context.Context, by Starter) (inspection, error) {
	found, err := Inventory(ctx, by.Folder, by.Agents)
	if ctx.Err() != nil {
		return inspection{}, ctx.Err()
	}
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return inspection{}, err
	default: // an agent might still find its files
		m.cfg.Log.Warn("couldn't inspect a folder", "folder", by.Folder, "err", err)
		if found.Root == "" {
			found.Root = found.Folder
		}
		found.Incomplete = true
		found.Entries = append(found.Entries, Entry{File: ".", Note: NoteUnread, Digest: "unread"})
	}
	l := inspection{key: keyOf(found), findings: found}
	trusted, known, err := m.cfg.Trusted(ctx, l.key)
	if err != nil {
		if ctx.Err() != nil {
			return inspection{}, ctx.Err()
		}
		m.cfg.Log.Error("couldn't read the trusted folders", "err", err)
		trusted, known = nil, false
	}
	l.known = known
	if !l.compare(trusted) && !found.Incomplete {
		return l, nil
	}
	r := openReader(found)
	defer r.close()
	for i := range l.newEntries[:min(len(l.newEntries), maxListed)] {
		r.stat(&l.newEntries[i].display)
	}
	for _, e := range found.Steers {
		l.steers = append(l.steers, backend.TrustEntry{File: valid(e.File), Note: string(e.Note)})
		if len(l.steers) <= maxListed {
			r.stat(&l.steers[len(l.steers)-1])
		}
	}
	l.from, l.clonedAt = r.origin()
	return l, nil
}

// compare collects the untrusted entries, each with the previously trusted value at the
// same location, and reports whether there are any.
func (l *inspection) compare(trusted []backend.TrustedEntry) bool {
	type place struct{ file, key string }
	type content struct {
		place
		digest string
	}
	of := func(e Entry) content { return content{place{e.File, e.Key}, e.Digest} }
	allowed, there := map[content]bool{}, map[content]bool{}
	for _, t := range trusted {
		allowed[content{place{t.File, t.Key}, t.Digest}] = true
	}
	for _, e := range l.findings.Entries {
		there[of(e)] = true
	}
	before := map[place][]string{} // trusted values that no longer exist, newest first
	for _, t := range trusted {
		if at := (place{t.File, t.Key}); !there[content{at, t.Digest}] {
			before[at] = append(before[at], t.Value)
		}
	}
	for _, e := range l.findings.Entries {
		c := of(e)
		if allowed[c] {
			continue
		}
		f := newEntry{e, backend.TrustEntry{File: valid(e.File), Key: valid(e.Key), Value: valid(e.Value), Note: string(e.Note)}}
		if was := before[c.place]; len(was) > 0 {
			f.display.Before, before[c.place] = valid(was[0]), was[1:]
		}
		l.newEntries = append(l.newEntries, f)
	}
	return len(l.newEntries) > 0
}

// list returns an ID for the untrusted content. The ID is a hash that depends on the folder's key, on the untrusted
// entries, and on whether the inventory is incomplete.
func (l inspection) list() string { return listOf(l.key, l.findings.Incomplete, l.newEntries) }

func listOf(key string, incomplete bool, all []newEntry) string {
	list := []any{key, incomplete}
	for _, f := range all {
		list = append(list, []string{hex.EncodeToString([]byte(f.File)), hex.EncodeToString([]byte(f.Key)), f.Digest})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func valid(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

// union returns the untrusted entries of all the given waiting starts, without duplicates.
func union(waits []*waitingStart) (all []newEntry) {
	seen := map[[3]string]bool{}
	for _, w := range waits {
		for _, f := range w.newEntries {
			if is := [3]string{f.File, f.Key, f.Digest}; !seen[is] {
				seen[is] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// keyOf returns the key under which trust in a folder is stored. It is the git directory that all worktrees share,
// provided that the repository's root is the main worktree or a worktree listed in that directory. Otherwise, it is the
// repository's root. A ".git" that only points to another repository's directory doesn't share that repository's trust.
func keyOf(f Findings) string {
	repo := workspace.FindRepository(f.Root)
	common, err := filepath.EvalSymlinks(repo.Common)
	own := filepath.Join(f.Root, ".git")
	if repo.Common != "" && err == nil && (common == own && repo.Dir == own || isWorktreeOf(repo)) {
		return common
	}
	return f.Root
}
