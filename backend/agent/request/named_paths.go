package request

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// The names by which agents give a tool a path, both ends of a move, the folder
// of a command, and an address.
var (
	pathKeys    = []string{"path", "fileName", "file_path", "filePath", "notebook_path", "absolute_path", "target_file"}
	fromKeys    = []string{"source", "from", "oldPath", "old_path"}
	toKeys      = []string{"destination", "to", "newPath", "new_path"}
	cwdKeys     = []string{"cwd", "workdir", "directory", "dir_path", "working_directory", "workingDirectory"}
	addressKeys = []string{"url", "uri", "urls"}
)

// NamedPaths are all paths that an update or a request of a call of the kind
// names.
func NamedPaths(folder string, up gjson.Result, kind backend.ToolKind) (paths []string) {
	add := func(v gjson.Result) {
		if v.Type == gjson.String && v.Str != "" {
			paths = append(paths, Abs(folder, v.Str))
		}
	}
	for _, v := range up.Get("locations.#.path").Array() {
		add(v)
	}
	for _, v := range up.Get(`content.#(type=="diff")#.path`).Array() {
		add(v)
	}
	in, keys := up.Get("rawInput"), pathKeys
	switch kind {
	case backend.ToolMove:
		keys = slices.Concat(pathKeys, fromKeys, toKeys)
	case backend.ToolExecute:
		keys = slices.Concat(pathKeys, cwdKeys)
	default:
	}
	for _, key := range keys {
		add(in.Get(key))
	}
	if KindGroup(kind) == backend.ToolEdit {
		for _, path := range pathsInPatches(in) {
			paths = append(paths, Abs(folder, path))
		}
	}
	return paths
}

// Path is the path that a tool is called with, From and To are the ends of a move, and
// Cwd is the folder of a command; "" where the input has none.
func Path(in gjson.Result) string { return firstOf(in, pathKeys) }
func From(in gjson.Result) string { return firstOf(in, fromKeys) }
func To(in gjson.Result) string   { return firstOf(in, toKeys) }
func Cwd(in gjson.Result) string  { return firstOf(in, cwdKeys) }

// firstOf is the first of the keys that the input has a text for.
func firstOf(in gjson.Result, keys []string) string {
	for _, key := range keys {
		if v := in.Get(key); v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// Addresses are those that a fetch names.
func Addresses(in gjson.Result) (out []string) {
	for _, key := range addressKeys {
		v := in.Get(key)
		for _, one := range append(v.Array(), v) {
			if one.Type == gjson.String && one.Str != "" && !slices.Contains(out, one.Str) {
				out = append(out, one.Str)
			}
		}
	}
	return out
}

// Host is the host of an address for a person to read; what is no address is
// shown as it is.
func Host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return excerpt.FirstLine(address, 300)
}

// Abs is the path that an agent means: absolute, or below the folder, and
// in its shortest form. A ".." that programs read in two ways stays in it, for
// workspace.LocateNamed.
func Abs(folder, path string) string {
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" && u.Path != "" {
		path = filepath.FromSlash(u.Path)
		if filepath.VolumeName(path[1:]) != "" {
			path = path[1:] // file:///C:/…
		}
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}
	path, _ = realpath.Plain(realpath.Join(folder, path))
	return path
}

// AnyOutside says whether one of the paths is not in the folder. What
// cannot be followed counts as one that is not.
func AnyOutside(folder string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		place, err := workspace.LocateNamed(folder, p)
		return err != nil || !place.Inside
	})
}

// KindGroup is one kind for all that a permission to edit covers.
func KindGroup(k backend.ToolKind) backend.ToolKind {
	if k == backend.ToolDelete || k == backend.ToolMove {
		return backend.ToolEdit
	}
	return k
}

// Mutates says whether calls of the kind change something.
func Mutates(k backend.ToolKind) bool {
	return KindGroup(k) == backend.ToolEdit || k == backend.ToolExecute
}
