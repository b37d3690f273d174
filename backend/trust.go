package backend

// TrustRequest asks whether agents may start in a folder whose files can run code. There is at most one per
// repository. It is created when an agent isn't allowed to start. It is removed when the user answers it, when no chat
// is waiting for it any longer, or when the files in question are deleted.
type TrustRequest struct {
	ID      string   `json:"id"`      // identifies the untrusted content; changes with the content
	Key     string   `json:"key"`     // TrustedFolder.Key: the git directory shared by all worktrees, or the folder
	Folder  string   `json:"folder"`  // folder of the first waiting chat
	Root    string   `json:"root"`    // root of the repository; Folder if there is no repository
	ChatIDs []string `json:"chatIds"` // the waiting chats, in the order in which they started to wait
	Agent   string   `json:"agent"`   // agent to start, by its user-facing name
	// Changed reports whether the user trusted the folder before. If so, Runs contains only the entries that are new
	// or have changed since.
	Changed bool         `json:"changed,omitempty"`
	Runs    []TrustEntry `json:"runs"`   // entries that can run code or make the agent ask less often
	Steers  []TrustEntry `json:"steers"` // instruction files, listed for information: they need no trust
	// MoreRuns and MoreSteers are the numbers of entries that aren't listed in Runs and Steers.
	MoreRuns   int `json:"moreRuns,omitempty"`
	MoreSteers int `json:"moreSteers,omitempty"`
	// Incomplete reports whether the folder couldn't be read completely in time. If so, the user's decision to trust
	// it isn't stored.
	Incomplete bool `json:"incomplete,omitempty"`
	// From is the host and path that the repository was cloned from, without the user's
	// name or password; "" if unknown. ClonedAt is the time of the clone; 0 if unknown.
	From     string `json:"from,omitempty"`
	ClonedAt Millis `json:"clonedAt,omitempty"`
}

// TrustEntry is an item in a folder: one that can run code or make the agent ask less often, or an instruction file.
type TrustEntry struct {
	File  string `json:"file"`            // slash-separated path relative to TrustRequest.Root; in a git directory it starts with ".git/"
	Key   string `json:"key,omitempty"`   // key in the file, such as "hooks.sessionStart" or "core.fsmonitor"; "" for a whole file
	Value string `json:"value,omitempty"` // the code that would run or, if Note is "link", the target of the link; at most 2,000 bytes
	Note  string `json:"note,omitempty"`  // why Value doesn't show the code: "large" (too large), "link" (leads out of the repository) or "unread" (can't be read)
	// Before is the previously trusted Value if it has changed; "" if the entry is new.
	Before    string `json:"before,omitempty"`
	Size      int64  `json:"size,omitempty"`      // size of the file in bytes
	ChangedAt Millis `json:"changedAt,omitempty"` // modification time of the file
}

// TrustedFolder is a folder, or a repository with all its worktrees, that the user has trusted. Only
// code in its trusted entries may run, and only if that code hasn't changed since. A TrustedFolder is
// stored in the database.
type TrustedFolder struct {
	Key       string `json:"key"`
	Folder    string `json:"folder"`  // folder in which it was last trusted
	Entries   int    `json:"entries"` // number of trusted entries
	TrustedAt Millis `json:"trustedAt"`
	// Add holds entries to trust in addition to those in the database. It is set only in events that add
	// them, and isn't sent to the window.
	Add []TrustedEntry `json:"-"`
}

// TrustedEntry is one trusted item, identified by its content.
type TrustedEntry struct {
	File   string `json:"file"`
	Key    string `json:"key"`
	Digest string `json:"digest"`
	Value  string `json:"value"` // as shown to the user
}
