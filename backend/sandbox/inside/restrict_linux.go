package inside

import (
	"os"
	"runtime"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// restrict adds Landlock as far as the kernel has it: nothing outside of the job's folders can be written
// even if a mount were missing, file systems can't be mounted, and sockets without a path and processes
// outside of the sandbox can't be reached. Its failure weakens nothing that bubblewrap ensures.
func restrict(job Job) {
	rules := []landlock.Rule{
		landlock.RODirs("/"),
		landlock.RWDirs("/dev", "/proc").WithIoctlDev().IgnoreIfMissing(),
	}
	for _, path := range job.Write {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			rules = append(rules, landlock.RWDirs(path).WithRefer())
		} else if err == nil {
			rules = append(rules, landlock.RWFiles(path))
		}
	}
	for _, path := range job.Sockets {
		rules = append(rules, landlock.PathAccess(ll.AccessFSResolveUnix, path).IgnoreIfMissing())
	}
	cfg := landlock.V9.BestEffort()
	_ = cfg.RestrictPaths(rules...)
	_ = cfg.RestrictScoped()
}

// Landlock returns the version of Landlock in the kernel, or 0 if it has none.
func Landlock() int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// Filters reports whether the system call filter knows this processor.
func Filters() bool { return len(architectures[runtime.GOARCH]) > 0 }

// calls are the numbers of the filtered system calls of an architecture.
type calls struct {
	audit, clone, clone3, unshare, setns uint32
	keys                                 []uint32 // add_key, request_key, keyctl
}

var (
	amd64 = calls{unix.AUDIT_ARCH_X86_64, 56, 435, 272, 308, []uint32{248, 249, 250}}
	i386  = calls{unix.AUDIT_ARCH_I386, 120, 435, 310, 346, []uint32{286, 287, 288}}
	arm64 = calls{unix.AUDIT_ARCH_AARCH64, 220, 435, 97, 268, []uint32{217, 218, 219}}
	arm   = calls{unix.AUDIT_ARCH_ARM, 120, 435, 337, 375, []uint32{309, 310, 311}}
)

// architectures are those that a processor runs, by GOARCH.
var architectures = map[string][]calls{"amd64": {amd64, i386}, "arm64": {arm64, arm}}

// x32 marks calls of another ABI of amd64.
const x32 = 0x40000000

// Offsets in struct seccomp_data.
const (
	offNumber = 0
	offArch   = 4
	offArg0   = 16 // its lower half: both processors are little-endian
)

// filter forbids user namespaces, and keys of the kernel's keyrings, for all threads of this process and
// all of its children. It has no effect on other processors. bubblewrap's own option takes a second user
// namespace and 2 ms.
func filter() error {
	program := Program(runtime.GOARCH)
	if len(program) == 0 {
		return nil
	}
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}                                                                      //nolint:gosec // short
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog))) //nolint:gosec // the system's API
	runtime.KeepAlive(program)
	if errno != 0 {
		return errno
	}
	return nil
}

// Program returns the system call filter for a processor, or nil if it isn't known.
func Program(goarch string) []unix.SockFilter {
	var p []unix.SockFilter
	stmt := func(code uint16, k uint32) { p = append(p, unix.SockFilter{Code: code, K: k}) }
	// jump skips the given number of instructions if the comparison doesn't hold.
	jump := func(op uint16, k uint32, skip uint8) {
		p = append(p, unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jf: skip})
	}
	load := func(at uint32) { stmt(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at) }
	fail := func(errno uint32) { stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|errno) }
	allow := func() { stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW) }
	all := architectures[goarch]
	if all == nil {
		return nil
	}
	for _, a := range all {
		load(offArch)
		at := len(p)
		jump(unix.BPF_JEQ, a.audit, 0)
		load(offNumber)
		if a.audit == unix.AUDIT_ARCH_X86_64 {
			jump(unix.BPF_JGE, x32, 1)
			fail(uint32(unix.ENOSYS))
		}
		for _, nr := range append([]uint32{a.setns}, a.keys...) {
			jump(unix.BPF_JEQ, nr, 1)
			fail(uint32(unix.EPERM))
		}
		jump(unix.BPF_JEQ, a.clone3, 1)
		fail(uint32(unix.ENOSYS)) // programs then use clone, whose flags can be read
		for _, nr := range []uint32{a.clone, a.unshare} {
			jump(unix.BPF_JEQ, nr, 4)
			load(offArg0)
			jump(unix.BPF_JSET, unix.CLONE_NEWUSER, 1)
			fail(uint32(unix.EPERM))
			allow()
		}
		allow()
		p[at].Jf = uint8(len(p) - at - 1) //nolint:gosec // short
	}
	fail(uint32(unix.ENOSYS)) // an unknown architecture
	return p
}
