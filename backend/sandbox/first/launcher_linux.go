package first

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// passedSignals are the signals that launch passes on to the command.
var passedSignals = []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2}

// errUnknown means that VoxPilot has no command with the given key. The command was already started or discarded, or it
// never existed.
var errUnknown = errors.New("VoxPilot can't start this command again")

// launch asks VoxPilot to run the command with the given key and to give it the standard streams of this process. It
// returns the command's exit code.
func launch(key string) (int, error) {
	if len(key) != inside.KeySize {
		return 0, errUnknown
	}
	launcher, err := dial(inside.LauncherPath)
	if err != nil {
		return 0, err
	}
	defer launcher.Close()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passedSignals...)
	if err := sendKey(launcher, key); err != nil {
		return 0, err
	}
	go func() {
		for s := range signals {
			if s, ok := s.(syscall.Signal); ok {
				_, _ = launcher.Write([]byte{byte(s)})
			}
		}
	}()
	answer, err := io.ReadAll(io.LimitReader(launcher, 2))
	if err != nil || len(answer) != 1 {
		return 0, errors.Join(errUnknown, err)
	}
	return int(answer[0]), nil
}

// sendKey sends the key and this process's standard streams to VoxPilot through the launcher's socket.
func sendKey(launcher *os.File, key string) error {
	_ = launcher.SetWriteDeadline(time.Now().Add(dialTime))
	raw, err := launcher.SyscallConn()
	if err != nil {
		return err
	}
	var sendErr error
	err = raw.Write(func(fd uintptr) bool {
		sendErr = unix.Sendmsg(int(fd), []byte(key), unix.UnixRights(0, 1, 2), nil, unix.MSG_NOSIGNAL)
		return sendErr != unix.EAGAIN && sendErr != unix.EINTR
	})
	return errors.Join(err, sendErr, launcher.SetWriteDeadline(time.Time{}))
}
