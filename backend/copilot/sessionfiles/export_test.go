package sessionfiles

// IsJSON reports whether the parts together are one JSON value.
func IsJSON(parts ...[]byte) bool {
	r := &jsonReader{}
	for _, part := range parts {
		r.write(part)
	}
	return r.isValid()
}

// IsWorkspace reports whether text is a workspace.yaml that the CLI can read, and returns the session's name and folder.
func IsWorkspace(text string) (name, folder string, isValid bool) {
	w := parseWorkspace([]byte(text))
	return w.name, w.folder, w.isValid
}
