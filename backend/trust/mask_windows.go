package trust

import (
	"fmt"
	"io/fs"
)

// fileID returns the size and time of a file, which suffice because Windows has no sandbox.
func fileID(info fs.FileInfo) string { return fmt.Sprint(info.Size(), info.ModTime().UnixNano()) }
