package backend

// BackScope is the part of a chat that goes back to before a message.
type BackScope string

// Scopes of going back.
const (
	BackBoth         BackScope = "both"
	BackFiles        BackScope = "files"        // only the files in the chat's folder
	BackConversation BackScope = "conversation" // only the conversation
)

// GoBackRequest asks to go back to before a message.
type GoBackRequest struct {
	Scope BackScope `json:"scope"`
	// Choices holds the choices for files, by their path in GoBackPreview; other files are treated as the
	// preview states. It has no effect on a conversation.
	Choices map[string]UndoChoice `json:"choices,omitempty"`
}

// BackMemory is the way in which an agent remembers the earlier messages after a chat went back.
type BackMemory string

// Kinds of memory after going back.
const (
	MemoryFork  BackMemory = "fork"  // all that was said before, exactly: its session is copied up to there
	MemoryRecap BackMemory = "recap" // a summary: a new session begins with it
)

// GoBackPreview describes the effect that going back to before a turn's message would have now.
type GoBackPreview struct {
	TurnID string `json:"turnId"`
	// Since is the time of the message; files go back to their state at this time.
	Since Millis `json:"since"`
	// Blocked is the reason why neither the conversation nor the files can go back now.
	Blocked Message `json:"blocked,omitzero"`
	// Messages is the number of the user's messages that are set aside, including that of the turn.
	Messages int        `json:"messages"`
	Memory   BackMemory `json:"memory"`

	// The following fields are about the files. FilesBlocked is the reason why they can't go back, also if
	// Blocked is empty; the others are like those of UndoPreview.
	FilesBlocked Message    `json:"filesBlocked,omitzero"`
	Files        []UndoFile `json:"files"`
	Total        int        `json:"total"`
	Ready        int        `json:"ready"`
	Changed      int        `json:"changed"`
	NotUndone    []UndoRest `json:"notUndone"`
}

// ChatBranches holds the places at which a chat has more than one version, as far as they are in the
// version that is shown.
type ChatBranches struct {
	ChatID string `json:"chatId"`
	// Revision changes whenever messages were set aside or came back: the transcript must be read again.
	Revision int64 `json:"revision"`
	// Forks are in the order of the transcript.
	Forks []Fork `json:"forks,omitempty"`
	// WentBack is set after the chat went back and until its next message.
	WentBack *WentBack `json:"wentBack,omitempty"`
}

// Fork is a place in a chat at which it has more than one version.
type Fork struct {
	AfterTurn string `json:"afterTurn"` // the turn after which the versions begin; "" at the start of the chat
	// TurnID is the first turn of the version that is shown, or "" if the chat ends here.
	TurnID   string    `json:"turnId,omitempty"`
	Versions []Version `json:"versions"` // the oldest first
	Current  int       `json:"current"`  // index in Versions of the one that is shown; -1 if the chat ends here
}

// Version is one of the ways in which a chat continues after a fork.
type Version struct {
	ID       string `json:"id"` // of the messages that are set aside; "" for the version that is shown
	At       Millis `json:"at"` // of its first message
	Messages int    `json:"messages"`
}

// WentBack describes the latest time that a chat went back.
type WentBack struct {
	AsideID  string `json:"asideId"`
	At       Millis `json:"at"`
	Since    Millis `json:"since"`              // the time to which it went back
	Files    int    `json:"files,omitempty"`    // that went back
	Messages int    `json:"messages,omitempty"` // of the user that are set aside
	// HasFiles means that the files can come back too. If it isn't set although Files isn't 0, the recording of the
	// files was removed.
	HasFiles bool `json:"hasFiles,omitempty"`
}

// AsideState is the state of an Aside.
type AsideState string

// States of an Aside.
const (
	AsideGoing  AsideState = "going"  // files are going back; nothing is set aside yet
	AsideHidden AsideState = "aside"  // it is set aside
	AsideComing AsideState = "coming" // files are coming back; it is still set aside
	AsideBack   AsideState = "back"   // it came back
	// AsideCanceled is the state of a record of going back that changed nothing.
	AsideCanceled AsideState = "canceled"
)

// Aside is the record of one time that a chat went back: of the turns that were set aside, with all that is needed
// to bring them back. When its state becomes AsideHidden, the store marks the turns from FromTurn on and their
// items; when it becomes AsideBack, the store removes the marks.
type Aside struct {
	ID        string     `json:"id"`
	ChatID    string     `json:"chatId"`
	State     AsideState `json:"state"`
	AfterTurn string     `json:"afterTurn"` // the turn after which they begin; "" at the start of the chat
	FromTurn  string     `json:"fromTurn"`  // the first one; "" if only files went back
	Scope     BackScope  `json:"scope"`
	At        Millis     `json:"at"`
	Since     Millis     `json:"since"`    // the time to which the chat went back
	Messages  int        `json:"messages"` // of the user

	// ProviderID is the chat's at that time, and Sessions are the chat's sessions, which know the turns.
	ProviderID string    `json:"providerId"`
	Sessions   []Session `json:"sessions" gorm:"serializer:list"`

	// Before and After are IDs of snapshots of the folder before and after files went back, and Files is
	// their number. After is "" if none did. Both are "" once the snapshots were removed.
	Before string `json:"before"`
	After  string `json:"after"`
	Files  int    `json:"files"`

	// IDs of snapshots of the folder before and after the files came back, if they did, and the time.
	BackAt     Millis `json:"backAt"`
	BackBefore string `json:"backBefore"`
	BackAfter  string `json:"backAfter"`
}

// ChatCopy copies what a chat shows before a turn to another chat, which exists and is empty. The copies have IDs of
// their own. What is only about the original isn't copied: undos and requests.
type ChatCopy struct {
	ChatID     string `json:"chatId"` // the copy
	From       string `json:"from"`   // ID of the original chat
	BeforeTurn string `json:"beforeTurn"`
}
