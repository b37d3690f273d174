//go:build !linux

package agent_test

// parentIfAsked is for a test that only Linux has: the kernel ends a child with
// its parent there.
func parentIfAsked() {}
