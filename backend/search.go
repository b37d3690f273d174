package backend

// Hits is a page of search results across all chats, grouped by chat, or across the sessions of the Copilot CLI,
// grouped by session. Chats with a matching title come first, followed by the other chats in the order of their newest
// hits. Within a chat, the title comes before the transcript items, which are ordered newest first. If the query ends
// with a prefix that many words share, a chat can appear again on a later page.
type Hits struct {
	// Hits are the hits on this page: at least the first HitsPerChat of each chat.
	Hits []Hit `json:"hits"`
	// Groups has an entry for each chat on this page, in the order of their hits.
	Groups []HitGroup `json:"groups"`
	Total  int        `json:"total"` // number of hits on all pages, at most MaxHits
	// Capped reports whether there are more hits than Total.
	Capped bool `json:"capped,omitempty"`
	// Chats is the number of chats or sessions on all pages; 0 if Capped is set.
	Chats int `json:"chats,omitempty"`
	// More is the cursor (store.Query.Before) for the next page; "" if this is the last one.
	More string `json:"more,omitempty"`
	// Reading reports whether sessions, imported chats, or chats from an earlier version of VoxPilot are still being
	// indexed. A later search may then find more.
	Reading bool `json:"reading,omitempty"`
}

// HitGroup holds the search results of one chat or session.
type HitGroup struct {
	ChatID string `json:"chatId"`
	// CLISession and Home identify the session of the Copilot CLI, as in Hit.
	CLISession string `json:"cliSession,omitempty"`
	Home       string `json:"home,omitempty"`
	Total      int    `json:"total"` // number of hits in the chat, at most MaxHits
	// Capped reports whether there are more hits than Total.
	Capped bool `json:"capped,omitempty"`
	// More is the cursor (store.Query.Before) for the chat's hits that aren't on the page; "" if the page contains all
	// of them.
	More string `json:"more,omitempty"`
}

const (
	// MaxHits is the maximum number of hits that are counted if the page requests a count or the query ends with a
	// prefix that many words share.
	MaxHits = 1000
	// FewHits is the maximum number of hits that are counted in all other cases, in which counting more would take too
	// long.
	FewHits = 200
	// HitsPerChat is the minimum number of hits of a chat on a page. If a chat has fewer hits, the page contains all of
	// them.
	HitsPerChat = 3
)

// HitAuthor is a kind of author of transcript items. A search can be restricted to one kind of author.
type HitAuthor string

// Authors of transcript items.
const (
	HitByUser         HitAuthor = "you"
	HitByOrchestrator HitAuthor = "voxpilot" // the orchestrator or main session, which answers the user
	HitByCopilot      HitAuthor = "copilot"  // sessions with delegated tasks
)

// HitCategory is a category of transcript items. A search can be restricted to one category.
type HitCategory string

// Categories of transcript items.
const (
	HitMessages HitCategory = "messages" // the user's messages
	HitAnswers  HitCategory = "answers"
	HitCommands HitCategory = "commands" // commands, with their output
	HitFiles    HitCategory = "files"    // files that were read or changed
	HitTools    HitCategory = "tools"    // all other tool calls
)

// Hit is a search result: the title of a chat, an item, or a text of a Copilot CLI session.
type Hit struct {
	ChatID string `json:"chatId"` // "" for a hit in a Copilot CLI session without a chat
	// For a hit in a Copilot CLI session, CLISession is the session's ID, Home is its COPILOT_HOME as in
	// CLISession.Home, and ItemID is the ID of the SessionText.
	CLISession string `json:"cliSession,omitempty"`
	Home       string `json:"home,omitempty"`
	Title      string `json:"title"`
	Folder     string `json:"folder"`
	// ItemID, ParentID and Pos identify the item and its place in the transcript. They are empty if the title matched.
	ItemID   string    `json:"itemId,omitempty"`
	ParentID string    `json:"parentId,omitempty"`
	Pos      int64     `json:"pos,omitempty"`
	Session  string    `json:"session,omitempty"` // session of the block that contains the item; "" if none does
	Kind     HitKind   `json:"kind"`
	Tool     ToolKind  `json:"tool,omitempty"` // kind of the tool call, for HitTool
	At       Millis    `json:"at"`
	Snippet  []Excerpt `json:"snippet"`
	Aside    string    `json:"aside,omitempty"` // ID of the Aside that hides the item; "" if it is shown
}

// HitKind is the kind of a hit: the title of a chat, or the ItemKind of an item.
type HitKind string

// The kinds of hits.
const (
	HitTitle   HitKind = "title"
	HitUser    HitKind = "user"
	HitMessage HitKind = "message"
	HitNote    HitKind = "note"
	HitTool    HitKind = "tool"  // the title, command, paths or output of a tool call
	HitBlock   HitKind = "block" // the task of a session
)

// Excerpt is one piece of the text displayed for a hit: either a match, or the text before or after a match.
type Excerpt struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"` // this piece is the match
}

// Matches holds the items of one chat that match a search, in transcript order.
type Matches struct {
	Matches []Match `json:"places"`
	Total   int     `json:"total"` // number of occurrences in all matching items
	// Capped reports whether items may be missing, because there are more than MaxMatches or because the search took
	// too long.
	Capped bool `json:"capped,omitempty"`
}

// MaxMatches is the maximum number of matching items per chat.
const MaxMatches = 2000

// Match is an item that matches the search.
type Match struct {
	ItemID   string `json:"itemId"`
	ParentID string `json:"parentId,omitempty"`
	Pos      int64  `json:"pos"`
	Count    int    `json:"count"` // number of occurrences
}

// MatchLocation is the position of a match in an item.
type MatchLocation struct {
	// ContentID is the ID of the body that contains the match; "" means the item's own text.
	ContentID string `json:"contentId,omitempty"`
	Offset    int64  `json:"offset"` // offset in bytes of the match in the body
	Nth       int    `json:"nth"`    // number of earlier occurrences in the same body
}
