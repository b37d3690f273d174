package backend

// Licenses lists the components shipped with the app and their licenses.
type Licenses struct {
	Components []Component `json:"components"`
}

// Component is a third-party component shipped with the app.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	License string `json:"licence"`
	Text    string `json:"text"`
}

// DeclaredOptions holds the options for a new chat, as last declared by an agent.
type DeclaredOptions struct {
	Modes   []Choice       `json:"modes"`
	Options []ConfigOption `json:"options"`
}
