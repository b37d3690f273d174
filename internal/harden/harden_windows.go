package harden

// limitCore does nothing: Windows writes no memory dumps unless the machine's settings enable them.
func limitCore() {}
