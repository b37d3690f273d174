package doctor

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Directory is the state of a folder.
type Directory struct {
	Path   string
	Free   uint64 // bytes available to the user
	Shared bool   // other users can read it
	Err    error  // it doesn't exist or isn't writable
}

// Probe returns the state of a folder. It creates a temporary file, because this is the
// only reliable test for write access.
func Probe(path string) Directory {
	d := Directory{Path: path}
	info, err := os.Stat(path)
	if err != nil {
		d.Err = err
		return d
	}
	d.Shared = shared(info.Mode())
	if d.Free, d.Err = free(path); d.Err != nil {
		return d
	}
	f, err := os.CreateTemp(path, ".doctor-*")
	if err != nil {
		d.Err = err
		return d
	}
	d.Err = errors.Join(f.Close(), os.Remove(f.Name()))
	return d
}

// System returns one line of text: the operating system, the type of the desktop session if known, the architecture
// and the Go version.
func System() string {
	name := runtime.GOOS
	if release, err := os.ReadFile("/etc/os-release"); err == nil {
		if pretty := prettyName(string(release)); pretty != "" {
			name = pretty
		}
	}
	if session := os.Getenv("XDG_SESSION_TYPE"); session != "" {
		name += ", " + session
	}
	return fmt.Sprintf("%s (%s/%s, %s)", name, runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// prettyName returns the name of a Linux distribution from its os-release file.
func prettyName(release string) string {
	for line := range strings.Lines(release) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(value, `"'`)
		}
	}
	return ""
}
