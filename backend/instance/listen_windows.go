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
	return winio.ListenPipe(`\\.\pipe\voxpilot-`+rand.Text(), &winio.PipeConfig{
		SecurityDescriptor: "D:P(A;;GA;;;" + user.User.Sid.String() + ")",
	})
}

func dial(ctx context.Context, address string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, address)
}
