package instance

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// listen listens on a named pipe that the user alone can open. Its name is a new
// one each time: nobody can have made it before.
func listen(string) (net.Listener, error) {
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

// warmUp connects to a pipe that nobody accepts connections of yet. Windows refuses
// that; Wine has whoever comes first talk to the handle that only keeps the name, and
// wait for ever. The handle stays for as long as the process does.
func warmUp(name string) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return
	}
	_, _ = windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
}

func dial(ctx context.Context, address string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, address)
}
