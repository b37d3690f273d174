package trust

import (
	"context"
	"io"
	"net/url"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

var (
	errNoRequest = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This request is no longer open.")}
	errChanged   = backend.Invalid("The folder has changed. Review it again.")
)

// request builds the trust request for the folder with the given key. The request covers all agent starts that are
// waiting for the user's decision about the folder. There must be at least one such start, and the caller must hold
// m.mu.
func (m *Manager) request(key string) *backend.TrustRequest {
	waits := m.waitsFor(key)
	first := waits[0]
	r := &backend.TrustRequest{
		Key: key, Folder: first.by.Folder, Root: first.findings.Root, Agent: first.by.Agent,
		From: first.from, ClonedAt: first.clonedAt, Runs: []backend.TrustEntry{}, Steers: []backend.TrustEntry{},
	}
	for _, w := range waits {
		if !slices.Contains(r.ChatIDs, w.by.ChatID) {
			r.ChatIDs = append(r.ChatIDs, w.by.ChatID)
		}
		r.Changed = r.Changed || w.known
		r.Incomplete = r.Incomplete || w.findings.Incomplete
		for _, e := range w.steers {
			if !slices.ContainsFunc(r.Steers, func(o backend.TrustEntry) bool { return o.File == e.File }) {
				r.Steers = append(r.Steers, e)
			}
		}
	}
	all := union(waits)
	r.ID = listOf(key, r.Incomplete, all)
	for _, f := range all {
		r.Runs = append(r.Runs, f.display)
	}
	r.Runs, r.MoreRuns = bounded(r.Runs)
	r.Steers, r.MoreSteers = bounded(r.Steers)
	return r
}

func (m *Manager) waitsFor(key string) (waits []*waitingStart) {
	for _, w := range m.waiting {
		if w.key == key {
			waits = append(waits, w)
		}
	}
	return waits
}

func bounded(all []backend.TrustEntry) (listed []backend.TrustEntry, more int) {
	n := min(len(all), maxListed)
	return all[:n:n], len(all) - n
}

func same(a, b *backend.TrustRequest) bool { return reflect.DeepEqual(a, b) }

// Trust records that the user trusts exactly the content shown in the request with the given ID, and lets the
// waiting agents start. If the request is incomplete, Trust records nothing, and each waiting chat's agent may
// start once. Trust returns CodeNotFound if there is no such request, and CodeInvalid if the folder has changed in
// the meantime; a new request is then published.
func (m *Manager) Trust(ctx context.Context, id string) error {
	return m.decide(ctx, id, func(key string, r *backend.TrustRequest, waits []*waitingStart) error {
		if r.Incomplete {
			m.mu.Lock()
			defer m.mu.Unlock()
			for _, w := range waits {
				m.passes[w.by.ChatID] = &temporaryPass{key: key, list: w.list()}
			}
			return nil
		}
		folder := backend.TrustedFolder{Key: key, Folder: r.Root, TrustedAt: backend.Now()}
		for _, f := range union(waits) {
			folder.Add = append(folder.Add, m.entry(f.Entry))
		}
		return m.cfg.Commit(ctx, backend.Event{TrustedFolder: &folder})
	})
}

// errIncomplete is returned for a folder whose untrusted content isn't completely known.
var errIncomplete = backend.Invalid("VoxPilot couldn't read the whole folder, so it can't keep all code in it from running.")

// OpenWithoutRunning lets the agents waiting for the request with the given ID start, but trusts nothing in the folder.
// It first calls the function mask, which must record that the agents' chats start without the folder's code. If mask
// fails, no agent starts. The other errors are those of Trust, plus CodeInvalid if the folder couldn't be read
// completely.
func (m *Manager) OpenWithoutRunning(ctx context.Context, id string, mask func(chatIDs []string) error) error {
	return m.decide(ctx, id, func(_ string, r *backend.TrustRequest, _ []*waitingStart) error {
		if r.Incomplete {
			return errIncomplete
		}
		return mask(r.ChatIDs)
	})
}

// decide calls the function do for the request with the given ID, and then lets the waiting agents start. It does this
// only if the folder is still as shown in the request. Its errors are those of Trust and those of do.
func (m *Manager) decide(ctx context.Context, id string, do func(key string, r *backend.TrustRequest, waits []*waitingStart) error) error {
	m.checking.Lock()
	defer m.checking.Unlock()
	m.mu.Lock()
	key := ""
	for k, r := range m.requests {
		if r.ID == id {
			key = k
		}
	}
	_, replaced := m.replaced[id]
	m.mu.Unlock()
	switch {
	case replaced:
		return errChanged
	case key == "":
		return errNoRequest
	}
	freed := m.recheck(ctx, key, Starter{})
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	waits := m.waitsFor(key)
	if len(waits) == 0 { // nothing is left to decide
		m.mu.Unlock()
		m.republish()
		m.releaseChats(key, freed)
		return nil
	}
	r := m.request(key)
	m.mu.Unlock()
	if r.ID != id {
		m.republish()
		m.releaseChats(key, freed)
		return errChanged
	}
	if err := do(key, r, waits); err != nil {
		return err
	}
	m.mu.Lock()
	for _, w := range waits {
		freed = append(freed, w.by.ChatID)
	}
	m.waiting = slices.DeleteFunc(m.waiting, func(w *waitingStart) bool { return slices.Contains(waits, w) })
	m.mu.Unlock()
	m.republish()
	m.releaseChats(key, freed)
	return nil
}

// Forget revokes the user's trust in the folder with the given key. Running agents aren't affected. It
// returns CodeNotFound if the folder isn't trusted.
func (m *Manager) Forget(ctx context.Context, key string) error {
	m.checking.Lock()
	defer m.checking.Unlock()
	if _, known, err := m.cfg.Trusted(ctx, key); err != nil || !known {
		if err == nil {
			err = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This folder is no longer trusted.")}
		}
		return err
	}
	return m.cfg.Commit(ctx, backend.Event{TrustedFolderDeleted: &backend.Deleted{ID: key}})
}

var scpLike = regexp.MustCompile(`^(?:[^@/:]+@)?([^/:@]{2,}):(.+)$`)

// hostAndPath returns the host and path of a remote's URL, without user name and password, or "" if the
// remote is local.
func hostAndPath(address string) string {
	host, at := "", ""
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, at = u.Host, u.Path
	} else if m := scpLike.FindStringSubmatch(address); m != nil && !strings.Contains(address, "://") && !strings.Contains(m[2], "@") {
		host, at = m[1], m[2]
	}
	if host == "" {
		return ""
	}
	text := host + "/" + strings.TrimPrefix(strings.TrimSuffix(at, ".git"), "/")
	return clip(strings.TrimSuffix(text, "/"), 300)
}

// Text is the text of a file listed in a request.
//
//tsgen:name TrustText
type Text struct {
	Text string `json:"text"`
	Size int64  `json:"size"` // size of the whole file in bytes
	Cut  bool   `json:"cut"`  // Text is truncated
}

// maxText is the maximum number of bytes that are shown of a file.
const maxText = 256 << 10

// Read returns the current content of a file listed in the request with the given ID, at most maxText bytes of it. It
// doesn't follow links out of the repository.
func (m *Manager) Read(id, file string) (Text, error) {
	unread := &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Couldn't read the file. It may have been moved or deleted, or a symbolic link in its path may lead outside the folder.")}
	found, name := m.listed(id, file)
	if name == "" {
		return Text{}, errNoRequest
	}
	r := openReader(found)
	defer r.close()
	root, name := r.at(name)
	if root == nil {
		return Text{}, unread
	}
	f, err := root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		unread.Detail = err.Error()
		return Text{}, unread
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return Text{}, unread
	}
	body, err := io.ReadAll(io.LimitReader(f, maxText))
	if err != nil {
		unread.Detail = err.Error()
		return Text{}, unread
	}
	return Text{Text: valid(string(body)), Size: max(info.Size(), int64(len(body))), Cut: info.Size() > int64(len(body))}, nil
}

// listed returns the inventory that contains a file listed in the request with the given ID, and the file's name in
// that inventory. The name is "" if the file isn't listed.
func (m *Manager) listed(id, file string) (found Findings, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, r := range m.requests {
		shown := func(e backend.TrustEntry) bool { return e.File == file }
		if r.ID != id || !slices.ContainsFunc(r.Runs, shown) && !slices.ContainsFunc(r.Steers, shown) {
			continue
		}
		for _, w := range m.waitsFor(key) {
			for _, e := range slices.Concat(w.findings.Entries, w.findings.Steers) {
				if valid(e.File) == file {
					return w.findings, e.File
				}
			}
		}
	}
	return Findings{}, ""
}

// reader reads files listed in an inventory. It can't read anything outside the repository's work tree and git
// directory.
type reader struct {
	work, git *os.Root // nil if missing
	bare      bool
}

func openReader(f Findings) *reader {
	r := &reader{bare: f.Common != "" && f.Common == f.Root}
	r.work, _ = os.OpenRoot(f.Root) // without it, nothing is known about the files
	if f.Common != "" {
		r.git, _ = os.OpenRoot(f.Common)
	}
	return r
}

func (r *reader) close() {
	for _, root := range []*os.Root{r.work, r.git} {
		if root != nil {
			_ = root.Close() // opened read-only
		}
	}
}

// at returns the root directory that contains a file listed in the inventory, and the file's name in that directory.
// The root is nil if it couldn't be opened.
func (r *reader) at(file string) (root *os.Root, name string) {
	if in, ok := strings.CutPrefix(file, ".git/"); ok && !r.bare {
		return r.git, in
	}
	return r.work, file
}

// stat sets the size and the modification time of the entry's file.
func (r *reader) stat(e *backend.TrustEntry) {
	root, name := r.at(e.File)
	if root == nil {
		return
	}
	if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
		e.Size, e.ChangedAt = info.Size(), backend.Millis(info.ModTime().UnixMilli())
	}
}

// read returns the content of a file in the git directory, or nil if the file is larger than maxFile or can't be read.
func (r *reader) read(name string) []byte {
	if r.git == nil {
		return nil
	}
	info, err := r.git.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	body, err := r.git.ReadFile(name)
	if err != nil {
		return nil
	}
	return body
}

// origin returns the host and path from which the repository was cloned, and the time of cloning, or "" and 0 if they
// aren't known. The time is the modification time of a file that git creates when cloning and never changes.
func (r *reader) origin() (from string, at backend.Millis) {
	settings, _ := parseConfig(string(r.read("config"))) // an unreadable file has no settings
	for _, s := range settings {
		if s.section == "remote" && s.sub == "origin" && s.variable == "url" {
			from = hostAndPath(s.value)
		}
	}
	if from == "" {
		return "", 0
	}
	for _, name := range []string{"description", path.Join("info", "exclude")} {
		if info, err := r.git.Stat(name); err == nil {
			return from, backend.Millis(info.ModTime().UnixMilli())
		}
	}
	return from, 0
}
