package snapshot

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameExchange(a int, from string, b int, to string) error {
	return unix.Renameat2(a, from, b, to, unix.RENAME_EXCHANGE)
}

func renameNew(a int, from string, b int, to string) error {
	return unix.Renameat2(a, from, b, to, unix.RENAME_NOREPLACE)
}

// syncAll writes everything in the folder's file system to disk.
func syncAll(root *os.Root) error {
	return at(root, root, func(fd, _ int) error { return unix.Syncfs(fd) })
}
