package sessionfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// TestFolder_FollowsNoLinksOut checks that nothing outside the folder of all sessions is read, even if a session's folder
// is replaced with a link after it was listed.
func TestFolder_FollowsNoLinksOut(t *testing.T) {
	f, id, dir := writeSession(t, conversation)
	if ids, err := f.IDs(); err != nil || !cmp.Equal(ids, []string{id}) {
		t.Fatalf("got %v, %v", ids, err)
	}
	outside := filepath.Join(t.TempDir(), id)
	noErr(t, os.Rename(dir, outside))
	noErr(t, os.Symlink(outside, dir))
	if ids, err := f.IDs(); err != nil || len(ids) > 0 {
		t.Errorf("got %v, %v", ids, err)
	}
	if d, _, err := f.Describe(id); err == nil || d != (sessionfiles.Description{}) {
		t.Errorf("described %+v, %v", d, err)
	}
	var d sessionfiles.Description
	if _, err := f.DescribeRest(id, &d); err == nil || d != (sessionfiles.Description{}) {
		t.Errorf("described %+v, %v", d, err)
	}
	if s, err := f.Scan(t.Context(), id, sessionfiles.Scan{}, func() {}); err == nil || s.Offset > 0 {
		t.Errorf("read %+v, %v", s, err)
	}
	if texts, err := f.Texts(id, sessionfiles.Scan{First: 1}); err == nil || texts.First != "" {
		t.Errorf("read %+v, %v", texts, err)
	}
	if _, err := f.Stamp(id); err == nil {
		t.Error("the link has a stamp")
	}
	if n := f.BytesRead(); n > 0 {
		t.Errorf("%d bytes were read", n)
	}
	for _, id := range []string{"", ".", "..", "../" + filepath.Base(filepath.Dir(dir)), id + "/.."} {
		if _, _, err := f.Describe(id); err == nil {
			t.Errorf("%q is described", id)
		}
	}
}

// TestFolder_IsCurrentUntilReplaced checks that a new folder of the same name isn't mistaken for the old one.
func TestFolder_IsCurrentUntilReplaced(t *testing.T) {
	f, _, dir := writeSession(t, conversation)
	state := filepath.Dir(dir)
	home := filepath.Dir(state)
	if !f.IsCurrent(home) {
		t.Error("the folder isn't current")
	}
	noErr(t, os.Rename(state, state+"-old"))
	if f.IsCurrent(home) {
		t.Error("the moved folder is current")
	}
	noErr(t, os.Mkdir(state, 0o700))
	if f.IsCurrent(home) {
		t.Error("the replaced folder is current")
	}
}
