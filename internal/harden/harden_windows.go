package harden

// limitCore does nothing: Windows keeps no image of the memory unless the machine's
// settings ask for one.
func limitCore() {}
