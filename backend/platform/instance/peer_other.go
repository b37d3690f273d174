//go:build !linux && !darwin

package instance

import "net"

// sameUser is decided by the folder of the socket, or by who may open the pipe.
func sameUser(net.Conn) bool { return true }
