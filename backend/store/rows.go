package store

import (
	"context"
	"reflect"

	"gorm.io/gorm/schema"

	"github.com/voxpilot/voxpilot/backend"
)

// A row type has the fields of its word, in the same order, and says how those
// are kept that are not one plain column. That the two can be converted into
// each other is what keeps them alike: a field added to the word does not
// compile until it has its column here. Times are set by who makes the word,
// never by gorm.

type chatRow struct {
	ID             string
	Title          string
	TitleByUser    bool
	Folder         string
	ProviderID     string
	MainID         string
	PermissionMode backend.PermissionMode
	TurnState      backend.TurnState
	TurnSince      backend.Millis
	Detail         backend.Message `gorm:"serializer:said"`
	Unread         bool
	Draft          string
	DraftWith      []backend.Attachment `gorm:"serializer:list"`
	Pinned         bool
	Archived       bool
	DeletedAt      backend.Millis
	DropSessions   bool
	CreatedAt      backend.Millis `gorm:"autoCreateTime:false"`
	UpdatedAt      backend.Millis `gorm:"autoUpdateTime:false"`
}

type sessionRow struct {
	ChatID     string `gorm:"primaryKey"`
	Name       string `gorm:"primaryKey"`
	ACPID      string `gorm:"column:acp_id"`
	Cwd        string
	Home       string
	HadPrompt  bool
	State      backend.SessionState
	Mode       string
	AllowAll   bool
	Modes      []backend.Choice       `gorm:"serializer:list"`
	Commands   []backend.Choice       `gorm:"serializer:list"`
	Options    []backend.ConfigOption `gorm:"serializer:list"`
	Title      string
	ReplacesID string
	Used       int64
	Size       int64
	CreatedAt  backend.Millis `gorm:"autoCreateTime:false"`
	UsedAt     backend.Millis
}

type turnRow struct {
	ID         string
	ChatID     string
	Session    string
	BlockID    string
	MainID     string
	State      backend.TurnState
	StopReason string
	Error      *backend.Error `gorm:"serializer:said"`
	Usage      *backend.Usage `gorm:"serializer:json"`
	StartedAt  backend.Millis
	SentAt     backend.Millis
	EndedAt    backend.Millis
	Waited     backend.Millis
}

type itemRow struct {
	ID        string
	ChatID    string
	TurnID    string
	ParentID  string
	Session   string
	Pos       int64
	Kind      backend.ItemKind
	Open      bool
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
	EndedAt   backend.Millis
	Tool      *backend.Tool        `gorm:"serializer:said"`
	Plan      []backend.PlanEntry  `gorm:"serializer:list"`
	Banner    *backend.Banner      `gorm:"serializer:said"`
	Block     *backend.Block       `gorm:"serializer:said"`
	With      []backend.Attachment `gorm:"column:attachments;serializer:list"`
	HasError  bool
	Waited    backend.Millis
	Replaced  bool
	CutOff    bool
	Retry     *backend.Retry `gorm:"serializer:json"`
}

type contentRow struct {
	ID      string
	ItemID  string
	ChatID  string
	Type    backend.ContentType
	Path    string
	Mime    string
	Size    int64
	Version int64
	Added   int
	Removed int
	Lines   int
	Body    []byte `gorm:"-"` // in content_bodies
}

type permissionRow struct {
	ID        string
	ChatID    string
	TurnID    string
	Session   string
	ItemID    string
	State     backend.PermissionState
	Title     string
	Kind      backend.ToolKind
	Path      string
	To        string
	Command   string
	ContentID string
	TextID    string
	Creates   bool
	Marks     []backend.Mark           `gorm:"serializer:list"`
	Files     []backend.PermissionFile `gorm:"serializer:list"`
	Options   []backend.Option         `gorm:"serializer:json"`
	Scope     *backend.Scope           `gorm:"serializer:json"`
	Decision  backend.Decision
	OptionID  string
	RuleID    string
	Mode      backend.PermissionMode
	Reason    string
	Outside   bool
	Protected backend.Protection
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
	DecidedAt backend.Millis
	Commands  []string       `gorm:"serializer:json"`
	Names     []string       `gorm:"-"` // what is decided is decided on while it is open
	Unclear   bool           `gorm:"-"`
	Rule      *backend.Scope `gorm:"-"` // its row has it
	Folder    string         `gorm:"-"` // the session's row has it
	Raw       []byte
}

type ruleRow struct {
	ID        string
	Effect    backend.RuleEffect
	Scope     backend.Scope  `gorm:"embedded"`
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
	ExpiresAt backend.Millis
}

type queuedRow struct {
	ID        string
	ChatID    string
	Text      string
	With      []backend.Attachment `gorm:"column:attachments;serializer:list"`
	Pos       int64
	Paused    bool
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
}

type providerRow struct {
	ID        string
	Name      string
	Kind      backend.ProviderKind
	BaseURL   string
	Headers   map[string]string `gorm:"serializer:list"`
	Models    []string          `gorm:"serializer:list"`
	Model     string
	Context   int64
	Key       backend.KeyPlace
	CheckedAt backend.Millis
	Check     backend.Message `gorm:"serializer:said"`
	CreatedAt backend.Millis  `gorm:"autoCreateTime:false"`
}

type profileRow struct {
	ID        string
	Name      string
	Address   string
	Command   string
	Args      []string `gorm:"serializer:list"`
	Env       []string `gorm:"serializer:list"`
	Home      string
	GitHub    bool `gorm:"column:github"`
	Key       backend.KeyPlace
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
}

type loginRow struct {
	ID        string
	Host      string
	Login     string
	Kind      backend.LoginKind
	Key       backend.KeyPlace
	CreatedAt backend.Millis `gorm:"autoCreateTime:false"`
}

type trustedRow struct {
	Key       string `gorm:"primaryKey"`
	Folder    string
	Entries   int
	TrustedAt backend.Millis
}

// trustedEntryRow is a backend.TrustedEntry of a folder.
type trustedEntryRow struct {
	ID        string // a digest of the other columns but value and trusted_at
	FolderKey string
	File      string
	Key       string
	Digest    string
	Value     string
	TrustedAt backend.Millis
}

type unknownRow struct {
	ID      string
	ChatID  string
	Session string
	Kind    string
	At      backend.Millis
	Raw     []byte
}

func (chatRow) TableName() string         { return "chats" }
func (sessionRow) TableName() string      { return "acp_sessions" }
func (turnRow) TableName() string         { return "turns" }
func (itemRow) TableName() string         { return "items" }
func (contentRow) TableName() string      { return "contents" }
func (permissionRow) TableName() string   { return "permissions" }
func (ruleRow) TableName() string         { return "permission_rules" }
func (queuedRow) TableName() string       { return "queued" }
func (providerRow) TableName() string     { return "providers" }
func (profileRow) TableName() string      { return "profiles" }
func (loginRow) TableName() string        { return "logins" }
func (trustedRow) TableName() string      { return "trusted_folders" }
func (unknownRow) TableName() string      { return "unknown_updates" }
func (trustedEntryRow) TableName() string { return "trusted_entries" }

// jsonList keeps a list or a map as JSON, and an empty one as NULL.
type jsonList struct{ schema.JSONSerializer }

// Value returns what the column holds.
func (l jsonList) Value(ctx context.Context, field *schema.Field, row reflect.Value, value any) (any, error) {
	if reflect.ValueOf(value).Len() == 0 {
		return nil, nil
	}
	return l.JSONSerializer.Value(ctx, field, row, value)
}

func init() { schema.RegisterSerializer("list", jsonList{}) }

// Each row as the event that the window gets.

func chatEvent(r chatRow) backend.Event { return backend.Event{Chat: (*backend.Chat)(&r)} }

func sessionEvent(r sessionRow) backend.Event { return backend.Event{Session: (*backend.Session)(&r)} }
func turnEvent(r turnRow) backend.Event       { return backend.Event{Turn: (*backend.Turn)(&r)} }
func itemEvent(r itemRow) backend.Event       { return backend.Event{Item: (*backend.Item)(&r)} }
func contentEvent(r contentRow) backend.Event { return backend.Event{Content: (*backend.Content)(&r)} }

func permissionEvent(r permissionRow) backend.Event {
	return backend.Event{Permission: (*backend.Permission)(&r)}
}
func queuedEvent(r queuedRow) backend.Event { return backend.Event{Queued: (*backend.Queued)(&r)} }
func ruleEvent(r ruleRow) backend.Event     { return backend.Event{Rule: (*backend.Rule)(&r)} }
func providerEvent(r providerRow) backend.Event {
	return backend.Event{Provider: (*backend.Provider)(&r)}
}

func profileEvent(r profileRow) backend.Event { return backend.Event{Profile: (*backend.Profile)(&r)} }

func trustedEvent(r trustedRow) backend.Event {
	return backend.Event{Trusted: &backend.TrustedFolder{Key: r.Key, Folder: r.Folder, Entries: r.Entries, TrustedAt: r.TrustedAt}}
}

func loginEvent(r loginRow) backend.Event { return backend.Event{Login: (*backend.Login)(&r)} }

// A piece is a row of texts or content_bodies.
type piece struct {
	Owner  string
	Offset int64
	Body   []byte
}
