// The part of the first process of a sandbox that runs before Go's runtime starts, as it would take longer to start than
// a short command needs. It is a constructor: if this process is the first one of a sandbox, it does the job on
// JOB_FD, and returns only if Go has to do the rest. See the package's documentation.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "first_linux.h"

// From the kernel's headers, of which older ones lack some and conflict with those of the C library.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif
enum {
	OPEN_TREE = 428,
	MOVE_MOUNT = 429,
	FSOPEN = 430,
	FSCONFIG = 431,
	FSMOUNT = 432,

	TREE_CLONE = 1,
	TREE_CLOEXEC = O_CLOEXEC,
	MOVE_FROM_EMPTY = 0x4,
	MOVE_TO_EMPTY = 0x40,
	FS_CLOEXEC = 1,
	CONFIG_STRING = 1,
	CONFIG_CREATE = 6,
	NO_SYMLINKS = 0x4,

	ATTR_RDONLY = 0x1,
	ATTR_NOSUID = 0x2,
	ATTR_NODEV = 0x4,
	ATTR_NOEXEC = 0x8,

	RULE_PATH_BENEATH = 1,
	FILTER_MODE = 1,
	JOIN_SESSION_KEYRING = 1,
	CAPABILITIES_3 = 0x20080522,
};

struct attr { unsigned long long set, clear, propagation, userns; };
struct how { unsigned long long flags, mode, resolve; };

// Kinds of mounts: those of Go's MountKind, and two of this file.
enum kind {
	READ_ONLY = 'r',
	WRITABLE = 'w',
	EMPTY = 'e',
	DEVICE = 'd', // a device at another path
	BASE = 'b',   // an empty folder that stays writable
};

struct entry {
	enum kind kind;
	const char *from, *at;
	int optional;
	int source; // an open path, or -1
	int tree;   // a mount that isn't attached yet
};

struct voxpilot_first voxpilot_first;

// fail reports that the command can't be started, with errno, and exits.
static void fail(const char *what, const char *which)
{
	int err = errno;
	dprintf(2, "VoxPilot's sandbox didn't start the command: %s%s%s: %s\n", what, which[0] ? " " : "", which, strerror(err));
	_exit(EXIT_FAILED);
}

static void *get(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory)
		fail("not enough memory", "");
	return memory;
}

// opened opens a path without following links, which a running command may have just created.
static int opened(const char *path)
{
	struct how how = {.flags = O_PATH | O_CLOEXEC, .resolve = NO_SYMLINKS};
	return syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

// open_mount returns a new mount of the file or folder open as at, or -1.
static int open_mount(int at, unsigned flags)
{
	return syscall(OPEN_TREE, at, "", flags | AT_EMPTY_PATH | TREE_CLONE | TREE_CLOEXEC);
}

static int set_flags(int tree, unsigned flags, struct attr *attr)
{
	return syscall(SYS_mount_setattr, tree, "", flags | AT_EMPTY_PATH, attr, sizeof *attr);
}

// clone_mount returns a new mount, with the flags of its kind, of the folder open as at and everything below it, or -1.
static int clone_mount(int at, enum kind kind)
{
	int tree = open_mount(at, AT_RECURSIVE);
	if (tree < 0)
		return -1;
	struct attr attr = {.set = ATTR_NOSUID | ATTR_NODEV};
	if (kind == WRITABLE)
		attr.clear = ATTR_RDONLY;
	else if (kind == DEVICE)
		attr = (struct attr){.set = ATTR_NOSUID | ATTR_NOEXEC, .clear = ATTR_RDONLY | ATTR_NODEV};
	else
		attr.set |= ATTR_RDONLY;
	int result = set_flags(tree, AT_RECURSIVE, &attr);
	if (result && kind == WRITABLE && errno == EPERM) // in an agent's sandbox, read-only mounts below it stay read-only
		result = set_flags(tree, 0, &attr);
	if (result && kind == DEVICE && errno == EPERM) {
		// /dev is read-only and must stay so, as in a container. Devices can be written to nevertheless.
		attr.clear = ATTR_NODEV;
		result = set_flags(tree, AT_RECURSIVE, &attr);
	}
	return result ? -1 : tree;
}

// empty_mount returns a new mount of an empty folder, with additional flags, or -1.
static int empty_mount(unsigned flags)
{
	int fs = syscall(FSOPEN, "tmpfs", FS_CLOEXEC);
	if (fs < 0 || syscall(FSCONFIG, fs, CONFIG_STRING, "mode", "0755", 0) || syscall(FSCONFIG, fs, CONFIG_CREATE, NULL, NULL, 0))
		return -1;
	int tree = syscall(FSMOUNT, fs, FS_CLOEXEC, ATTR_NOSUID | ATTR_NODEV | flags);
	close(fs);
	return tree;
}

// move_to attaches a mount to the file or folder open as to.
static int move_to(int tree, int to)
{
	return syscall(MOVE_MOUNT, tree, "", to, "", MOVE_FROM_EMPTY | MOVE_TO_EMPTY);
}

// create creates an empty folder or file, and the folders that contain it.
static int create(const char *path, int folder)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (!slash || slash - path >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(dir, path, slash - path);
	strcpy(dir + (slash - path), slash == path ? "/" : "");
	int at = opened(dir);
	if (at < 0 && errno == ENOENT && slash != path) {
		if (create(dir, 1))
			return -1;
		at = opened(dir);
	}
	if (at < 0)
		return -1;
	int result;
	if (folder) {
		result = mkdirat(at, slash + 1, 0755);
	} else {
		result = openat(at, slash + 1, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		if (result >= 0)
			result = close(result);
	}
	int err = errno;
	close(at);
	errno = err;
	return result;
}

// move attaches a mount to path. It creates the path if necessary, which works only in empty folders and other writable
// places.
static int move(int tree, const char *path)
{
	int to = opened(path);
	if (to < 0 && errno == ENOENT) {
		struct stat info;
		if (fstat(tree, &info) || create(path, S_ISDIR(info.st_mode)))
			return -1;
		to = opened(path);
	}
	if (to < 0)
		return -1;
	int result = move_to(tree, to), err = errno;
	close(to);
	errno = err;
	return result;
}

// accessible reports whether the command could open path.
static int accessible(const char *path)
{
	int fd = opened(path);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || (errno != EACCES && errno != ENOENT);
}

// below reports whether path is below the folder dir.
static int below(const char *dir, const char *path)
{
	size_t n = strlen(dir);
	return !strncmp(path, dir, n) && path[n] == '/';
}

// holds reports whether one of the mounts after i is below it.
static int holds(const struct entry *list, size_t n, size_t i)
{
	for (size_t j = i + 1; j < n; j++)
		if (below(list[i].at, list[j].at))
			return 1;
	return 0;
}

// within reports whether one of the mounts before i is above it.
static int within(const struct entry *list, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (below(list[j].at, list[i].at))
			return 1;
	return 0;
}

static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

// count is the number of elements of an array.
#define count(array) (sizeof(array) / sizeof *(array))

// mount_all mounts the given mounts, /dev and /proc. list has room for the devices before the mounts.
static void mount_all(struct entry *list, size_t n, int proc, int root)
{
	for (size_t i = 0; i < n; i++) { // later mounts hide the sources of earlier ones
		struct entry *m = &list[i];
		if (m->kind == EMPTY || m->kind == BASE)
			continue;
		for (size_t j = 0; j < i && m->source < 0; j++)
			if (list[j].source >= 0 && !strcmp(list[j].from, m->from))
				m->source = list[j].source;
		if (m->source < 0 && (m->source = opened(m->from)) < 0)
			fail("can't open", m->from);
		if ((m->tree = clone_mount(m->source, m->kind)) < 0)
			fail("can't mount", m->from);
	}
	int shared = -1;
	for (size_t i = 0; i < n; i++) {
		struct entry *m = &list[i];
		if (m->optional && !accessible(m->at))
			continue;
		if (m->kind == BASE || (m->kind == EMPTY && holds(list, n, i)))
			m->tree = empty_mount(0);
		else if (m->kind == EMPTY && shared < 0)
			m->tree = shared = empty_mount(ATTR_RDONLY);
		else if (m->kind == EMPTY) // another mount takes less time than another file system
			m->tree = open_mount(shared, 0);
		if (m->tree < 0)
			fail("can't mount on", m->at);
		// The path is the same as before unless something was mounted above it.
		int same = m->source >= 0 && m->kind != DEVICE && !strcmp(m->from, m->at) && !within(list, i);
		if (same ? move_to(m->tree, m->source) : move(m->tree, m->at))
			fail("can't mount on", m->at);
	}
	static const char *const links[][2] = {{"/proc/self/fd", "/dev/fd"}, {"/proc/self/fd/0", "/dev/stdin"}, {"/proc/self/fd/1", "/dev/stdout"}, {"/proc/self/fd/2", "/dev/stderr"}, {"/proc/kcore", "/dev/core"}, {"pts/ptmx", "/dev/ptmx"}};
	for (size_t i = 0; i < count(links); i++)
		if (symlink(links[i][0], links[i][1]))
			fail("can't prepare", links[i][1]);
	if (mkdir("/dev/pts", 0755) || mkdir("/dev/shm", 0755) || mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"))
		fail("can't prepare", "/dev");
	for (size_t i = 0; i < n; i++) { // the other folders are read-only already
		struct attr attr = {.set = ATTR_RDONLY};
		if (list[i].kind == EMPTY && list[i].tree >= 0 && holds(list, n, i) && set_flags(list[i].tree, 0, &attr))
			fail("can't mount on", list[i].at);
	}
	if (!proc)
		return;
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, ""))
		fail("can't mount", "/proc");
	// Root could use these to change the system, even without privileges.
	static const char *const system_files[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"};
	for (size_t i = 0; root && i < count(system_files); i++) {
		int at = opened(system_files[i]);
		if (at < 0 && errno == ENOENT)
			continue;
		int tree = at < 0 ? -1 : clone_mount(at, READ_ONLY);
		if (tree < 0 || move(tree, system_files[i]))
			fail("can't mount on", system_files[i]);
	}
}

// report makes the kernel kill this process when bubblewrap exits, and writes the name of the PID namespace and the outer
// ID of this process to ALIVE_FD. /proc is still that of the computer.
static void report(void)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		fail("can't end with bubblewrap", "");
	char stat[1024], name[64], path[64], text[128];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, stat, sizeof stat - 1);
	if (n < 0)
		fail("can't read", "/proc/self/stat");
	close(fd);
	stat[n] = 0;
	int pid = 0, parent = 0;
	char *after = strrchr(stat, ')');
	if (sscanf(stat, "%d", &pid) != 1 || !after || sscanf(after + 1, " %*c %d", &parent) != 1) {
		errno = EINVAL;
		fail("can't read", "/proc/self/stat");
	}
	// bubblewrap may have been killed before the kernel knew that this process must end with it.
	snprintf(path, sizeof path, "/proc/%d/comm", parent);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, name, sizeof name);
	if (n != 6 || memcmp(name, "bwrap\n", 6)) {
		errno = ECANCELED;
		fail("bubblewrap was killed", "");
	}
	close(fd);
	n = readlink("/proc/self/ns/pid", name, sizeof name - 1);
	if (n < 0)
		fail("can't read", "/proc/self/ns/pid");
	name[n] = 0;
	n = snprintf(text, sizeof text, "%s.%d", name, pid);
	if (write(ALIVE_FD, text, n) != n)
		fail("can't report", "");
}

// drop_capabilities gives up all capabilities. Neither this process nor those that it starts can regain any.
static void drop_capabilities(void)
{
	struct { unsigned version; int pid; } header = {CAPABILITIES_3, 0};
	struct { unsigned effective, permitted, inheritable; } none[2] = {{0}};
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) || syscall(SYS_capset, &header, none))
		fail("can't give up the right to mount", "");
}

// listen_on opens a listening socket on 127.0.0.1.
static int listen_on(int port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 1024)) {
		char text[16];
		snprintf(text, sizeof text, "%d", port);
		fail("can't listen on port", text);
	}
	return fd;
}

// landlock_with applies Landlock with the given rights and rules ("RIGHTS:/path", in hexadecimal). If it fails, everything
// that bubblewrap enforces still holds.
static void landlock_with(const char *rights, char *const *rules, size_t n)
{
	struct { unsigned long long files, net, scoped; } attr = {0};
	if (sscanf(rights, "%llx:%llx", &attr.files, &attr.scoped) != 2)
		return;
	int set = syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	for (size_t i = 0; i < n && set >= 0; i++) {
		struct { unsigned long long rights; int at; } __attribute__((packed)) rule;
		char *path;
		unsigned long long of_files;
		rule.rights = strtoull(rules[i], &path, 16);
		of_files = strtoull(path + 1, &path, 16);
		rule.at = open(path + 1, O_PATH | O_CLOEXEC);
		if (rule.at < 0)
			continue;
		struct stat info;
		if (!fstat(rule.at, &info) && !S_ISDIR(info.st_mode))
			rule.rights &= of_files;
		syscall(SYS_landlock_add_rule, set, RULE_PATH_BENEATH, &rule, 0);
		close(rule.at);
	}
	if (set >= 0)
		syscall(SYS_landlock_restrict_self, set, 0);
}

// digit returns the value of a hexadecimal digit in lower case.
static unsigned digit(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

// filter_with applies the system call filter, whose instructions are given in hexadecimal.
static void filter_with(const char *hex)
{
	struct { unsigned short n; unsigned char *code; } program = {0};
	size_t n = strlen(hex) / 16;
	program.code = get(n, 8);
	for (size_t i = 0; i < n * 8; i++)
		program.code[i] = digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]);
	program.n = n;
	if (syscall(SYS_seccomp, FILTER_MODE, 0, &program))
		fail("no system call filter", "");
}

// start starts the command and returns its ID. Until Go forwards this process's signals to the command, they wait.
static pid_t start(char **argv, char **env, const struct rlimit *files)
{
	static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
	sigset_t set, before;
	sigemptyset(&set);
	for (size_t i = 0; i < count(forwarded); i++)
		sigaddset(&set, forwarded[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	volatile int err = 0;
	pid_t pid = vfork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		setrlimit(RLIMIT_NOFILE, files);
		execve(argv[0], argv + 1, env);
		err = errno;
		_exit(EXIT_FAILED);
	}
	if (pid < 0 || err) {
		if (pid >= 0)
			errno = err;
		fail("can't start", argv[0]);
	}
	return pid;
}

// wait_briefly waits for the command and returns its status, or -1 if it is still running.
static int wait_briefly(pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	if (fd < 0)
		return -1;
	poll(&wait, 1, LATE_MS);
	close(fd);
	int status;
	return waitpid(pid, &status, WNOHANG) == pid ? status : -1;
}

// read_job reads the job and returns its first byte.
static char *read_job(size_t *size)
{
	struct stat info;
	if (fstat(JOB_FD, &info))
		fail("can't read the job", "");
	char *data = get(info.st_size + 1, 1);
	for (*size = 0; *size < (size_t)info.st_size;) {
		ssize_t n = read(JOB_FD, data + *size, info.st_size - *size);
		if (n <= 0) {
			errno = n ? errno : EINVAL;
			fail("can't read the job", "");
		}
		*size += n;
	}
	return data;
}

// only_argument returns the argument of a program that has exactly one, or NULL. musl passes no arguments to constructors,
// but the kernel stores them below the environment: their number, the program's name, the argument and a NULL.
static const char *only_argument(void)
{
	char **end = environ - 1;
	return (uintptr_t)end[-3] == 2 ? end[-1] : NULL;
}

__attribute__((constructor)) static void first(void)
{
	const char *argument = only_argument();
	if (!argument || strcmp(argument, RUN_ARG))
		return;
	// Descriptors of the agent's that bubblewrap passed on: through a folder's, the command could leave the sandbox.
	if (syscall(SYS_close_range, JOB_FD + 1, ~0U, 0) || fcntl(ALIVE_FD, F_SETFD, FD_CLOEXEC) || fcntl(JOB_FD, F_SETFD, FD_CLOEXEC))
		fail("can't close descriptors", "");
	// Without this, the command could open the descriptors and read the environment of this process.
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		fail("can't hide this process", "");
	size_t size, n = 0, fields = 0;
	char *job = read_job(&size), *end = job + size;
	for (char *at = job; at < end; at++)
		fields += !*at;
	char **command = get(fields + 1, sizeof *command), **vars = get(fields + 1, sizeof *vars), **rules = get(fields + 1, sizeof *rules);
	size_t commands = 0, var_count = 0, rule_count = 0;
	int *ports = get(fields, sizeof *ports), port_count = 0;
	const char *filter = NULL, *rights = NULL;
	int proc = 0, root = 0, hide = 0, complete = 0;
	struct entry *list = get(fields + 1 + count(devices), sizeof *list);
	list[n++] = (struct entry){.kind = BASE, .at = "/dev", .source = -1, .tree = -1};
	for (size_t i = 0; i < count(devices); i++)
		list[n++] = (struct entry){.kind = DEVICE, .from = devices[i], .at = devices[i], .source = -1, .tree = -1};
	for (char *at = job; at < end && !complete; at += strlen(at) + 1) {
		char *value = strchr(at, '=');
		size_t length = value ? value++ - at : 0;
#define is(name) (length == sizeof name - 1 && !memcmp(at, name, length))
		if (is("from"))
			list[n++] = (struct entry){.kind = value[0], .from = value[0] ? value + 1 : value, .at = "", .source = -1, .tree = -1};
		else if (is("at"))
			list[n - 1].at = value;
		else if (is("optional"))
			list[n - 1].optional = 1;
		else if (is("proc"))
			proc = 1;
		else if (is("root"))
			root = 1;
		else if (is("env"))
			vars[var_count++] = value;
		else if (is("command"))
			command[commands++] = value;
		else if (is("rule"))
			rules[rule_count++] = value;
		else if (is("landlock"))
			rights = value;
		else if (is("filter"))
			filter = value;
		else if (is("relay"))
			ports[port_count++] = atoi(value);
		else if (is("hide"))
			hide = 1;
		else if (is("end"))
			complete = 1;
#undef is
	}
	if (!complete || commands < 2) {
		errno = EINVAL;
		fail("the job isn't complete", "");
	}
	report();
	// Each mount needs two descriptors.
	struct rlimit files, more;
	getrlimit(RLIMIT_NOFILE, &files);
	more = files;
	more.rlim_cur = more.rlim_max;
	setrlimit(RLIMIT_NOFILE, &more);
	char dir[PATH_MAX];
	if (!getcwd(dir, sizeof dir))
		strcpy(dir, "/");
	mount_all(list, n, proc, root);
	// The working directory is still the one below the mounts, in which nothing is hidden.
	if (chdir(dir) && chdir("/"))
		fail("can't open", "/");
	drop_capabilities();
	syscall(SYS_close_range, JOB_FD, ~0U, 0);
	voxpilot_first.sockets = get(port_count, sizeof(int));
	for (int i = 0; i < port_count; i++)
		voxpilot_first.sockets[i] = listen_on(ports[i]);
	// A key of the session's keyring would otherwise be usable in the sandbox.
	syscall(SYS_keyctl, JOIN_SESSION_KEYRING, "");
	if (rights)
		landlock_with(rights, rules, rule_count);
	if (filter)
		filter_with(filter);
	voxpilot_first.job = job;
	voxpilot_first.size = size;
	if (hide) {
		setrlimit(RLIMIT_NOFILE, &files);
		voxpilot_first.state = FIRST_READY;
		return;
	}
	voxpilot_first.pid = start(command, var_count ? vars : environ, &files);
	setrlimit(RLIMIT_NOFILE, &files);
	int status = wait_briefly(voxpilot_first.pid);
	if (status == 0)
		_exit(0);
	voxpilot_first.status = status;
	voxpilot_first.state = status < 0 ? FIRST_RUNNING : FIRST_ENDED;
}
