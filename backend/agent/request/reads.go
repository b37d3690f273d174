package request

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// ReadsInside reports whether a reading call names only paths that agents may read without asking: in
// the folder, in the system's folder for temporary files, or in own, the agent's OwnFolder of the session.
func ReadsInside(folder, own string, call gjson.Result, kind backend.ToolKind) bool {
	temp, _ := filepath.EvalSymlinks(os.TempDir())
	for _, path := range NamedPaths(folder, call, kind) {
		r := PathsOf(folder, path)
		file, ok := r.Real(path)
		if r.Outside() && (!ok || !isBelow(file, temp) && !isBelow(file, own)) {
			return false
		}
	}
	return true
}

// OwnFolder returns the folder, without links, in which an agent with the given home keeps its files of the
// session. It returns "" if home is unknown or the ID isn't a plain name.
func OwnFolder(home, sessionID string) string {
	if sessionID == "" || sessionID == "." || !filepath.IsLocal(sessionID) || filepath.Base(sessionID) != sessionID {
		return ""
	}
	state, err := realpath.Resolve(filepath.Join(home, "session-state"))
	if home == "" || err != nil {
		return ""
	}
	return filepath.Join(state, sessionID)
}

// IsOwn reports whether path leads to a file in own, the agent's OwnFolder, and out of the chat's folder.
func IsOwn(folder, own, path string) bool {
	place, err := workspace.LocateNamed(folder, path)
	return err == nil && !place.Inside && isBelow(place.Path, own)
}

// isBelow reports whether file is in dir. Both are free of links; an empty dir contains nothing.
func isBelow(file, dir string) bool {
	return dir != "" && strings.HasPrefix(file, dir+string(filepath.Separator))
}
