package sessionimport

// SetMaxEvents sets the maximum number of events in a commit.
func SetMaxEvents(n int) { maxEvents = n }
