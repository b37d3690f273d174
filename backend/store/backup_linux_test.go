package store_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// TestWithoutRoomForACopyNothingIsChanged runs itself again with a view of the
// file system of its own, in which there is a small disk. Nobody needs to be root
// for that, and nothing is left of it.
func TestWithoutRoomForACopyNothingIsChanged(t *testing.T) {
	const variable = "VOXPILOT_TEST_SMALL_DISK"
	small := os.Getenv(variable)
	if small == "" {
		dir := t.TempDir()
		apart := &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		try := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "try", dir)
		try.SysProcAttr = apart
		if out, err := try.CombinedOutput(); err != nil {
			t.Skipf("this system lets nobody have a view of the file system of its own: %v %s", err, out)
		}
		self := exec.CommandContext(t.Context(), "sh", "-ec", `mount -t tmpfs -o size=1500k small "$0"; exec "$1" -test.v -test.run "^$2\$"`, dir, os.Args[0], t.Name())
		self.SysProcAttr = apart
		self.Env = append(os.Environ(), variable+"="+dir)
		out, err := self.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	made := ofVersion(t, 1)
	db := sqlite(t, made)
	if _, err := db.Exec("INSERT INTO texts VALUES ('item2', 31, randomblob(1000000))"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(made, "voxpilot.db"))
	if err == nil {
		err = os.WriteFile(filepath.Join(small, "voxpilot.db"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, storage, err := store.Open(context.Background(), small)
	if err == nil {
		closeStore(t, s)
		t.Fatal("it was opened")
	}
	if storage.State != backend.StorageUnusable || !strings.Contains(storage.Message, "free some space") {
		t.Errorf("it says %+v", storage)
	}
	if copies, err := filepath.Glob(filepath.Join(small, "voxpilot-*.db")); err != nil || len(copies) > 0 {
		t.Errorf("what is left is %q, %v", copies, err)
	}
	if diff := cmp.Diff(values(t, filepath.Join(made, "voxpilot.db")), values(t, filepath.Join(small, "voxpilot.db"))); diff != "" {
		t.Errorf("the data was changed:\n%s", diff)
	}
}
