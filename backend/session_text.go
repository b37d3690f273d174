package backend

// SessionText is a searchable text from a Copilot CLI session: its title, a message, an answer, or the description of
// a tool call.
type SessionText struct {
	ID   int64    `json:"id"`
	Kind HitKind  `json:"kind"` // HitTitle, HitUser, HitMessage or HitTool
	Tool ToolKind `json:"tool,omitempty"`
	// BySubagent reports whether the text belongs to a subagent of Copilot.
	BySubagent bool   `json:"agent,omitempty" gorm:"column:agent"`
	At         Millis `json:"at"`
	Text       string `json:"text" gorm:"column:body"` // at most MaxSessionText bytes
}

// MaxSessionText is the maximum size of a SessionText in bytes. Longer texts are cut off.
const MaxSessionText = 64 << 10
