package backend

// SessionReview is the name of the session in which a chat's agent reviews changes.
const SessionReview = "review"

// AgentReviewRequest asks a chat's agent to review changes.
type AgentReviewRequest struct {
	Source string `json:"source"` // source of the changes, as in ReviewSources
	// Model is the value for the agent's model option; "" means the model of the chat.
	Model string `json:"model,omitempty"`
	// Focus is the user's description of what to look at in particular, at most MaxReviewFocus characters long.
	Focus string `json:"focus,omitempty"`
}

// AgentReviewState is the state of an AgentReview.
type AgentReviewState string

// States of a review by an agent.
const (
	AgentReviewRunning AgentReviewState = "running"
	AgentReviewDone    AgentReviewState = "done"
	AgentReviewStopped AgentReviewState = "stopped" // by the user
	AgentReviewFailed  AgentReviewState = "failed"
)

// AgentReview is a review of changes by a chat's agent: the newest one in the chat since VoxPilot started. The task
// runs in the session SessionReview. The comments that the agent suggests are stored as review comments with the state
// CommentSuggested.
type AgentReview struct {
	ID     string           `json:"id"`
	ChatID string           `json:"chatId"`
	State  AgentReviewState `json:"state"`
	// Comments is the number of suggested comments. OtherComments is the number of comments that the answer contains but
	// VoxPilot couldn't add, for example because they name no existing lines, are about files without changes, or exceed
	// MaxSuggestions.
	Comments      int `json:"comments,omitempty"`
	OtherComments int `json:"otherComments,omitempty"`
	// Unclear means that VoxPilot found neither comments in the answer nor a statement that there are none.
	Unclear bool    `json:"unclear,omitempty"`
	Message Message `json:"message,omitzero"` // why the review failed
}

// Limits for reviews by an agent.
const (
	MaxReviewFocus = 4000 // characters
	MaxSuggestions = 50   // comments per review
)
