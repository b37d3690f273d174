package backend

// Desktop is VoxPilot's place on the user's desktop, as the system has it. It is
// held, one for the app.
type Desktop struct {
	Tray         bool     `json:"tray"`         // a tray shows VoxPilot's icon
	StartAtLogin bool     `json:"startAtLogin"` // VoxPilot is started, hidden, when the user logs in
	Shortcut     Shortcut `json:"shortcut"`
	// Notifications says why the system shows none; "" where it does.
	Notifications Message `json:"notifications,omitzero"`
	// Actions says that notifications can carry buttons here.
	Actions bool `json:"actions,omitempty"`
	// Version is which VoxPilot this is.
	Version string `json:"version,omitempty"`
}

// Shortcut is how the system takes the global shortcut of the quick prompt.
type Shortcut struct {
	Keys    string        `json:"keys,omitempty"` // as in Settings.Shortcut, or as the system says it
	State   ShortcutState `json:"state"`
	Message Message       `json:"message,omitzero"` // why it does not work
	// Command opens the quick prompt as well: the user can bind it in the
	// settings of the system.
	Command string `json:"command,omitempty"`
}

// ShortcutState says whether the global shortcut works.
type ShortcutState string

// The states of the global shortcut.
const (
	ShortcutOff         ShortcutState = "off"        // the user wants none
	ShortcutActive      ShortcutState = "active"     //
	ShortcutInUse       ShortcutState = "taken"      // another program has it
	ShortcutUnsupported ShortcutState = "impossible" // this desktop lets no program have one
)

// Navigation says that the user asked outside of the window for something that the
// window shows: in the tray, in a notification, on a command line, by a link. It
// is held for pages that open late; a page follows each ID once.
type Navigation struct {
	ID     string           `json:"id"`
	For    NavigationTarget `json:"for"`
	ChatID string           `json:"chatId,omitempty"` // of NavigateChat
	Folder string           `json:"folder,omitempty"` // of NavigateNewChat; "" is the one that was used last
	Text   string           `json:"text,omitempty"`   // of NavigateNewChat: what stands in the composer
	Page   string           `json:"page,omitempty"`   // of NavigateSettings; "" is the first
	// Message is of NavigateError: why it was not done.
	Message Message `json:"message,omitzero"`
	// Request says that the newest open request of the chat takes the focus.
	Request bool `json:"request,omitempty"`
}

// NavigationTarget says what the window shows.
type NavigationTarget string

// What can be asked for from outside of the window.
const (
	NavigateChat     NavigationTarget = "chat"
	NavigateNewChat  NavigationTarget = "new"
	NavigateSettings NavigationTarget = "settings"
	NavigateError    NavigationTarget = "failed" // nothing: what was asked for could not be done
)

// Notify says which notifications the user wants. All come only while the window
// is not in front.
type Notify struct {
	Muted    bool `json:"muted,omitempty"` // none at all
	NeedsYou bool `json:"needsYou"`        // a request for a permission
	Finished bool `json:"finished"`
	Failed   bool `json:"failed"`
	SignIn   bool `json:"signIn"` // a sign-in is needed
	// Quiet hours, each day from QuietFrom to QuietTo, which may be of the next
	// day, as "22:00" in local time; "" is none.
	QuietFrom string `json:"quietFrom,omitempty"`
	QuietTo   string `json:"quietTo,omitempty"`
}

// Update is what is known of newer versions of VoxPilot. It is held, one for the
// app.
type Update struct {
	State      UpdateState `json:"state"`
	Version    string      `json:"version,omitempty"` // the newer one
	Notes      string      `json:"notes,omitempty"`   // Markdown, of a signed feed
	Size       int64       `json:"size,omitempty"`    // of the download, in bytes
	Downloaded int64       `json:"got,omitempty"`     // of it, while it is downloaded
	Message    Message     `json:"message,omitzero"`  // why it failed, or what to do instead
	Command    string      `json:"command,omitempty"` // of UpdateExternal
	CheckedAt  Millis      `json:"checkedAt,omitempty"`
}

// UpdateState says how an update stands.
type UpdateState string

// The states of an update.
const (
	UpdateOff         UpdateState = "off"         // this build knows no feed
	UpdateIdle        UpdateState = "idle"        // not looked for yet
	UpdateChecking    UpdateState = "checking"    //
	UpdateNone        UpdateState = "none"        // this is the newest
	UpdateAvailable   UpdateState = "available"   // the user can have it downloaded
	UpdateExternal    UpdateState = "elsewhere"   // there is a newer one, which the system's package manager installs
	UpdateDownloading UpdateState = "downloading" //
	UpdateReady       UpdateState = "ready"       // downloaded and verified: installed when VoxPilot is started again
	UpdateFailed      UpdateState = "failed"      // Message says why
)
