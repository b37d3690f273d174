package backend

// MessageDraft is a commit message that a chat's model writes, or has written, at the user's request. A chat has at
// most one.
type MessageDraft struct {
	ID     string         `json:"id"`
	ChatID string         `json:"chatId"`
	State  ReviewJobState `json:"state"`
	Text   string         `json:"text"`            // the message, at most MaxMessageDraft bytes; "" until the draft is done
	Model  string         `json:"model,omitempty"` // name of the model or, if it is unknown, of the agent
	// Usage is the token usage that the agent or service reported, or nil if it reported none.
	Usage   *Usage  `json:"usage,omitempty"`
	Message Message `json:"message,omitzero"` // why the draft failed
}

// MaxMessageDraft is the maximum size of MessageDraft.Text in bytes.
const MaxMessageDraft = 10_000

// MessageDraftRequest selects the changes for which a commit message is drafted: the changes that a ReviewCommitRequest
// with the same values would commit.
type MessageDraftRequest struct {
	Files ReviewCommitFiles `json:"files"`
	// Paths are relative to the chat's folder, with slashes. A moved file needs both of its paths.
	Paths []string `json:"paths,omitempty"`
	Amend bool     `json:"amend,omitempty"`
}
