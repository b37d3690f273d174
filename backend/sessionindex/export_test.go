package sessionindex

import "time"

// Expire makes the next request look for changes, even if one has just done so.
func (i *Index) Expire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.lastPass, i.foldersAt = time.Time{}, time.Time{}
}

// Busy reports whether the background work is running.
func (i *Index) Busy() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.reading || i.checking
}

// CheckingFolders reports whether the working directories are being checked.
func (i *Index) CheckingFolders() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.checking
}
