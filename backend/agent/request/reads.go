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

// ReadsInside reports whether a tool call names only paths that agents may read without asking the user. These are the
// paths in the chat's folder, in the system's temporary folder and in the folder returned by OwnFolder. The parameter
// folder is the chat's folder, and own is the result of OwnFolder. The call must be a read or a search, as stated by
// kind.
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

// OwnFolder returns the folder in which the Copilot CLI stores a session's files, with symbolic links resolved. home is
// the CLI's COPILOT_HOME. OwnFolder returns "" if home is empty or can't be resolved, or if sessionID can't be the name
// of a file.
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

// IsOwn reports whether path names a file that is in the session's own folder and outside the chat's folder. The
// parameter own is the result of OwnFolder, and folder is the chat's folder.
func IsOwn(folder, own, path string) bool {
	place, err := workspace.LocateNamed(folder, path)
	return err == nil && !place.Inside && isBelow(place.Path, own)
}

// isBelow reports whether a file is in dir or one of its subfolders. Both paths must have their symbolic links
// resolved. If dir is "", isBelow returns false.
func isBelow(file, dir string) bool {
	return dir != "" && strings.HasPrefix(file, dir+string(filepath.Separator))
}
