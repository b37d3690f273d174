package power

import (
	"context"
	"log/slog"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// listen tells of what the workspace says, and the kernel of addresses, until
// ctx ends.
func listen(ctx context.Context, tell func(what), log *slog.Logger) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { listenToWorkspace(ctx, tell) })
	fd, err := unix.Socket(unix.AF_ROUTE, unix.SOCK_RAW, unix.AF_UNSPEC)
	if err == nil {
		unix.CloseOnExec(fd)
		if err = unix.SetNonblock(fd, true); err != nil {
			_ = unix.Close(fd)
		}
	}
	if err != nil {
		log.Debug("the kernel does not tell of networks", "err", err)
		return
	}
	follow(ctx, os.NewFile(uintptr(fd), "route"), tell)
}
