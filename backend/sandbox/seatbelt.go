package sandbox

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// seatbelt returns the macOS sandbox profile for a policy. The policy's paths must not contain symbolic links. If
// several rules of a profile match, the last one wins. The profile is untested (see Check).
//
// macOS has no network namespaces, so programs can't be connected to the proxy's socket. NetworkSites is therefore
// treated as NetworkOff.
func seatbelt(p Policy, run string) string {
	var b strings.Builder
	rule := func(action, operation string, filters ...string) {
		b.WriteString("(" + action + " " + operation)
		for _, f := range filters {
			b.WriteString("\n  " + f)
		}
		b.WriteString(")\n")
	}
	b.WriteString("(version 1)\n")
	rule("deny", "default")
	for _, operation := range []string{"process-exec", "process-fork", "file-read*", "sysctl-read", "pseudo-tty", "ipc-posix-sem"} {
		rule("allow", operation)
	}
	rule("allow", "signal", "(target same-sandbox)")
	rule("allow", "process-info*", "(target same-sandbox)")
	rule("allow", "mach-lookup", `(global-name "com.apple.system.opendirectoryd.libinfo")`, `(global-name "com.apple.system.logger")`, `(global-name "com.apple.trustd.agent")`)
	write := append([]string{p.Folder}, p.Write...)
	if p.Caches != "" {
		write = append(write, p.Caches)
	}
	if p.Temp {
		write = append(write, filepath.Join(run, "tmp"))
	}
	rule("allow", "file-write*", append(subpaths(write), `(literal "/dev/null")`, `(literal "/dev/zero")`, `(literal "/dev/tty")`, `(regex #"^/dev/ttys[0-9]+$")`, `(regex #"^/dev/fd/")`)...)
	if len(p.Protected) > 0 {
		rule("deny", "file-write*", subpaths(p.Protected)...)
		// A folder that contains a protected path can't be moved; a command could otherwise create another folder at
		// its path.
		rule("deny", "file-write-unlink", literals(between(write, p.Protected))...)
	}
	if len(p.Hidden) > 0 {
		rule("deny", "file-read* file-write*", subpaths(p.Hidden)...)
		rule("allow", "file-read* file-write*", subpaths(slices.DeleteFunc([]string{p.Caches, filepath.Join(run, "tmp")}, func(path string) bool { return path == "" }))...)
	}
	if p.Network == backend.NetworkOn {
		rule("allow", "network*")
		rule("deny", "network-outbound", "(remote unix-socket)")
		rule("allow", "mach-lookup", `(global-name "com.apple.dnssd.service")`)
		return b.String()
	}
	for _, port := range p.Ports {
		rule("allow", "network-outbound", `(remote ip "localhost:`+strconv.Itoa(port)+`")`)
	}
	return b.String()
}

// subpaths returns filters that match the given paths and everything below them.
func subpaths(paths []string) []string { return filters("subpath", paths) }

// literals returns filters that match only the given paths, not everything below them.
func literals(paths []string) []string { return filters("literal", paths) }

func filters(kind string, paths []string) []string {
	var list []string
	for _, path := range paths {
		list = append(list, "("+kind+` "`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path)+`")`)
	}
	return list
}

// between returns those of the writable folders and their subfolders that contain a protected path.
func between(write, protect []string) []string {
	var list []string
	for _, path := range protect {
		for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if slices.ContainsFunc(write, func(w string) bool { return below(w, dir) }) && !slices.Contains(list, dir) {
				list = append(list, dir)
			}
		}
	}
	slices.Sort(list)
	return list
}
