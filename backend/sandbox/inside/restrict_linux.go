package inside

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"runtime"
	"sync"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Landlock's access rights for files and folders, grouped by use.
const (
	readFiles  = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir
	writeFiles = ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSIoctlDev
	writeDirs  = ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeChar | ll.AccessFSMakeDir | ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeBlock | ll.AccessFSMakeSym | ll.AccessFSRefer
)

// rightsOf returns the access rights that the given version of Landlock supports.
func rightsOf(version int) uint64 {
	rights := uint64(readFiles | writeFiles | writeDirs)
	if version < 2 {
		rights &^= ll.AccessFSRefer
	}
	if version < 3 {
		rights &^= ll.AccessFSTruncate
	}
	if version < 5 {
		rights &^= ll.AccessFSIoctlDev
	}
	if version >= VersionUnix {
		rights |= ll.AccessFSResolveUnix
	}
	return rights
}

// The versions of Landlock that introduced restrictions that the sandbox uses.
const (
	VersionScopes = 6 // restricts sockets without a path, and signals
	VersionUnix   = 9 // restricts sockets with a path
)

// landlock returns a Landlock ruleset for the first process, with numbers in hexadecimal. rights has the form "%x:%x":
// the file access rights that the ruleset restricts, and the scopes. Each rule has the form "%x:%x:%s": the rights that
// it grants for a folder, those that it grants for a file, and the path.
//
// The ruleset prevents writing outside the folders in write (even if a mount is missing) and mounting. If version is at
// least VersionUnix, it also prevents connections to sockets outside write and sockets. If version is at least
// VersionScopes, it prevents reaching abstract sockets and processes outside the sandbox; if write is empty, it
// prevents nothing else. rights is "" if the ruleset would prevent nothing.
func landlock(version int, write, sockets []string) (rights string, rules []string) {
	files, scopes := rightsOf(version), 0
	if version >= VersionScopes {
		scopes = ll.ScopeAbstractUnixSocket | ll.ScopeSignal
	}
	if len(write) == 0 {
		files = 0
	}
	if version == 0 || files == 0 && scopes == 0 {
		return "", nil
	}
	rights = fmt.Sprintf("%x:%x", files, scopes)
	if files == 0 {
		return rights, nil
	}
	allow := func(allowed uint64, paths ...string) {
		for _, path := range paths {
			rules = append(rules, fmt.Sprintf("%x:%x:%s", allowed&files, allowed&files&^(writeDirs|ll.AccessFSReadDir), path))
		}
	}
	allow(readFiles, "/")
	allow(readFiles|writeFiles|writeDirs|ll.AccessFSResolveUnix, append([]string{"/dev", "/proc"}, write...)...)
	allow(readFiles|writeFiles|ll.AccessFSResolveUnix, sockets...)
	return rights, rules
}

// Landlock returns the kernel's version of Landlock, or 0 if the kernel doesn't support it.
func Landlock() int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// Filters reports whether the system call filter supports this processor.
func Filters() bool { return len(architectures[runtime.GOARCH]) > 0 }

// calls holds the numbers of an architecture's system calls that are filtered.
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

// architectures maps each supported GOARCH to the architectures whose programs its processors can run.
var architectures = map[string][]calls{"amd64": {amd64, i386}, "arm64": {arm64, arm}}

// x32 is the bit that marks the system calls of amd64's x32 ABI.
const x32 = 0x40000000

// Offsets in struct seccomp_data.
const (
	offNumber = 0
	offArch   = 4
	offArg0   = 16 // its lower half: both processors are little-endian
)

// filter returns the instructions of the system call filter in hexadecimal, or "" if the processor isn't supported. The
// filter forbids creating user namespaces, joining other namespaces and accessing the kernel's keyrings. bubblewrap
// also has an option that forbids user namespaces, but that option needs a second user namespace, which takes 2 ms.
var filter = sync.OnceValue(func() string {
	var text bytes.Buffer
	_ = binary.Write(&text, binary.NativeEndian, Program(runtime.GOARCH))
	return hex.EncodeToString(text.Bytes())
})

// Program returns the system call filter for a processor, or nil if the processor isn't supported.
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
