package backend

// Hits is a page of what a search in all chats has found, by chat. Chats whose
// title was found come first, then the others by their newest hit; within a chat
// the title comes first, then entries of the transcript, the newest first. Where the
// search ends with the beginning of very many words, a chat may come again on a
// later page.
type Hits struct {
	// Hits are those of the page's chats, of each at least the first HitsPerChat.
	Hits []Hit `json:"hits"`
	// Groups are the page's chats, in the order of their hits.
	Groups []HitGroup `json:"groups"`
	Total  int        `json:"total"` // of all pages, at most MaxHits
	// Capped says that there are more than Total.
	Capped bool `json:"capped,omitempty"`
	// Chats is how many chats all pages are of; 0 where there are more than Total.
	Chats int `json:"chats,omitempty"`
	// More is what to give as "before" for the next page; "" where there is none.
	More string `json:"more,omitempty"`
	// Reading says that chats of an earlier version are still being read: there
	// may be more to find in a moment.
	Reading bool `json:"reading,omitempty"`
}

// HitGroup is what a search has found in one chat.
type HitGroup struct {
	ChatID string `json:"chatId"`
	Total  int    `json:"total"` // at most MaxHits
	// Capped says that there are more than Total.
	Capped bool `json:"capped,omitempty"`
	// More is what to give as "before", with the chat, for the hits that follow
	// those of the page; "" where there are none.
	More string `json:"more,omitempty"`
}

const (
	// MaxHits is how far hits are counted where that is asked for.
	MaxHits = 1000
	// FewHits is how far they are counted for a page, and in each of its chats,
	// where to count more would take long.
	FewHits = 200
	// HitsPerChat is how many hits of a chat a page has at least, if there are
	// that many.
	HitsPerChat = 3
)

// HitAuthor is who wrote what is searched for.
type HitAuthor string

// Who can have written an entry.
const (
	HitByUser         HitAuthor = "you"
	HitByOrchestrator HitAuthor = "voxpilot" // the session that answers
	HitByCopilot      HitAuthor = "copilot"  // the sessions that it gave work to
)

// HitCategory is what kind of entries is searched for.
type HitCategory string

// The kinds of entries that a search can be narrowed to.
const (
	HitMessages HitCategory = "messages" // what the user asked
	HitAnswers  HitCategory = "answers"
	HitCommands HitCategory = "commands" // with their output
	HitFiles    HitCategory = "files"    // that were read or changed
	HitTools    HitCategory = "tools"    // all other calls of tools
)

// Hit is a place where the words of a search stand.
type Hit struct {
	ChatID string `json:"chatId"`
	Title  string `json:"title"`
	Folder string `json:"folder"`
	// ItemID, ParentID and Pos are those of the item; empty where it is the title.
	ItemID   string    `json:"itemId,omitempty"`
	ParentID string    `json:"parentId,omitempty"`
	Pos      int64     `json:"pos,omitempty"`
	Session  string    `json:"session,omitempty"` // whose work it is, where it is in a block
	Kind     HitKind   `json:"kind"`
	Tool     ToolKind  `json:"tool,omitempty"` // of a call of a tool
	At       Millis    `json:"at"`
	Snippet  []Excerpt `json:"snippet"`
}

// HitKind says what was found: the title of a chat, or an item of that ItemKind.
type HitKind string

// The kinds of hits.
const (
	HitTitle   HitKind = "title"
	HitUser    HitKind = "user"
	HitMessage HitKind = "message"
	HitNote    HitKind = "note"
	HitTool    HitKind = "tool"  // its title, command, paths or output
	HitBlock   HitKind = "block" // what was asked of a session
)

// Excerpt is a piece of a text in which something was found.
type Excerpt struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"` // this was looked for
}

// Matches are the items of one chat that hold a text, in the order in which they
// stand.
type Matches struct {
	Matches []Match `json:"places"`
	Total   int     `json:"total"` // how often the text stands in all of them
	// Capped says that there are more items than MaxMatches.
	Capped bool `json:"capped,omitempty"`
}

// MaxMatches is how many items of a chat are found at most.
const MaxMatches = 2000

// Match is an item that holds the text that was looked for.
type Match struct {
	ItemID   string `json:"itemId"`
	ParentID string `json:"parentId,omitempty"`
	Pos      int64  `json:"pos"`
	Count    int    `json:"count"` // how often
}

// MatchLocation is where in an item a text stands.
type MatchLocation struct {
	// ContentID is the body that it stands in; "" is the item's own words.
	ContentID string `json:"contentId,omitempty"`
	Offset    int64  `json:"offset"` // of its first byte in the body
	Nth       int    `json:"nth"`    // how often it stands there before
}
