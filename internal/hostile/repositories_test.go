package hostile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/hostile"
)

// TestRepositories_DetectedAndNotRun checks that the inventory of each repository lists the file or setting that
// contains its code. It also checks that neither taking the inventory nor reading the branch and the changes runs that
// code.
func TestRepositories_DetectedAndNotRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
	all := hostile.Repositories()
	if len(all) < 100 {
		t.Fatalf("got %d repositories, want at least 100", len(all))
	}
	result := chaos.Row(t, "Repositories that VoxPilot reads before trust", len(all))
	places := map[string]bool{}
	for _, r := range all {
		places[r.Place] = true
		t.Run(r.Name, func(t *testing.T) {
			m := hostile.Build(t, t.TempDir(), r)[0]
			f, err := trust.Inventory(t.Context(), m.Folder(), r.Agents)
			if err != nil || f.Incomplete {
				t.Fatalf("got %v, incomplete %v", err, f.Incomplete)
			}
			if !slices.ContainsFunc(f.Entries, func(e trust.Entry) bool { return e.Location == r.Place }) {
				t.Errorf("got %+v, want an entry of %s", f.Entries, r.Place)
			}
			workspace.Describe(t.Context(), os.Getenv("PATH"), m.Folder(), true)
			if m.Fired() {
				t.Error("got the canary run before anything was trusted")
			}
		})
	}
	for _, p := range trust.Locations {
		if !p.Steers && !places[p.ID] {
			t.Errorf("got no Repository with something at %s (%s)", p.Path, p.ID)
		}
	}
	result("each found in the inventory, %d places; no canary ran", len(places))
}

// TestRepositories_RunInGit checks that git does execute the code of the repositories that target git. This test is
// the control for those in which no code may run.
func TestRepositories_RunInGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
	all := slices.DeleteFunc(hostile.Repositories(), func(r hostile.Repository) bool { return r.Fires != hostile.ByGit })
	result := chaos.Row(t, "Repositories in which git runs something, as the control", len(all))
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			m := hostile.Build(t, t.TempDir(), r)[0]
			if text, ok := r.Files["a.txt"]; ok && text != "" {
				if err := os.WriteFile(filepath.Join(m.Root, "a.txt"), []byte("another\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, err := hostile.Git(t, m.Root, r.Git...).CombinedOutput()
			if !m.Fired() {
				t.Errorf("git %v: got nothing run, so its silence elsewhere shows nothing: %v %s", r.Git, err, out)
			}
		})
	}
	result("each canary ran")
}
