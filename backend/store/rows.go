package store

import "github.com/voxpilot/voxpilot/backend"

// A row type has the fields of its word, in the same order, and says how those
// are kept that are not one plain column. That the two can be converted into
// each other is what keeps them alike: a field added to the word does not
// compile until it has its column here.

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
	Detail         string
	Unread         bool
	Draft          string
	DraftWith      []backend.Attachment `gorm:"serializer:json"`
	Pinned         bool
	Archived       bool
	DeletedAt      backend.Millis
	DropSessions   bool
	CreatedAt      backend.Millis
	UpdatedAt      backend.Millis
}

type sessionRow struct {
	ChatID     string
	Name       string
	ACPID      string `gorm:"column:acp_id"`
	Cwd        string
	Home       string
	HadPrompt  bool
	State      backend.SessionState
	Mode       string
	AllowAll   bool
	Modes      []backend.Choice       `gorm:"serializer:json"`
	Commands   []backend.Choice       `gorm:"serializer:json"`
	Options    []backend.ConfigOption `gorm:"serializer:json"`
	Title      string
	ReplacesID string
	Used       int64
	Size       int64
	CreatedAt  backend.Millis
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
	Error      *backend.Error `gorm:"serializer:json"`
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
	CreatedAt backend.Millis
	EndedAt   backend.Millis
	Tool      *backend.Tool        `gorm:"serializer:json"`
	Plan      []backend.PlanEntry  `gorm:"serializer:json"`
	Banner    *backend.Banner      `gorm:"serializer:json"`
	Block     *backend.Block       `gorm:"serializer:json"`
	With      []backend.Attachment `gorm:"column:attachments;serializer:json"`
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
	Marks     []backend.Mark           `gorm:"serializer:json"`
	Files     []backend.PermissionFile `gorm:"serializer:json"`
	Options   []backend.Option         `gorm:"serializer:json"`
	Scope     *backend.Scope           `gorm:"serializer:json"`
	Decision  backend.Decision
	OptionID  string
	RuleID    string
	Mode      backend.PermissionMode
	Reason    string
	Outside   bool
	Protected backend.Protection
	CreatedAt backend.Millis
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
	Scope     backend.Scope `gorm:"embedded"`
	CreatedAt backend.Millis
	ExpiresAt backend.Millis
}

type queuedRow struct {
	ID        string
	ChatID    string
	Text      string
	With      []backend.Attachment `gorm:"column:attachments;serializer:json"`
	Pos       int64
	Paused    bool
	CreatedAt backend.Millis
}

type providerRow struct {
	ID        string
	Name      string
	Kind      backend.ProviderKind
	BaseURL   string
	Headers   map[string]string `gorm:"serializer:json"`
	Models    []string          `gorm:"serializer:json"`
	Model     string
	Context   int64
	Key       backend.KeyPlace
	CheckedAt backend.Millis
	Check     string
	CreatedAt backend.Millis
}

type profileRow struct {
	ID        string
	Name      string
	Address   string
	Command   string
	Args      []string `gorm:"serializer:json"`
	Env       []string `gorm:"serializer:json"`
	Home      string
	GitHub    bool `gorm:"column:github"`
	Key       backend.KeyPlace
	CreatedAt backend.Millis
}

type loginRow struct {
	ID        string
	Host      string
	Login     string
	Kind      backend.LoginKind
	Key       backend.KeyPlace
	CreatedAt backend.Millis
}

type trustedRow struct {
	Key       string
	Folder    string
	Entries   int
	TrustedAt backend.Millis
}

// Each row as the event that the window gets.

func chatEvent(r chatRow) backend.Event {
	chat := backend.Chat(r)
	return backend.Event{Chat: &chat}
}

func sessionEvent(r sessionRow) backend.Event {
	session := backend.Session(r)
	return backend.Event{Session: &session}
}

func turnEvent(r turnRow) backend.Event {
	turn := backend.Turn(r)
	return backend.Event{Turn: &turn}
}

func itemEvent(r itemRow) backend.Event {
	item := backend.Item(r)
	return backend.Event{Item: &item}
}

func contentEvent(r contentRow) backend.Event {
	content := backend.Content(r)
	return backend.Event{Content: &content}
}

func permissionEvent(r permissionRow) backend.Event {
	permission := backend.Permission(r)
	return backend.Event{Permission: &permission}
}

func queuedEvent(r queuedRow) backend.Event {
	queued := backend.Queued(r)
	return backend.Event{Queued: &queued}
}

func ruleEvent(r ruleRow) backend.Event {
	rule := backend.Rule(r)
	return backend.Event{Rule: &rule}
}

func providerEvent(r providerRow) backend.Event {
	provider := backend.Provider(r)
	return backend.Event{Provider: &provider}
}

func profileEvent(r profileRow) backend.Event {
	profile := backend.Profile(r)
	return backend.Event{Profile: &profile}
}

func trustedEvent(r trustedRow) backend.Event {
	return backend.Event{Trusted: &backend.TrustedFolder{Key: r.Key, Folder: r.Folder, Entries: r.Entries, TrustedAt: r.TrustedAt}}
}

func loginEvent(r loginRow) backend.Event {
	login := backend.Login(r)
	return backend.Event{Login: &login}
}

// A piece is a row of texts or content_bodies.
type piece struct {
	Owner  string
	Offset int64
	Body   []byte
}
