package sessionfiles

import "io/fs"

const openFlags = 0

// ownerOf returns -1: the owner isn't compared on Windows.
func ownerOf(fs.FileInfo) int { return -1 }
