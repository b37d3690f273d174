package trust

import (
	"fmt"
	"io/fs"
)

// fileID returns the size and time of a file: there is no sandbox on Windows.
func fileID(info fs.FileInfo) string { return fmt.Sprint(info.Size(), info.ModTime().UnixNano()) }
