package update

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestAFullDiskIsSaidAndLeavesNothing runs itself again with a view of the file
// system of its own, in which there is a small disk. Nobody needs to be root for
// that, and nothing is left of it.
func TestAFullDiskIsSaidAndLeavesNothing(t *testing.T) {
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
		self := exec.CommandContext(t.Context(), "sh", "-ec", `mount -t tmpfs -o size=1m small "$0"; exec "$1" -test.v -test.run "^$2\$"`, dir, os.Args[0], t.Name())
		self.SysProcAttr = apart
		self.Env = append(os.Environ(), variable+"="+dir)
		out, err := self.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	p := publish(t, httptest.NewServer) // of a file of 3 MB
	p.dir = filepath.Join(small, "updates")
	in := p.install()
	in.checked()
	if now := in.downloaded(); now.State != backend.UpdateFailed || !strings.Contains(now.Message, "no room left on the disk") {
		t.Errorf("%+v", now)
	}
	p.nothingIsLeft()

	// Nor is there room for the program that is unpacked.
	archive := filepath.Join(t.TempDir(), "voxpilot.tar.gz")
	packed(t, archive, map[string][]byte{"voxpilot": p.file})
	program := filepath.Join(small, "voxpilot")
	if err := os.WriteFile(program, []byte("the one that runs"), 0o700); err != nil {
		t.Fatal(err)
	}
	pack := &Package{Version: "1.2.0", Path: archive, Into: Installation{Form: FormTar, Program: program}, asset: described(t, archive)}
	if _, err := pack.Prepare(t.Context()); !isFull(err) {
		t.Errorf("Prepare: %v", err)
	}
	in.Failed(pack, pack.unpack(t.Context()))
	if now := in.told[len(in.told)-1]; !strings.Contains(now.Message, "no room left on the disk") {
		t.Errorf("%+v", now)
	}
	entries, err := os.ReadDir(small)
	if err != nil || len(entries) != 3 { // it ran unpack itself a moment ago
		t.Errorf("on the disk there are %v, %v", entries, err)
	}
}
