package hostile_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// inNamespace is the environment variable that is set when a test runs itself again in
// separate namespaces.
const inNamespace = "HOSTILE_IN_NAMESPACE"

// inNamespaceOfItsOwn runs the test again in separate namespaces, in which the user may mount file systems. It returns
// true in the run inside those namespaces, and false in the original run.
func inNamespaceOfItsOwn(t *testing.T, flags uintptr) bool {
	t.Helper()
	if os.Getenv(inNamespace) != "" {
		noErr(t, syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | flags,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil && strings.Contains(string(out), "--- SKIP"):
		t.Skipf("in the namespace: %s", out)
	case err == nil:
		t.Logf("in the namespace: %s", out)
	case errors.As(err, &exit):
		t.Errorf("in the namespace: %v\n%s", err, out)
	default:
		need.Missing(t, "namespaces of users: %v", err)
	}
	return false
}
