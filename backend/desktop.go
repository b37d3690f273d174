package backend

// Desktop is the state of VoxPilot's integration with the desktop. The app has exactly
// one; its latest event is retained.
type Desktop struct {
	Tray         bool     `json:"tray"`         // a tray shows VoxPilot's icon
	StartAtLogin bool     `json:"startAtLogin"` // VoxPilot starts hidden when the user logs in
	Shortcut     Shortcut `json:"shortcut"`
	// Notifications is the reason why the system doesn't show notifications, or "" if it does.
	Notifications Message `json:"notifications,omitzero"`
	// Actions reports whether notifications can have buttons.
	Actions bool   `json:"actions,omitempty"`
	Version string `json:"version,omitempty"` // version of VoxPilot
}

// Shortcut is the state of the global shortcut of the quick prompt.
type Shortcut struct {
	Keys    string        `json:"keys,omitempty"` // keys in the notation of Settings.Shortcut or of the system
	State   ShortcutState `json:"state"`
	Message Message       `json:"message,omitzero"` // why the shortcut doesn't work
	// Command is a command line that opens the quick prompt. The user can bind it to keys in the system's
	// settings.
	Command string `json:"command,omitempty"`
}

// ShortcutState indicates whether the global shortcut works.
type ShortcutState string

// The states of the global shortcut.
const (
	ShortcutOff         ShortcutState = "off"        // disabled by the user
	ShortcutActive      ShortcutState = "active"     // registered
	ShortcutInUse       ShortcutState = "taken"      // in use by another program
	ShortcutUnsupported ShortcutState = "impossible" // not supported by this desktop
)

// Navigation is a navigation request from outside the window: from the tray, a notification, a command
// line or a link. It is retained for pages that are loaded later. A page follows each ID only once.
type Navigation struct {
	ID     string           `json:"id"`
	For    NavigationTarget `json:"for"`
	ChatID string           `json:"chatId,omitempty"` // for NavigateChat and NavigateReview
	Source string           `json:"source,omitempty"` // for NavigateReview: the changes to review (ReviewSources)
	Folder string           `json:"folder,omitempty"` // for NavigateNewChat; "" is the last used folder
	Text   string           `json:"text,omitempty"`   // for NavigateNewChat: text for the composer
	Page   string           `json:"page,omitempty"`   // for NavigateSettings; "" is the first page
	// Message is the reason why the request failed (NavigateError).
	Message Message `json:"message,omitzero"`
	// Request means that the page moves the focus to the newest open request of the chat.
	Request bool `json:"request,omitempty"`
}

// NavigationTarget is the target of a navigation request.
type NavigationTarget string

// Navigation targets.
const (
	NavigateChat     NavigationTarget = "chat"
	NavigateNewChat  NavigationTarget = "new"
	NavigateReview   NavigationTarget = "review" // the review; with the trust sheet if a trust request lists the chat
	NavigateSettings NavigationTarget = "settings"
	NavigateError    NavigationTarget = "failed" // no navigation: the request failed
)

// Notify holds the user's notification settings. Notifications about chats are shown only while the window isn't in
// front.
type Notify struct {
	Muted    bool `json:"muted,omitempty"` // show no notifications
	NeedsYou bool `json:"needsYou"`        // notify about permission requests
	Finished bool `json:"finished"`
	Failed   bool `json:"failed"`
	SignIn   bool `json:"signIn"` // notify if a sign-in is required
	// QuietFrom and QuietTo are the start and end of the daily quiet hours in local time, such as "22:00". Both
	// are "" if there are no quiet hours. The end can be on the next day.
	QuietFrom string `json:"quietFrom,omitempty"`
	QuietTo   string `json:"quietTo,omitempty"`
}

// Update is the state of VoxPilot's updates. The app has exactly one; its latest event is retained.
type Update struct {
	State      UpdateState `json:"state"`
	Version    string      `json:"version,omitempty"` // the new version
	Notes      string      `json:"notes,omitempty"`   // Markdown, from a signed feed
	Size       int64       `json:"size,omitempty"`    // size of the download in bytes
	Downloaded int64       `json:"got,omitempty"`     // bytes downloaded so far
	Message    Message     `json:"message,omitzero"`  // why the update failed, or how to install it by hand
	Command    string      `json:"command,omitempty"` // for UpdateExternal: the command that installs the update, if known
	CheckedAt  Millis      `json:"checkedAt,omitempty"`
}

// UpdateState is the state of an update.
type UpdateState string

// The states of an update.
const (
	UpdateOff         UpdateState = "off"         // this build has no update feed
	UpdateIdle        UpdateState = "idle"        // not checked yet
	UpdateChecking    UpdateState = "checking"    // requesting the feed
	UpdateNone        UpdateState = "none"        // up to date
	UpdateAvailable   UpdateState = "available"   // ready for the user to download
	UpdateExternal    UpdateState = "elsewhere"   // available from the system's package manager
	UpdateDownloading UpdateState = "downloading" // downloading and verifying the new version
	UpdateReady       UpdateState = "ready"       // downloaded and verified; App.InstallUpdate installs it
	UpdateFailed      UpdateState = "failed"      // see Message
)
