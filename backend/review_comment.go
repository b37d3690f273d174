package backend

// ReviewCommentState is the state of a review comment.
type ReviewCommentState string

// States of a comment.
const (
	CommentDraft    ReviewCommentState = "draft"    // not sent yet
	CommentSent     ReviewCommentState = "sent"     // part of a message, which may still be queued
	CommentAnswered ReviewCommentState = "answered" // a turn changed the lines after the comment was sent
	CommentResolved ReviewCommentState = "resolved" // by the user
)

// ReviewCommentOrigin is the author of a comment.
type ReviewCommentOrigin string

// Authors of comments.
const (
	CommentByUser  ReviewCommentOrigin = "user"
	CommentByAgent ReviewCommentOrigin = "agent"
)

// ReviewComment is a comment on lines of a file in a chat's folder.
type ReviewComment struct {
	ID     string     `json:"id"`
	ChatID string     `json:"chatId"`
	Path   string     `json:"path"` // relative to the chat's folder, with slashes
	Side   ReviewSide `json:"side"`
	// Start and End are the first and the last line now, from 0, or -1 if the comment is outdated. Those of a comment
	// on the old side are the lines of the version that it was made on.
	Start int                 `json:"start" gorm:"column:first_line"`
	End   int                 `json:"end" gorm:"column:last_line"`
	Text  string              `json:"text"`
	Quote string              `json:"quote"` // the lines as they were
	State ReviewCommentState  `json:"state"`
	From  ReviewCommentOrigin `json:"origin" gorm:"column:origin"`
	// Outdated means that the lines were changed or removed, or that equal lines of the file may be others. FileGone
	// means that the file doesn't exist.
	Outdated   bool   `json:"outdated,omitempty" gorm:"-"`
	FileGone   bool   `json:"gone,omitempty" gorm:"-"`
	TurnID     string `json:"turnId,omitempty"` // the turn that changed the lines
	ItemID     string `json:"itemId,omitempty"` // the message that the comment was sent with
	CreatedAt  Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	SentAt     Millis `json:"sentAt,omitempty"`
	AnsweredAt Millis `json:"answeredAt,omitempty"`
	ResolvedAt Millis `json:"resolvedAt,omitempty"`
	// Seen identifies the version of the file in which the comment was last found: its text is SeenText. A nil text is
	// already stored.
	Seen     string `json:"-"`
	SeenText []byte `json:"-" gorm:"-"`
}

// NewReviewComment is a comment to add. It refers to lines of one side of a file in a source; Version is the version of
// the file that the user saw.
type NewReviewComment struct {
	Source  string     `json:"source"`
	Path    string     `json:"path"`
	Version string     `json:"version"`
	Side    ReviewSide `json:"side"`
	Start   int        `json:"start"` // from 0
	End     int        `json:"end"`   // the last line
	Text    string     `json:"text"`
}

// SentReviewComment is a comment as it was sent. The message that it was sent with has a content of type ContentReview,
// which is a JSON list of all its comments.
type SentReviewComment struct {
	ID       string     `json:"id"`
	Path     string     `json:"path"`
	Side     ReviewSide `json:"side"`
	Start    int        `json:"start"` // from 0, or -1 if the lines had already changed
	End      int        `json:"end"`
	Text     string     `json:"text"`
	Quote    string     `json:"quote"`
	Outdated bool       `json:"outdated,omitempty"`
	FileGone bool       `json:"gone,omitempty"`
}

// Limits for review comments.
const (
	MaxReviewComments    = 2000   // per chat
	MaxReviewCommentText = 20_000 // bytes
	MaxReviewQuote       = 500    // lines
)
