// Package sessionfiles reads, copies, repairs, creates and deletes the files of the Copilot CLI's sessions.
package sessionfiles

import "time"

// Types of events in the log of a session. There are many more, which don't belong to the conversation.
const (
	eventStart        = "session.start"
	eventResume       = "session.resume"
	eventModel        = "session.model_change"
	EventUser         = "user.message"
	EventAssistant    = "assistant.message"
	eventToolStart    = "tool.execution_start"
	EventToolComplete = "tool.execution_complete"
)

// Event is an event in the log of a session.
type Event struct {
	Type  string
	ID    string
	At    time.Time
	Agent string // ID of the subagent that caused it, or "" for the session itself
	Data  []byte // JSON object; its fields depend on Type
	Raw   []byte // the whole event as JSON
}
