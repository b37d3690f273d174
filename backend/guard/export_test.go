package guard

import "time"

// HookTimeout is the time after which the CLI ends a hook and runs the tool.
const HookTimeout = hookTimeout * time.Second

var WaitTime = waitTime

func SetWaitTime(d time.Duration) { waitTime = d }

var PlainArgs = plainArgs
