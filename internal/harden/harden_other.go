//go:build !linux

package harden

// hideMemory does nothing: macOS hides the memory of signed programs, and Windows has no such setting.
func hideMemory() {}
