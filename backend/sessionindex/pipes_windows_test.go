package sessionindex_test

// makePipes does nothing: pipes aren't files on Windows.
func makePipes(*fixture) {}
