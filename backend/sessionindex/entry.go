package sessionindex

import (
	"cmp"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// entry holds the known properties of a session. Its exported part is stored in the cache. Index.mu protects the entry.
type entry struct {
	Known

	id        string
	holder    *backend.SessionHolder
	isHead    bool // the description is based only on the start of the log
	hasClaim  bool // a process may have the session open
	checked   bool // the claims have been read since the folder changed
	noFolder  bool
	chatID    string
	temporary bool   // belongs to VoxPilot and isn't listed
	search    string // text that searches match, in lower case; "" if it must be built
	seen      *pass  // the last pass that found the session
}

// Known holds the properties of a session that were read from its files.
type Known struct {
	Stamp       sessionfiles.Stamp       `json:"stamp"`
	Description sessionfiles.Description `json:"description"`
	// Described is the state of the log when the session was described.
	Described sessionfiles.FileStamp `json:"described"`
	// Scan is the result of reading the log, Scanned the state of the log at that time, and First and Last are messages
	// that are too far from the start and the end of the log to be in the description.
	Scan    *sessionfiles.Scan     `json:"scan,omitempty"`
	Scanned sessionfiles.FileStamp `json:"scanned"`
	First   string                 `json:"first,omitempty"`
	Last    string                 `json:"last,omitempty"`
	// Part is the result of reading a part of the log, and PartOf the state of the log at that time.
	Part   *sessionfiles.Scan     `json:"part,omitempty"`
	PartOf sessionfiles.FileStamp `json:"partOf,omitzero"`
}

// needsDescription reports whether the session must be described again.
func (k *Known) needsDescription() bool { return k.Described != k.Stamp.Log }

// needsScan reports whether the log must be read.
func (k *Known) needsScan() bool { return k.Stamp.Log.Size > 0 && k.Scanned != k.Stamp.Log }

// readSoFar returns the part of the log that needn't be read again.
func (k *Known) readSoFar() sessionfiles.Scan {
	switch now := k.Stamp.Log; {
	case k.Part != nil && (now == k.PartOf || now.Size > k.PartOf.Size):
		return *k.Part
	case k.Scan != nil && now.Size > k.Scanned.Size:
		return *k.Scan
	}
	return sessionfiles.Scan{} // another log, or one that was changed in its known part
}

// isListed reports whether the session appears in the list: the user has sent a message in it. If the log is damaged, a
// name that the CLI chose proves this, because the CLI takes it from the first message.
func (e *entry) isListed() bool {
	d := &e.Description
	hasMessage := d.HasMessage || e.Scan != nil && e.Scan.Users > 0 || d.Name != "" && !d.NamedByUser && e.holder == nil
	return hasMessage && !e.temporary
}

// damage returns the damage that prevents the CLI from loading the session, as far as it is known.
func (e *entry) damage() backend.SessionDamage {
	switch {
	case e.Stamp.Log.Size <= 0:
		return backend.DamageEmpty
	case e.Scan != nil && e.Scan.Damage() != backend.DamageNone:
		return e.Scan.Damage()
	case e.Description.BadWorkspace:
		return backend.DamageMetadata
	}
	return backend.DamageNone
}

// maxTitle is the maximum size in bytes of a last message in the list, and of a first one that is a title.
const maxTitle = 200

func (e *entry) title() string {
	return cmp.Or(e.Description.Title(), excerpt.FirstLine(e.First, maxTitle))
}

// last returns the user's last message, or "" if unknown.
func (e *entry) last() string { return cmp.Or(e.Description.Last, e.Last) }

// updatedAt returns the time of the last event or, if unknown, of the last change to the log or the folder.
func (e *entry) updatedAt() backend.Millis {
	return cmp.Or(e.Description.Updated, backend.Millis(max(e.Stamp.Log.Time, 0)/1e6), backend.Millis(max(e.Stamp.Folder, 0)/1e6))
}

// row returns the session as the page shows it.
func (e *entry) row(h *home) backend.CLISession {
	d := &e.Description
	s := backend.CLISession{
		ID: e.id, Home: h.name, Title: e.title(), Folder: d.Folder, FolderMissing: e.noFolder, Branch: d.Branch,
		Last: excerpt.FirstLine(e.last(), maxTitle), Model: d.Model, CreatedAt: d.Created, UpdatedAt: e.updatedAt(),
		Size: max(e.Stamp.Log.Size, 0), Messages: -1, Damage: e.damage(), Holder: e.holder, ChatID: e.chatID,
	}
	if e.Scan != nil {
		s.Messages = e.Scan.Messages()
	}
	if e.Stamp.Log.Size <= 0 {
		s.Messages = 0
	}
	return s
}

func sortNewestFirst(list []backend.CLISession) {
	slices.SortFunc(list, func(a, b backend.CLISession) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), strings.Compare(a.ID, b.ID), strings.Compare(a.Home, b.Home))
	})
}
