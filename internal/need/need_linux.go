package need

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Namespace returns attributes that put a child process into a new user and mount namespace. The child can mount file
// systems in dir even if the user isn't root, and the mounts disappear when it exits. Namespace ends the test if the
// kernel doesn't allow this.
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

// diskVar is the environment variable that passes the path of the small disk to the
// child process of SmallDisk.
const diskVar = "VOXPILOT_TEST_SMALL_DISK"

// SmallDisk runs the test again in a child process with a disk of the given size, such as "64k". In the child, it
// returns the disk's folder. In the original process, it returns "" after the child has exited, and the test must then
// return.
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
