package backend

// ReviewBusy is a Git operation with several steps that is in progress in a repository, such as a merge with
// conflicts.
type ReviewBusy string

// Git operations.
const (
	BusyRebase     ReviewBusy = "rebase"
	BusyMerge      ReviewBusy = "merge"
	BusyCherryPick ReviewBusy = "cherry-pick"
	BusyRevert     ReviewBusy = "revert"
	BusyBisect     ReviewBusy = "bisect"
)

// ReviewSources lists the sources of changes that the user can review in a chat's folder. Each source is identified by
// a string: "chat" for all changes since the chat's first snapshot, "turn:" plus a turn's ID for the changes of that
// turn, "working" for the changes since HEAD, "base" for the changes since the branch left its base branch, and
// "commit:" plus a full hash for the changes of that commit.
type ReviewSources struct {
	Repository bool       `json:"repository"`
	Branch     string     `json:"branch"` // name of the current branch; "" for a detached HEAD
	Base       string     `json:"base"`   // the base branch, such as "origin/main"; "" if there is none
	Detached   bool       `json:"detached"`
	Busy       ReviewBusy `json:"busy,omitempty"`
	// Ahead is the number of commits that are on the branch but not on its upstream. Behind is the number of commits
	// that are only on the upstream. If there is no upstream, both are relative to Base.
	Ahead    int                  `json:"ahead"`
	Behind   int                  `json:"behind"`
	Upstream string               `json:"upstream,omitempty"`
	Turns    []ReviewTurnSource   `json:"turns"`   // newest first, at most MaxReviewSources
	Commits  []ReviewCommitSource `json:"commits"` // commits of HEAD, newest first, at most MaxReviewSources
}

// MaxReviewSources is the maximum number of turns, and also the maximum number of commits, in ReviewSources.
const MaxReviewSources = 50

// ReviewTurnSource is a turn that changed files.
type ReviewTurnSource struct {
	ID      string `json:"id"`
	Text    string `json:"text"` // the start of the user's message
	At      Millis `json:"at"`
	Files   int    `json:"files"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// ReviewCommitSource is a commit whose changes the user can review.
type ReviewCommitSource struct {
	SHA     string `json:"sha"`
	Short   string `json:"short"`
	Subject string `json:"subject"`
	Author  string `json:"author"`
	At      Millis `json:"at"`
}

// ReviewDisk describes the files on disk, without their contents.
type ReviewDisk struct {
	State string `json:"state"` // changes whenever a file, the index or the checked-out commit does
}

// ReviewKind is the kind of change to a file.
type ReviewKind string

// Kinds of changes.
const (
	ReviewEdited    ReviewKind = "edited"
	ReviewAdded     ReviewKind = "added"
	ReviewRemoved   ReviewKind = "removed"
	ReviewMoved     ReviewKind = "moved" // from ReviewFile.From, possibly with other changes
	ReviewMode      ReviewKind = "mode"  // only the mode changed
	ReviewSubmodule ReviewKind = "submodule"
)

// ReviewStaged states how much of a file's changes is staged: everything, a part or, if it is "", nothing.
type ReviewStaged string

// How much of a file's changes is staged.
const (
	StagedAll  ReviewStaged = "all"
	StagedPart ReviewStaged = "part"
)

// ReviewFiles lists the changed files of a source.
type ReviewFiles struct {
	Source  string       `json:"source"`
	Version string       `json:"version"` // changes whenever the list or the Version, Index or Unmerged of a file in it changes
	Files   []ReviewFile `json:"files"`   // sorted by path, at most MaxReviewFiles
	Total   int          `json:"total"`
	Added   int          `json:"added"` // number of added lines in all files whose lines were counted
	Removed int          `json:"removed"`
	Viewed  int          `json:"viewed"`            // number of viewed files
	Partial bool         `json:"partial,omitempty"` // some files are pending
	// From and To are the names of the two sides. A name is a branch, a short hash, or "" for the files on disk and for
	// snapshots.
	From    string  `json:"from,omitempty"`
	To      string  `json:"to,omitempty"`
	Message Message `json:"message,omitzero"` // why the list is empty or incomplete
	// Nested is the part of Message that names repositories inside the folder with uncommitted changes. The list and a
	// commit don't contain these changes.
	Nested Message `json:"nested,omitzero"`
}

// MaxReviewFiles is the maximum length of ReviewFiles.Files.
const MaxReviewFiles = 5000

// ReviewFile is a changed file.
type ReviewFile struct {
	Path      string       `json:"path"`           // relative to the chat's folder, with slashes
	From      string       `json:"from,omitempty"` // the old path of a moved file
	Kind      ReviewKind   `json:"kind"`
	Added     int          `json:"added"`
	Removed   int          `json:"removed"`
	Binary    bool         `json:"binary,omitempty"`
	Generated bool         `json:"generated,omitempty"`
	Large     bool         `json:"large,omitempty"`    // more than 2,000 changed lines, or more than 5 MB
	TooLarge  bool         `json:"tooLarge,omitempty"` // more than 5 MB, or no content to compare; the diff has the reason
	Conflict  int          `json:"conflict,omitempty"` // number of merge conflicts marked on the new side
	Unmerged  bool         `json:"unmerged,omitempty"` // the index contains a conflict in the file; set only in the source "working"
	Resolved  bool         `json:"resolved,omitempty"` // the file had conflicts and equals the last commit; listed until the merge is committed
	Staged    ReviewStaged `json:"staged,omitempty"`   // set only in the source "working"
	Index     string       `json:"index,omitempty"`    // identifies what is staged; "" if nothing is
	Viewed    bool         `json:"viewed,omitempty"`
	Pending   bool         `json:"pending,omitempty"` // the fields from Added to Conflict aren't determined yet
	Version   string       `json:"version"`           // identifies the content of both sides
	Size      int64        `json:"size"`              // size in bytes of the new side, or of the old side if the file was removed
	Mode      []string     `json:"mode,omitempty"`    // old and new file mode as Git writes them, if they differ
}

// ShownPath returns a path in the form that the page receives and sends back: U+FFFD replaces each byte that isn't
// valid UTF-8.
func ShownPath(path string) string { return string([]rune(path)) }

// ReviewDiff is the diff of a file. Outside its blocks, the lines of both sides are equal.
type ReviewDiff struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	// OldLines and NewLines are the numbers of lines on the two sides. OldEnd and NewEnd report whether the text of a
	// side ends with a newline; they are true for an empty text.
	OldLines int  `json:"oldLines"`
	NewLines int  `json:"newLines"`
	OldEnd   bool `json:"oldEnd"`
	NewEnd   bool `json:"newEnd"`
	// CRLF lists the sides ("old", "new") on which most lines end with CR LF.
	CRLF []string `json:"crlf,omitempty"`
	// Blocks lists the changed blocks in order. Each block has four numbers: the first line on the old side, the number
	// of lines on the old side, and the same for the new side. Lines are numbered from 0.
	Blocks [][4]int `json:"blocks"`
	// Index identifies what was staged when the diff was read, as in ReviewFile. Staged lists the changed lines that
	// are staged. Staged is nil if no lines are staged, if a moved file is staged only in part, or if the file in the
	// index is too large to compare.
	Index  string             `json:"index,omitempty"`
	Staged *ReviewStagedLines `json:"staged,omitempty"`
	// Sections lists the declarations to show above hunks. Hunks have three lines of context. A hunk without a
	// declaration before it has no section.
	Sections []ReviewSection `json:"sections,omitempty"`
	// Conflicts lists the conflicts marked on the new side that ReviewResolve can replace, in order. It has at most
	// MaxReviewConflicts entries. It is empty unless the new side is the file on disk.
	Conflicts []ReviewConflict `json:"conflicts,omitempty"`
	Image     *ReviewImage     `json:"image,omitempty"`
	Binary    bool             `json:"binary,omitempty"`
	TooLarge  bool             `json:"tooLarge,omitempty"` // a side has more than 5 MB
	OldSize   int64            `json:"oldSize,omitempty"`  // size of the old side in bytes
	NewSize   int64            `json:"newSize,omitempty"`
	// Message is the reason why there are no blocks. It is the zero Message if there are blocks, or if Binary, TooLarge
	// or the file's kind is the reason.
	Message Message `json:"message,omitzero"`
}

// ReviewStagedLines lists changed lines that are staged. Each range has two numbers: its first line, numbered from 0,
// and its number of lines.
type ReviewStagedLines struct {
	Old [][2]int `json:"old,omitempty"` // staged removals: removed lines that the index no longer contains
	New [][2]int `json:"new,omitempty"` // staged additions: added lines that the index contains
}

// ReviewSection is the declaration that precedes a hunk, such as the first line of a function. Git shows it in the
// hunk's header.
type ReviewSection struct {
	Hunk int    `json:"hunk"` // number of the hunk, from 0
	Line int    `json:"line"` // first line of the hunk on the new side, from 0
	Text string `json:"text"`
}

// MaxReviewConflicts is the maximum length of ReviewDiff.Conflicts.
const MaxReviewConflicts = 500

// ReviewConflict is a merge conflict that is marked in a file. Its lines are numbered from 0.
type ReviewConflict struct {
	Start  int `json:"start"`  // the line with "<<<<<<<"
	Base   int `json:"base"`   // the line with "|||||||", which starts the common ancestor; -1 if it isn't marked
	Middle int `json:"middle"` // the line with "======="
	End    int `json:"end"`    // the line with ">>>>>>>"
	// Ours and Theirs are the labels of the two sides, such as the name of a branch, or "" if there is none. The label
	// HEAD is replaced with the name of the checked-out branch.
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
}

// ConflictSide determines the text that replaces a conflict.
type ConflictSide string

// Ways to replace a conflict.
const (
	ConflictOurs   ConflictSide = "ours"
	ConflictTheirs ConflictSide = "theirs"
	ConflictBoth   ConflictSide = "both" // ours, then theirs
)

// ReviewResolution is a request to resolve a conflict in a file.
type ReviewResolution struct {
	Source  string       `json:"source"`
	Path    string       `json:"path"`
	Version string       `json:"version"`
	Start   int          `json:"start"` // ReviewConflict.Start of the conflict
	Use     ConflictSide `json:"use"`
}

// ReviewImage holds the URLs of both sides of an image. A URL is "" if its side doesn't exist or can't be shown.
type ReviewImage struct {
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// ReviewLines is a range of lines from one side of a file.
type ReviewLines struct {
	From  int      `json:"from"`          // number of the first line, from 0
	Lines []string `json:"lines"`         // the lines without their newlines, at most MaxReviewLines
	Cut   []int    `json:"cut,omitempty"` // indexes of the Lines that are cut after 10,000 characters
}

// MaxReviewLines is the maximum length of ReviewLines.Lines.
const MaxReviewLines = 1000

// ReviewMatches is the result of a search for text in the changed files of a source.
type ReviewMatches struct {
	Total   int           `json:"total"`
	Matches []ReviewMatch `json:"matches"` // in the order of the files and lines, at most MaxReviewMatches
}

// MaxReviewMatches is the maximum length of ReviewMatches.Matches.
const MaxReviewMatches = 1000

// ReviewMatch is an occurrence of the text that was searched for.
type ReviewMatch struct {
	Path  string     `json:"path"`
	Side  ReviewSide `json:"side"`
	Line  int        `json:"line"`  // number of the line, from 0
	Start int        `json:"start"` // offset in the line in UTF-16 units, like End
	End   int        `json:"end"`
	Text  string     `json:"text"` // text of the line, at most 1,000 characters
}

// ReviewSide is a side of a diff.
type ReviewSide string

// Sides of a diff.
const (
	OldSide ReviewSide = "old"
	NewSide ReviewSide = "new"
)

// ReviewPart identifies a part of a file's changes, or all of them.
type ReviewPart struct {
	Source  string `json:"source"`
	Path    string `json:"path"`
	Version string `json:"version"`
	// Blocks lists the lines of the diff that belong to the part, in the form of ReviewDiff.Blocks. Each entry
	// lies within one block of the diff. If Blocks is nil, the part is the whole change of the file.
	Blocks [][4]int `json:"blocks,omitempty"`
}

// ReviewPutBackResult is the result of reverting a part of a file's changes.
type ReviewPutBackResult struct {
	ID string `json:"id,omitempty"` // ID to pass to ReviewRedo; "" if nothing was written
	// Diff is set if later changes overlap the part, so that nothing was written. It is the unified diff from the
	// current file to the file without the part.
	Diff   string `json:"diff,omitempty"`
	Merged bool   `json:"merged,omitempty"` // the file had later changes, which were kept
}
