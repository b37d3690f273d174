//go:build !linux

package proxy

import "net"

// hungUp always returns false: VoxPilot can only check on Linux whether the other side has closed the connection.
// net/http still notices when most clients disconnect.
func hungUp(net.Conn) bool { return false }
