package agent

// through is empty: a child inherits no handle on Windows that is not passed to
// it by name.
func through() []string { return nil }
