package backend

// Hits is a page of what a search in all chats has found. The titles of chats
// come first, then entries of transcripts; both the newest first.
type Hits struct {
	Hits  []Hit `json:"hits"`
	Total int   `json:"total"` // of all pages, at most MaxHits
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

// MaxHits is how far hits are counted.
const MaxHits = 200

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

// Places are the items of one chat that hold a text, in the order in which they
// stand.
type Places struct {
	Places []Place `json:"places"`
	Total  int     `json:"total"` // how often the text stands in all of them
	// Capped says that there are more items than MaxPlaces.
	Capped bool `json:"capped,omitempty"`
}

// MaxPlaces is how many items of a chat are found at most.
const MaxPlaces = 2000

// Place is an item that holds the text that was looked for.
type Place struct {
	ItemID   string `json:"itemId"`
	ParentID string `json:"parentId,omitempty"`
	Pos      int64  `json:"pos"`
	Count    int    `json:"count"` // how often
}
