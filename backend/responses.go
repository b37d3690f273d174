package backend

// Licenses is what is shipped with the app, and under which licence.
type Licenses struct {
	Components []Component `json:"components"`
}

// Component is a part that is shipped.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	License string `json:"licence"`
	Text    string `json:"text"`
}

// DeclaredOptions is what can be chosen for a new chat, as an agent declared it last.
type DeclaredOptions struct {
	Modes   []Choice       `json:"modes"`
	Options []ConfigOption `json:"options"`
}
