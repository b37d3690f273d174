package sandbox_test

import (
	"fmt"
	"strings"
)

// namespacesAndMounts adds attacks that change mounts or enter other namespaces.
func namespacesAndMounts(l *list) {
	for name, script := range sorted(map[string]string{
		"bind": `mkdir m; mount --bind "$OUT" m && echo x > m/new`, "bind over a secret": `mount --bind README.md "$HOME/.netrc" && win`, "bind file": `touch f; mount --bind "$OUT/file" f && echo x > f`, "rbind": `mkdir m; mount --rbind / m && echo x > "m$OUT/new"`, "tmpfs over the folder": `mount -t tmpfs none src && win`, "tmpfs over home": `mount -t tmpfs none "$HOME/private" && win`, "remount /": `mount -o remount,rw /; mount -o remount,bind,rw /; echo x > "$OUT/new"`, "remount home": `mount -o remount,bind,rw "$HOME"; echo x > "$OUT/new"`, "move": `mkdir m; mount --bind src m && mount --move m deep && win`,
		"umount secrets": `umount -l "$HOME/.ssh"; umount -l "$HOME/.netrc"; cat "$HOME/.netrc" "$HOME/.ssh/id_ed25519"`, "umount /tmp": `umount -l /tmp; cat /tmp/other-program/session`, "umount /run": `umount -l /run; cat /run/secrets/token`, "umount /dev": `umount -l /dev/shm; umount -l /dev; cat /dev/mem`, "umount /proc": `umount -l /proc; ls /proc/` + `$VICTIM && win`, "umount all": `umount -alf; cat "$HOME/.netrc"`, "new /proc": `mkdir p; mount -t proc none p && ls p/$VICTIM && win`, "new /sys": `mkdir p; mount -t sysfs none p && win`, "devtmpfs": `mkdir p; mount -t devtmpfs none p && win`, "mqueue": `mkdir p; mount -t mqueue none p && win`, "cgroup": `mkdir p; mount -t cgroup2 none p && win`, "overlay": `mkdir u w m; mount -t overlay none -o lowerdir="$OUT",upperdir=u,workdir=w m && win`, "loop": `truncate -s 1M i; mount -o loop i src && win; losetup -f i && win`, "fuse": python(`
f = os.open('/dev/fuse', os.O_RDWR); win()`), "propagation": `mount --make-rshared / && mount -t tmpfs none /tmp && win`,
		"unshare -r": `unshare -r true && win`, "unshare -Urm": `unshare -Urm sh -c 'mount -t tmpfs none /srv' && win`, "unshare -m": `unshare -m sh -c 'mount -t tmpfs none /srv' && win`, "unshare -n": `unshare -rn true && win`, "unshare -p": `unshare -rpf --mount-proc true && win`, "unshare -C": `unshare -rC true && win`, "unshare -i": `unshare -ri true && win`, "unshare -u": `unshare -ru hostname evil && win`, "unshare -T": `unshare -rT true && win`, "bwrap again": `bwrap --bind / / sh -c 'echo x > "$OUT/new"'`, "bwrap with users": `bwrap --unshare-user --bind / / true && win`, "setns": `nsenter -t 1 -m true && nsenter -t "$VICTIM" -m true && win`, "nsenter -U": `nsenter -t "$VICTIM" -U -m sh -c 'echo x > "$OUT/new"'; nsenter -t "$VICTIM" -m sh -c 'echo x > "$OUT/new"'`, "nsenter -p": `nsenter -t "$VICTIM" -p true && win`, "nsenter -a": `nsenter -t "$VICTIM" -n -i -u true && win`, "chroot": `mkdir c; chroot c /x; chroot / sh -c 'echo x > "$OUT/new"'`, "chroot escape": python(`
os.mkdir('c'); f = os.open('.', os.O_RDONLY); os.chroot('c'); os.fchdir(f)
for i in range(40): os.chdir('..')
os.chroot('.'); open(OUT + '/new', 'w').write('x')`), "pivot_root": `mkdir -p m; mount -t tmpfs none m && mkdir m/old && cd m && pivot_root . old && win; mount -t tmpfs none m && win`, "newuidmap": `newuidmap $$ 0 0 1 && win; unshare --map-root-user true && win`, "uid_map": `unshare -U sh -c 'echo 0 0 1 > /proc/self/uid_map' ; unshare -U true && win`, "clone": python(`
import ctypes
pid = libc.syscall(SYS_clone, 0x10000000 | 17, 0, 0, 0, 0)
if pid == 0: os._exit(0)
if pid > 0: win()`), "clone3": python(`
a = (ctypes.c_uint64 * 11)(); a[0] = 0x10000000; a[4] = 17
pid = libc.syscall(SYS_clone3, ctypes.byref(a), 88)
if pid == 0: os._exit(0)
if pid > 0: win()`), "clone with other bits": python(`
pid = libc.syscall(SYS_clone, ctypes.c_uint64(0x7e000000 | 17), 0, 0, 0, 0)
if pid == 0: os._exit(0)
if pid > 0: win()`), "unshare by a call": python(`
if libc.unshare(0x10000000 | 0x20000) == 0: win()`), "unshare with upper bits": python(`
if libc.syscall(SYS_unshare, ctypes.c_uint64(0x10000000)) == 0: win()`), "open_tree": python(`
f = libc.syscall(SYS_open_tree, -100, b'/', 0x8001)
if f >= 0: win()`), "fsopen": python(`
f = libc.syscall(SYS_fsopen, b'tmpfs', 0)
if f >= 0: win()`), "move_mount": python(`
f = libc.syscall(SYS_open_tree, -100, FOLDER.encode() + b'/src', 1)
if f >= 0 and libc.syscall(SYS_move_mount, f, b'', -100, OUT.encode(), 4) == 0: win()`), "mount_setattr": python(`
a = (ctypes.c_uint64 * 4)(0, 1, 0, 0)
if libc.syscall(SYS_mount_setattr, -100, b'/', 0x8000, ctypes.byref(a), 32) == 0: win()`), "setns by pidfd": python(`
p = os.pidfd_open(VICTIM)
if libc.setns(p, 0x20000) == 0: win()`), "setns to init": python(`
f = os.open('/proc/1/ns/net', os.O_RDONLY)
if libc.setns(f, 0) == 0: win()`), "mount call": python(`
if libc.mount(OUT.encode(), FOLDER.encode() + b'/src', None, 4096, None) == 0: open('src/new', 'w').write('x')`), "umount call": python(`
for p in ('.netrc', '.ssh', '.npmrc'):
    libc.umount2((HOME + '/' + p).encode(), 2)
print(open(HOME + '/.netrc').read())`), "32-bit calls": `cat > i.c <<'E'
#include <stdio.h>
int main(void) { long r;
#ifdef __x86_64__
  __asm__ volatile("int $0x80" : "=a"(r) : "a"(310), "b"(0x10000000) : "memory");
  if (r == 0) system("echo $WIN1-$WIN2");
#else
  system("echo $WIN1-$WIN2");
#endif
  return 0; }
E
gcc -w -o i i.c && ./i; if [ "$(id -u)" = 0 ] && ! ./i | grep -q .; then unshare -r true && win; fi`, "x32 calls": `cat > i.c <<'E'
#include <unistd.h>
int main(void) { if (syscall(0x40000000 | 272, 0x10000000) == 0) system("echo $WIN1-$WIN2"); return 0; }
E
gcc -w -o i i.c && ./i`, "swap": `truncate -s 1M s; chmod 600 s; mkswap s >/dev/null; swapon s && win`, "quota": `mount -t tmpfs -o size=1k none /opt && win`, "bind a device": `touch d; mount --bind /dev/null d && win`, "immutable": `chattr +i README.md && win`, "umount with a link": `ln -s "$HOME/.ssh" s; umount -l s/; cat s/id_ed25519`,
	}) {
		change := []func(*attack){alone}
		switch name {
		case "x32 calls":
			change = append(change, uncontrolled("the kernel has no such calls"))
		case "loop", "swap", "immutable", "devtmpfs":
			change = append(change, uncontrolled("needs rights on the real computer"))
		case "umount secrets", "umount /tmp", "umount /run", "umount /dev", "umount /proc", "umount all", "umount call", "umount with a link":
			change = append(change, uncontrolled("the mounts are those of the sandbox"))
			if name == "umount /proc" || name == "umount /dev" {
				change = change[:1]
				change = append(change, uncontrolled("it would disable the tests"))
			}
		case "propagation", "remount /", "mount_setattr":
			change = append(change, uncontrolled("it would change the namespace of the tests"))
		case "chroot escape", "chroot":
		}
		l.add("mounts and namespaces", name, script, change...)
	}
}

// privileges adds attacks that try to gain more rights, for example through programs that have
// them.
func privileges(l *list) {
	for name, script := range sorted(map[string]string{
		"sudo": `sudo -n true && win`, "su": `echo | timeout 2 su -c true root && win`, "pkexec": `timeout 2 pkexec true && win`, "doas": `doas -n true && win`, "passwd": `printf 'x\nx\n' | timeout 2 passwd && win`, "setuid shell": `cp /bin/bash s; chmod 4755 s; ./s -p -c '[ "$(id -u)" != "$(id -ru)" ]' && win`, "setcap": `cp /bin/true t; setcap cap_sys_admin+ep t && ./t && win`, "capabilities": `grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && win`, "bounding set": `capsh --print | grep -q '^Current:.*sys_admin' && win`, "no new privileges": `grep -q 'NoNewPrivs:.0' /proc/self/status && win`, "host name": `hostname evil`, "domain name": python(`
if libc.setdomainname(b'evil', 4) == 0: win()`), "clock": `date -s '2001-01-01' && win`, "nice": `nice -n -5 true 2>&1 | grep -q . || win`, "chown": `touch f; chown 12345 f && win`, "chown outside": `chown 0:0 "$OUT/file"; chmod u+s "$OUT/file"`, "mknod": `mknod n c 1 3 && win`, "mknod disk": `mknod n b 8 0 && win`, "setgroups": python(`
os.setgroups([0]); win()`), "setuid": python(`
os.setuid(1234); win()`), "setresuid to 0": python(`
if os.getuid() == 0: os.setresuid(0, 0, 0); os.chmod(OUT + '/file', 0o600)
else: os.setresuid(0, 0, 0); win()`), "rlimit": python(`
import resource
resource.setrlimit(resource.RLIMIT_MEMLOCK, (1 << 40, 1 << 40)); win()`), "real time": `chrt -f 10 true && win`, "raise ambient": python(`
if libc.prctl(47, 2, 21, 0, 0) == 0: win()`), "keep capabilities": python(`
if libc.prctl(24, 21, 0, 0, 0) == 0: win()`), "dmesg": `dmesg >/dev/null 2>&1 && win`, "kernel module": `insmod README.md && win; modprobe dummy && win`, "kexec": python(`
if libc.syscall(SYS_kexec_load, 0, 0, 0, 0) == 0: win()`), "bpf": python(`
a = (ctypes.c_uint32 * 32)(1, 4, 4, 1)
if libc.syscall(SYS_bpf, 0, ctypes.byref(a), 128) >= 0: win()`), "perf": python(`
a = (ctypes.c_uint32 * 32)(1, 128)
if libc.syscall(SYS_perf_event_open, ctypes.byref(a), -1, 0, -1, 0) >= 0: win()`), "quotactl": python(`
if libc.syscall(SYS_quotactl, 0, b'/dev/sda', 0, 0) == 0: win()`), "acct": python(`
if libc.acct((FOLDER + '/README.md').encode()) == 0: win()`), "fanotify": python(`
if libc.syscall(SYS_fanotify_init, 0, 0) >= 0: win()`), "userfaultfd": python(`
if libc.syscall(SYS_userfaultfd, 0) >= 0: win()`), "keys: session": python(`
k = libc.syscall(SYS_keyctl, 0, -3, 0)
if k > 0: win()`), "keys: add": python(`
if libc.syscall(SYS_add_key, b'user', b'evil', b'x', 1, -4) > 0: win()`), "keys: request": python(`
libc.syscall(SYS_add_key, b'user', b'evil2', b'x', 1, -2)
if libc.syscall(SYS_request_key, b'user', b'evil2', None, -2) > 0: win()`), "open by handle": python(`
h = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + b'\0' * 128); m = ctypes.c_int()
libc.syscall(SYS_name_to_handle_at, -100, OUT.encode(), h, ctypes.byref(m), 0)
d = os.open('/', os.O_RDONLY)
f = libc.syscall(SYS_open_by_handle_at, d, h, os.O_RDONLY)
if f >= 0: win()`), "personality": `setarch -R true && [ -w /etc ] && win`, "ptrace of setuid": `strace -f su -c true 2>&1 | grep -q 'Permission' ; [ -u /bin/su ] && [ "$(id -u)" = 0 ] && [ "$(grep -c 'NoNewPrivs:.1' /proc/self/status)" = 0 ] && win`, "polkit": `busctl --address=unix:path=/run/dbus/system_bus_socket call org.freedesktop.PolicyKit1 / x y`, "reboot": `[ "$(id -u)" = 0 ] && busctl --address=unix:path=/run/dbus/system_bus_socket call org.freedesktop.login1 / x y; curl -s --unix-socket /run/systemd/private http://x/`,
	}) {
		change := []func(*attack){}
		switch name {
		case "sudo", "doas", "pkexec", "su", "passwd", "setuid shell":
			change = append(change, uncontrolled("no program has more rights than the user of the namespace"))
		case "clock", "kernel module", "kexec", "bpf", "perf", "quotactl", "acct", "mknod", "mknod disk", "dmesg", "chown", "setuid", "open by handle", "real time", "nice", "setgroups", "rlimit", "fanotify", "userfaultfd":
			change = append(change, uncontrolled("needs rights on the real computer"))
		case "setcap":
			change = append(change, uncontrolled("needs rights on the real computer"))
		}
		if strings.Contains(script, "cp /bin") || strings.Contains(script, "touch f") || strings.Contains(script, "mknod") {
			change = append(change, alone)
		}
		if name == "bpf" || name == "userfaultfd" || name == "perf" || name == "fanotify" || name == "setresuid to 0" || name == "open by handle" || name == "personality" {
			change = append(change, func(*attack) {})
		}
		l.add("privileges", name, script, change...)
	}
}

// processesOfOthers adds attacks that trace, kill or modify processes outside of the sandbox.
func processesOfOthers(l *list) {
	for name, script := range sorted(map[string]string{
		"gdb": `timeout 8 gdb -batch -p "$VICTIM" -ex 'info inferiors' 2>&1 | grep -q "process $VICTIM" && win`, "strace": `timeout -s INT 1 strace -p "$VICTIM" 2>&1 | grep -q attached && win`, "ptrace attach": python(`
libc.ptrace.argtypes = [ctypes.c_long] * 4
if libc.ptrace(16, VICTIM, 0, 0) == 0:
    win(); os.waitpid(VICTIM, 0x40000000); libc.ptrace(17, VICTIM, 0, 0)`), "ptrace seize": python(`
libc.ptrace.argtypes = [ctypes.c_long] * 4
if libc.ptrace(0x4206, VICTIM, 0, 0) == 0: win()`), "ptrace all": python(`
libc.ptrace.argtypes = [ctypes.c_long] * 4
for p in [int(x) for x in os.listdir('/proc') if x.isdigit()] + list(range(1, 400)):
    if p != os.getpid() and p not in (1, os.getppid()) and libc.ptrace(0x4206, p, 0, 0) == 0 and p == VICTIM: win()`), "ptrace of the first process": python(`
libc.ptrace.argtypes = [ctypes.c_long] * 4
if libc.ptrace(0x4206, 1, 0, 0) == 0: win()`), "process_vm_readv": python(`
class iov(ctypes.Structure): _fields_ = [('b', ctypes.c_void_p), ('l', ctypes.c_size_t)]
for p in [VICTIM] + [int(x) for x in os.listdir('/proc') if x.isdigit() and x != str(os.getpid())]:
    try: m = open('/proc/%d/maps' % p).read()
    except OSError: continue
    for line in m.splitlines():
        if '[stack]' in line:
            a, e = (int(x, 16) for x in line.split()[0].split('-'))
            buf = ctypes.create_string_buffer(e - a)
            if libc.process_vm_readv(p, ctypes.byref(iov(ctypes.addressof(buf), e - a)), 1, ctypes.byref(iov(a, e - a)), 1, 0) > 0: sys.stdout.buffer.write(buf.raw)`), "process_vm_writev": python(`
class iov(ctypes.Structure): _fields_ = [('b', ctypes.c_void_p), ('l', ctypes.c_size_t)]
line = [x for x in open('/proc/%d/maps' % VICTIM) if '[stack]' in x][0]
a = int(line.split('-')[0], 16); buf = ctypes.create_string_buffer(8)
if libc.process_vm_writev(VICTIM, ctypes.byref(iov(ctypes.addressof(buf), 8)), 1, ctypes.byref(iov(a, 8)), 1, 0) > 0: win()`), "pidfd_getfd": python(`
p = os.pidfd_open(VICTIM)
if libc.syscall(SYS_pidfd_getfd, p, 0, 0) >= 0: win()`), "kill": `kill "$VICTIM"`, "kill -9": `kill -9 "$VICTIM"`, "kill -STOP": `kill -STOP "$VICTIM"`, "pkill": `pkill -9 -f 'sleep 100000'`, "killall": `for p in /proc/[0-9]*; do tr '\0' ' ' < $p/cmdline 2>/dev/null | grep -q 'sleep 100000' && kill -9 "${p#/proc/}"; done`, "kill all": `kill -9 -1`, "tgkill": python(`
libc.syscall(SYS_tgkill, VICTIM, VICTIM, 9)`), "rt_sigqueueinfo": python(`
libc.sigqueue.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p]
libc.sigqueue(VICTIM, 9, 0)`), "pidfd_send_signal": python(`
signal.pidfd_send_signal(os.pidfd_open(VICTIM), 9)`), "F_SETOWN": python(`
import fcntl
a, b = socket.socketpair(); fcntl.fcntl(a, fcntl.F_SETSIG, 9); fcntl.fcntl(a, fcntl.F_SETOWN, VICTIM); fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC); b.send(b'x'); time.sleep(0.2)`), "all numbers": python(`
for p in range(2, 60000):
    if p not in (os.getpid(), os.getppid()):
        try: os.kill(p, 9)
        except OSError: pass`), "renice": `renice -n 15 -p "$VICTIM"`, "prlimit": `prlimit --pid "$VICTIM" --nofile=5:5`, "affinity": `taskset -p 1 "$VICTIM"`, "scheduler": `chrt -b -p 0 "$VICTIM" && win`, "ionice": `ionice -c 3 -p "$VICTIM" && win`, "oom score": `choom -p "$VICTIM" -n 900`, "process group": `kill -9 -- "-$VICTIM"; kill -9 "$VICTIM"`, "exists": `kill -0 "$VICTIM" && win`, "session": python(`
os.getsid(VICTIM); os.getpgid(VICTIM); win()`), "priority": python(`
os.setpriority(os.PRIO_PROCESS, VICTIM, 18)`), "process_madvise": python(`
p = os.pidfd_open(VICTIM); win()`), "migrate_pages": python(`
m = ctypes.c_ulong(1)
if libc.syscall(SYS_migrate_pages, VICTIM, 64, ctypes.byref(m), ctypes.byref(m)) == 0: win()`), "kcmp": python(`
if libc.syscall(SYS_kcmp, VICTIM, os.getpid(), 1, 0, 0) >= 0: win()`), "robust list": python(`
h = ctypes.c_void_p(); n = ctypes.c_size_t()
if libc.syscall(SYS_get_robust_list, VICTIM, ctypes.byref(h), ctypes.byref(n)) == 0: win()`), "the shell's parent": `p=$PPID; while [ "$p" -gt 1 ]; do set -- $(sed 's/.*) //' /proc/$p/stat); q=$2; [ "$p" != "$PPID" ] || true; p=$q; done; kill -9 "$VICTIM"`, "fuser": `fuser -k "$HOME/private"; for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$HOME/private" ] && kill -9 "${p#/proc/}"; done`,
	}) {
		change := []func(*attack){alone}
		l.add("other processes", name, script, change...)
	}
}

// background adds attacks that start background processes meant to outlive the command.
func background(l *list) {
	const stay = `sleep 4242`
	for name, script := range sorted(map[string]string{
		"&": stay + ` >/dev/null 2>&1 &`, "nohup": `nohup ` + stay + ` >/dev/null 2>&1 &`, "setsid": `setsid ` + stay + ` >/dev/null 2>&1 < /dev/null &`, "setsid -f": `setsid -f ` + stay + ` >/dev/null 2>&1`, "disown": stay + ` >/dev/null 2>&1 & disown -h`, "subshell": `( ( ` + stay + ` & ) & ) >/dev/null 2>&1`, "double fork": python(`
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for f in range(3): os.close(f)
        os.execvp('sleep', ['sleep', '4242'])
    os._exit(0)
os.wait()`), "ignores signals": `(trap '' HUP INT QUIT TERM; setsid ` + stay + ` & ) >/dev/null 2>&1 </dev/null`, "many": `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do setsid ` + stay + ` >/dev/null 2>&1 </dev/null & done`, "new name": python(`
if os.fork() == 0:
    os.setsid(); libc.prctl(15, b'kworker/0:0', 0, 0, 0)
    d = os.open('/dev/null', os.O_RDWR)
    for f in range(3): os.dup2(d, f)
    time.sleep(4242)`), "coproc": `coproc ` + stay + `; exec >/dev/null 2>&1; eval "exec ${COPROC[0]}<&- ${COPROC[1]}>&-"; disown -a`, "at": `setsid sh -c 'sleep 0.3; echo x > "$OUT/late"; ` + stay + `' >/dev/null 2>&1 < /dev/null &`, "late write": `(sleep 0.2; echo x > "$OUT/late"; sleep 30) >/dev/null 2>&1 < /dev/null & disown`, "respawns": `setsid bash -c 'while :; do sleep 4242; done' >/dev/null 2>&1 </dev/null &`, "stopped": `setsid sh -c 'kill -STOP $$; sleep 4242' >/dev/null 2>&1 </dev/null & sleep 0.1`, "thread": python(`
if os.fork() == 0:
    import threading
    d = os.open('/dev/null', os.O_RDWR)
    for f in range(3): os.dup2(d, f)
    threading.Thread(target=time.sleep, args=(4242,)).start(); libc.syscall(SYS_exit, 0)`), "keeps the output": `sleep 4242 & sleep 0.1; kill -0 $!`, "memfd": python(`
f = os.memfd_create('x', 0); os.write(f, open('/bin/sleep', 'rb').read())
if os.fork() == 0:
    os.setsid(); d = os.open('/dev/null', os.O_RDWR)
    for i in range(3): os.dup2(d, i)
    os.execve(f, ['x', '4242'], {})
time.sleep(0.1)`), "tmux": `tmux -L bg new-session -d '` + stay + `'`, "ssh-agent": `ssh-agent -a /tmp/evil-agent >/dev/null`, "gpg-agent": `GNUPGHOME=$PWD gpg-agent --daemon >/dev/null 2>&1 || setsid sleep 4343 >/dev/null 2>&1 & sleep 0.2`, "Xvfb": `Xvfb :77 >/dev/null 2>&1 & sleep 0.3`, "dbus-daemon": `dbus-daemon --session --fork --print-address=1 >/dev/null`, "node server": `node -e 'require("http").createServer().listen(0)' >/dev/null 2>&1 & sleep 0.2`, "python server": `python3 -m http.server 0 >/dev/null 2>&1 & sleep 0.2`, "inotify": `setsid tail -F README.md >/dev/null 2>&1 </dev/null &`, "watch": `setsid watch -n 9 true >/dev/null 2>&1 </dev/null & sleep 0.1; setsid sleep 4444 >/dev/null 2>&1 </dev/null &`, "zombie's child": `sh -c 'setsid sleep 4545 >/dev/null 2>&1 </dev/null & exec true'`, "own group": `set -m; sleep 4646 >/dev/null 2>&1 &`, "vfork": python(`
import subprocess
subprocess.Popen(['sleep', '4747'], start_new_session=True, stdin=-3, stdout=-3, stderr=-3, close_fds=True)`),
	}) {
		l.add("background", name, script, alone)
	}
}

// devicesAndKernel adds attacks that use devices and the kernel's files.
func devicesAndKernel(l *list) {
	for _, device := range []string{"mem", "kmsg", "sda"} {
		l.add("devices", "read "+device, fmt.Sprintf(`timeout 1 cat /dev/%s`, device))
		l.add("devices", "write "+device, fmt.Sprintf(`echo x >> /dev/%s`, device))
	}
	for name, script := range sorted(map[string]string{
		"kvm": `[ -c /dev/kvm ] && (exec 9<>/dev/kvm) 2>/dev/null && win`, "fuse": `[ -c /dev/fuse ] && (exec 9<>/dev/fuse) 2>/dev/null && win`, "tun": `[ -c /dev/net/tun ] && (exec 9<>/dev/net/tun) 2>/dev/null && win`, "new device file": `touch /dev/evil`, "shm": `echo x > /dev/shm/evil`, "pts of others": `ls /dev/pts/0 && echo evil > /dev/pts/0`, "log": `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.sendto(b"evil", "/dev/log")'; true`, "control group": `mkdir /sys/fs/cgroup/evil; echo $$ > /sys/fs/cgroup/cgroup.procs`, "kernel settings": `echo evil > /proc/sys/kernel/hostname; echo x > /sys/fs/cgroup/notify`, "sysfs": `touch /sys/fs/cgroup/x; for f in /sys/class/leds/*/brightness /sys/power/state; do [ -w "$f" ] && win; done`, "debugfs": `ls /sys/kernel/debug/tracing >/dev/null 2>&1 && win`, "efivars": `ls /sys/firmware/efi/efivars/* >/dev/null 2>&1 && win`, "TTY": `(exec 9<>/dev/tty) 2>/dev/null && win`, "console": `[ -c /dev/console ] && (exec 9>/dev/console) 2>/dev/null && win`, "input": `ls /dev/input/* >/dev/null 2>&1 && win`, "video": `ls /dev/video* /dev/dri/* /dev/snd/* >/dev/null 2>&1 && win`, "loop": `ls /dev/loop* >/dev/null 2>&1 && win`, "real disk": `ls /dev/vd* /dev/nvme* >/dev/null 2>&1 && win`, "port": `ls /dev/port /dev/kmem >/dev/null 2>&1 && win`, "uinput": `ls /dev/uinput /dev/uhid >/dev/null 2>&1 && win`,
	}) {
		change := []func(*attack){}
		switch name {
		case "pts of others", "debugfs", "efivars", "TTY", "console", "input", "video", "loop", "real disk", "port", "uinput":
			change = append(change, uncontrolled("the namespace has no such device"))
		}
		l.add("devices", name, script, change...)
	}
}
