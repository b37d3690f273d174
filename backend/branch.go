package backend

// BackScope selects the parts of a chat that go back to their state before a message.
type BackScope string

// Values of BackScope.
const (
	BackBoth         BackScope = "both"         // the conversation and the files
	BackFiles        BackScope = "files"        // only the files in the chat's folder
	BackConversation BackScope = "conversation" // only the conversation
)

// GoBackRequest is a request to take a chat back to its state before a message.
type GoBackRequest struct {
	Scope BackScope `json:"scope"`
	// Choices holds the user's choices for files, keyed by UndoFile.Path. For all other files, the Choice
	// in the preview applies. Choices have no effect on the conversation.
	Choices map[string]UndoChoice `json:"choices,omitempty"`
}

// BackMemory is the extent to which the agent remembers the remaining conversation after a chat goes back.
type BackMemory string

// Values of BackMemory.
const (
	MemoryFork  BackMemory = "fork"  // everything: the session is copied up to the message
	MemoryRecap BackMemory = "recap" // only a recap, given to a new session
)

// GoBackPreview describes the effect of going back to the state before a turn's message.
type GoBackPreview struct {
	TurnID string `json:"turnId"`
	// Since is the time of the message; files go back to their state at that time.
	Since Millis `json:"since"`
	// Blocked is the reason why neither the conversation nor the files can go back now, or "" if one of them can.
	Blocked Message `json:"blocked,omitzero"`
	// Messages is the number of the user's messages that would be set aside, including the turn's own.
	Messages int        `json:"messages"`
	Memory   BackMemory `json:"memory"`

	// FilesBlocked is the reason why the files can't go back, even if the conversation can. The fields below
	// have the same meaning as in UndoPreview.
	FilesBlocked Message    `json:"filesBlocked,omitzero"`
	Files        []UndoFile `json:"files"`
	Total        int        `json:"total"`
	Ready        int        `json:"ready"`
	Changed      int        `json:"changed"`
	Meanwhile    int        `json:"meanwhile,omitempty"`
	NotUndone    []UndoRest `json:"notUndone"`
}

// ChatBranches lists the forks in the shown version of a chat.
type ChatBranches struct {
	ChatID string `json:"chatId"`
	// Revision changes whenever messages are set aside or brought back. A page must then reload the
	// transcript.
	Revision int64 `json:"revision"`
	// Forks are in the order of the transcript.
	Forks []Fork `json:"forks,omitempty"`
	// WentBack is set from the time the chat goes back until its next message.
	WentBack *WentBack `json:"wentBack,omitempty"`
}

// Fork is a point in a chat after which there are several versions of the conversation.
type Fork struct {
	AfterTurn string `json:"afterTurn"` // ID of the turn before the fork; "" at the start of the chat
	// TurnID is the ID of the first turn of the shown version, or "" if the shown version ends at the fork.
	TurnID   string    `json:"turnId,omitempty"`
	Versions []Version `json:"versions"` // oldest first
	Current  int       `json:"current"`  // index of the shown version; -1 if the shown chat ends at the fork
}

// Version is one version of a chat's conversation after a fork.
type Version struct {
	ID       string `json:"id"`       // ID of the Aside; "" for the version that is shown
	At       Millis `json:"at"`       // time of the version's first message
	Messages int    `json:"messages"` // number of the user's messages
}

// WentBack describes the result of the most recent GoBack in a chat.
type WentBack struct {
	AsideID  string `json:"asideId"`
	At       Millis `json:"at"`                 // when the chat went back
	Since    Millis `json:"since"`              // time of the state to which the chat went back
	Files    int    `json:"files,omitempty"`    // number of files that went back
	Messages int    `json:"messages,omitempty"` // number of the user's messages that were set aside
	// HasFiles reports whether the files that went back can also be restored. If it is false although Files
	// isn't 0, their snapshots have been removed.
	HasFiles bool `json:"hasFiles,omitempty"`
}

// AsideState is the state of an Aside.
type AsideState string

// States of an Aside.
const (
	AsideGoing  AsideState = "going"  // files are going back; no turn is set aside yet
	AsideHidden AsideState = "aside"  // its turns are set aside
	AsideComing AsideState = "coming" // files are being brought back; its turns are still set aside
	AsideBack   AsideState = "back"   // its turns and files were brought back
	// AsideCanceled means that the chat didn't go back after all, because the operation ended before it
	// changed a file.
	AsideCanceled AsideState = "canceled"
)

// Aside records one instance of going back in a chat. It contains everything needed to bring back the turns that were
// set aside. When its state becomes AsideHidden, the store marks the turns from FromTurn on and their items; when it
// becomes AsideBack, the store removes the marks.
type Aside struct {
	ID        string     `json:"id"`
	ChatID    string     `json:"chatId"`
	State     AsideState `json:"state"`
	AfterTurn string     `json:"afterTurn"` // ID of the last turn that stayed; "" if none did
	FromTurn  string     `json:"fromTurn"`  // ID of the first turn that was set aside; "" if only files went back
	Scope     BackScope  `json:"scope"`
	At        Millis     `json:"at"`       // when the chat went back
	Since     Millis     `json:"since"`    // time of the state to which the chat went back
	Messages  int        `json:"messages"` // number of the user's messages that were set aside

	// ProviderID and Sessions are the chat's provider and sessions before it went back. These sessions
	// contain the turns that were set aside.
	ProviderID string    `json:"providerId"`
	Sessions   []Session `json:"sessions" gorm:"serializer:list"`

	// Before and After are the IDs of the snapshots of the folder taken before and after files went back; After is ""
	// if no file went back. Both are "" once the snapshots have been removed. Files is the number of files that went
	// back.
	Before string `json:"before"`
	After  string `json:"after"`
	Files  int    `json:"files"`

	// BackAt is the time when the files were brought back, or 0 if they weren't. BackBefore and BackAfter are the IDs
	// of the snapshots of the folder taken before and after the files were brought back, or "".
	BackAt     Millis `json:"backAt"`
	BackBefore string `json:"backBefore"`
	BackAfter  string `json:"backAfter"`
}

// ChatCopy is a request to copy part of a chat to an existing, empty chat: the visible items and turns before a
// given turn. The copies get new IDs. The chat's undos and permission requests aren't copied.
type ChatCopy struct {
	ChatID     string `json:"chatId"`     // ID of the chat that receives the copies
	From       string `json:"from"`       // ID of the original chat
	BeforeTurn string `json:"beforeTurn"` // ID of the first turn that isn't copied
}
