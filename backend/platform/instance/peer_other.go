//go:build !linux && !darwin

package instance

import "net"

// sameUser returns true: the permissions of the socket's folder or of the pipe already
// ensure that the peer runs as the same user.
func sameUser(net.Conn) bool { return true }
