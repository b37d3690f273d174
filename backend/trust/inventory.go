package trust

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Entry is something that can run code or make an agent ask for permission less often.
// In Findings.Steers, it is an instruction file.
type Entry struct {
	Location string `json:"place"` // Location.ID, or the ID of one of git's locations
	File     string `json:"file"`  // with slashes, relative to the repository's root; starts with ".git/" in a git directory
	Key      string `json:"key"`   // such as "hooks.sessionStart" or "core.fsmonitor"; "" for a whole file
	Value    string `json:"value"` // the code it would run, at most maxValue bytes; for NoteLink, the link's target
	Note     Note   `json:"note,omitempty"`
	Digest   string `json:"digest"` // of the whole value and the repository files that it names

	rawValue string   // digest of the whole value only
	scripts  []script // repository files that it names
}

// Note is the reason why an entry doesn't show the code that it would run.
type Note string

// The possible notes.
const (
	NoteLarge  Note = "large"  // the file is too large to show
	NoteLink   Note = "link"   // a link that leads out of the repository and isn't followed
	NoteUnread Note = "unread" // it exists but can't be read
)

// Is reports whether both entries have the same file, key and content.
func (e Entry) Is(other Entry) bool {
	return e.File == other.File && e.Key == other.Key && e.Digest == other.Digest
}

// AnswersRequests reports whether the entry may answer an agent's requests on the user's behalf, or make the agent ask
// less often. It returns true for an entry whose content isn't known.
func (e Entry) AnswersRequests() bool {
	key, value := strings.ToLower(e.Key), strings.ToLower(e.Value)
	for _, sign := range []string{"pretooluse", "permission", "allowed", "approve", "trust", "beforetool", "yolo"} {
		if strings.Contains(key, sign) {
			return true
		}
	}
	return e.Key == "" && (strings.Contains(value, "hooks:") || strings.Contains(value, "allowed-tools") || strings.Contains(value, "permission")) || e.Note != ""
}

// Findings is the inventory of a folder.
type Findings struct {
	Folder  string  // the chat's folder, with symlinks resolved
	Root    string  // the repository's root; Folder if there is no repository
	Common  string  // git directory shared by all worktrees of the repository; "" if there is none
	Entries []Entry // can run code or make an agent ask less; in a stable order
	Steers  []Entry // instruction files
	// Incomplete is true if a limit, such as the time limit, prevented reading everything.
	Incomplete bool
}

// Limits of an inventory.
const (
	maxTime    = 5 * time.Second
	maxFiles   = 5_000    // files that are read
	maxBytes   = 64 << 20 // bytes of all files
	maxFile    = 1 << 20  // bytes of a file that is read for its entries; a larger file gets only a digest
	maxDepth   = 16       // levels of nested folders
	maxValue   = 2_000    // bytes of Entry.Value
	maxEntries = 10_000
)

// Inventory returns the entries that the agents would read in the folder and in its parents up to the repository's
// root. It runs no code, and opens no file outside the repository and its git directory.
func Inventory(ctx context.Context, folder string, agents AgentSet) (Findings, error) {
	return inventory(ctx, folder, agents, nil)
}

// inventory is like Inventory, but assumes other content for the files listed in the map called instead. The keys of
// the map have the form of Entry.File. A nil value means that the file doesn't exist.
func inventory(ctx context.Context, folder string, agents AgentSet, instead map[string][]byte) (Findings, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	real, err := filepath.EvalSymlinks(folder)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return Findings{Folder: folder}, err
	}
	repo := workspace.FindRepository(real)
	f := findingsIn(real)
	w := &walker{ctx: ctx, findings: &f, instead: instead}
	root, err := os.OpenRoot(repo.Root)
	if err != nil {
		return f, err
	}
	defer root.Close()
	work := &tree{walker: w, root: root}
	for _, level := range levels(repo.Root, real) {
		work.level = level
		absent := work.absent(level)
		for _, p := range Locations {
			if p.Agents&agents != 0 && !absent(p) {
				work.scan(p, path.Join(level, p.Path))
			}
		}
	}
	if repo.Common != "" {
		w.git(work, repo)
	}
	order := func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Digest, b.Digest))
	}
	slices.SortStableFunc(f.Entries, order)
	f.Entries = slices.CompactFunc(f.Entries, Entry.Is)
	slices.SortStableFunc(f.Steers, order)
	f.Steers = slices.CompactFunc(f.Steers, Entry.Is)
	f.Incomplete = f.Incomplete || ctx.Err() != nil
	return f, nil
}

// findingsIn returns an inventory without entries. The parameter real is the path of the folder, without symlinks.
func findingsIn(real string) Findings {
	repo := workspace.FindRepository(real)
	return Findings{Folder: real, Root: repo.Root, Common: repo.Common}
}

// levels returns the chat's folder and its parents up to the root, in that order, as slash-separated
// paths relative to the root.
func levels(root, folder string) []string {
	rel, err := filepath.Rel(root, folder)
	if err != nil || !filepath.IsLocal(rel) {
		return []string{"."}
	}
	at := filepath.ToSlash(rel)
	out := []string{at}
	for at != "." {
		at = path.Dir(at)
		out = append(out, at)
	}
	return out
}

// walker enforces the limits of an inventory and collects its results.
type walker struct {
	ctx      context.Context //nolint:containedctx // of one call of Inventory
	findings *Findings
	files    int   // number of files read so far
	bytes    int64 // total size of what was read so far
	// instead maps the names of files, as in Entry.File, to content that is used in place of theirs.
	instead map[string][]byte
}

// full reports whether a limit has been reached. If so, it sets Incomplete.
func (w *walker) full() bool {
	if w.ctx.Err() != nil || w.files >= maxFiles || w.bytes >= maxBytes || len(w.findings.Entries) >= maxEntries {
		w.findings.Incomplete = true
		return true
	}
	return false
}

// add adds an entry for a key in a file. The parameter value is the text shown to the user, and raw is the complete
// value, from which the digest is computed.
func (t *tree) add(p Location, file, key, value, raw string) {
	h := sha256.New()
	part := func(s string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	part(key)
	part(raw)
	own := hex.EncodeToString(h.Sum(nil))
	var named []script
	if !p.Steers && p.Read != ReadWhole {
		named = t.scripts(file, value)
	}
	for _, script := range named {
		part(script.name)
		part(script.sum)
	}
	e := Entry{Location: p.ID, File: t.prefix + file, Key: clip(key, 200), Value: clip(value, maxValue), Digest: hex.EncodeToString(h.Sum(nil)), rawValue: own, scripts: named}
	if p.Steers {
		t.findings.Steers = append(t.findings.Steers, e)
		return
	}
	t.findings.Entries = append(t.findings.Entries, e)
}

// note adds an entry for a file whose content isn't shown.
func (t *tree) note(p Location, file string, note Note, value, raw string) {
	all := &t.findings.Entries
	if p.Steers {
		all = &t.findings.Steers
	}
	t.add(Location{ID: p.ID, Steers: p.Steers}, file, "", value, string(note)+"\x00"+raw)
	(*all)[len(*all)-1].Note = note
}

func clip(s string, limit int) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if len(s) <= limit {
		return s
	}
	return excerpt.Head(s, limit) + "…"
}
