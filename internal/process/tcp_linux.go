package process

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"time"
)

// answers returns an error if the peer of conn is neither the process nor one of its descendants. The
// kernel reports the socket at the other end and the process that owns that socket.
func (p *Process) answers(ctx context.Context, conn net.Conn) error {
	own, ok := conn.LocalAddr().(*net.TCPAddr)
	other, too := conn.RemoteAddr().(*net.TCPAddr)
	if !ok || !too {
		return errStranger
	}
	for {
		inode, err := inodeOf(other, own)
		switch {
		case err != nil:
			return err
		case inode != "0" && p.has(inode):
			return nil
		case inode != "0":
			return errStranger
		}
		// The connection is established but not accepted yet.
		select {
		case <-time.After(dialAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// inodeOf returns the inode of the local socket with the given addresses, or "0" if no process owns the socket
// yet. It returns errStranger if there is no such socket.
func inodeOf(local, remote *net.TCPAddr) (string, error) {
	var want [][]byte
	for _, form := range []func(net.IP) net.IP{net.IP.To4, net.IP.To16} {
		l, r := form(local.IP), form(remote.IP)
		if l != nil && r != nil {
			want = append(want, fmt.Appendf(nil, "%s %s", addressOf(l, local.Port), addressOf(r, remote.Port)))
		}
	}
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		table, err := os.ReadFile(name)
		if err != nil {
			continue // IPv6 is disabled
		}
		for line := range bytes.Lines(table) {
			// sl local_address rem_address st queues tr:tm retrnsmt uid timeout inode …
			f := bytes.Fields(line)
			if len(f) > 9 && slices.ContainsFunc(want, func(w []byte) bool { return bytes.Equal(w, bytes.Join(f[1:3], []byte(" "))) }) {
				return string(f[9]), nil
			}
		}
	}
	return "", errStranger
}

// addressOf formats an address the way the kernel does: on the machines that VoxPilot supports, the
// bytes in each group of four are reversed.
func addressOf(ip net.IP, port int) string {
	b := slices.Clone(ip)
	for four := range slices.Chunk(b, 4) {
		slices.Reverse(four)
	}
	return string(bytes.ToUpper([]byte(hex.EncodeToString(b)))) + fmt.Sprintf(":%04X", port)
}

// has reports whether the process or one of its descendants owns the socket with the given inode.
func (p *Process) has(inode string) bool {
	name := "socket:[" + inode + "]"
	for _, q := range p.tree.below(p.PID, MarkVar+"="+p.Mark) {
		dir := "/proc/" + strconv.Itoa(q.pid) + "/fd"
		files, _ := os.ReadDir(dir)
		for _, f := range files {
			if to, err := os.Readlink(dir + "/" + f.Name()); err == nil && to == name {
				return true
			}
		}
	}
	return false
}
