package backend

// Hits is a page of search results across all chats, grouped by chat. Chats with a
// matching title come first, then the others by their newest hit. Within a chat the
// title comes first, then transcript items, newest first. If the query ends with a
// prefix that very many words share, a chat can appear again on a later page.
type Hits struct {
	// Hits are the hits in the page's chats, at least the first HitsPerChat of each.
	Hits []Hit `json:"hits"`
	// Groups are the page's chats, in the order of their hits.
	Groups []HitGroup `json:"groups"`
	Total  int        `json:"total"` // number of hits on all pages, at most MaxHits
	// Capped reports whether there are more hits than Total.
	Capped bool `json:"capped,omitempty"`
	// Chats is the number of chats on all pages; 0 if there are more than Total hits.
	Chats int `json:"chats,omitempty"`
	// More is the cursor ("before") for the next page; "" if there is none.
	More string `json:"more,omitempty"`
	// Reading reports whether chats from an earlier version of VoxPilot are still being
	// indexed, so that there might be more hits soon.
	Reading bool `json:"reading,omitempty"`
}

// HitGroup holds the search results of one chat.
type HitGroup struct {
	ChatID string `json:"chatId"`
	Total  int    `json:"total"` // number of hits in the chat, at most MaxHits
	// Capped reports whether there are more hits than Total.
	Capped bool `json:"capped,omitempty"`
	// More is the cursor ("before") for the chat's hits after those of the page; "" if there are none.
	More string `json:"more,omitempty"`
}

const (
	// MaxHits is the limit for counting hits if a count is requested.
	MaxHits = 1000
	// FewHits is the limit for counting the hits of a search, and of each chat on a page, if counting
	// further would take too long.
	FewHits = 200
	// HitsPerChat is the minimum number of hits per chat on a page, if there are that many.
	HitsPerChat = 3
)

// HitAuthor is an author that a search can be restricted to.
type HitAuthor string

// Authors of entries.
const (
	HitByUser         HitAuthor = "you"
	HitByOrchestrator HitAuthor = "voxpilot" // the session that answers
	HitByCopilot      HitAuthor = "copilot"  // sessions with delegated tasks
)

// HitCategory is a kind of entry that a search can be restricted to.
type HitCategory string

// Kinds of entries that a search can be restricted to.
const (
	HitMessages HitCategory = "messages" // the user's messages
	HitAnswers  HitCategory = "answers"
	HitCommands HitCategory = "commands" // with their output
	HitFiles    HitCategory = "files"    // read or changed
	HitTools    HitCategory = "tools"    // all other tool calls
)

// Hit is a search result: the title of a chat, or an item.
type Hit struct {
	ChatID string `json:"chatId"`
	Title  string `json:"title"`
	Folder string `json:"folder"`
	// ItemID, ParentID and Pos are those of the item; empty if the title matched.
	ItemID   string    `json:"itemId,omitempty"`
	ParentID string    `json:"parentId,omitempty"`
	Pos      int64     `json:"pos,omitempty"`
	Session  string    `json:"session,omitempty"` // session of the block, if it is in one
	Kind     HitKind   `json:"kind"`
	Tool     ToolKind  `json:"tool,omitempty"` // of a tool call
	At       Millis    `json:"at"`
	Snippet  []Excerpt `json:"snippet"`
	Aside    string    `json:"aside,omitempty"` // ID of the messages that are set aside, if it is one of them
}

// HitKind is the kind of a hit: the title of a chat, or the ItemKind of an item.
type HitKind string

// The kinds of hits.
const (
	HitTitle   HitKind = "title"
	HitUser    HitKind = "user"
	HitMessage HitKind = "message"
	HitNote    HitKind = "note"
	HitTool    HitKind = "tool"  // its title, command, paths or output
	HitBlock   HitKind = "block" // the task of a session
)

// Excerpt is a piece of the text displayed around a match.
type Excerpt struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"` // this piece is the match
}

// Matches holds the items of one chat that contain the searched text, in transcript order.
type Matches struct {
	Matches []Match `json:"places"`
	Total   int     `json:"total"` // number of occurrences in all matching items
	// Capped reports whether there are more items than MaxMatches.
	Capped bool `json:"capped,omitempty"`
}

// MaxMatches is the maximum number of matching items per chat.
const MaxMatches = 2000

// Match is an item that contains the searched text.
type Match struct {
	ItemID   string `json:"itemId"`
	ParentID string `json:"parentId,omitempty"`
	Pos      int64  `json:"pos"`
	Count    int    `json:"count"` // number of occurrences
}

// MatchLocation is the position of a match in an item.
type MatchLocation struct {
	// ContentID is the body that contains it; "" is the item's own text.
	ContentID string `json:"contentId,omitempty"`
	Offset    int64  `json:"offset"` // of its first byte in the body
	Nth       int    `json:"nth"`    // number of occurrences before it
}
