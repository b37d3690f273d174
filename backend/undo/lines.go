package undo

import (
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for counting changed lines.
const (
	maxCounted     = 32 << 20 // total bytes of all files
	maxCountedFile = 5 << 20  // bytes of a file
)

// lineCount holds the number of lines that differ between two states of a file.
type lineCount struct {
	added, removed int
	binary         bool // at least one of the states isn't text
}

// lineCounter counts the changed lines of files until its budget is used up.
type lineCounter struct {
	st     *snapshot.Store
	budget int64 // bytes
}

// between counts the lines that changed between two states of a file. It takes the IDs of the snapshots that contain
// the states, and the file's entries in these snapshots. The result is zero for files larger than maxCountedFile, and
// after the budget has been used up.
func (c *lineCounter) between(path string, from, to snapshot.ID, a, b snapshot.Entry) (n lineCount) {
	c.budget -= a.Size + b.Size
	if c.budget < 0 || a.Size > maxCountedFile || b.Size > maxCountedFile {
		return n
	}
	before, ok := c.text(from, path, a)
	after, is := c.text(to, path, b)
	if !ok || !is {
		return lineCount{binary: true}
	}
	n.added, n.removed = diff.Count(before, after)
	return n
}

// text returns the content of a file in a snapshot, or "" if the path isn't a file in the snapshot. ok is false if the
// content isn't text or can't be read.
func (c *lineCounter) text(id snapshot.ID, path string, e snapshot.Entry) (text string, ok bool) {
	if e.Kind != snapshot.File {
		return "", true
	}
	_, content, err := c.st.Read(id, path)
	if err != nil || !snapshot.IsText(content) {
		return "", false
	}
	return string(content), true
}
