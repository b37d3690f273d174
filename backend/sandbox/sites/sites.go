// Package sites finds the hosts from which npm, Go, pip and cargo download packages, as the user has configured them on
// this computer. It runs the package managers' own commands or, in the case of cargo, reads cargo's files. VoxPilot
// itself contains no list of hosts. A chat's folder has no influence, because the commands run in a temporary folder.
// Addresses may contain passwords, so only their host and port are used.
package sites

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/internal/hostname"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Site is a host from which a package manager is configured to download packages.
type Site struct {
	Host string // a pattern as in internal/hostname, with a port unless it is 80 or 443
	Tool string // "npm", "Go", "pip" or "cargo"
}

// toolTime is the time limit for all tools, which run in parallel. Tests change it.
var toolTime = 10 * time.Second

// maxOutput is the maximum size in bytes of a command's output.
const maxOutput = 1 << 20

// Find returns the hosts that the user's package managers are configured to use, grouped by package manager. env is the
// user's environment ("NAME=value"). Find runs the package managers in parallel and stops them after 10 seconds. It
// skips those that are missing, fail or take too long.
func Find(ctx context.Context, env []string) []Site {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "voxpilot-sites-")
	if err != nil {
		return nil
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Tools that look for a project in parent folders find these files first.
	for name, text := range map[string]string{"package.json": "{}", "go.mod": "module neutral\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil
		}
	}
	f := finder{env: env, dir: dir}
	tools := []struct {
		name string
		find func(context.Context) []string
	}{{"npm", f.npm}, {"Go", f.goTool}, {"pip", f.pip}, {"cargo", f.cargo}}
	found := make([][]string, len(tools))
	var all sync.WaitGroup
	for i, tool := range tools {
		all.Go(func() { found[i] = tool.find(ctx) })
	}
	all.Wait()
	var sites []Site
	for i, tool := range tools {
		slices.Sort(found[i])
		for _, host := range slices.Compact(found[i]) {
			if host != "" {
				sites = append(sites, Site{Host: host, Tool: tool.name})
			}
		}
	}
	return sites
}

// finder runs the package managers' commands in the user's environment.
type finder struct {
	env []string
	dir string // the working directory of the commands
}

// get returns the value of a variable in the user's environment, or "" if it isn't set.
func (f finder) get(name string) string {
	value := ""
	for _, kv := range f.env {
		if n, v, _ := strings.Cut(kv, "="); process.SameVar(n, name) {
			value = v
		}
	}
	return value
}

// program returns the path of a program in the user's PATH, or "" if there is none. It ignores relative folders in
// PATH.
func (f finder) program(name string) string {
	names := []string{name}
	if runtime.GOOS == "windows" {
		names = []string{name + ".exe", name + ".cmd"}
	}
	for _, dir := range filepath.SplitList(f.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return path
			}
		}
	}
	return ""
}

// ask runs a command and returns its standard output, or nil if the program is missing or fails. vars are added to the
// command's environment.
func (f finder) ask(ctx context.Context, vars []string, name string, args ...string) []byte {
	path := f.program(name)
	if path == "" {
		return nil
	}
	cmd, err := process.Helper(ctx, path, args...)
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	cmd.Dir = f.dir
	cmd.Env = append(slices.Clone(f.env), append(vars, "PWD="+f.dir)...)
	cmd.Stdout, cmd.Stderr = &limitedWriter{to: &out, limit: maxOutput}, io.Discard // errors could contain passwords
	cmd.WaitDelay = process.HangUpTime
	runtime.LockOSThread() // Linux stops the program when the thread that started it ends
	err = cmd.Run()
	runtime.UnlockOSThread()
	if ctx.Err() != nil {
		process.SweepHelper(cmd)
	}
	if err != nil {
		return nil
	}
	return out.Bytes()
}

// limitedWriter passes data on to another writer. A write fails if it would exceed the limit.
type limitedWriter struct {
	to    io.Writer
	limit int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) > w.limit {
		return 0, io.ErrShortWrite
	}
	w.limit -= len(p)
	return w.to.Write(p)
}

// hostOf returns the pattern for the host of an HTTP or HTTPS address, or "" if the address is invalid or of another
// kind.
func hostOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return patternOf(u.Host)
}

// patternOf returns the pattern for a host, which may include a port, or "" if the host isn't valid.
func patternOf(authority string) string {
	host, port, err := hostname.Parse(authority, 443)
	if err != nil {
		return ""
	}
	if port == 80 || port == 443 {
		port = 0
	}
	return hostname.Join(host, port)
}
