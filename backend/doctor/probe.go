package doctor

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Directory is what Look found out about a folder.
type Directory struct {
	Path   string
	Free   uint64 // bytes that the user may still write
	Shared bool   // other users can read it
	Err    error  // it is not there, or cannot be written
}

// Probe finds out how a folder is. It tries to write, which is the only test
// that is true everywhere.
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

// System names the operating system and the processor.
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

// prettyName is the name of a Linux distribution in its os-release file.
func prettyName(release string) string {
	for line := range strings.Lines(release) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(value, `"'`)
		}
	}
	return ""
}
