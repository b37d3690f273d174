//go:build !linux

package guard

// parentArgs returns nil, because this system doesn't support reading another process's command line.
func parentArgs() []string { return nil }
