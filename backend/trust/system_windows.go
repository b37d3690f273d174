package trust

import "io/fs"

const withoutWaiting = 0

// runs reports whether git runs a hook with the mode: on Windows it runs any.
func runs(fs.FileMode) bool { return true }
