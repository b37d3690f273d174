//go:build unix

// Package localsocket lets processes of one user on this computer talk to each other: over a Unix
// socket, or over a named pipe on Windows.
package localsocket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// maxPath is the maximum length in bytes that every system allows for a Unix socket's path: macOS allows 104 bytes and
// Linux 108, including the trailing NUL.
const maxPath = 103

// Listen listens on a socket that only the user can open. The listener's Addr is the socket's path, usually
// dir/name.sock. If that path is too long or the file system doesn't support sockets, the socket is in another folder,
// which only the user can enter. The caller must ensure that no other process listens with the same dir and name:
// Listen assumes that an existing socket was left by a crash, and replaces it.
func Listen(dir, name string) (net.Listener, error) {
	var failed error
	for i, path := range socketPaths(dir, name) {
		var err error
		if i > 0 {
			err = checkOwner(filepath.Dir(path))
		}
		var server net.Listener
		if err == nil {
			server, err = listenAt(path)
		}
		if err == nil {
			return server, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// socketPaths returns the possible paths of the socket, in order of preference.
func socketPaths(dir, name string) []string {
	sum := sha256.Sum256([]byte(filepath.Join(dir, name)))
	short := hex.EncodeToString(sum[:8]) + ".sock"
	places := []string{filepath.Join(dir, name+".sock")}
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		places = append(places, filepath.Join(run, "voxpilot", short))
	}
	own := "voxpilot-" + strconv.Itoa(os.Getuid())
	return append(places, filepath.Join(os.TempDir(), own, short), filepath.Join("/tmp", own, short))
}

func listenAt(path string) (net.Listener, error) {
	if len(path) > maxPath {
		return nil, fmt.Errorf("%s is too long for a socket", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // left by a crash
		return nil, err
	}
	server, err := net.Listen("unix", path) //nolint:noctx // lives as long as the process
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return server, nil
}

// checkOwner creates a folder that only the user can enter, or restricts an existing folder to the user. It returns an
// error for a link and for another user's folder.
func checkOwner(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%s belongs to another user", folder)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return os.Chmod(folder, 0o700)
}

// Dial connects to a socket. The address is the Addr of a listener that Listen returned.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", address)
}
