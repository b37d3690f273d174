package otherprograms

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// Sink receives the entries of a conversation.
type Sink interface {
	// Add adds the next entry. The entry must not change afterward.
	Add(e Entry) error
	// Skip counts a record that isn't part of the conversation: an unknown one or, if damaged is true, one that can't be
	// read.
	Skip(damaged bool)
	// Progress reports the number of bytes of the conversation's file that were read.
	Progress(read int64)
}

// Entry is a part of a conversation. Its kind determines which fields are set.
type Entry struct {
	Kind   EntryKind
	At     backend.Millis // 0 if unknown
	Text   string         // of a prompt, an answer, a thought or a note
	Images []Image        // sent with a prompt
	Files  []string       // paths of other files attached to a prompt
	Call   Call
	Result Result
	Plan   []backend.PlanEntry
	Usage  *backend.Usage    // of the exchange
	State  backend.TurnState // of the exchange
}

// EntryKind is the kind of an Entry.
type EntryKind int

// The kinds of entries.
const (
	EntryPrompt EntryKind = iota // a message of the user, which starts an exchange
	EntryAnswer
	EntryThought
	EntryNote
	EntryCall   // a tool call
	EntryResult // the result of a tool call, or a part of it
	EntryPlan   // a new version of the plan
	EntryUsage  // the token usage of the exchange so far
	EntryEnd    // the exchange ended in an unusual state
)

// Call is a tool call.
type Call struct {
	ID      string
	Title   string
	Kind    backend.ToolKind
	Path    string // absolute, or relative to the conversation's folder
	To      string // like Path
	Command string // whole command, query or address
	Creates bool
	Diffs   []diff.Diff // changes that the call makes if it succeeds
}

// Result is the result of the tool call with the given ID. An empty field doesn't change an earlier result.
type Result struct {
	ID       string
	Status   backend.ToolStatus
	ExitCode *int
	Text     string
	Diffs    []diff.Diff
	Images   []Image
}

// Image is an image in a conversation.
type Image struct {
	Name, Mime string
	Data       []byte
}
