package update

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestDownload_FullDiskReportedAndCleanedUp checks that a full disk during a download or during unpacking is reported
// and that no files are left. The test runs itself again in a mount namespace with a small disk, which needs no root
// privileges and leaves nothing behind.
func TestDownload_FullDiskReportedAndCleanedUp(t *testing.T) {
	small := need.SmallDisk(t, "1m")
	if small == "" {
		return
	}
	p := newPublisher(t, httptest.NewServer) // a file of 3 MB
	p.dir = filepath.Join(small, "updates")
	in := p.install()
	in.check()
	if now := in.download(); now.State != backend.UpdateFailed || !strings.Contains(now.Message.String(), "disk is full") {
		t.Errorf("%+v", now)
	}
	p.assertNoFiles()

	// There is no space for the unpacked program either.
	archive := filepath.Join(t.TempDir(), "voxpilot.tar.gz")
	writeArchive(t, archive, map[string][]byte{"voxpilot": p.file})
	program := filepath.Join(small, "voxpilot")
	if err := os.WriteFile(program, []byte("the one that runs"), 0o700); err != nil {
		t.Fatal(err)
	}
	pack := &Package{Version: "1.2.0", Path: archive, Into: Installation{Format: FormatTar, Program: program}, asset: assetOf(t, archive)}
	if _, err := pack.Prepare(t.Context()); !isFull(err) {
		t.Errorf("Prepare: %v", err)
	}
	in.Failed(pack, pack.unpack(t.Context()))
	if now := in.updates[len(in.updates)-1]; !strings.Contains(now.Message.String(), "disk is full") {
		t.Errorf("%+v", now)
	}
	entries, err := os.ReadDir(small)
	if err != nil || len(entries) != 3 { // the test itself has just run unpack
		t.Errorf("on the disk there are %v, %v", entries, err)
	}
}
