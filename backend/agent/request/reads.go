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

// ReadsInside reports whether a read or a search names only paths that agents may read without asking. These are
// paths in the folder, in the system's folder for temporary files, and in own, the session's OwnFolder. call is the
// tool call, and kind is its kind.
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

// OwnFolder returns the folder, with symbolic links resolved, in which the Copilot CLI keeps a session's files. home is
// the CLI's COPILOT_HOME. OwnFolder returns "" if home is "" or the ID isn't a plain name.
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

// IsOwn reports whether path leads to a file in own, the session's OwnFolder, that is outside the chat's folder.
func IsOwn(folder, own, path string) bool {
	place, err := workspace.LocateNamed(folder, path)
	return err == nil && !place.Inside && isBelow(place.Path, own)
}

// isBelow reports whether file is in dir. Neither may contain symbolic links. If dir is "", isBelow returns false.
func isBelow(file, dir string) bool {
	return dir != "" && strings.HasPrefix(file, dir+string(filepath.Separator))
}
