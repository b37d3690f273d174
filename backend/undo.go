package backend

// UndoState describes whether a turn's changes to files can be undone or have been undone.
type UndoState string

// States of a turn's undo.
const (
	UndoRecording   UndoState = "recording"   // the turn is running
	UndoNothing     UndoState = "nothing"     // the turn changed no files
	UndoAvailable   UndoState = "available"   // the changes can be undone
	UndoUndone      UndoState = "undone"      // the changes were undone and can be redone
	UndoUnavailable UndoState = "unavailable" // see Reason
)

// TurnUndo describes the undo of a turn's changes to files in the chat's folder, including changes by tasks that the
// turn delegated. Only turns that answer the user have a TurnUndo.
type TurnUndo struct {
	TurnID string    `json:"turnId" gorm:"primaryKey"`
	ChatID string    `json:"chatId"`
	State  UndoState `json:"state"`
	// Files is the number of files that the turn changed. After an undo or redo, it is the number of files that the
	// latest undo or redo changed. Added and Removed are the numbers of lines that the turn added and removed.
	Files   int     `json:"files,omitempty"`
	Added   int     `json:"added,omitempty"`
	Removed int     `json:"removed,omitempty"`
	Reason  Message `json:"reason,omitzero" gorm:"serializer:message"` // why the state is UndoUnavailable
	At      Millis  `json:"at,omitempty"`                              // time of the last undo or redo

	// EdgesOnly means that the folder was recorded only before and after the turn, because it is too large
	// to be recorded before each tool call.
	EdgesOnly bool `json:"edgesOnly,omitempty"`

	// The fields from Before to UndoAfter are IDs of snapshots of the chat's folder.
	Before     string `json:"-"` // before the turn
	During     string `json:"-"` // the last snapshot during the turn
	After      string `json:"-"` // after the turn
	Pending    string `json:"-"` // before an undo or redo that isn't complete
	UndoBefore string `json:"-"` // before the last undo or redo
	UndoAfter  string `json:"-"` // after the last undo or redo
	// Interrupted means that the app quit during the turn, so the app's next run took the snapshot After. Shared means
	// that another chat worked in the folder during the turn.
	Interrupted bool `json:"-"`
	Shared      bool `json:"-"`
	// AgentKnows means that the agent needn't be informed about the last undo or redo.
	AgentKnows bool `json:"-"`
}

// UndoPreview describes the effect that undoing a turn's changes would have now. If Redo is set, it describes
// the effect of redoing them.
type UndoPreview struct {
	TurnID string `json:"turnId"`
	Redo   bool   `json:"redo,omitempty"`
	// EdgesOnly has the same meaning as in TurnUndo. It is always false for a redo.
	EdgesOnly bool `json:"edgesOnly,omitempty"`
	// Since is the time of the state to which the files go back.
	Since   Millis     `json:"since"`
	Blocked Message    `json:"blocked,omitzero"` // why the undo or redo isn't possible now
	Files   []UndoFile `json:"files"`            // files with Changed first, then the others, both sorted by path
	// Total is the number of files; Files lists only the first MaxUndoFiles. Changed is the number of files for which
	// UndoFile.Changed is set, and Ready is the number of all others.
	Total   int `json:"total"`
	Ready   int `json:"ready"`
	Changed int `json:"changed"`
	// Meanwhile is the number of files counted in Ready that changed while a command was running. The user may have
	// edited these files at that time; the undo would revert such edits as well.
	Meanwhile int `json:"meanwhile,omitempty"`
	// NotUndone lists the turn's effects that remain, such as commits, data sent to other computers, changes to files
	// outside the folder, and changes to files that weren't recorded.
	NotUndone []UndoRest `json:"notUndone"`
}

// MaxUndoFiles is the maximum length of UndoPreview.Files.
const MaxUndoFiles = 500

// UndoEffect is the effect of an undo or redo on a file.
type UndoEffect string

// Effects on files.
const (
	UndoRestores UndoEffect = "restores" // the file gets its earlier content
	UndoRemoves  UndoEffect = "removes"  // the file didn't exist in the earlier state and is removed
	UndoReturns  UndoEffect = "returns"  // the file doesn't exist now and comes back
	UndoMoves    UndoEffect = "moves"    // the file moves back to Path from From
)

// UndoChoice is the user's choice of what an undo or redo does with a file.
type UndoChoice string

// Choices for a file.
const (
	UndoKeep  UndoChoice = "keep"  // leave it as it is
	UndoTake  UndoChoice = "take"  // restore the earlier content and discard the later changes
	UndoMerge UndoChoice = "merge" // undo the turn's changes and keep the later ones
)

// UndoFile describes the effect of an undo or redo on one file.
type UndoFile struct {
	Path   string     `json:"path"` // relative to the chat's folder, with slashes
	From   string     `json:"from,omitempty"`
	Effect UndoEffect `json:"effect"`
	// Choice is applied unless the user chooses another. The user can choose only if Changed is
	// set, and can choose UndoMerge only if Merge is set too.
	Choice UndoChoice `json:"choice"`
	// Changed means that the file was changed again after the turn, or that it is uncertain whether the
	// turn changed it.
	Changed bool `json:"changed,omitempty"`
	Merge   bool `json:"merge,omitempty"` // the turn's changes can be undone without losing the later ones
	// Reason explains Changed, for example that the file was edited outside VoxPilot. ChangedAt is the file's
	// modification time, or 0 if unknown. ChangedLines is the number of lines that the later change added or removed.
	Reason       Message `json:"reason,omitzero"`
	ChangedAt    Millis  `json:"changedAt,omitempty"`
	ChangedLines int     `json:"changedLines,omitempty"`
	ByChatID     string  `json:"byChatId,omitempty"` // ID of the chat that made the later change, if known
	// Added and Removed count the lines that the undo or redo would add and remove.
	Added   int  `json:"added,omitempty"`
	Removed int  `json:"removed,omitempty"`
	Binary  bool `json:"binary,omitempty"`
}

// UndoRest is an effect of a turn that undoing the turn doesn't revert, such as the effect of a
// command.
type UndoRest struct {
	What      string  `json:"what,omitempty"` // a command or a path; "" if Reason is about neither
	IsCommand bool    `json:"isCommand,omitempty"`
	Reason    Message `json:"reason"`
}

// UndoPart is the part of a file's changes to undo: one hunk, or all hunks. If Redo is set, an earlier undo
// is redone instead.
type UndoPart struct {
	Path string `json:"path,omitempty"` // absolute, or relative to the chat's folder
	// Diff is the unified diff of the part, as it was shown, with a header that contains the file's names.
	Diff string `json:"diff,omitempty"`
	// Whole means that Diff contains all changes that the chat made to the file.
	Whole bool   `json:"whole,omitempty"`
	Redo  string `json:"redo,omitempty"` // ID of the PutBack to redo
}

// PartResult is the result of undoing part of a file's changes, or of redoing a part that was undone.
type PartResult struct {
	// Diff is set if later changes overlap the part, so that nothing was written. It is the unified diff from the
	// current file to the file with the undo or redo applied.
	Diff string `json:"diff,omitempty"`
	// Merged means that the file had later changes, which were kept.
	Merged bool `json:"merged,omitempty"`
}

// PutBack is a redoable undo of part of a file's changes.
type PutBack struct {
	ID      string `json:"id"`
	Path    string `json:"path"` // relative to the chat's folder, with slashes
	At      Millis `json:"at"`
	Added   int    `json:"added,omitempty"` // number of lines that the redo adds
	Removed int    `json:"removed,omitempty"`
}

// UndoComparison is a diff from a turn's version of a file to the file on disk. If ToEarlier is set, it is a diff from
// the file on disk to the version that going back would restore.
type UndoComparison struct {
	Path   string  `json:"path"`
	Diff   string  `json:"diff,omitempty"`  // unified diff
	Reason Message `json:"reason,omitzero"` // why there is no diff
	// ToEarlier means that the comparison is from the file on disk to the version that going back would restore. It is
	// set for a file that was also changed between the turns.
	ToEarlier bool `json:"toEarlier,omitempty"`
}
