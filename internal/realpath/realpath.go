// Package realpath resolves paths one name at a time, as the operating system does when it opens a
// file. Folding ".." first, as filepath.Clean does, changes the target if a link precedes the "..".
package realpath

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxLinks is the maximum number of links followed in one path, as in Linux.
const maxLinks = 40

// Errors that Resolve returns. A path that can't be resolved must be treated as if it
// could lead anywhere.
var (
	errRelative = backend.Problem("the path isn't absolute")
	errZero     = backend.Problem("the path contains a null byte")
	errLinks    = backend.Problem("too many symbolic links")
)

// Resolve resolves the symbolic links, "." and ".." in path, and returns the result. path must be absolute. Names that
// don't exist stay as they are; a link to a missing name is still followed. Except on Windows, which folds ".." first,
// a ".." after a missing name is an error, since its target depends on what will be created there. Errors wrap
// operating system errors, if any.
func Resolve(path string) (string, error) {
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return "", errZero
	case !filepath.IsAbs(path):
		return "", errRelative
	}
	return resolve(path)
}

// Join returns path as seen by a program that runs in folder: unchanged if path is
// absolute, otherwise below folder. It doesn't fold "..".
func Join(folder, path string) string {
	return join(folder, path, runtime.GOOS == "windows")
}

func join(folder, path string, windows bool) string {
	switch {
	case path == "":
		return folder
	case windows && len(path) > 1 && isSeparator(path[0], true) && isSeparator(path[1], true):
		return path // on another machine
	case windows && isSeparator(path[0], true):
		return driveOf(folder) + path
	case windows && len(path) > 1 && path[1] == ':':
		if len(path) > 2 && isSeparator(path[2], true) {
			return path
		}
	case !windows && path[0] == '/':
		return path
	}
	separator := "/"
	if windows {
		separator = `\`
	}
	if folder != "" && isSeparator(folder[len(folder)-1], windows) {
		separator = ""
	}
	return folder + separator + path
}

// driveOf returns the drive or share prefix of a Windows path.
func driveOf(path string) string {
	if len(path) > 1 && path[1] == ':' {
		return path[:2]
	}
	if len(path) < 2 || !isSeparator(path[0], true) || !isSeparator(path[1], true) {
		return ""
	}
	parts := 0
	for i := 2; i < len(path); i++ {
		if isSeparator(path[i], true) {
			if parts++; parts == 2 {
				return path[:i]
			}
		}
	}
	return path
}

func isSeparator(c byte, windows bool) bool { return c == '/' || windows && c == '\\' }

// Tidy returns path without "." elements or repeated separators. It keeps every ".." and all links.
func Tidy(path string) string {
	if !hasDots(path) {
		return filepath.Clean(path)
	}
	volume := filepath.VolumeName(path)
	rest := path[len(volume):]
	names := names(rest)
	tidy := strings.Join(names, string(filepath.Separator))
	switch {
	case rest != "" && os.IsPathSeparator(rest[0]):
		tidy = string(filepath.Separator) + tidy
	case tidy == "":
		tidy = "."
	}
	return filepath.FromSlash(volume) + tidy
}

// Plain returns path in its shortest form; a relative path stays relative. If ".." follows a link or anything else
// that isn't a plain directory, some programs follow the link and others fold the names, so the path can lead to
// different files. In that case, ok is false and short is the result of Tidy. The same applies to a path with ".."
// that is relative or on another machine, because it can't be checked.
func Plain(path string) (short string, ok bool) {
	if !hasDots(path) {
		return filepath.Clean(path), true
	}
	tidy := Tidy(path)
	volume := filepath.VolumeName(tidy)
	if !filepath.IsAbs(tidy) || strings.HasPrefix(volume, `\\`) || strings.IndexByte(tidy, 0) >= 0 {
		return tidy, false
	}
	root := volume + string(filepath.Separator)
	short = root
	for _, name := range names(tidy[len(volume):]) {
		if name != ".." {
			short = filepath.Join(short, name)
			continue
		}
		if info, err := os.Lstat(short); err != nil || !info.IsDir() {
			return tidy, false
		}
		short = filepath.Dir(short)
	}
	return short, true
}

// Clean returns path in its shortest form; a relative path without ".." stays relative. It keeps links if all programs
// resolve the path to the same file. Otherwise, it resolves the path fully and may return the errors of Resolve.
func Clean(path string) (string, error) {
	if short, ok := Plain(path); ok {
		return short, nil
	}
	return Resolve(path)
}

// names returns the elements of path, which must not include the volume. It omits ".".
func names(path string) (names []string) {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		if name != "." {
			names = append(names, name)
		}
	}
	return names
}

// hasDots reports whether the path contains the element "..".
func hasDots(path string) bool {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		if name == ".." {
			return true
		}
	}
	return false
}
