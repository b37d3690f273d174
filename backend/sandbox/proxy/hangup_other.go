//go:build !linux

package proxy

import "net"

// hungUp returns false: only Linux reports this. net/http notices most disconnects.
func hungUp(net.Conn) bool { return false }
