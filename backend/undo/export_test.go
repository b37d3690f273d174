package undo

import "time"

// ToolLimit returns the default limit for recording before tool calls in a folder in which git status takes the given
// time.
func ToolLimit(status time.Duration) time.Duration { return ToolCosts{}.orDefaults().limit(status) }
