package backend

// TrustRequest asks whether agents may start in a folder whose files can run code.
// It is held, one a repository, from the first start that was refused until the
// user trusts it, nothing waits for it any more, or what it asks for is gone.
type TrustRequest struct {
	ID      string   `json:"id"`      // of what is asked for: another one where the folder has changed meanwhile
	Key     string   `json:"key"`     // TrustedFolder.Key: the git directory that all worktrees share, or the folder
	Folder  string   `json:"folder"`  // of the chat that asked first
	Root    string   `json:"root"`    // of the repository; Folder where there is none
	ChatIDs []string `json:"chatIds"` // the chats that wait, the first to ask first
	Agent   string   `json:"agent"`   // who would start, as the user calls it
	// Changed says that the user trusted the folder before: Runs has only what is
	// new or has changed since.
	Changed bool         `json:"changed,omitempty"`
	Runs    []TrustEntry `json:"runs"`   // what can run code or make the agent ask less
	Steers  []TrustEntry `json:"steers"` // instructions, which need no trust
	// MoreRuns and MoreSteers are how many are not listed.
	MoreRuns   int `json:"moreRuns,omitempty"`
	MoreSteers int `json:"moreSteers,omitempty"`
	// Incomplete says that not all of the folder could be read in the time: what
	// is trusted then is not remembered.
	Incomplete bool `json:"incomplete,omitempty"`
	// From is the host and path that the repository was cloned from, without a
	// user's name or password, and ClonedAt when; "" and 0 where that is not known.
	From     string `json:"from,omitempty"`
	ClonedAt Millis `json:"clonedAt,omitempty"`
}

// TrustEntry is one thing in a folder that can run code, or one file of
// instructions.
type TrustEntry struct {
	File  string `json:"file"`            // with slashes, below TrustRequest.Root; of a git directory it begins with ".git/"
	Key   string `json:"key,omitempty"`   // such as "hooks.sessionStart" or "core.fsmonitor"; "" for a whole file
	Value string `json:"value,omitempty"` // what it would run, at most 2,000 bytes
	Note  string `json:"note,omitempty"`  // why Value is not what it would run: "large", "link" or "unread"
	// Before is the value that was trusted, where this one has changed; "" where
	// it is new.
	Before    string `json:"before,omitempty"`
	Size      int64  `json:"size,omitempty"`      // of the file, in bytes
	ChangedAt Millis `json:"changedAt,omitempty"` // of the file, as the file system says
}

// TrustedFolder is a folder, or a repository with all of its worktrees, in which
// agents may run what is in it as it was when the user said so. It is kept.
type TrustedFolder struct {
	Key       string `json:"key"`
	Folder    string `json:"folder"`  // where it was trusted last
	Entries   int    `json:"entries"` // how many things are trusted
	TrustedAt Millis `json:"trustedAt"`
	// Add are entries to trust besides those that the database has. They stay in
	// the database.
	Add []TrustedEntry `json:"-"`
}

// TrustedEntry is one thing that the user trusts, by its content.
type TrustedEntry struct {
	File   string `json:"file"`
	Key    string `json:"key"`
	Digest string `json:"digest"`
	Value  string `json:"value"` // as it was shown
}
