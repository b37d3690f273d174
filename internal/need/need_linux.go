package need

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Namespace returns what gives a child process a user and a mount namespace of
// its own: it can mount in dir there as root does, whoever the user is, and
// nothing is left of that afterwards. It ends the test where the kernel does not
// allow it.
func Namespace(t testing.TB, dir string) *syscall.SysProcAttr {
	t.Helper()
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	try := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "try", dir)
	try.SysProcAttr = attr
	if out, err := try.CombinedOutput(); err != nil {
		Missing(t, "this system allows no user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns): %v %s", err, out)
	}
	return attr
}

// diskVar names the small disk to the child of SmallDisk.
const diskVar = "VOXPILOT_TEST_SMALL_DISK"

// SmallDisk runs the test once more, as a child that has a disk of the size, such
// as "64k". In the child it returns the disk's folder; in the test itself it
// returns "" when the child has ended, and the test is over.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	if dir := os.Getenv(diskVar); dir != "" {
		return dir
	}
	dir := t.TempDir()
	self := exec.CommandContext(t.Context(), "sh", "-ec",
		`mount -t tmpfs -o size="$3" small "$0"; exec "$1" -test.v -test.run "^$2\$"`, dir, os.Args[0], t.Name(), size)
	self.SysProcAttr = Namespace(t, dir)
	self.Env = append(os.Environ(), diskVar+"="+dir)
	out, err := self.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return ""
}
