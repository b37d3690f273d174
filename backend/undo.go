package backend

// UndoState is the state of the undo of a turn's changes to files.
type UndoState string

// States of a turn's undo.
const (
	UndoRecording   UndoState = "recording"   // the turn is running
	UndoNothing     UndoState = "nothing"     // the turn changed no files
	UndoAvailable   UndoState = "available"   // the changes can be undone
	UndoUndone      UndoState = "undone"      // the changes were undone and can be redone
	UndoUnavailable UndoState = "unavailable" // see Reason
)

// TurnUndo is the undo of the changes that a turn made to files in the chat's folder, including those of
// tasks that it delegated. Only turns that answer the user have one.
type TurnUndo struct {
	TurnID string    `json:"turnId" gorm:"primaryKey"`
	ChatID string    `json:"chatId"`
	State  UndoState `json:"state"`
	// Files is the number of files that the turn changed or, if it was undone, that went back. Added and
	// Removed count the lines of text that the turn changed.
	Files   int     `json:"files,omitempty"`
	Added   int     `json:"added,omitempty"`
	Removed int     `json:"removed,omitempty"`
	Reason  Message `json:"reason,omitzero" gorm:"serializer:message"` // of UndoUnavailable
	At      Millis  `json:"at,omitempty"`                              // of the last undo or redo

	// EdgesOnly means that the folder is too large to record it before each tool call.
	EdgesOnly bool `json:"edgesOnly,omitempty"`

	// IDs of snapshots of the chat's folder: before the turn, the last one during it, and after it; before
	// an undo or redo that isn't complete; before and after the last undo.
	Before     string `json:"-"`
	During     string `json:"-"`
	After      string `json:"-"`
	Pending    string `json:"-"`
	UndoBefore string `json:"-"`
	UndoAfter  string `json:"-"`
	// Interrupted means that After was taken by a later run of the app. Shared means that another chat
	// worked in the folder during the turn.
	Interrupted bool `json:"-"`
	Shared      bool `json:"-"`
	// AgentKnows means that the agent needn't be informed about the last undo or redo.
	AgentKnows bool `json:"-"`
}

// UndoPreview describes the effect that the undo of a turn's changes or, if Redo is set, their redo would
// have now.
type UndoPreview struct {
	TurnID string `json:"turnId"`
	Redo   bool   `json:"redo,omitempty"`
	// Since is the time of the state to which the files go back.
	Since   Millis     `json:"since"`
	Blocked Message    `json:"blocked,omitzero"` // the reason why it isn't possible now
	Files   []UndoFile `json:"files"`            // those with a choice first, then by path
	// Total is the number of files; Files has the first MaxUndoFiles of them. Ready is the number of files
	// that go back without a choice, and Changed that of files with later changes.
	Total   int `json:"total"`
	Ready   int `json:"ready"`
	Changed int `json:"changed"`
	// NotUndone lists what stays: commands with an effect outside of the files, commits, files outside of
	// the folder, files that weren't recorded.
	NotUndone []UndoRest `json:"notUndone"`
}

// MaxUndoFiles is the maximum length of UndoPreview.Files.
const MaxUndoFiles = 500

// UndoEffect is the effect of an undo or redo on a file.
type UndoEffect string

// Effects on files.
const (
	UndoRestores UndoEffect = "restores" // the file gets its earlier content
	UndoRemoves  UndoEffect = "removes"  // the file didn't exist and is removed
	UndoReturns  UndoEffect = "returns"  // the file was removed and comes back
	UndoMoves    UndoEffect = "moves"    // the file moves back to Path from From
)

// UndoChoice is the user's choice for a file.
type UndoChoice string

// Choices for a file.
const (
	UndoKeep  UndoChoice = "keep"  // leave it as it is
	UndoTake  UndoChoice = "take"  // put it back and discard the later changes
	UndoMerge UndoChoice = "merge" // undo the turn's changes and keep the later ones
)

// UndoFile is a file in an UndoPreview.
type UndoFile struct {
	Path   string     `json:"path"` // relative to the chat's folder, with slashes
	From   string     `json:"from,omitempty"`
	Effect UndoEffect `json:"effect"`
	// Choice applies unless the user chooses otherwise. Choices are possible only if
	// Changed is set; UndoMerge only if Merge is set.
	Choice  UndoChoice `json:"choice"`
	Changed bool       `json:"changed,omitempty"` // changed after the turn, or perhaps not by the turn
	Merge   bool       `json:"merge,omitempty"`   // undoing the turn and keeping the later changes is possible
	// Reason describes the later change, such as "Edited by hand or by another program". ChangedAt is the
	// time of that change if it is known, and ChangedLines the number of its added and removed lines.
	Reason       Message `json:"reason,omitzero"`
	ChangedAt    Millis  `json:"changedAt,omitempty"`
	ChangedLines int     `json:"changedLines,omitempty"`
	ByChatID     string  `json:"byChatId,omitempty"` // the chat that made the later change, if known
	// Added and Removed count the lines that the turn added and removed.
	Added   int  `json:"added,omitempty"`
	Removed int  `json:"removed,omitempty"`
	Binary  bool `json:"binary,omitempty"`
}

// UndoRest is an effect that an undo doesn't revert.
type UndoRest struct {
	What   string  `json:"what,omitempty"` // a command or a path; "" if Reason says it all
	Reason Message `json:"reason"`
}

// UndoPart is a part of a file's changes that is put back: one hunk, or all of them. If Redo is set, a part
// that was put back is restored instead.
type UndoPart struct {
	Path string `json:"path,omitempty"` // absolute, or relative to the chat's folder
	// Diff is the unified diff of the part, as it was shown, with a header that has the file's names.
	Diff string `json:"diff,omitempty"`
	// Whole means that Diff has all changes that the chat made to the file.
	Whole bool   `json:"whole,omitempty"`
	Redo  string `json:"redo,omitempty"` // ID of a PutBack
}

// PartResult is the result of putting back a part of a file's changes, or of redoing that.
type PartResult struct {
	// Diff is set if later changes overlap the part, so that nothing was written: the unified diff from the
	// file as it is to the file as it would be.
	Diff string `json:"diff,omitempty"`
	// Merged means that the file had later changes, which were kept.
	Merged bool `json:"merged,omitempty"`
}

// PutBack is a part of a file's changes that was put back and can be redone.
type PutBack struct {
	ID      string `json:"id"`
	Path    string `json:"path"` // relative to the chat's folder, with slashes
	At      Millis `json:"at"`
	Added   int    `json:"added,omitempty"` // lines that the redo adds
	Removed int    `json:"removed,omitempty"`
}

// UndoComparison compares a file as a turn left it with the file as it is now.
type UndoComparison struct {
	Path   string  `json:"path"`
	Diff   string  `json:"diff,omitempty"`  // unified
	Reason Message `json:"reason,omitzero"` // why there is no diff
}
