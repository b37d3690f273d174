package sessionfiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// TestHolders_ClaimOfOtherPIDSpace checks that if a process was killed in a sandbox while it had a session open,
// another process with the same PID outside the sandbox isn't mistaken for the session's holder.
func TestHolders_ClaimOfOtherPIDSpace(t *testing.T) {
	const id = "0cd2575d-d593-4ec5-bc0e-fc0862cc248f"
	home, pid := t.TempDir(), os.Getpid()
	dir := filepath.Join(home, "session-state", id)
	lock, hold := filepath.Join(dir, fmt.Sprintf("inuse.%d.lock", pid)), filepath.Join(dir, fmt.Sprintf("inuse.%d.hold", pid))
	for _, err := range []error{os.MkdirAll(dir, 0o700), os.WriteFile(lock, nil, 0o600), os.WriteFile(hold, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := sessionfiles.Holders(home, id); len(got) > 0 {
		t.Errorf("got %+v, want none", got)
	}
	file, err := os.Open(hold)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := sessionfiles.Holders(home, id); len(got) != 1 || got[0].PID != pid {
		t.Errorf("got %+v, want this process", got)
	}
}
