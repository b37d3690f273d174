package workspace

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// checkName returns a user-facing error if path can't name a file. On Windows, a path may look like a
// file's path but refer to a device or to a stream of another file. It may also refer to another file,
// because Windows drops trailing dots and spaces in names.
func checkName(path string, windows bool) error {
	switch {
	case path == "":
		return backend.Invalid("Enter a path.")
	case strings.IndexByte(path, 0) >= 0:
		return backend.Invalid("The path %q contains a null byte.", path)
	case !windows:
		return nil
	}
	path = strings.ReplaceAll(path, "/", `\`)
	if strings.HasPrefix(path, `\\?\`) || strings.HasPrefix(path, `\\.\`) || strings.HasPrefix(path, `\??\`) {
		return backend.Invalid("The path %s is a device path. Use a path such as C:\\folder\\file.", path)
	}
	rest := path
	if len(rest) >= 2 && rest[1] == ':' {
		rest = rest[2:]
	}
	for name := range strings.SplitSeq(rest, `\`) {
		switch {
		case name == "" || name == "." || name == "..":
		case strings.ContainsRune(name, ':'):
			return backend.Invalid("The path %s refers to a stream within a file. Only whole files can be used.", path)
		case strings.ContainsAny(name, "<>\"|?*") || strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 }):
			return backend.Invalid("The path %q contains characters that aren't allowed in file names.", path)
		case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
			return backend.Invalid("The path %q contains a name that ends with a dot or a space, which Windows reads as a different name.", path)
		case isDevice(name):
			return backend.Invalid("The path %s refers to a device, not a file.", path)
		}
	}
	return nil
}

// isDevice reports whether Windows treats a name as that of a device, which it does in any folder and with any
// extension.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		switch n, is := strings.CutPrefix(name, port); {
		case !is:
		case len(n) == 1 && n[0] >= '0' && n[0] <= '9', n == "¹", n == "²", n == "³":
			return true
		}
	}
	return false
}

// ImageName returns a file name for an image, with the extension of its type.
func ImageName(name, mime string) string {
	name = FileName("", filepath.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := "." + strings.TrimPrefix(mime, "image/")
	if ending == ".jpeg" {
		if strings.EqualFold(filepath.Ext(name), ".jpg") {
			return name
		}
		ending = ".jpg"
	}
	if strings.EqualFold(filepath.Ext(name), ending) {
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ending
}

// FileName returns a file name: the prefix followed by a chat's title. Characters that at least one system doesn't
// allow in file names are replaced. The result isn't the name of a device on Windows.
func FileName(prefix, title string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, title)
	name = prefix + cmp.Or(strings.Trim(name, ". "), "chat")
	if isDevice(name) {
		return "chat " + name
	}
	return name
}
