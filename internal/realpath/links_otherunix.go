//go:build unix && !linux

package realpath

// isText reports whether the links in dir lead where their text says. They do.
func isText(string) error { return nil }
