package sandbox_test

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// callNumbers maps the names that the Python code uses for system calls to their numbers.
var callNumbers = map[string]int{
	"SYS_clone3": unix.SYS_CLONE3, "SYS_unshare": unix.SYS_UNSHARE, "SYS_open_tree": unix.SYS_OPEN_TREE, "SYS_fsopen": unix.SYS_FSOPEN, "SYS_move_mount": unix.SYS_MOVE_MOUNT, "SYS_mount_setattr": unix.SYS_MOUNT_SETATTR, "SYS_kexec_load": unix.SYS_KEXEC_LOAD, "SYS_bpf": unix.SYS_BPF, "SYS_perf_event_open": unix.SYS_PERF_EVENT_OPEN,
	"SYS_quotactl": unix.SYS_QUOTACTL, "SYS_fanotify_init": unix.SYS_FANOTIFY_INIT, "SYS_userfaultfd": unix.SYS_USERFAULTFD, "SYS_keyctl": unix.SYS_KEYCTL, "SYS_add_key": unix.SYS_ADD_KEY, "SYS_request_key": unix.SYS_REQUEST_KEY, "SYS_name_to_handle_at": unix.SYS_NAME_TO_HANDLE_AT, "SYS_open_by_handle_at": unix.SYS_OPEN_BY_HANDLE_AT,
	"SYS_pidfd_getfd": unix.SYS_PIDFD_GETFD, "SYS_tgkill": unix.SYS_TGKILL, "SYS_migrate_pages": unix.SYS_MIGRATE_PAGES, "SYS_kcmp": unix.SYS_KCMP, "SYS_get_robust_list": unix.SYS_GET_ROBUST_LIST, "SYS_io_uring_setup": unix.SYS_IO_URING_SETUP, "SYS_io_uring_enter": unix.SYS_IO_URING_ENTER, "SYS_renameat2": unix.SYS_RENAMEAT2, "SYS_openat2": unix.SYS_OPENAT2, "SYS_copy_file_range": unix.SYS_COPY_FILE_RANGE,
	"SYS_exit": unix.SYS_EXIT, "SYS_clone": unix.SYS_CLONE, "SYS_linkat": unix.SYS_LINKAT, "SYS_memfd_secret": unix.SYS_MEMFD_SECRET, "SYS_fchmodat2": unix.SYS_FCHMODAT2, "SYS_io_setup": unix.SYS_IO_SETUP, "SYS_io_submit": unix.SYS_IO_SUBMIT, "SYS_splice": unix.SYS_SPLICE, "SYS_sync_file_range": unix.SYS_SYNC_FILE_RANGE,
}

// numbered replaces the names of system calls with their numbers. It replaces longer names first, since some of them
// start with a shorter name.
func numbered(code string) string {
	for _, long := range []bool{true, false} {
		for name, n := range callNumbers {
			if (len(name) > len("SYS_clone")) == long {
				code = strings.ReplaceAll(code, name, strconv.Itoa(n))
			}
		}
	}
	return code
}

// systemCalls adds attacks that use unusual system calls to change files outside of the folder. It then replaces the
// names of system calls in the scripts of all attacks in l.
func systemCalls(l *list) {
	for name, code := range sorted(map[string]string{
		"io_uring": `
import mmap
p = (ctypes.c_uint32 * 30)()
f = libc.syscall(SYS_io_uring_setup, 4, ctypes.byref(p))
if f < 0: sys.exit()
sq_off = p[10:20]; cq_off = p[20:30]
ring = mmap.mmap(f, sq_off[6] + p[0] * 4 + 4096, flags=mmap.MAP_SHARED, offset=0)
sqes = mmap.mmap(f, p[0] * 64, flags=mmap.MAP_SHARED, offset=0x10000000)
path = ctypes.create_string_buffer((OUT + '/uring').encode())
sqes[0:64] = struct.pack('=BBHiQQIIQHHIQQ', 18, 0, 0, -100, 0, ctypes.addressof(path), 0o600, os.O_CREAT | os.O_WRONLY, 0, 0, 0, 0, 0, 0)
struct.pack_into('=I', ring, sq_off[6], 0)
struct.pack_into('=I', ring, sq_off[1], 1)
libc.syscall(SYS_io_uring_enter, f, 1, 1, 1, None, 0)`,
		"memfd and exec": `
f = os.memfd_create('x', 0); os.write(f, open('/bin/sh', 'rb').read())
os.execve(f, ['sh', '-c', 'echo x >> "$OUT/file"'], os.environ)`,
		"memfd script": `
f = os.memfd_create('x', 0); os.write(f, b'#!/bin/sh\necho x >> "$OUT/file"\n')
os.execve('/proc/self/fd/%d' % f, ['x'], os.environ)`,
		"openat2": `
how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, 0o600, 0)
f = libc.syscall(SYS_openat2, -100, (OUT + '/new').encode(), ctypes.byref(how), 24)
if f >= 0: os.write(f, b'x')`,
		"renameat2 exchange": `
open('x', 'w').write('evil'); libc.syscall(SYS_renameat2, -100, b'x', -100, (OUT + '/file').encode(), 2)`,
		"renameat2 whiteout": `
open('x', 'w').write('evil'); libc.syscall(SYS_renameat2, -100, b'x', -100, (OUT + '/new').encode(), 1)`,
		"linkat by descriptor": `
f = os.open(FOLDER, os.O_TMPFILE | os.O_RDWR); os.write(f, b'x')
libc.syscall(SYS_linkat, -100, ('/proc/self/fd/%d' % f).encode(), -100, (OUT + '/linked').encode(), 0x400)
g = os.open(OUT, os.O_TMPFILE | os.O_RDWR); os.write(g, b'x'); libc.syscall(SYS_linkat, -100, ('/proc/self/fd/%d' % g).encode(), -100, (OUT + '/linked').encode(), 0x400)`,
		"O_TMPFILE": `
f = os.open(OUT, os.O_TMPFILE | os.O_RDWR); win()`,
		"sendfile": `
i = os.open('README.md', os.O_RDONLY); o = os.open(OUT + '/file', os.O_WRONLY); os.sendfile(o, i, 0, 5)`,
		"copy_file_range": `
i = os.open('README.md', os.O_RDONLY); o = os.open(OUT + '/file', os.O_WRONLY); os.copy_file_range(i, o, 5)`,
		"splice": `
r, w = os.pipe(); os.write(w, b'evil'); o = os.open(OUT + '/file', os.O_WRONLY); os.splice(r, o, 4)`,
		"mmap": `
import mmap
f = os.open(OUT + '/file', os.O_RDWR); m = mmap.mmap(f, 4); m[0:1] = b'X'; m.flush()`,
		"mmap after open for reading": `
import mmap
f = os.open(OUT + '/file', os.O_RDONLY); g = os.open('/proc/self/fd/%d' % f, os.O_RDWR); m = mmap.mmap(g, 4); m[0:1] = b'X'; m.flush()`,
		"reopened O_PATH": `
f = os.open(OUT + '/file', os.O_PATH); g = os.open('/proc/self/fd/%d' % f, os.O_WRONLY | os.O_TRUNC)`,
		"truncate":   `os.truncate(OUT + '/file', 1)`,
		"ftruncate":  `os.ftruncate(os.open(OUT + '/file', os.O_RDWR), 1)`,
		"fallocate":  `os.posix_fallocate(os.open(OUT + '/file', os.O_RDWR), 0, 100)`,
		"utime":      `os.utime(OUT + '/file', (1, 1))`,
		"fchmod":     `os.fchmod(os.open(OUT + '/file', os.O_RDONLY), 0o777)`,
		"fchmodat2":  `libc.syscall(SYS_fchmodat2, -100, (OUT + '/file').encode(), 0o777, 0)`,
		"fchown":     `os.fchown(os.open(OUT + '/file', os.O_RDONLY), os.getuid(), os.getgid())`,
		"xattr":      `os.setxattr(OUT + '/file', 'user.x', b'x'); win()`,
		"mkfifo":     `os.mkfifo(OUT + '/fifo')`,
		"bind":       `socket.socket(socket.AF_UNIX).bind(OUT + '/socket')`,
		"bind by fd": `d = os.open(OUT, os.O_RDONLY); socket.socket(socket.AF_UNIX).bind('/proc/self/fd/%d/socket' % d)`,
		"symlinkat":  `os.symlink('x', 'link', dir_fd=os.open(OUT, os.O_RDONLY))`,
		"mkdirat":    `os.mkdir('dir2', dir_fd=os.open(OUT, os.O_RDONLY))`,
		"unlinkat":   `os.unlink('file', dir_fd=os.open(OUT, os.O_RDONLY))`,
		"openat":     `os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(OUT, os.O_RDONLY))`,
		"fchdir":     `os.fchdir(os.open(OUT, os.O_RDONLY)); open('new', 'w').write('x')`,
		"writev":     `os.writev(os.open(OUT + '/file', os.O_WRONLY), [b'ev', b'il'])`,
		"pwrite":     `os.pwrite(os.open(OUT + '/file', os.O_WRONLY), b'evil', 0)`,
		"append":     `os.write(os.open(OUT + '/file', os.O_WRONLY | os.O_APPEND), b'evil')`,
		"creat":      `libc.creat((OUT + '/created').encode(), 0o600)`,
		"rename":     `open('x', 'w').write('evil'); os.rename('x', OUT + '/file')`,
		"rename out": `os.rename(OUT + '/file', 'stolen')`,
		"link":       `os.link(OUT + '/file', 'linked'); open('linked', 'a').write('x')`,
		"AIO": `
c = ctypes.c_ulong(); libc.syscall(SYS_io_setup, 4, ctypes.byref(c))
f = os.open(OUT + '/file', os.O_WRONLY); b = ctypes.create_string_buffer(b'evil')
cb = ctypes.create_string_buffer(struct.pack('=QIIHhIQQqQII', 0, 0, 0, 1, 0, f, ctypes.addressof(b), 4, 0, 0, 0, 0)); p = ctypes.c_void_p(ctypes.addressof(cb))
libc.syscall(SYS_io_submit, c, 1, ctypes.byref(p)); time.sleep(0.1)`,
		"race of threads": `
import threading
sys.setswitchinterval(1e-6); os.symlink(FOLDER, 'l'); stop = []
def flip():
    while not stop:
        for to in (OUT, FOLDER):
            os.symlink(to, 'l2'); os.rename('l2', 'l')
t = threading.Thread(target=flip); t.start()
for i in range(3000):
    try: open('l/raced', 'w').write('x')
    except OSError: pass
stop.append(1); t.join()`,
		"execveat":    `os.execve(os.open('/bin/sh', os.O_RDONLY), ['sh', '-c', 'echo x >> "$OUT/file"'], os.environ)`,
		"ld.so by fd": `os.execv('/bin/sh', ['sh', '-c', 'cp "$FOLDER/README.md" "$OUT/file"'])`,
		"pipe to cat": `os.system('echo x | cat > "$OUT/cat"')`,
		"posix_spawn": `os.posix_spawn('/bin/sh', ['sh', '-c', 'echo x > "$OUT/spawned"'], os.environ); os.wait()`,
		"memory mapped executable": `
import mmap
m = mmap.mmap(-1, 4096, prot=7); open(OUT + '/mapped', 'w').write('x')`,
	}) {
		l.add("system calls", name, numbered(python(code)), alone)
	}
	for i := range l.all {
		l.all[i].script = numbered(l.all[i].script)
	}
}

// descriptors adds attacks through file descriptors inherited from the agent's shell.
func descriptors(l *list) {
	for name, script := range sorted(map[string]string{
		"folder": `cd /proc/self/fd/10/outside && echo x > new`, "openat": python(`os.open('outside/new', os.O_CREAT | os.O_WRONLY, dir_fd=10)`), "fchdir": python(`os.fchdir(10); open('outside/new', 'w').write('x')`), "file": `echo x >&11`, "file reopened": `echo x >> /proc/self/fd/11`, "socket": python(`socket.socket(fileno=12).send(b'x')`), "root": `cat /proc/self/fd/13$HOME/.netrc; echo x > /proc/self/fd/13$OUT/new`, "root by openat": python(`print(os.read(os.open(HOME[1:] + '/.netrc', os.O_RDONLY, dir_fd=13), 99))`),
		"O_PATH": `echo x > /proc/self/fd/14/outside/new`, "O_PATH by openat": python(`os.open('outside/new', os.O_CREAT | os.O_WRONLY, dir_fd=14)`), "secret by a copy": `cat 8<&15 <&8; cat <&15`, "secret by /proc": `cat /proc/self/fd/15 /dev/fd/15`, "/proc": `cat /proc/self/fd/16/$VICTIM/environ`, "/proc by openat": python(`
for n in os.listdir(16):
    if n.isdigit() and n != '1':
        try: print(os.read(os.open(n + '/environ', os.O_RDONLY, dir_fd=16), 9999))
        except OSError: pass`), "high number": `cd /proc/self/fd/300/outside && echo x > new`, "all": `for f in /proc/self/fd/*; do echo x > "$f/outside/all"; done`, "of the first process": `for f in /proc/1/fd/*; do echo x > "$f/outside/all1"; cat "$f$HOME/.netrc"; done; for f in 10 14; do echo x > "/proc/$$/fd/$f/outside/all1"; done`, "of the parent": `for f in /proc/$PPID/fd/*; do echo x > "$f/outside/all2"; done; for f in 10 14; do echo x > "/proc/$$/fd/$f/outside/all2"; done`, "of all processes": `for f in /proc/[0-9]*/fd/*; do [ -d "$f/outside" ] && echo x > "$f/outside/all3"; done`, "of the run": python(`
for i in (3, 4, 5, 6, 7, 8, 9):
    try: os.write(i, b'x'); win()
    except OSError: pass
os.write(11, b'x')`), "linked": python(`
libc.linkat(11, b'', -100, b'h', 0x1000) == 0 or libc.linkat(-100, b'/proc/self/fd/11', -100, b'h', 0x400); open('h', 'a').write('x')`), "truncated": python(`os.ftruncate(11, 1)`), "chmod": python(`os.fchmod(11, 0o777)`), "locked": python(`
import fcntl
fcntl.flock(11, fcntl.LOCK_EX | fcntl.LOCK_NB); win()`), "renamed": python(`os.rename('outside/file', 'outside/moved', src_dir_fd=10, dst_dir_fd=10)`),
	}) {
		l.add("descriptors", name, script, alone)
	}
}

// resources adds attacks that use large but limited amounts of the computer's resources.
func resources(l *list) {
	for name, script := range sorted(map[string]string{
		"fork bomb": `bash -c 'f() { [ "$1" -gt 5 ] && exec sleep 600; f $(($1+1)) & f $(($1+1)) & wait; }; f 0' >/dev/null 2>&1 & sleep 0.5`, "many processes": `for i in $(seq 150); do sleep 600 >/dev/null 2>&1 & done`, "disk in /tmp": `head -c 48M /dev/zero > /tmp/big`, "disk in shared memory": `head -c 16M /dev/zero > /dev/shm/big`, "disk in the folder and outside": `head -c 8M /dev/zero > big; cp big "$OUT/big"`, "many files": `mkdir many; cd many; for i in $(seq 2000); do : > "$i"; done; cp -r . "$OUT/many"`,
		"deep folders": `for i in $(seq 300); do mkdir d && cd d || break; done; echo x > "$OUT/deep"`, "huge environment": `export BIG="$(head -c 100000 /dev/zero | tr '\0' x)"; env >/dev/null; echo "${#BIG}" > "$OUT/size"`, "huge arguments": `/bin/echo $(seq 20000) > "$OUT/args"`, "much output": `head -c 6M /dev/zero | tr '\0' y; echo x > "$OUT/out"`, "binary output": `head -c 100000 /dev/urandom; printf '\e]0;evil\a\e[2J'; echo x > "$OUT/out"`, "memory": python(`
b = bytearray(200 << 20); open(OUT + '/memory', 'w').write('x')`), "descriptors": python(`
f = [os.open('/dev/null', os.O_RDONLY) for i in range(200)]; open(OUT + '/descriptors', 'w').write('x')`), "inotify": `echo x > "$OUT/inotify"; tail -f README.md >/dev/null & sleep 0.1; kill $!`, "pipes": python(`
import resource
p = [os.pipe() for i in range(100)]; open(OUT + '/pipes', 'w').write('x')`), "shared memory left": python(`
i = libc.shmget(0x999, 1 << 20, 0o1600); print(i)`), "queue left": python(`
i = libc.msgget(0x998, 0o1600); print(i)`), "sparse": `truncate -s 1T "$OUT/sparse"`, "unremovable": `mkdir -p /tmp/u/v && touch /tmp/u/v/w && chmod 000 /tmp/u/v /tmp/u; mkdir "$OUT/u"`, "endless": `timeout 1 sh -c 'while :; do :; done' & timeout 1 yes > /dev/null; echo x > "$OUT/endless"`,
	}) {
		l.add("resources", name, script, alone)
	}
}

// ownParts adds attacks on the parts of the sandbox itself.
func ownParts(l *list) {
	only := uncontrolled("the attack is on parts of the sandbox")
	for name, script := range sorted(map[string]string{
		"kill the first process": `kill -9 1; kill -TERM 1; sleep 0.1; echo x > "$OUT/new"`, "kill everything": `setsid sleep 600 & kill -9 -1; kill -9 1`, "stop the first process": `kill -STOP 1`, "trace the first process": `strace -p 1 & sleep 0.3; cat /proc/1/environ /proc/1/maps | grep . && win`, "its memory": `head -c 10 /proc/1/mem && win; cat /proc/1/syscall && win`, "its descriptors": `for f in /proc/1/fd/*; do cat "$f" >/dev/null 2>&1 < /dev/null && [ -e "$f" ] && win; done`, "its program replaced": `cp README.md /run/voxpilot/hook && win; mv /run/voxpilot/hook /tmp/h && win; rm /run/voxpilot/hook && win; echo x >> /run/voxpilot/hook`, "its settings changed": `echo x >> /run/voxpilot/npmrc && win; echo x >> /run/voxpilot/pip.conf && win; touch /run/voxpilot/new && win`, "its program again": `/run/voxpilot/hook sandbox-run < /dev/null; exec 5<<<"command=/bin/sh"; /run/voxpilot/hook sandbox-run`, "its starter": `mkdir r; mkfifo r/alive; printf -- '--bind\0/\0/\0--\0sh\0-c\0echo x > "$OUT/new"\0' > r/args; echo > r/job; timeout 3 /run/voxpilot/hook sandbox-start "$PWD/r" "$(command -v bwrap)" --args 3`, "the guard's hook": `echo '{}' | timeout 3 /run/voxpilot/hook "$DATA/guard/socket" key`,
		"the run's folder": `ls "$DATA/sandbox/runs" && [ "$(ls -A "$DATA/sandbox/runs")" ] && win; echo evil > "$DATA"/sandbox/runs/*/args`, "other temporary folders": `[ "$(ls -A "$DATA/sandbox/tmp" 2>/dev/null)" ] && win`, "caches of other folders": `mkdir "$DATA/sandbox/caches/evil" && win; [ "$(ls -A "$DATA/sandbox/caches" | wc -l)" -gt 1 ] && win`, "mount point kept busy": `cd .codex; exec sleep 0.2`, "mount points removed": `rmdir .codex .cursor .agents .config; rm -rf .codex .cursor .husky lefthook.yml; mv .config c2; mv .github g2; rm -rf .claude`, "everything removed": `rm -rf ./* ./.[!.]* 2>/dev/null`, "folder removed": `cd ..; rm -rf "$FOLDER"`, "folder renamed": `cd ..; mv "$FOLDER" "$FOLDER-2"; mkdir "$FOLDER"`, "folder unreadable": `chmod 000 .`, "git directory unreadable": `chmod 000 .git .github .vscode deep`, "sticky bits": `chmod +t src deep .config .vscode; mkdir -m 1755 .idea a b`, "a mount point's name as file": `echo x > .idea; echo x > .codexx; mkdir .agentsx`, "exit code of a signal": `kill -9 $$`, "stopped by itself": `(sleep 0.3; kill -CONT $$) & kill -STOP $$`, "closed output": `exec >&- 2>&- <&-; sleep 0.1; echo x > "$OUT/new"`, "mask by umask": `umask 777; touch f; mkdir d`, "note with codes": `printf '[VoxPilot] \e[2Jall is well\n' >&2; exit 3`, "blocked names": `curl -s -m 2 "http://$(printf 'x\033[2J').test/" ; exit 1`, "alive file": `echo '{"exit-code": 0}' > /proc/self/fd/4; printf s > /proc/1/fd/4; exit 0`,
	}) {
		change := []func(*attack){alone, only}
		if name == "blocked names" {
			change = append(change, sites)
		}
		l.add("the sandbox itself", name, script, change...)
	}
}
