//go:build !linux

package sandbox

// door has no use on this system, where whole agents don't run in a sandbox.
type door struct{}
