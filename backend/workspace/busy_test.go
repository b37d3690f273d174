package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

func TestBusy_NamesTheOperation(t *testing.T) {
	for name, want := range map[string]backend.ReviewBusy{
		"index": "", "rebase-merge": backend.BusyRebase, "rebase-apply": backend.BusyRebase, "MERGE_HEAD": backend.BusyMerge,
		"CHERRY_PICK_HEAD": backend.BusyCherryPick, "REVERT_HEAD": backend.BusyRevert, "BISECT_LOG": backend.BusyBisect,
	} {
		r := workspace.Repository{Dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(r.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := r.Busy(); got != want {
			t.Errorf("with %s: got %q, want %q", name, got, want)
		}
	}
}
