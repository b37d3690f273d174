package sandbox_test

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// decoys are services that no command may reach. They answer with a secret.
type decoys struct {
	mu   sync.Mutex
	hits map[string]int
}

func (d *decoys) hit(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hits[name]++
}

func (d *decoys) counts() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.hits)
}

// unixSockets are the services' sockets in the file system.
var unixSockets = []string{
	"/run/user/1000/bus", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/user/1000/systemd/private", "/run/systemd/notify", "/run/systemd/journal/stdout", "/run/user/1000/wayland-0", "/run/user/1000/pipewire-0", "/run/user/1000/pulse/native",
	"/run/user/1000/keyring/control", "/run/user/1000/keyring/ssh", "/run/user/1000/gnupg/S.gpg-agent", "/run/user/1000/gnupg/S.gpg-agent.ssh", "/run/user/1000/gcr/ssh", "/run/user/1000/podman/podman.sock", "/run/user/1000/docker.sock", "/run/user/1000/vscode-ipc.sock",
	"/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock", "/run/crio/crio.sock", "/run/buildkit/buildkitd.sock", "/run/libvirt/libvirt-sock", "/run/snapd.socket", "/run/lxd.sock", "/run/cups/cups.sock", "/run/avahi-daemon/socket", "/run/acpid.socket",
	"/run/mysqld/mysqld.sock", "/run/postgresql/.s.PGSQL.5432", "/run/redis/redis.sock", "/run/pcscd/pcscd.comm", "/run/nscd/socket", "/run/screen/S-me/1.tty", "/run/mount.sock",
	"/tmp/.X11-unix/X0", "/tmp/.ICE-unix/1", "/tmp/ssh-abc/agent.1", "/tmp/tmux-1000/default", "/tmp/vscode-git.sock", "/var/tmp/app.sock",
	home + "/.ssh-agent.sock", home + "/.gnupg/S.gpg-agent", home + "/.docker/run/docker.sock", home + "/.1password/agent.sock", home + "/.local/share/app/app.sock", home + "/.cache/app.sock", home + "/.emacs.d/server/server", data + "/instance.sock", data + "/guard/socket",
	home + "/.copilot/ide/ide.sock", folder + "/dev.sock",
}

// abstractSockets are the services' sockets that have no path.
var abstractSockets = []string{"/tmp/.X11-unix/X0", "/tmp/dbus-abc", "/tmp/.ICE-unix/1", "/containerd-shim/x.sock", "voxpilot-test", "/com/ubuntu/upstart", "bluetooth"}

// tcpPorts are the TCP ports on which services listen.
var tcpPorts = []int{22, 53, 80, 139, 631, 2375, 3000, 3306, 4444, 5432, 6000, 6379, 8080, 9222, 11434, 50000}

func startDecoys(t *testing.T, secret string) *decoys {
	d := &decoys{hits: map[string]int{}}
	serve := func(network, address, name string) {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				d.hit(name)
				_, _ = fmt.Fprintf(conn, "%s-%s\r\n", secret, strings.ReplaceAll(name, " ", "-"))
				_ = conn.Close()
			}
		}()
	}
	for _, path := range unixSockets {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		serve("unix", path, path)
	}
	for _, name := range abstractSockets {
		serve("unix", "@"+name, "@"+name)
	}
	for _, port := range tcpPorts {
		serve("tcp4", fmt.Sprintf("0.0.0.0:%d", port), fmt.Sprintf("TCP port %d", port))
		serve("tcp6", fmt.Sprintf("[::1]:%d", port), fmt.Sprintf("TCP port %d (IPv6)", port))
	}
	for _, where := range []struct{ network, address string }{{"udp4", "0.0.0.0:53"}, {"udp4", "0.0.0.0:514"}, {"udp4", "0.0.0.0:123"}, {"udp6", "[::1]:53"}, {"unixgram", "/run/systemd/journal/socket"}, {"unixgram", "/dev/log"}, {"unixgram", home + "/.datagrams"}, {"unixgram", "@datagrams"}} {
		name := where.network + " " + where.address
		var c net.PacketConn
		var err error
		if where.network == "unixgram" {
			_ = os.MkdirAll(filepath.Dir(where.address), 0o755)
			c, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: where.address, Net: "unixgram"})
		} else {
			c, err = net.ListenPacket(where.network, where.address)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		go func() {
			buf := make([]byte, 2000)
			for {
				if _, _, err := c.ReadFrom(buf); err != nil {
					return
				}
				d.hit(name)
			}
		}()
	}
	return d
}
