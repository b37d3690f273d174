package undo

import "time"

// ToolLimit returns the default limit for recording before tool calls in a folder in which git status takes the given
// time.
func ToolLimit(status time.Duration) time.Duration { return ToolCosts{}.orDefaults().limit(status) }

// SetUserTime sets the minimum duration of a command during which the user can be expected to edit files. It returns a
// function that restores the previous value.
func SetUserTime(to time.Duration) (restore func()) {
	was := userTime
	userTime = to
	return func() { userTime = was }
}
