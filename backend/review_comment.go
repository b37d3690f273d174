package backend

// ReviewCommentState is the state of a review comment.
type ReviewCommentState string

// States of a comment.
const (
	// CommentSuggested is a comment that the agent suggested and the user hasn't accepted. It is never sent.
	CommentSuggested ReviewCommentState = "suggested"

	CommentDraft    ReviewCommentState = "draft"    // not sent yet
	CommentSent     ReviewCommentState = "sent"     // part of a message, which may still be queued
	CommentAnswered ReviewCommentState = "answered" // a later turn changed the lines or restored removed lines
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
	// Start and End are the numbers of the first and the last line in the file on disk, counted from 0. They are -1 if the
	// comment is outdated. For a comment on the old side, they are the numbers in the version on which the comment was
	// made.
	Start int                 `json:"start" gorm:"column:first_line"`
	End   int                 `json:"end" gorm:"column:last_line"`
	Text  string              `json:"text"`
	Quote string              `json:"quote"` // the lines when the comment was made
	State ReviewCommentState  `json:"state"`
	From  ReviewCommentOrigin `json:"origin" gorm:"column:origin"`
	// Outdated means that the lines were changed or removed, or that the file contains equal lines in several places,
	// so that it isn't clear which lines the comment is about. FileGone means that the file doesn't exist.
	Outdated   bool   `json:"outdated,omitempty" gorm:"-"`
	FileGone   bool   `json:"gone,omitempty" gorm:"-"`
	TurnID     string `json:"turnId,omitempty"` // ID of the turn that changed the lines
	ItemID     string `json:"itemId,omitempty"` // ID of the message with which the comment was sent
	CreatedAt  Millis `json:"createdAt" gorm:"autoCreateTime:false"`
	SentAt     Millis `json:"sentAt,omitempty"`
	AnsweredAt Millis `json:"answeredAt,omitempty"`
	ResolvedAt Millis `json:"resolvedAt,omitempty"`
	// Seen identifies the version of the file in which the comment was last found. SeenText is the text of that
	// version, or nil if the text is already stored.
	Seen     string `json:"-"`
	SeenText []byte `json:"-" gorm:"-"`
}

// ReviewPlace is the place of a comment in a version of its file: the numbers of the first and the last line on the
// comment's side, counted from 0.
type ReviewPlace struct {
	ID    string `json:"id"` // ID of the comment
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// NewReviewComment is a comment to add. It refers to lines of one side of a file in a source; Version is the version of
// the file that the user saw.
type NewReviewComment struct {
	Source  string     `json:"source"`
	Path    string     `json:"path"`
	Version string     `json:"version"`
	Side    ReviewSide `json:"side"`
	Start   int        `json:"start"` // first line, from 0
	End     int        `json:"end"`   // last line, from 0
	Text    string     `json:"text"`
}

// SentReviewComment is a comment as it was sent. A message's comments are stored as a JSON list in the body of its
// Content of type ContentReview.
type SentReviewComment struct {
	ID       string     `json:"id"`
	Path     string     `json:"path"`
	Side     ReviewSide `json:"side"`
	Start    int        `json:"start"` // first line, from 0; -1 if the lines had already changed
	End      int        `json:"end"`
	Text     string     `json:"text"`
	Quote    string     `json:"quote"`
	Outdated bool       `json:"outdated,omitempty"`
	FileGone bool       `json:"gone,omitempty"`
}

// Limits for review comments.
const (
	MaxReviewComments    = 2000   // per chat
	MaxReviewCommentText = 20_000 // characters
	MaxReviewQuote       = 500    // lines
)
