package backend

import "strings"

// PermissionState says how a permission request stands.
type PermissionState string

// The states of a permission request. All but PermissionOpen are final.
const (
	PermissionOpen    PermissionState = "open"
	PermissionDecided PermissionState = "decided" // an option was chosen
	PermissionClosed  PermissionState = "closed"  // cancelled: the turn was stopped or its agent died
)

// OptionKind is ACP's PermissionOptionKind.
type OptionKind string

// The kinds of options. Agents may offer others; they are kept as they came.
const (
	OptionAllowOnce    OptionKind = "allow_once"
	OptionAllowAlways  OptionKind = "allow_always"
	OptionRejectOnce   OptionKind = "reject_once"
	OptionRejectAlways OptionKind = "reject_always"
)

// Option is one answer that the agent offers. It is chosen by Kind and
// answered by ID.
type Option struct {
	ID   string     `json:"id"`
	Kind OptionKind `json:"kind"`
	Name string     `json:"name"`
}

// Permission is a request of the agent to do something, and what became of it.
type Permission struct {
	ID      string          `json:"id"`
	ChatID  string          `json:"chatId"`
	TurnID  string          `json:"turnId,omitempty"`
	Session string          `json:"session"`
	ItemID  string          `json:"itemId,omitempty"` // the tool call it is about
	State   PermissionState `json:"state"`
	Title   string          `json:"title"`
	Kind    ToolKind        `json:"kind"`
	Path    string          `json:"path,omitempty"` // absolute
	To      string          `json:"to,omitempty"`
	// Command is the first line, at most 300 bytes; the whole is the Content.
	// Of a fetch it is the host.
	Command string `json:"command,omitempty"`
	// ContentID is the preview: a diff, or the whole command. "" where the
	// agent sent none.
	ContentID string `json:"contentId,omitempty"`
	// TextID is the Content of what the agent itself says of the request, "" where
	// it says nothing.
	TextID string `json:"textId,omitempty"`
	// Creates marks an edit that creates its file.
	Creates bool `json:"creates,omitempty"`
	// Marks are the parts of the command that can do harm, in the order in which
	// they stand in it. They change what is shown and not what is allowed.
	Marks []Mark `json:"marks,omitempty" gorm:"serializer:list"`
	// Files are all files of a request about several, Path among them, and all
	// previews of one with several; nil where Path and ContentID say all.
	Files   []PermissionFile `json:"files,omitempty" gorm:"serializer:list"`
	Options []Option         `json:"options" gorm:"serializer:json"`
	// Scope is what "Always allow" would store for this request; nil where no
	// rule can be made of it. It is offered where Scope is there and Files are not.
	Scope    *Scope   `json:"scope,omitempty" gorm:"serializer:json"`
	Decision Decision `json:"decision,omitempty"`
	OptionID string   `json:"optionId,omitempty"` // the answer that was sent
	RuleID   string   `json:"ruleId,omitempty"`   // the rule that decided it, where one did
	// Mode is the permission mode that decided it, where one did.
	Mode PermissionMode `json:"mode,omitempty"`
	// Reason is what the user wrote with a rejection.
	Reason string `json:"reason,omitempty"`
	// Outside says that the request reaches outside of the chat's folder.
	Outside bool `json:"outside,omitempty"`
	// Protected says why an edit is always asked for; "" where it is like any other.
	Protected Protection `json:"protected,omitempty"`
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
	DecidedAt Millis     `json:"decidedAt,omitempty"`
	// Commands are all commands of the request, whole, for rules to match; of a
	// fetch, its addresses.
	Commands []string `json:"-" gorm:"serializer:json"`
	// Names are all files that it is about, also those that are not listed, for rules
	// that deny; with Unclear it may be about any other.
	Names   []string `json:"-" gorm:"-"`
	Unclear bool     `json:"-" gorm:"-"`
	// Rule is what the rule covers that decided it.
	Rule *Scope `json:"-" gorm:"-"`
	// Folder is the session's, for rules to match.
	Folder string `json:"-" gorm:"-"`
	// Raw is the request as it came (rawInput, locations, _meta), for the audit.
	Raw []byte `json:"-"`
}

// Others is how many files the request is about besides Path and To.
func (p Permission) Others() int {
	others := map[string]bool{}
	more := 0
	for _, f := range p.Files {
		more += f.More
		if f.More == 0 && f.Path != p.Path && f.Path != p.To {
			others[f.Path] = true
		}
	}
	return len(others) + more
}

// PermissionFile is one file of a request, with a preview of what would become
// of it; or, as the last one, all that are more than are shown.
type PermissionFile struct {
	Path      string `json:"path"`                // absolute; "" with More
	ContentID string `json:"contentId,omitempty"` // a diff; "" where the agent sent none; with More, their paths, a line each
	More      int    `json:"more,omitempty"`      // it stands for so many files
	Creates   bool   `json:"creates,omitempty"`   // the request creates it
	Deletes   bool   `json:"deletes,omitempty"`   // the request deletes it
}

// Protection says why an edit of a file is asked for in every mode: because what is
// there runs later, or says who may.
type Protection string

// The reasons.
const (
	ProtectsSession Protection = "session" // it runs when the next session starts
	ProtectsGit     Protection = "git"     // it runs with the next command of git
	ProtectsShell   Protection = "shell"   // it runs when a shell or the desktop starts
	ProtectsKeys    Protection = "keys"    // it says who may sign in, and as whom
	ProtectsApp     Protection = "app"     // it is VoxPilot's own data
	ProtectsAgent   Protection = "agent"   // it is the agent's own settings
)

// MarkKind says what harm a part of a command can do.
type MarkKind string

// The kinds of marks.
const (
	MarkDelete    MarkKind = "delete"    // deletes files for good
	MarkOverwrite MarkKind = "overwrite" // overwrites a branch at a remote
	MarkWebScript MarkKind = "script"    // runs what the web sends
	MarkDiscard   MarkKind = "discard"   // throws away what is not committed
	MarkAdmin     MarkKind = "admin"     // runs as administrator
	MarkRights    MarkKind = "rights"    // changes who may read and write
	MarkDisk      MarkKind = "disk"      // writes to a disk
	MarkPublish   MarkKind = "publish"   // changes what others see
	MarkUnread    MarkKind = "unread"    // runs text that is not in the command
	MarkOutside   MarkKind = "outside"   // names a path outside of the folder
	MarkUnclear   MarkKind = "unclear"   // a field of the request that is not known or contradicts others; it stands in no command
)

// Mark is a part of a command that can do harm. It is a hint: a command without
// marks is not known to be harmless.
type Mark struct {
	Kind MarkKind `json:"kind"`
	// Start and End are where the part stands in the whole command, in UTF-16
	// units.
	Start int `json:"start"`
	End   int `json:"end"`
	// Part is the program and the options that matter: "git push --force".
	Part string `json:"part"`
	// Of is what it is done to, such as a branch, a host or paths; "" where the
	// command does not say. At is the remote.
	Of []string `json:"of,omitempty"`
	At string   `json:"at,omitempty"`
	// Files is how many files it is done to; 0 where that is not known.
	Files int `json:"files,omitempty"`
}

// PermissionMode says what an agent may do without asking. The user sees them
// as "Ask first", "Allow edits" and "Allow everything".
type PermissionMode string

// The permission modes.
const (
	ModeAsk         PermissionMode = "ask"
	ModeAcceptEdits PermissionMode = "accept_edits" // edit, delete and move inside the folder go ahead
	ModeBypass      PermissionMode = "bypass"       // everything goes ahead; never a default, off in each new chat
)

// RuleKind says what a rule covers.
type RuleKind string

// The kinds of rules.
const (
	RuleEdits   RuleKind = "edits"   // every change of a file in the folder that is not protected, or of the one file that Command names; one that denies covers deletions and moves, too
	RuleCommand RuleKind = "command" // one exact command, run in the folder
	RulePrefix  RuleKind = "prefix"  // commands that begin with these words; made in Settings only
	RuleGlob    RuleKind = "glob"    // commands that match this pattern; made in Settings only
	RuleHost    RuleKind = "host"    // addresses of this host; made in Settings only
)

// Scope is what a rule covers.
type Scope struct {
	Kind    RuleKind `json:"kind"`
	Folder  string   `json:"folder"`            // absolute path; "" is every folder
	Command string   `json:"command,omitempty"` // the command, its prefix, its pattern, the host, or the one file of edits
}

// RuleEffect says what a rule does.
type RuleEffect string

// The effects of rules. A rule that denies wins over any that allows, and over
// the permission mode.
const (
	RuleAllow RuleEffect = "allow"
	RuleDeny  RuleEffect = "deny"
)

// Rule is a decision that the user made for good, or until ExpiresAt.
type Rule struct {
	ID        string     `json:"id"`
	Effect    RuleEffect `json:"effect"`
	Scope     Scope      `json:"scope" gorm:"embedded"`
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
	ExpiresAt Millis     `json:"expiresAt,omitempty"` // 0 is never
}

// AsksNothing says whether an agent in the mode asks for no permission: the
// Copilot CLI's autopilot, and what others call it.
func AsksNothing(mode string) bool {
	if i := strings.LastIndexByte(mode, '#'); i >= 0 {
		mode = mode[i+1:]
	}
	switch mode {
	case "autopilot", "bypassPermissions", "yolo":
		return true
	}
	return false
}
