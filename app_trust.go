package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// protected says why an edit of a file is asked for in every mode
// (permission.Config.Protected). A chat may work in a folder of VoxPilot's own,
// as the practice chat does: that folder is not protected from it.
func (e *engine) protected(folder, file string) backend.Protection {
	home, _ := os.UserHomeDir() //nolint:errcheck // then there are no files of the user's shells
	own := []string{e.app.dir}
	if real, err := filepath.EvalSymlinks(e.app.dir); err == nil {
		own = append(own, real)
	}
	g := trust.Guard{Home: home, Agent: []string{cmp.Or(e.cliHome(), filepath.Join(home, ".copilot"))}}
	if !slices.ContainsFunc(own, func(dir string) bool { return trust.Below(dir, folder) && trust.Below(folder, file) }) {
		g.Data = own
	}
	return g.Protected(file)
}
