// Package snapshot records the files in chats' folders and restores them.
//
// It guarantees:
//
//   - Taking a snapshot changes none of the user's files and, in a repository, no object, ref, index or configuration.
//     Content is written to a store in VoxPilot's data folder, one per chat, which only the user can read. The store
//     doesn't depend on the repository, so removing the repository, or garbage collection in it, doesn't affect the
//     store.
//   - Content is stored byte for byte, without filters or conversion of line endings, under its SHA-256, which is
//     checked whenever the content is read.
//   - Apply changes only files that are exactly as recorded in the plan; a file that was changed meanwhile keeps its
//     content. It follows no link, and changes nothing in a .git, such as HEAD or the index.
//   - If the process ends during Apply, the next Open either removes all traces or completes the operation. If the
//     disk is full, nothing changes.
//
// A snapshot contains every file, link and folder except:
//
//   - Files that Git ignores because of .gitignore, .git/info/exclude or core.excludesFile, unless they are tracked. An
//     ignored file is still included if Keep was called for it. It is also included if the last snapshot contained it,
//     unless its folder is ignored as a whole and has more than maxSticky files.
//   - Git directories: every ".git", bare repositories, and everything in them.
//   - Files beyond the limits in Config, folders that are nested too deeply, files and folders that can't be read,
//     sockets, pipes and devices.
//   - VoxPilot's data folder, the folders of Config.Private, and the temporary files of Apply.
//
// A path that is left out is recorded as such, so that it isn't mistaken for one that didn't exist. For a file that is
// too large or can't be read, the size and time are recorded as well, so that a plan names the file if it changes. Only
// ".git", VoxPilot's data folder, the folders of Config.Private and the temporary files aren't recorded at all.
// Submodules and other nested repositories are treated like other folders, each with its own .gitignore files; the
// rules of the repository around them don't apply to them. Owners, extended attributes, times and hard links aren't
// restored.
package snapshot

import (
	"encoding/hex"
	"errors"
	"fmt"
)

// ID identifies a snapshot. Snapshots of equal content have equal IDs.
type ID string

// hash returns the hash of the snapshot's root.
func (id ID) hash() (h Hash, err error) {
	b, err := hex.DecodeString(string(id))
	if err != nil || len(b) != len(h) {
		return h, fmt.Errorf("snapshot %q: %w", string(id), ErrNotFound)
	}
	return Hash(b), nil
}

// Hash is the SHA-256 of a file's content, of a link's target or of an encoded folder.
type Hash [32]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// The errors of this package, for use with errors.Is.
var (
	// ErrNotFound is the error for a snapshot or content that isn't stored, for example because Sweep removed it.
	ErrNotFound = errors.New("not stored")
	// ErrDamaged is the error for stored content that was altered or lost in part.
	ErrDamaged = errors.New("damaged")
	// ErrTooManyFiles is the error for a folder with more than Config.MaxFiles files.
	ErrTooManyFiles = errors.New("too many files")
	// ErrGitDirectory is the error for a folder that is a Git directory, such as a bare repository.
	ErrGitDirectory = errors.New("the folder is a Git directory")
	// ErrPending is the error while an earlier Apply still has to be completed by Recover.
	ErrPending = errors.New("an earlier change to the files isn't complete")
)

// Kind is the kind of an entry, such as a file or a folder.
type Kind uint8

// The kinds of entries.
const (
	None Kind = iota // the path doesn't exist
	File
	Link
	Dir
	Unknown // the path was left out of the snapshot; Reason is the reason
)

// Reason is the reason why a path was left out of a snapshot or isn't restored.
type Reason string

// The reasons for leaving a path out of a snapshot.
const (
	Ignored    Reason = "ignored"    // Git's rules ignore it
	TooLarge   Reason = "large"      // it is larger than Config.MaxFile
	TooMuch    Reason = "much"       // the files up to and including it exceed Config.MaxTotal
	TooDeep    Reason = "deep"       // it is nested in more than maxDepth folders
	Unreadable Reason = "unreadable" // there is no permission to read it, or reading failed
	Special    Reason = "special"    // it is a socket, pipe or device
	GitDir     Reason = "git"        // it is a bare repository
)

// The reasons for not restoring a path.
const (
	Edited      Reason = "edited"      // its content was changed later
	ModeChanged Reason = "mode"        // only its mode was changed later
	Removed     Reason = "removed"     // it was removed later
	Created     Reason = "created"     // something was created there later
	FolderInWay Reason = "folder"      // a folder that must stay is in its place
	NotFolder   Reason = "notfolder"   // a file or link has replaced its folder
	Meanwhile   Reason = "meanwhile"   // it was changed after the plan was made
	NotStored   Reason = "notstored"   // its content is no longer stored, or is damaged
	NotWritable Reason = "notwritable" // the system didn't allow the change
)

// omissionReasons lists the reasons for leaving a path out. An encoded folder contains the index of a reason in this
// list.
var omissionReasons = []Reason{Ignored, TooLarge, TooMuch, TooDeep, Unreadable, Special, GitDir}

// Entry is the state of a path in a snapshot.
type Entry struct {
	Kind   Kind
	Mode   uint32 // permissions of a file or folder
	Size   int64  // in bytes; for a file, and for Unknown if the size was recorded
	Hash   Hash   // for a file, link or folder
	Reason Reason // for Unknown
}

// isFile reports whether the entry is a file or a link, and so has content.
func (e Entry) isFile() bool { return e.Kind == File || e.Kind == Link }

// equal reports whether two entries have the same kind and, if they are files or links, the same content and mode.
func (e Entry) equal(o Entry) bool {
	return e.Kind == o.Kind && (!e.isFile() || e.Hash == o.Hash && e.Mode == o.Mode)
}

// Omission is a path that isn't in a snapshot although Git doesn't ignore it.
type Omission struct {
	Path   string // relative, with slashes
	Reason Reason
	Size   int64 // in bytes; 0 if unknown
}

// Snapshot describes a snapshot that has been taken.
type Snapshot struct {
	ID           ID
	Files        int   // number of files, including links
	Bytes        int64 // total size of all files
	Omitted      []Omission
	OmittedCount int // number of omissions; Omitted contains the first maxOmitted of them
	Repositories []Repository
}

// Repository is a ".git", which isn't part of a snapshot.
type Repository struct {
	Path     string // relative to the chat's folder, with slashes
	ino, dev uint64 // 0 if unknown
}

// Is reports whether both are the same ".git", which may have been moved.
func (r Repository) Is(o Repository) bool { return r.ino == o.ino && r.dev == o.dev }

// maxOmitted is the maximum length of Snapshot.Omitted.
const maxOmitted = 1000
