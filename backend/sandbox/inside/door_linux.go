package inside

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passedSignals are the signals that a command of a whole agent gets.
var passedSignals = []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2}

// errUnknown means that VoxPilot doesn't run the command: it has ended, was discarded or never existed.
var errUnknown = errors.New("VoxPilot doesn't run this command any longer")

// knock has VoxPilot run the command with the key on the standard streams of this process, and returns the
// command's exit code.
func knock(key string) (int, error) {
	conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(context.Background(), "unix", DoorPath)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	door, ok := conn.(*net.UnixConn)
	if !ok || len(key) != KeySize {
		return 0, errUnknown
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passedSignals...)
	_ = door.SetWriteDeadline(time.Now().Add(dialTime))
	if _, _, err := door.WriteMsgUnix([]byte(key), unix.UnixRights(0, 1, 2), nil); err != nil {
		return 0, err
	}
	_ = door.SetWriteDeadline(time.Time{})
	go func() {
		for s := range signals {
			if s, ok := s.(syscall.Signal); ok {
				_, _ = door.Write([]byte{byte(s)})
			}
		}
	}()
	answer, err := io.ReadAll(io.LimitReader(door, 2))
	if err != nil || len(answer) != 1 {
		return 0, errors.Join(errUnknown, err)
	}
	return int(answer[0]), nil
}
