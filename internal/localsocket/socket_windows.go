// Package localsocket lets processes of one user on this computer talk to each other: over a Unix
// socket, or over a named pipe on Windows.
package localsocket

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// Listen listens on a named pipe that only the user can open. The listener's Addr is the pipe's path. The pipe's
// name is random, so no other process can have created it before.
func Listen(_, _ string) (net.Listener, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("who the user is: %w", err)
	}
	name := `\\.\pipe\voxpilot-` + rand.Text()
	server, err := winio.ListenPipe(name, &winio.PipeConfig{
		SecurityDescriptor: "D:P(A;;GA;;;" + user.User.Sid.String() + ")",
	})
	if err == nil {
		warmUp(name)
	}
	return server, err
}

// warmUp connects to a pipe that doesn't accept connections yet. Windows refuses that connection. Wine,
// however, connects the first client to the handle that only reserves the name, and that client would
// wait forever. warmUp acts as that first client, and never closes its handle.
func warmUp(name string) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return
	}
	_, _ = windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
}

// Dial connects to a pipe. The address is the Addr of a listener that Listen returned.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, address)
}
