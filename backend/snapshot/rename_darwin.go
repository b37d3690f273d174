package snapshot

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameExchange(a int, from string, b int, to string) error {
	return unix.RenameatxNp(a, from, b, to, unix.RENAME_SWAP)
}

func renameNew(a int, from string, b int, to string) error {
	return unix.RenameatxNp(a, from, b, to, unix.RENAME_EXCL)
}

// syncAll tells the system to write everything to disk. It doesn't wait until that is done.
func syncAll(*os.Root) error { return unix.Sync() }
