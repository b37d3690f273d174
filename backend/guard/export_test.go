package guard

import "time"

// The limits of a hook's time.
const HookTimeout = hookTimeout * time.Second

var WaitTime = waitTime

func SetWaitTime(d time.Duration) { waitTime = d }
