//go:build unix

package power

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// follow tells that something has changed whenever something can be read.
func follow(ctx context.Context, socket *os.File, tell func(what)) {
	defer context.AfterFunc(ctx, func() { _ = socket.Close() })()
	defer socket.Close()
	buf := make([]byte, 1<<16)
	for {
		// More than the socket holds has come where it says ENOBUFS.
		if _, err := socket.Read(buf); err != nil && !errors.Is(err, unix.ENOBUFS) {
			return
		}
		if ctx.Err() != nil {
			return
		}
		tell(addressed)
	}
}
