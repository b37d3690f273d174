package hostile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// race describes an attack that repeatedly swaps the names of two files while VoxPilot handles requests for a path.
type race struct {
	path string    // read and written by an agent
	swap [2]string // the swapped names
	to   string    // target of the link, the second name
}

// races are attacks whose swaps redirect a path to a file outside the folder, or to a file that needs a separate
// permission.
var races = []race{
	{"folder/sub/out.txt", [2]string{"folder/sub", "folder/swap"}, "../away"},
	{"folder/sub/out.txt", [2]string{"folder/sub", "folder/swap"}, ".git/hooks"},
	{"folder/sub/deep/out.txt", [2]string{"folder/sub", "folder/swap"}, "../other"},
	{"folder/sub/deep/out.txt", [2]string{"folder/sub/deep", "folder/swap"}, "../away"},
	{"folder/sub/deep/out.txt", [2]string{"folder/sub/deep", "folder/swap"}, "$TOP/away"},
	{"folder/sub/deep/out.txt", [2]string{"folder/sub/deep", "folder/sub/swap"}, "../.git/hooks"},
	{"folder/sub/out.txt", [2]string{"folder/sub/out.txt", "folder/swap"}, "../away/out.txt"},
	{"folder/sub/out.txt", [2]string{"folder/sub/out.txt", "folder/sub/swap"}, "../../away/out.txt"},
	{"folder/sub/out.txt", [2]string{"folder/sub/out.txt", "folder/swap"}, "$TOP/away/out.txt"},
	{"folder/sub/./deep//out.txt", [2]string{"folder/sub", "folder/swap"}, "../away-tree/sub"},
	{"away/back/sub/out.txt", [2]string{"folder/sub", "folder/swap"}, "../away"},
	{"folder/in/out.txt", [2]string{"folder/in", "folder/swap"}, "../away"},
	{"folder/in/out.txt", [2]string{"folder/sub/deep", "folder/swap"}, "../away"},
	{"folder/sub/../sub/out.txt", [2]string{"folder/sub", "folder/swap"}, "../away"},
	{"folder/sub/deep/../out.txt", [2]string{"folder/sub/deep", "folder/swap"}, "../away/sub"},
	{"folder/sub/deep/../../sub/out.txt", [2]string{"folder/sub", "folder/swap"}, "../away"},
	{"folder/self/sub/out.txt", [2]string{"folder/self", "folder/swap"}, "../away-tree"},
	{"folder/sub/new/a/out.txt", [2]string{"folder/sub", "folder/swap"}, "../away"},
	{"folder/filelink", [2]string{"folder/filelink", "folder/swap"}, "../away/out.txt"},
	{"folder/sub/deep/out.txt", [2]string{"folder/sub/deep", "folder/swap"}, "in"},
}

// newRaceTree creates the tree for a race, with the files that no race may reach. Each of those contains a secret.
func newRaceTree(t *testing.T, r race) (top string) {
	t.Helper()
	top = newHostileTree(t)
	for _, dir := range []string{"away-tree/sub/deep", "other/deep"} {
		noErr(t, os.MkdirAll(filepath.Join(top, dir), 0o700))
	}
	for name, text := range map[string]string{
		"away-tree/sub/out.txt": "secret", "away-tree/sub/deep/out.txt": "secret", "other/deep/out.txt": "secret", "away/sub/out.txt": "secret",
		"folder/sub/out.txt": "in", "folder/sub/deep/out.txt": "in",
	} {
		noErr(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	noErr(t, os.Symlink(strings.ReplaceAll(r.to, "$TOP", top), filepath.Join(top, r.swap[1])))
	return top
}

// TestPaths_RacesReachNothingOutside checks that renames between the check and the use of a path never make VoxPilot
// read or write outside the folder, or access a file in the folder other than the one that it checked.
func TestPaths_RacesReachNothingOutside(t *testing.T) {
	seed, tries := chaos.Seed(t), chaos.Runs(30, 1000)
	result := chaos.Row(t, "Names swapped while a path is read and written", len(races)*tries)
	served := 0
	for i, r := range races {
		top := newRaceTree(t, r)
		folder, path := filepath.Join(top, "folder"), top+"/"+r.path
		one, other := filepath.Join(top, r.swap[0]), filepath.Join(top, r.swap[1])
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			random := chaos.Rand(t, seed, i)
			for {
				select {
				case <-stop:
					return
				default:
				}
				_ = unix.Renameat2(unix.AT_FDCWD, one, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE)
				for range random.IntN(2000) { // so that the swaps happen at varying moments
					random.Uint64()
				}
			}
		}()
		for range tries {
			place, err := workspace.Locate(folder, path)
			if err != nil || !place.Inside || isIn(filepath.Join(folder, ".git"), place.Path) {
				continue // needs permission
			}
			served++
			if text, err := place.Read(0, 0); err == nil && text == "secret" {
				t.Errorf("%s, swapped with a link to %s: what is outside was read", r.path, r.to)
			}
			_ = place.Write("in")
			if entries, _, err := place.Entries(10); err == nil && len(entries) > 0 {
				t.Errorf("%s has the entries %v", r.path, entries)
			}
		}
		close(stop)
		<-stopped
		for _, name := range []string{"away/out.txt", "away/sub/out.txt", "away-tree/sub/out.txt", "away-tree/sub/deep/out.txt", "other/deep/out.txt", "folder/.git/hooks/out.txt"} {
			if text, err := os.ReadFile(filepath.Join(top, name)); err != nil || string(text) != "secret" {
				t.Errorf("%s, swapped with a link to %s: %s is %q, %v", r.path, r.to, name, text, err)
			}
		}
	}
	if served < len(races) {
		t.Errorf("got %d paths that were served, want %d: the others prove nothing without them", served, len(races))
	}
	result("%d served, 0 outside", served)
}
