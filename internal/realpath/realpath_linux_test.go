package realpath_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/voxpilot/voxpilot/internal/realpath"
)

// TestResolve_RefusesProcLinks checks that Resolve returns an error for links in /proc, whose targets depend on the
// program that follows them.
func TestResolve_RefusesProcLinks(t *testing.T) {
	for _, path := range []string{"/proc/self/environ", "/proc/self/cwd/x", fmt.Sprintf("/proc/%d/root/etc", os.Getpid()), "/dev/stdin", "/dev/fd/0", "/proc/thread-self/fd/0"} {
		if got, err := realpath.Resolve(path); err == nil {
			t.Errorf("%s: got %s, want an error", path, got)
		}
	}
	if got, err := realpath.Resolve("/proc/version"); err != nil || got != "/proc/version" {
		t.Errorf("a plain file of /proc: got %s, %v", got, err)
	}
}
