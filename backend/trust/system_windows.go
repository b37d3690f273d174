package trust

import "io/fs"

const withoutWaiting = 0

// runs reports whether git runs a hook file with the given mode: on Windows it always does.
func runs(fs.FileMode) bool { return true }
