package store

import "github.com/voxpilot/voxpilot/backend"

// Types for the rows of tables, each based on a type of package backend. Struct tags define how fields that aren't
// plain columns are stored. Times are set by the creator of a value, never by gorm.
type (
	chatRow          backend.Chat
	sessionRow       backend.Session
	turnRow          backend.Turn
	turnUndoRow      backend.TurnUndo
	asideRow         backend.Aside
	itemRow          backend.Item
	contentRow       backend.Content
	permissionRow    backend.Permission
	ruleRow          backend.Rule
	queuedPromptRow  backend.QueuedPrompt
	providerRow      backend.Provider
	customAgentRow   backend.CustomAgent
	loginRow         backend.Login
	unknownUpdateRow backend.UnknownUpdate
	reviewCommentRow backend.ReviewComment
)

type trustedRow struct {
	Key       string `gorm:"primaryKey"`
	Folder    string
	Entries   int
	TrustedAt backend.Millis
}

// trustedEntryRow is the row of a backend.TrustedEntry, with the key of the folder to which the entry belongs.
type trustedEntryRow struct {
	ID        string // digest of the columns other than value and trusted_at
	FolderKey string
	File      string
	Key       string
	Digest    string
	Value     string
	TrustedAt backend.Millis
}

func (chatRow) TableName() string          { return "chats" }
func (sessionRow) TableName() string       { return "acp_sessions" }
func (turnRow) TableName() string          { return "turns" }
func (turnUndoRow) TableName() string      { return "turn_undos" }
func (asideRow) TableName() string         { return "asides" }
func (itemRow) TableName() string          { return "items" }
func (contentRow) TableName() string       { return "contents" }
func (permissionRow) TableName() string    { return "permissions" }
func (ruleRow) TableName() string          { return "permission_rules" }
func (queuedPromptRow) TableName() string  { return "queued" }
func (providerRow) TableName() string      { return "providers" }
func (customAgentRow) TableName() string   { return "profiles" }
func (loginRow) TableName() string         { return "logins" }
func (trustedRow) TableName() string       { return "trusted_folders" }
func (unknownUpdateRow) TableName() string { return "unknown_updates" }
func (reviewCommentRow) TableName() string { return "review_comments" }
func (trustedEntryRow) TableName() string  { return "trusted_entries" }

// These functions convert rows to events.

func chatEvent(r chatRow) backend.Event { return backend.Event{Chat: (*backend.Chat)(&r)} }

func sessionEvent(r sessionRow) backend.Event { return backend.Event{Session: (*backend.Session)(&r)} }
func turnEvent(r turnRow) backend.Event       { return backend.Event{Turn: (*backend.Turn)(&r)} }

func turnUndoEvent(r turnUndoRow) backend.Event {
	return backend.Event{TurnUndo: (*backend.TurnUndo)(&r)}
}

func itemEvent(r itemRow) backend.Event       { return backend.Event{Item: (*backend.Item)(&r)} }
func contentEvent(r contentRow) backend.Event { return backend.Event{Content: (*backend.Content)(&r)} }

func permissionEvent(r permissionRow) backend.Event {
	return backend.Event{Permission: (*backend.Permission)(&r)}
}

func queuedEvent(r queuedPromptRow) backend.Event {
	return backend.Event{Queued: (*backend.QueuedPrompt)(&r)}
}
func ruleEvent(r ruleRow) backend.Event { return backend.Event{Rule: (*backend.Rule)(&r)} }
func providerEvent(r providerRow) backend.Event {
	return backend.Event{Provider: (*backend.Provider)(&r)}
}

func customAgentEvent(r customAgentRow) backend.Event {
	return backend.Event{CustomAgent: (*backend.CustomAgent)(&r)}
}

func trustedEvent(r trustedRow) backend.Event {
	return backend.Event{TrustedFolder: &backend.TrustedFolder{Key: r.Key, Folder: r.Folder, Entries: r.Entries, TrustedAt: r.TrustedAt}}
}

func loginEvent(r loginRow) backend.Event { return backend.Event{Login: (*backend.Login)(&r)} }

// A piece is a row of the table texts or content_bodies.
type piece struct {
	Owner  string
	Offset int64
	Body   []byte
}
