// Package realpath finds where a path leads: it walks the path name by name, as
// the system does that opens it. A path whose ".." is folded first, as
// filepath.Clean does, is another path if a link stands before the "..".
package realpath

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxLinks is the number of links in one path that are followed, as in Linux.
const maxLinks = 40

// Errors of Resolve. A path that can't be resolved must count as one that leads
// anywhere.
var (
	errRelative = backend.Problem("the path isn't absolute")
	errZero     = backend.Problem("the path contains a zero byte")
	errLinks    = backend.Problem("too many links")
)

// Resolve returns the absolute path without links, "." and "..". What doesn't
// exist is kept as it is named, and a link to it is followed; a ".." behind it is
// an error, since it depends on what will be there. Errors wrap those of the
// system where there is one.
func Resolve(path string) (string, error) {
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return "", errZero
	case !filepath.IsAbs(path):
		return "", errRelative
	}
	return resolve(path)
}

// Join returns path as a program in folder takes it: as it is if it is absolute,
// else below folder. It folds nothing.
func Join(folder, path string) string {
	return join(folder, path, runtime.GOOS == "windows")
}

func join(folder, path string, windows bool) string {
	switch {
	case path == "":
		return folder
	case windows && len(path) > 1 && isSeparator(path[0], true) && isSeparator(path[1], true):
		return path // of another machine
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

// driveOf returns the drive or share that a path on Windows begins with.
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

// Tidy returns path without "." and doubled separators. Every ".." stays.
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

// Plain returns the absolute path in its shortest form. ok is false, and the path
// is only tidied, if programs may take it for different files: where a ".." follows
// what is no plain directory now, some programs go where a link leads and others
// fold the names. A path of another machine is not looked at.
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

// Clean returns the absolute path in its shortest form: with the links that it
// names if all programs take it for the same file, else where the system leads.
func Clean(path string) (string, error) {
	if short, ok := Plain(path); ok {
		return short, nil
	}
	return Resolve(path)
}

// names returns the names in a path, without its volume and without ".".
func names(path string) (names []string) {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		if name != "." {
			names = append(names, name)
		}
	}
	return names
}

// hasDots reports whether the path has a name "..".
func hasDots(path string) bool {
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		if name == ".." {
			return true
		}
	}
	return false
}
