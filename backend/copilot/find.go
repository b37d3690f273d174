// Package copilot handles the GitHub Copilot CLI as a program: its location, version,
// sign-in, installation and session files.
package copilot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// PathVar is the environment variable that specifies the path of the CLI.
const PathVar = "VOXPILOT_COPILOT_CLI_PATH"

// Args returns the arguments that run the Copilot CLI as an ACP agent on its standard streams.
func Args() []string { return []string{"--acp", "--stdio", "--no-auto-update"} }

// limitVersion is the time limit for the CLI to print its version. The CLI unpacks
// itself on the first start.
const limitVersion = 30 * time.Second

var installHint = backend.Say("Install it with “npm install -g @github/copilot@%s”, or set its path in Settings.", backend.TestedCLIVersion)

// Find locates the Copilot CLI and runs it to get its version. It checks the path in setting, the path in the
// variable PathVar, the PATH, the login shell's PATH and the known install locations, in this order. The function
// login returns the folders in the login shell's PATH. A path set by the user is never skipped: if it isn't
// usable, the result has an error message.
func Find(ctx context.Context, setting string, login func(context.Context) []string) backend.CLI {
	f := finder{ctx: ctx, goos: runtime.GOOS, arch: runtime.GOARCH, env: os.Getenv, home: homeDir(), login: login, version: askVersion}
	return f.find(setting)
}

// finder holds the inputs and the state of a Find call.
type finder struct {
	ctx     context.Context
	goos    string
	arch    string
	env     func(string) string
	home    string
	login   func(context.Context) []string
	version func(ctx context.Context, path string) (string, error)

	searched []string
	shell    []string // the login shell's PATH, once requested
}

func (f *finder) find(setting string) backend.CLI {
	for i, named := range []string{setting, f.env(PathVar)} {
		if named == "" {
			continue
		}
		path := f.expand(named)
		f.searched = append(f.searched, path)
		if why := usable(f.goos, path); !why.IsZero() {
			if i > 0 {
				return f.missing(backend.Say("The environment variable VOXPILOT_COPILOT_CLI_PATH is set to %s. %s Fix the path, or clear the variable to let VoxPilot find the CLI.", path, why))
			}
			return f.missing(backend.Say("In Settings, the path to Copilot CLI is %s. %s Fix the path, or clear the field to let VoxPilot find the CLI.", path, why))
		}
		return f.check(path)
	}
	// An outdated or broken CLI is returned only if no better one is found.
	var second *backend.CLI
	seen := map[string]bool{}
	for dir := range f.dirs() {
		for _, name := range f.names() {
			path := filepath.Join(dir, name)
			if seen[path] {
				continue
			}
			seen[path] = true
			f.searched = append(f.searched, path)
			if !usable(f.goos, path).IsZero() {
				continue
			}
			c := f.check(path)
			if c.State == backend.CLIFound || f.ctx.Err() != nil {
				return c
			}
			if second == nil {
				second = &c
			}
		}
	}
	if second != nil {
		return *second
	}
	return f.missing(backend.Say("GitHub Copilot CLI wasn't found. %s", installHint))
}

func (f *finder) missing(message backend.Message) backend.CLI {
	return backend.CLI{State: backend.CLIMissing, Min: backend.MinCLIVersion, Searched: f.searched, Message: message}
}

// check runs the program at path to get its version, and returns the result.
func (f *finder) check(path string) backend.CLI {
	if native := f.native(path); native != "" {
		path = native
	}
	c := backend.CLI{Path: path, Min: backend.MinCLIVersion, Searched: f.searched, LoginCommand: f.loginCommand(path)}
	out, err := f.version(f.ctx, path)
	if err != nil {
		c.State = backend.CLIBroken
		c.Message = backend.Say("VoxPilot found %s, but it won't run (%s). Reinstall it with “npm install -g @github/copilot@%s”.", path, err, backend.TestedCLIVersion)
		return c
	}
	v, ok := versionIn(out)
	if !ok {
		c.State = backend.CLIBroken
		c.Message = backend.Say("VoxPilot found %s, but couldn't read its version (it printed %q). It may be a different program with the same name.", path, excerpt.FirstLine(out, 80))
		return c
	}
	c.Version = v.String()
	if v.LessThan(semver.MustParse(backend.MinCLIVersion)) {
		c.State = backend.CLITooOld
		c.Message = backend.Say("Copilot CLI %s is too old: VoxPilot needs %s or newer. Update it with “copilot update” or “npm install -g @github/copilot@%s”.", v, backend.MinCLIVersion, backend.TestedCLIVersion)
		return c
	}
	c.State = backend.CLIFound
	return c
}

// loginCommand returns the terminal command to sign in. The command contains the program's name if a terminal
// resolves that name to this program, or else its full path.
func (f *finder) loginCommand(program string) string {
	for _, dir := range append(filepath.SplitList(f.env("PATH")), f.shell...) {
		for _, name := range f.names() {
			path := filepath.Join(dir, name)
			if !filepath.IsAbs(dir) || !usable(f.goos, path).IsZero() {
				continue
			}
			real, err := filepath.EvalSymlinks(path)
			if path == program || err == nil && real == program || f.native(path) == program {
				return "copilot login"
			}
			return quoted(f.goos, program) + " login" // the name resolves to another program
		}
	}
	return quoted(f.goos, program) + " login"
}

// quoted returns path, quoted for a terminal if necessary.
func quoted(goos, path string) string {
	if !strings.ContainsAny(path, " '()&$") {
		return path
	}
	if goos == "windows" {
		return `& "` + path + `"` // PowerShell, the default in Windows Terminal
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

var versionWord = regexp.MustCompile(`\d+\.\d+\.\d+\S*`)

func versionIn(out string) (*semver.Version, bool) {
	for _, w := range versionWord.FindAllString(out, -1) {
		if v, err := semver.StrictNewVersion(strings.TrimRight(w, ".,;")); err == nil {
			return v, true
		}
	}
	return nil, false
}

// names returns the possible file names of the program in order of preference.
func (f *finder) names() []string {
	if f.goos == "windows" {
		return []string{"copilot.exe", "copilot.cmd", "copilot.bat"}
	}
	return []string{"copilot"}
}

// native returns the program that an npm wrapper starts, or "" if path isn't a wrapper or the program is missing.
// The wrapper itself isn't used because it reports the exit of its child process incorrectly. It also needs node,
// which may not be in the PATH of an app started from the desktop.
func (f *finder) native(path string) string {
	real := path
	if r, err := filepath.EvalSymlinks(path); err == nil {
		real = r
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[f.arch]
	systems, program := []string{f.goos}, "copilot"
	switch f.goos {
	case "linux":
		systems = []string{"linux", "linuxmusl"}
		if m, _ := filepath.Glob("/lib/ld-musl-*"); len(m) > 0 {
			systems = []string{"linuxmusl", "linux"}
		}
	case "windows":
		systems, program = []string{"win32"}, "copilot.exe"
	}
	var roots []string // node_modules folders
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "@github" {
			roots = append(roots, filepath.Join(dir, "copilot", "node_modules"), filepath.Dir(dir))
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if f.goos == "windows" { // a shim is beside node_modules, not a link into it
		m := filepath.Join(filepath.Dir(path), "node_modules")
		roots = append(roots, filepath.Join(m, "@github", "copilot", "node_modules"), m)
	}
	for _, root := range roots {
		for _, system := range systems {
			p := filepath.Join(root, "@github", "copilot-"+system+"-"+arch, program)
			if p != real && usable(f.goos, p).IsZero() {
				return p
			}
		}
	}
	return ""
}

// dirs returns an iterator over the folders to search, in order. The login shell is run only if the PATH
// contains no usable copilot.
func (f *finder) dirs() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, list := range []func() []string{
			func() []string { return filepath.SplitList(f.env("PATH")) },
			func() []string { f.shell = f.login(f.ctx); return f.shell },
			f.known,
		} {
			for _, dir := range list() {
				if filepath.IsAbs(dir) && !yield(filepath.Clean(dir)) {
					return
				}
			}
		}
	}
}

// known returns the folders in which the CLI is commonly installed.
func (f *finder) known() []string {
	under := func(base string, rel ...string) string {
		if base == "" {
			return ""
		}
		return filepath.Join(append([]string{base}, rel...)...)
	}
	if f.goos == "windows" {
		local, roaming := f.env("LOCALAPPDATA"), f.env("APPDATA")
		return slices.DeleteFunc([]string{
			under(roaming, "npm"),
			under(local, "Microsoft", "WinGet", "Links"),
			under(local, "Programs", "GitHub Copilot CLI"),
			under(local, "Programs", "copilot"),
			under(f.env("ProgramFiles"), "nodejs"),
			under(f.env("ProgramFiles"), "GitHub Copilot CLI"),
			under(f.env("VOLTA_HOME"), "bin"),
			under(f.home, "scoop", "shims"),
			under(local, "pnpm"),
		}, isEmpty)
	}
	dirs := []string{
		under(f.home, ".local", "bin"),
		under(f.env("npm_config_prefix"), "bin"),
		under(f.env("NPM_CONFIG_PREFIX"), "bin"),
		under(f.home, ".npm-global", "bin"),
		under(f.home, ".npm-packages", "bin"),
		"/opt/homebrew/bin",
		"/usr/local/bin",
		"/home/linuxbrew/.linuxbrew/bin",
		"/usr/bin",
		"/snap/bin",
		under(f.home, "bin"),
		under(f.home, ".volta", "bin"),
		under(f.home, ".bun", "bin"),
		under(f.home, ".asdf", "shims"),
		under(f.home, ".local", "share", "mise", "shims"),
		under(f.home, ".local", "share", "pnpm"),
		under(f.home, "Library", "pnpm"),
		under(f.home, ".nodenv", "shims"),
	}
	if f.home != "" {
		// Version managers have one folder per node version; the newest comes first.
		for _, pattern := range []string{
			filepath.Join(f.home, ".nvm", "versions", "node", "*", "bin"),
			filepath.Join(f.home, ".local", "share", "fnm", "node-versions", "*", "installation", "bin"),
		} {
			m, _ := filepath.Glob(pattern)
			slices.SortFunc(m, func(a, b string) int { return compareVersions(b, a) })
			dirs = append(dirs, m...)
		}
	}
	return slices.DeleteFunc(dirs, isEmpty)
}

func isEmpty(s string) bool { return s == "" }

// compareVersions compares two paths by the version numbers in them, or as strings if either path has none.
func compareVersions(a, b string) int {
	va, oka := versionIn(filepath.ToSlash(strings.ReplaceAll(a, string(filepath.Separator), " ")))
	vb, okb := versionIn(filepath.ToSlash(strings.ReplaceAll(b, string(filepath.Separator), " ")))
	if oka && okb {
		return va.Compare(vb)
	}
	return strings.Compare(a, b)
}

// expand converts a path typed by the user to an absolute path.
func (f *finder) expand(path string) string {
	path = strings.Trim(strings.TrimSpace(path), `"`)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) && f.home != "" {
		path = filepath.Join(f.home, rest)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// usable returns the reason why path isn't an executable program, or a zero Message if it is one.
func usable(goos, path string) backend.Message {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return backend.Say("The file doesn't exist.")
	case err != nil:
		return backend.Say("Can't open that file (%s).", err)
	case info.IsDir():
		return backend.Say("That path is a folder, not a program.")
	case goos != "windows" && info.Mode()&0o111 == 0:
		return backend.Say("That file isn't executable.")
	}
	return backend.Message{}
}

// askVersion runs the program with --version and returns its output.
func askVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limitVersion)
	defer cancel()
	out, err := process.Output(ctx, path, "--version")
	if err != nil && ctx.Err() != nil {
		return "", backend.Problem("no response within %s", limitVersion)
	}
	return out, err
}

func homeDir() string {
	h, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return h
}
