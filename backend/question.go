package backend

// Question is a question from a model or an agent to the user: choices, a form with fields, free text, a web page to
// open, a plan to approve, or only a text to confirm. It is the body of a Permission with the kind ToolAsk or, for a
// plan, ToolPlan.
type Question struct {
	// Text is the question. For a plan, it is the plan's title, or "" if the model gave none.
	Text    string           `json:"text"`
	Choices []QuestionChoice `json:"choices,omitempty"`
	// Several allows more than one of the Choices.
	Several bool `json:"several,omitempty"`
	// FreeText allows an answer in the user's own words, instead of the Choices or, if Several is set, in addition to
	// them.
	FreeText bool            `json:"freeText,omitempty"`
	Fields   []QuestionField `json:"fields,omitempty"`
	// Elicited reports whether an agent asked with ACP's elicitation/create. Without Fields and Page, the user only
	// confirms the text.
	Elicited bool          `json:"elicited,omitempty"`
	Page     *QuestionPage `json:"page,omitempty"`
	// Plan is a plan, in Markdown, that the user is asked to approve; "" for other questions.
	Plan string `json:"plan,omitempty"`
	// Outcome is "" while the question is open. It stays "" if VoxPilot exits before the question is answered.
	Outcome QuestionOutcome `json:"outcome,omitempty"`
	Answer  *QuestionAnswer `json:"answer,omitempty"` // set for OutcomeAnswered
}

// QuestionChoice is an answer that the model offers.
type QuestionChoice struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Suggested   bool   `json:"suggested,omitempty"`
}

// QuestionPage is a web page that an agent asks the user to open. Its address is Before+Host+After, in ASCII. The
// window shows and opens exactly this address.
type QuestionPage struct {
	ID     string `json:"id"` // the agent's ID of the request
	Before string `json:"before"`
	Host   string `json:"host"` // with the port
	After  string `json:"after"`
	// Doubts are the reasons why the address may mislead the user; empty if there are none.
	Doubts []Message `json:"doubts,omitempty"`
	// NeverOpens means that VoxPilot doesn't open the address.
	NeverOpens bool `json:"neverOpens,omitempty"`
}

// QuestionOutcome is the outcome of a question that is no longer open.
type QuestionOutcome string

// The outcomes of questions.
const (
	OutcomeAnswered QuestionOutcome = "answered"
	OutcomeSkipped  QuestionOutcome = "skipped" // the user chose not to answer
	OutcomeClosed   QuestionOutcome = "closed"  // the turn was stopped, or the agent exited
	OutcomeAway     QuestionOutcome = "away"    // the user didn't answer in time
)

// FieldKind is the kind of a QuestionField.
type FieldKind string

// The kinds of fields, as in the forms of MCP and ACP (elicitation).
const (
	FieldText    FieldKind = "text"
	FieldNumber  FieldKind = "number"
	FieldInteger FieldKind = "integer"
	FieldBoolean FieldKind = "boolean"
	FieldOne     FieldKind = "one"  // one of the options
	FieldSome    FieldKind = "some" // any number of the options
)

// QuestionField is a field of a form. Limits are nil if there are none.
type QuestionField struct {
	Name        string    `json:"name"`
	Title       string    `json:"title"`
	Description string    `json:"description,omitempty"`
	Kind        FieldKind `json:"kind"`
	Required    bool      `json:"required,omitempty"`
	// Format is "email", "uri", "date", "date-time" or "".
	Format string `json:"format,omitempty"`
	// Pattern is a regular expression in the syntax of RE2 that a part of the text must match, or "".
	Pattern string `json:"pattern,omitempty"`
	// MinLength and MaxLength limit the number of characters of a text, and MinItems and MaxItems the number of chosen
	// options.
	MinLength *int     `json:"minLength,omitempty"`
	MaxLength *int     `json:"maxLength,omitempty"`
	MinItems  *int     `json:"minItems,omitempty"`
	MaxItems  *int     `json:"maxItems,omitempty"`
	Min       *float64 `json:"min,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	// Options are the values to choose from.
	Options []FieldOption `json:"options,omitempty"`
	// Default is the initial value, in the form of FieldValue.Values.
	Default []string `json:"default,omitempty"`
}

// FieldOption is a value of a field to choose from.
type FieldOption struct {
	Value string `json:"value"`
	Title string `json:"title"`
}

// QuestionAnswer is the user's answer to a question.
type QuestionAnswer struct {
	Choices []int        `json:"choices,omitempty"` // indices of Question.Choices
	Text    string       `json:"text,omitempty"`    // the user's own answer
	Values  []FieldValue `json:"values,omitempty"`  // of the form; fields without a value are missing
	Plan    *PlanAnswer  `json:"plan,omitempty"`    // for a plan; Text is then the user's general comment
}

// PlanDecision is the user's decision on a plan.
type PlanDecision string

// The decisions on plans.
const (
	PlanApproved     PlanDecision = "approved"
	PlanAllowedEdits PlanDecision = "allowed_edits" // approved, and edits in the chat's folder are allowed until the turn ends
	PlanChanges      PlanDecision = "changes"       // the model is asked for another plan
)

// PlanAnswer is the user's answer to a plan.
type PlanAnswer struct {
	Decision PlanDecision  `json:"decision"`
	Text     string        `json:"text"` // the plan as the user edited it, in Markdown
	Comments []PlanComment `json:"comments,omitempty"`
}

// PlanComment is a comment by the user on a line of a plan.
type PlanComment struct {
	Line int    `json:"line"` // of PlanAnswer.Text; the first line is 1
	Text string `json:"text"`
}

// FieldValue is the value of a field. Values contains the text, the number in decimal notation, "true" or "false", or
// the value of the chosen option. For FieldSome, it contains the values of all chosen options.
type FieldValue struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// FieldProblem is the reason why the value of a field, or the whole answer if Name is "", isn't valid.
type FieldProblem struct {
	Name    string  `json:"name"`
	Message Message `json:"message"`
}
