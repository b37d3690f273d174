package tools

// SetMaxList changes the maximum size of git's list of files until the returned function is called.
func SetMaxList(bytes int) (restore func()) {
	was := maxList
	maxList = bytes
	return func() { maxList = was }
}
