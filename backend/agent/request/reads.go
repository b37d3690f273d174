package request

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// ReadsInside reports whether a reading call names only paths that agents may read without asking: in
// the folder, in the system's folder for temporary files, or in the agent's own folder for the session.
func ReadsInside(folder, sessionID string, call gjson.Result, kind backend.ToolKind) bool {
	own := "/session-state/" + sessionID + "/"
	temp, _ := filepath.EvalSymlinks(os.TempDir())
	for _, path := range NamedPaths(folder, call, kind) {
		r := PathsOf(folder, path)
		file, ok := r.Real(path)
		switch {
		case !r.Outside():
		case ok && temp != "" && strings.HasPrefix(file, temp+string(filepath.Separator)):
		case ok && strings.Contains(filepath.ToSlash(file), own):
		default:
			return false
		}
	}
	return true
}
