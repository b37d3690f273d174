package backend

import "strings"

// PermissionState is the state of a permission request.
type PermissionState string

// The states of a permission request. All but PermissionOpen are final.
const (
	PermissionOpen    PermissionState = "open"
	PermissionDecided PermissionState = "decided" // an option was chosen
	PermissionClosed  PermissionState = "closed"  // no option was chosen, for example because the turn was stopped, the agent exited, or it offered no option to reject
)

// OptionKind is the kind of an Option, with the values of ACP's PermissionOptionKind.
type OptionKind string

// The kinds of options. Other kinds from agents are preserved.
const (
	OptionAllowOnce    OptionKind = "allow_once"
	OptionAllowAlways  OptionKind = "allow_always"
	OptionRejectOnce   OptionKind = "reject_once"
	OptionRejectAlways OptionKind = "reject_always"
)

// Option is an answer that the agent offers for a permission request. VoxPilot selects an option by its Kind and sends
// its ID.
type Option struct {
	ID   string     `json:"id"`
	Kind OptionKind `json:"kind"`
	Name string     `json:"name"`
}

// Permission is a permission request from the agent, or a question from a model (Question), and its outcome.
type Permission struct {
	ID      string          `json:"id"`
	ChatID  string          `json:"chatId"`
	TurnID  string          `json:"turnId,omitempty"`
	Session string          `json:"session"`
	ItemID  string          `json:"itemId,omitempty"` // ID of the item with the tool call that needs permission
	State   PermissionState `json:"state"`
	Title   string          `json:"title"`
	Kind    ToolKind        `json:"kind"`
	Path    string          `json:"path,omitempty"` // absolute
	To      string          `json:"to,omitempty"`   // absolute target of a move
	// Command is the first line of a command, at most 300 bytes. The whole command is in the Content whose ID is
	// ContentID. For a fetch, Command is the host.
	Command string `json:"command,omitempty"`
	// ContentID is the ID of the preview: a diff or the whole command; "" if the agent sent none.
	ContentID string `json:"contentId,omitempty"`
	// TextID is the ID of the ContentRequest with the agent's description of the request, or "" if there is
	// none.
	TextID string `json:"textId,omitempty"`
	// Creates reports whether the request is for an edit that creates a new file.
	Creates bool `json:"creates,omitempty"`
	// Marks are the potentially harmful parts of the command, in order, followed by the unclear fields of the request.
	// They don't affect decisions by rules or the mode, but "Always allow" isn't offered for a request with marks.
	Marks []Mark `json:"marks,omitempty" gorm:"serializer:list"`
	// Files lists the files of a request for several files, including the one in Path. If there are several
	// previews of a file, each preview has its own entry. Files is nil if Path and ContentID describe the request
	// completely.
	Files   []PermissionFile `json:"files,omitempty" gorm:"serializer:list"`
	Options []Option         `json:"options" gorm:"serializer:json"`
	// Scope is the rule that "Always allow" would store for this request; nil if no rule can be derived.
	// "Always allow" is offered if Scope is set, Files and Marks are empty, and the request is neither a
	// deletion nor a move.
	Scope    *Scope   `json:"scope,omitempty" gorm:"serializer:json"`
	Decision Decision `json:"decision,omitempty"`
	OptionID string   `json:"optionId,omitempty"` // ID of the option that was sent to the agent
	RuleID   string   `json:"ruleId,omitempty"`   // ID of the rule that decided the request; "" if none did
	// Mode is the permission mode that decided the request; "" if none did.
	Mode PermissionMode `json:"mode,omitempty"`
	// Reason is the text that the user entered when rejecting the request.
	Reason string `json:"reason,omitempty"`
	// Outside reports whether the request affects paths outside the chat's folder.
	Outside bool `json:"outside,omitempty"`
	// Protected is the reason why no permission mode may allow the edit; "" if there is no such reason.
	Protected Protection `json:"protected,omitempty"`
	// Sandbox is the role of the sandbox in the request; "" if it has none.
	Sandbox SandboxRole `json:"sandbox,omitempty"`
	// Earlier describes the earlier run of the command in the sandbox. It is set only for SandboxLeaves.
	Earlier Message `json:"earlier,omitzero" gorm:"serializer:message"`
	// Question is set if the request is a question to the user instead of a request for permission. Its Kind is then
	// ToolAsk or ToolPlan, and it has no Options.
	Question  *Question `json:"question,omitempty" gorm:"serializer:json"`
	CreatedAt Millis    `json:"createdAt" gorm:"autoCreateTime:false"`
	DecidedAt Millis    `json:"decidedAt,omitempty"`
	// Commands are all commands in the request, in full, or the addresses of a fetch. Rules are matched
	// against them.
	Commands []string `json:"-" gorm:"serializer:json"`
	// Names are the paths of all files in the request, including those missing from Files. Deny rules are
	// matched against them. If Unclear is set, the request could also affect any other file.
	Names   []string `json:"-" gorm:"-"`
	Unclear bool     `json:"-" gorm:"-"`
	// AgentAsksNothing is true if the request comes from the guard because the user has turned off the agent's own
	// requests. The request is decided as if the chat's permission mode were ModeBypass.
	AgentAsksNothing bool `json:"-" gorm:"-"`
	// Rule is the scope of the rule that decided the request; nil if none did.
	Rule *Scope `json:"-" gorm:"-"`
	// Folder is the session's folder, for matching rules.
	Folder string `json:"-" gorm:"-"`
	// Raw is the request as received (rawInput, locations, _meta), for the audit.
	Raw []byte `json:"-"`
}

// Source returns the source of the decision, or nil if it wasn't made by the user, a rule or a mode. It
// must not be called while the request is open.
func (p Permission) Source() *DecisionSource {
	by := &DecisionSource{Kind: DecidedByUser, At: p.DecidedAt, Reason: p.Reason}
	switch {
	case p.Rule != nil:
		by.Kind, by.Rule = DecidedByRule, p.Rule
	case p.Mode != "":
		by.Kind, by.Mode = DecidedByMode, p.Mode
	case p.Decision == DecisionAutoAllowed || p.Decision == DecisionClosed: // decided by VoxPilot
		return nil
	}
	return by
}

// Others returns the number of files in the request other than Path and To, including those missing from
// Files.
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

// PermissionFile is a file in a permission request, with a preview of its change. If a request has too many files
// to list, the last entry stands for the remaining files; its field More is then set.
type PermissionFile struct {
	Path      string `json:"path"`                // absolute; "" if More is set
	ContentID string `json:"contentId,omitempty"` // ID of the diff or, if More is set, of the remaining paths (ContentNames); "" if there is none
	More      int    `json:"more,omitempty"`      // number of remaining files
	Creates   bool   `json:"creates,omitempty"`   // the request creates the file
	Deletes   bool   `json:"deletes,omitempty"`   // the request deletes the file
}

// Protection is the reason why no permission mode allows changes to a file without asking the user.
type Protection string

// Protection reasons.
const (
	ProtectsSession Protection = "session" // takes effect when the agent starts its next session
	ProtectsGit     Protection = "git"     // runs with the next git command
	ProtectsShell   Protection = "shell"   // runs when a shell or the desktop starts
	ProtectsKeys    Protection = "keys"    // controls access and identity
	ProtectsApp     Protection = "app"     // VoxPilot's own data
	ProtectsAgent   Protection = "agent"   // the agent's own settings
)

// MarkKind is the kind of a Mark: usually the harm that the marked part of a command can do.
type MarkKind string

// The kinds of marks.
const (
	MarkDelete    MarkKind = "delete"    // deletes files permanently
	MarkOverwrite MarkKind = "overwrite" // overwrites a branch on a remote
	MarkWebScript MarkKind = "script"    // runs a script from the web
	MarkDiscard   MarkKind = "discard"   // discards uncommitted changes
	MarkHistory   MarkKind = "history"   // rewrites the history of a repository
	MarkAdmin     MarkKind = "admin"     // runs as administrator
	MarkRights    MarkKind = "rights"    // changes permissions of files
	MarkOwner     MarkKind = "owner"     // changes the owner or group of files
	MarkDisk      MarkKind = "disk"      // writes to a disk
	MarkPublish   MarkKind = "publish"   // publishes something
	MarkUnread    MarkKind = "unread"    // runs code that isn't readable in the command, such as encoded text or the output of a program
	MarkOutside   MarkKind = "outside"   // names a path outside the folder
	MarkUnclear   MarkKind = "unclear"   // an unknown or contradictory field of the request; not part of a command
)

// Mark is a potentially harmful part of a command, or an unclear field of a request (MarkUnclear). It is a hint: a
// command without marks can still be harmful.
type Mark struct {
	Kind MarkKind `json:"kind"`
	// Start and End are the offsets of the part in the whole command, in UTF-16 code units.
	Start int `json:"start"`
	End   int `json:"end"`
	// Part is the program and its relevant options: "git push --force".
	Part string `json:"part"`
	// Of lists the targets, such as a branch, a host or paths; empty if the command doesn't name them. The field At is
	// the git remote, or "" if there is none.
	Of []string `json:"of,omitempty"`
	At string   `json:"at,omitempty"`
	// Files is the number of affected files; 0 if unknown.
	Files int `json:"files,omitempty"`
	// CanRestore reports whether Undo can bring back all files that the part deletes.
	CanRestore bool `json:"canRestore,omitempty"`
}

// PermissionMode determines what an agent may do without asking. The window calls the
// modes "Ask first", "Allow edits" and "Allow everything".
type PermissionMode string

// Permission modes. No mode allows an unclear request, a change to a protected file, a connection to a site that
// isn't listed, a command that leaves the sandbox or, if Settings.AskOutside is set, access outside the folder.
const (
	ModeAsk         PermissionMode = "ask"
	ModeAcceptEdits PermissionMode = "accept_edits" // allows edits, deletions and moves inside the folder, and commands in the sandbox
	ModeBypass      PermissionMode = "bypass"       // allows all other requests; never the mode of a new chat
)

// RuleKind is the kind of a rule.
type RuleKind string

// The kinds of rules.
const (
	RuleEdits   RuleKind = "edits"   // every change to an unprotected file in the folder, or to the one file in Command; a deny rule also covers deletions and moves
	RuleCommand RuleKind = "command" // one exact command line, run in the folder
	RulePrefix  RuleKind = "prefix"  // commands that start with the given words; created only in Settings
	RuleGlob    RuleKind = "glob"    // commands that match the given pattern; created only in Settings
	RuleHost    RuleKind = "host"    // addresses of the given host; created only in Settings
	RuleTurn    RuleKind = "turn"    // as RuleEdits without Command, but only in the turn whose ID is in Command; removed when the turn ends
)

// Scope defines the requests that a rule covers.
type Scope struct {
	Kind    RuleKind `json:"kind"`
	Folder  string   `json:"folder"`            // absolute path; "" means every folder
	Command string   `json:"command,omitempty"` // command, prefix, pattern, host or turn; for RuleEdits, the only file that the rule covers, or ""
}

// RuleEffect is the effect of a rule.
type RuleEffect string

// The effects of rules. A deny rule overrides every allow rule and the permission mode.
const (
	RuleAllow RuleEffect = "allow"
	RuleDeny  RuleEffect = "deny"
)

// Rule is a decision by the user that applies to all requests that the rule covers, permanently or until ExpiresAt.
type Rule struct {
	ID        string     `json:"id"`
	Effect    RuleEffect `json:"effect"`
	Scope     Scope      `json:"scope" gorm:"embedded"`
	CreatedAt Millis     `json:"createdAt" gorm:"autoCreateTime:false"`
	ExpiresAt Millis     `json:"expiresAt,omitempty"` // 0 means never
}

// AsksNothing reports whether an agent never asks for permission in the mode with the given id, like the Copilot CLI in
// autopilot. If the id is a URL, only its fragment is checked.
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
