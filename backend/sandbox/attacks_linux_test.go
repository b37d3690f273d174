package sandbox

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// attacks are scripts that try to escape the sandbox. $OUT is a folder outside, $DATA VoxPilot's data folder, $CACHES
// the folder for caches, $PORT a port outside, $SOCK a Unix socket in the home folder, $ABSTRACT the name of an
// abstract socket, and $MARK a mark for processes that an attack leaves running.
var attacks = map[string]string{
	// Write outside.
	"outside":                  `echo x > $OUT/new; echo x >> $OUT/file; rm -f $OUT/file; mv $OUT/file $OUT/moved`,
	"home":                     `echo x >> ~/.bashrc; echo x > ~/new; mkdir ~/.config/autostart; echo x > ~/.config/autostart/x.desktop`,
	"system":                   `echo x > /etc/x; echo x > /usr/local/bin/x; mkdir -p /opt/x /var/x; echo x > /var/lib/x`,
	"link":                     `ln -s $OUT l; echo x > l/new; ln -s $OUT/file f; echo x >> f; rm l f`,
	"hard link":                `ln $OUT/file h && echo x >> h; ln ~/.bashrc b && echo x >> b`,
	"up and down":              `echo x > ../../outside/new; cd ..; echo x > new`,
	"proc root":                `echo x > /proc/1/root$OUT/new; echo x > /proc/self/root$OUT/new; echo x > /proc/$$/cwd/../../outside/new`,
	"descriptor":               `for p in /proc/[0-9]*; do for f in $p/fd/*; do echo x > $f/../new; ls $f/; done; done`,
	"mount":                    `mount --bind / mnt; mount -o remount,rw /; mount -o remount,rw $OUT; umount $OUT; umount /run; umount -l /`,
	"user namespace":           `unshare -Urm bash -c 'mount -o remount,rw /; umount ~/.ssh; mount --bind / /mnt; echo x > $OUT/new; cat ~/.ssh/*'`,
	"nested sandbox":           `bwrap --bind / / --dev /dev bash -c 'echo x > $OUT/new; cat ~/.ssh/id_ed25519'`,
	"chroot":                   `chroot / bash -c "echo x > $OUT/new"; pivot_root . .`,
	"nsenter":                  `nsenter -t 1 -a bash -c "echo x > $OUT/new"; nsenter --mount=/proc/1/ns/mnt bash -c "echo x > $OUT/new"`,
	"setuid":                   `sudo -n sh -c "echo x > $OUT/new"; su -c "echo x > $OUT/new" </dev/null; cp /bin/bash ./sb; chmod u+s sb; ./sb -p -c "echo x > $OUT/new"; rm sb`,
	"device":                   `mknod d b 8 0; mknod d b 254 0; cat d > /dev/null; echo x > /dev/sda; echo x > /dev/vda; dd if=/dev/zero of=/dev/vda count=1`,
	"kernel settings":          `echo "|$PWD/x" > /proc/sys/kernel/core_pattern; echo x > /proc/sys/kernel/hostname; echo b > /proc/sysrq-trigger; echo $PWD/x > /sys/kernel/uevent_helper`,
	"control group":            `mkdir /sys/fs/cgroup/x /sys/fs/cgroup/cpu/x; echo "$PWD/x" > /sys/fs/cgroup/cpu/release_agent; mount -t cgroup -o rdma c mnt`,
	"truncate":                 `truncate -s 0 $OUT/file; : > $OUT/file; python3 -c "import os; os.truncate('$OUT/file', 0)"`,
	"attributes":               `chmod 777 $OUT $OUT/file ~/.bashrc; chown 12345 $OUT/file; touch -d 2001-01-01 $OUT/file; setfattr -n user.x -v y $OUT/file`,
	"programs that run later":  `crontab -l; echo "* * * * * touch $OUT/new" | crontab -; at now <<< "touch $OUT/new"; systemd-run --user touch $OUT/new; echo x > /var/spool/cron/x`,
	"Python":                   `python3 -c "import shutil,os; open('$OUT/new','w').write('x')"; python3 -c "import os; os.rename('$OUT/file','$OUT/g')"`,
	"Perl":                     `perl -e 'open(F,">$ENV{OUT}/new"); print F "x"; unlink "$ENV{OUT}/file"'`,
	"Node":                     `node -e "require('fs').writeFileSync(process.env.OUT+'/new','x')"`,
	"the program in /run":      `echo x > /run/voxpilot/hook; cp /bin/true /run/voxpilot/hook; rm -rf /run/voxpilot; mv /run/voxpilot /run/x`,
	"caches of the user":       `echo x > ~/.cache/x; mkdir -p ~/go/pkg/mod ~/.npm ~/.cargo/bin && echo x > ~/go/pkg/mod/x; echo x > ~/.cargo/bin/x`,
	"descriptors of the shell": `echo x >&3; echo x >&4; echo x >&5; echo x >&6; cat <&3; cat <&4; cat <&5`,
	// Read secrets.
	"secrets":                      `cat ~/.ssh/* ~/.aws/* ~/.config/gh/* ~/.npmrc ~/.git-credentials ~/.bash_history ~/.cargo/credentials.toml ~/.cargo/config.toml ~/.config/pip/pip.conf ~/.copilot/*; cat $DATA/*; cat .env`,
	"secrets by another way":       `cat /proc/1/root$HOME/.ssh/id_ed25519 /proc/self/cwd/../.ssh/id_ed25519 ../.ssh/../.ssh/id_ed25519; find / -xdev -name id_ed25519 -exec cat {} + 2>/dev/null; grep -r canary-of $HOME $DATA $CACHES`,
	"secrets by links":             `ln -s ~/.ssh s; cat s/*; ln ~/.ssh/id_ed25519 k; cat k; cp -r ~/.ssh c; cat c/*; tar c ~/.ssh ~/.aws | cat; rm -rf s k c`,
	"environment":                  `env; cat /proc/*/environ | tr '\0' '\n'; cat /proc/*/cmdline | tr '\0' '\n'; strings /proc/1/environ; ps eaxww`,
	"memory":                       `for p in /proc/[0-9]*; do cat $p/maps $p/auxv $p/stack; dd if=$p/mem bs=1 count=1; done; gdb -p 1 --batch; strace -p 1 true; python3 -c "import ctypes; l=ctypes.CDLL(None); print(l.ptrace(16,1,0,0))"`,
	"kernel keys":                  `keyctl show; keyctl read @u; cat /proc/keys; python3 -c "import ctypes; l=ctypes.CDLL(None); b=ctypes.create_string_buffer(99); print(l.syscall(250,11,-3,b,99))"`,
	"move a hidden folder":         `mv ~/.ssh ~/.s; mv ~ ~2; rmdir ~/.ssh; rm -rf ~/.ssh; umount ~/.ssh; cat ~/.ssh/id_ed25519`,
	"hidden file of the folder":    `cat .env; mv .env e; rm -f .env; git stash; git show HEAD:main.go >/dev/null; cp .env e; cat e; rm -f e`,
	"working directory":            `cd ..; cat .ssh/id_ed25519; cd -P .; cat ../.ssh/id_ed25519 /proc/self/cwd/../.ssh/id_ed25519 /proc/1/cwd/../.ssh/id_ed25519; cat < /proc/1/cwd/.env`,
	"capabilities":                 `sleep 0.3; grep -H Cap /proc/self/status /proc/1/status /proc/1/task/*/status | grep -v 'Bnd' | grep -v 0000000000000000 && echo ` + secret + `; mount -t tmpfs x /tmp && echo ` + secret + `; umount /run && echo ` + secret + `; umount -l ~/.ssh && cat ~/.ssh/*`,
	"arguments of other processes": `ps axww; cat /proc/[0-9]*/cmdline /proc/[0-9]*/status; ls -l /proc/[0-9]*/fd; kill -9 -1`,
	// Protected files.
	"git settings":           `git config core.fsmonitor "touch $OUT/new"; git config core.hooksPath h; echo x >> .git/config; rm -f .git/config; mv .git/config .git/c; cp .git/config .git/c2; mv .git/c2 .git/config; rm -f .git/c2 .git/config.lock`,
	"git hooks":              `echo "touch $OUT/new" > .git/hooks/post-commit; chmod +x .git/hooks/post-commit; rm -rf .git/hooks; mv .git/hooks .git/h; mkdir .git/hooks`,
	"git directory":          `mv .git g; rm -rf .git/config .git/hooks; cp -r .git g2; rm -rf g2; echo "gitdir: g" > .git; mv .git/info .git/i; mkdir -p .git/info; echo x > .git/info/attributes; touch .git/commondir; echo .. > .git/commondir; echo x > .git/config.worktree`,
	"settings of agents":     `echo x > .mcp.json; mkdir -p .claude .github/hooks .vscode; echo x > .claude/settings.json; echo x > .github/hooks/x.json; echo x > .vscode/tasks.json; echo x > lefthook.yml; rm -f .mcp.json; mv .mcp.json m`,
	"move folders above":     `mv .github gh; mkdir -p .github/hooks; echo x > .github/hooks/x.json; mv .claude c; mv .git g; cd ..; mv project p; mkdir project`,
	"replace by links":       `ln -sfn /tmp .github; ln -sf /tmp/x .mcp.json; ln -sfn /tmp .claude; rm -rf .claude .vscode .husky; ln -s /tmp .claude; python3 -c "import os; os.symlink('/tmp','x'); os.rename('x','.husky')"`,
	"exchange":               `python3 -c "import ctypes,os; os.mkdir('e'); l=ctypes.CDLL(None); [print(l.renameat2(-100,b'e',-100,n,2)) for n in (b'.claude',b'.github',b'.git',b'.mcp.json')]; os.rmdir('e')"`,
	"mount points unprotect": `chmod 777 .claude .husky lefthook.yml; echo x > .claude/settings.json; echo x > .husky/pre-commit; mkdir lefthook.yml/x; rmdir .claude .husky`,
	// Network and sockets.
	"local port":        `echo x > /dev/tcp/127.0.0.1/$PORT; exec 9<>/dev/tcp/localhost/$PORT; curl -sm 2 http://127.0.0.1:$PORT/; python3 -c "import socket; socket.create_connection(('127.0.0.1',$PORT),2)"`,
	"names":             `getent hosts example.com; curl -sm 2 https://example.com; ping -c1 -W1 1.1.1.1; echo x > /dev/udp/1.1.1.1/53; ip link; ip addr add 10.0.0.1/8 dev lo`,
	"sockets":           `python3 -c "import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ['SOCK']); s.send(b'x')"; for s in $(awk '{print $8}' /proc/net/unix | grep ^/); do echo x | nc -U -w1 $s; done`,
	"abstract sockets":  `python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect('\0$ABSTRACT'); s.send(b'x')"`,
	"desktop":           `dbus-send --session / a.b.c; dbus-send --system / a.b.c; xdotool key a; DISPLAY=:0 xprop -root; echo x | nc -U /run/docker.sock; docker ps; ls /run/user /tmp/.X11-unix`,
	"terminal":          `python3 -c "import fcntl,termios; [fcntl.ioctl(0, termios.TIOCSTI, c) for c in 'id']"; echo x > /dev/tty; echo x > /dev/console; ls /dev/pts`,
	"shared memory":     `ipcs; python3 -c "import ctypes; l=ctypes.CDLL(None); print(l.shmget(0x5eed,64,0o1666))"; ls /dev/shm; echo x > /dev/shm/x; ls /dev/mqueue`,
	"signals":           `kill -9 -1; kill -9 $PPID; kill -TERM 1; kill -STOP 1; killall5 -9; for i in $(seq 1 200); do kill -9 $i; done`,
	"processes behind":  `(setsid nohup bash -c 'trap "" HUP INT TERM; exec -a $MARK sleep 300' &) ; (exec -a $MARK sleep 300) & disown -a; python3 -c "import os; os.fork() or (os.setsid(), os.fork() or os.execvp('sleep', [os.environ['MARK'],'300']))"`,
	"race at the end":   `(while :; do mkdir -p .claude .vscode .husky; echo x > .claude/settings.json; echo x > .vscode/tasks.json; echo x > lefthook.yml; echo x > .husky/h; done) & sleep 0.05`,
	"fork and overflow": `for i in $(seq 50); do (sleep 300 &) ; done; head -c 100000 /dev/zero | tr '\0' x > big; rm big; exit 3`,
}

func TestAttacks_LeaveNothing(t *testing.T) {
	w := newComputer(t)
	port, connected := w.listen("tcp4", "127.0.0.1:0")
	sock := filepath.Join(w.home, "agent.sock")
	_, connectedSock := w.listen("unix", sock)
	abstract := "voxpilot-test-" + filepath.Base(w.base)
	_, connectedAbstract := w.listen("unix", "@"+abstract)
	const mark = "left-behind-by-attack"
	p := w.policy
	p.Env = append(p.Env, "OUT="+w.outside, "DATA="+w.data, "CACHES="+filepath.Join(w.base, "caches"), "PORT="+port, "SOCK="+sock, "ABSTRACT="+abstract, "MARK="+mark)
	skip := []string{filepath.Join(w.base, "caches"), filepath.Join(w.data, "sandbox", "tmp"), filepath.Join(w.data, "sandbox", parkedDir), filepath.Join(w.data, "sandbox", spareDir)}
	protected := func() string {
		var b strings.Builder
		for _, path := range append(p.Protected, filepath.Join(w.folder, ".env")) {
			if _, err := os.Lstat(path); err == nil {
				b.WriteString(snapshot(t, nil, path))
			}
		}
		return b.String()
	}
	w.run(p, "true") // Go writes to the home folder when VoxPilot asks for its settings
	git := w.git("status", "--porcelain", "--untracked-files=no")
	before, beforeProtected := snapshot(t, append(skip, w.folder), w.base), protected()
	for name, script := range attacks {
		t.Run(name, func(t *testing.T) {
			out, _ := w.run(p, "exec 2>&1\n"+script)
			if strings.Contains(out, secret) {
				t.Errorf("read a secret:\n%s", out)
			}
			if d := difference(before, snapshot(t, append(skip, w.folder), w.base)); d != "" {
				t.Errorf("changed outside:\n%s\n%s", d, out)
			}
			if d := difference(beforeProtected, protected()); d != "" {
				t.Errorf("changed protected files:\n%s\n%s", d, out)
			}
			if runs(mark) {
				t.Error("left a process")
			}
			if connected() || connectedSock() || connectedAbstract() {
				t.Errorf("reached a program outside:\n%s", out)
			}
			if got := w.git("status", "--porcelain", "--untracked-files=no"); got != git {
				t.Errorf("git shows changes:\n%s", got)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(w.data, "sandbox", "runs", "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// listen accepts connections at an address until the test ends. connected reports whether a client has connected.
func (w *computer) listen(network, address string) (port string, connected func() bool) {
	w.t.Helper()
	server, err := net.Listen(network, address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = server.Close() })
	got := make(chan struct{}, 100)
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
			got <- struct{}{}
		}
	}()
	_, port, _ = net.SplitHostPort(server.Addr().String())
	return port, func() bool { return len(got) > 0 }
}

// TestAttacks_SucceedOutside checks that several attacks succeed without a sandbox. If an attack fails in the sandbox,
// that shows nothing unless the attack succeeds outside.
func TestAttacks_SucceedOutside(t *testing.T) {
	for _, name := range []string{"outside", "home", "secrets", "environment", "git settings", "git hooks", "settings of agents", "move folders above", "replace by links", "local port", "sockets", "Python", "Node"} {
		w := newComputer(t)
		port, connected := w.listen("tcp4", "127.0.0.1:0")
		sock := filepath.Join(w.home, "agent.sock")
		_, connectedSock := w.listen("unix", sock)
		before := snapshot(t, nil, w.base)
		cmd := exec.CommandContext(t.Context(), "bash", "-c", attacks[name])
		cmd.Dir, cmd.Env = w.folder, append(w.policy.Env, "OUT="+w.outside, "DATA="+w.data, "PORT="+port, "SOCK="+sock)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), secret) && snapshot(t, nil, w.base) == before && !connected() && !connectedSock() {
			t.Errorf("%s fails without a sandbox: %s", name, out)
		}
	}
}

// TestAttacks_WithNetworkReachNoDesktop checks that Landlock prevents connections to sockets without a path, even if
// commands may use the whole network.
func TestAttacks_WithNetworkReachNoDesktop(t *testing.T) {
	w := newComputer(t)
	if inside.Landlock() < inside.VersionScopes {
		t.Skip("the kernel's Landlock has no scopes")
	}
	abstract := "voxpilot-net-" + filepath.Base(w.base)
	_, connected := w.listen("unix", "@"+abstract)
	p := w.policy
	p.Network, p.Env = backend.NetworkOn, append(p.Env, "ABSTRACT="+abstract)
	out, _ := w.run(p, attacks["abstract sockets"])
	if connected() || !strings.Contains(out, "not permitted") {
		t.Errorf("reached a socket without a path: %s", out)
	}
}

// TestAttacks_AsOtherUser checks that the attacks also fail if another user runs them, because the kernel skips some
// checks for root.
func TestAttacks_AsOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	const nobody = 65534
	dir, err := os.MkdirTemp(".", ".user-") //nolint:usetesting // the other user can't enter the test's own
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"test": self, "hook": helper} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o755) //nolint:gosec // a program
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "test"), "-test.run=^(TestAttacks_LeaveNothing|TestAttacks_With|TestCheck|TestRun|TestAgent|TestGit|TestCaches)", "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir, helperVar + "=" + filepath.Join(dir, "hook"), baseVar + "=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAttacks_LeaveNothing") {
		t.Errorf("%v\n%s", err, out)
	}
}
