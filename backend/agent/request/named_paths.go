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

// Keys in a tool's input. Agents use them for a path, the source and the destination of a move, the working directory
// of a command, and a URL.
var (
	pathKeys    = []string{"path", "fileName", "file_path", "filePath", "notebook_path", "absolute_path", "target_file"}
	fromKeys    = []string{"source", "from", "oldPath", "old_path"}
	toKeys      = []string{"destination", "to", "newPath", "new_path"}
	cwdKeys     = []string{"cwd", "workdir", "directory", "dir_path", "working_directory", "workingDirectory"}
	addressKeys = []string{"url", "uri", "urls"}
)

// NamedPaths returns the absolute forms of all paths that a tool call names. The parameter up is an update to the
// call, or the call in a permission request, and kind is the call's kind. The result may contain duplicates.
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

// Path returns the path in a tool's input, or "" if there is none.
func Path(in gjson.Result) string { return firstOf(in, pathKeys) }

// From returns the source of a move in a tool's input, or "" if there is none.
func From(in gjson.Result) string { return firstOf(in, fromKeys) }

// To returns the destination of a move in a tool's input, or "" if there is none.
func To(in gjson.Result) string { return firstOf(in, toKeys) }

// Cwd returns the working directory of a command in a tool's input, or "" if there is none.
func Cwd(in gjson.Result) string { return firstOf(in, cwdKeys) }

// firstOf looks up the keys in a tool's input, in order, and returns the first value that is a non-empty string. It
// returns "" if there is none.
func firstOf(in gjson.Result, keys []string) string {
	for _, key := range keys {
		if v := in.Get(key); v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// Addresses returns the URLs in a tool's input.
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

// Host returns the host of an address for display, or the address itself if it isn't a URL.
func Host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return excerpt.FirstLine(address, 300)
}

// Abs returns a path from an agent as a clean absolute path. It converts file URIs, expands ~ to the user's home
// folder, and resolves relative paths against folder. A ".." whose target depends on symbolic links is preserved for
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

// AnyOutside reports whether any of the paths is outside the folder. Paths that can't
// be resolved count as outside.
func AnyOutside(folder string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		place, err := workspace.LocateNamed(folder, p)
		return err != nil || !place.Inside
	})
}

// KindGroup returns ToolEdit for edits, deletions and moves, because permission to edit covers all of them. It
// returns any other kind unchanged.
func KindGroup(k backend.ToolKind) backend.ToolKind {
	if k == backend.ToolDelete || k == backend.ToolMove {
		return backend.ToolEdit
	}
	return k
}

// Mutates reports whether calls of the given kind may change files or run commands.
func Mutates(k backend.ToolKind) bool {
	return KindGroup(k) == backend.ToolEdit || k == backend.ToolExecute
}
