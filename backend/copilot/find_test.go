//go:build unix

package copilot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/need"
)

// newMachine returns a finder for a machine with the given programs. The keys of the map are the programs' paths
// under root, and its values are the versions that the programs print.
func newMachine(t *testing.T, programs map[string]string) (f *finder, root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, version := range programs {
		install(t, filepath.Join(root, path), version)
	}
	env := map[string]string{"PATH": filepath.Join(root, "bin") + ":relative:" + filepath.Join(root, "none")}
	return &finder{
		ctx: context.Background(), goos: "linux", arch: "amd64", home: filepath.Join(root, "home"),
		env:   func(name string) string { return env[name] },
		login: func(context.Context) []string { return nil },
		version: func(_ context.Context, path string) (string, error) {
			b, err := os.ReadFile(path)
			if s, ok := strings.CutPrefix(string(b), "fails: "); ok {
				return "", errors.New(s)
			}
			return string(b), err
		},
	}, root
}

func install(t *testing.T, path, version string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(version), 0o700); err != nil { //nolint:gosec // must be executable
		t.Fatal(err)
	}
}

const present = "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.\n"

func TestFind_InPath(t *testing.T) {
	f, root := newMachine(t, map[string]string{"bin/copilot": present, "home/.local/bin/copilot": present})
	c := f.find("")
	if c.State != backend.CLIFound || c.Path != filepath.Join(root, "bin/copilot") || c.Version != "1.0.102" {
		t.Errorf("found %+v", c)
	}
	if agent.LaunchErrorOf(c) != nil {
		t.Error("it cannot be launched")
	}
}

func TestFind_InLoginShellPathAndKnownPlaces(t *testing.T) {
	f, root := newMachine(t, map[string]string{"login/copilot": present, "home/.local/bin/copilot": present})
	f.login = func(context.Context) []string { return []string{filepath.Join(root, "login")} }
	if c := f.find(""); c.Path != filepath.Join(root, "login/copilot") {
		t.Errorf("found %+v", c)
	}
	f.login = func(context.Context) []string { return nil }
	if c := f.find(""); c.Path != filepath.Join(root, "home/.local/bin/copilot") {
		t.Errorf("found %+v", c)
	}
}

func TestLoginCommand_WorksInTerminal(t *testing.T) {
	wrapper := "lib/node_modules/@github/copilot/npm-loader.js"
	native := "lib/node_modules/@github/copilot/node_modules/@github/copilot-linux-x64/copilot"
	for name, test := range map[string]struct {
		programs map[string]string
		setting  string // under root
		login    string // under root
		want     string // ROOT stands for root
	}{
		"by its name":                {programs: map[string]string{"bin/copilot": present}, want: "copilot login"},
		"in the shell's path":        {programs: map[string]string{"login/copilot": present}, login: "login", want: "copilot login"},
		"in a known place":           {programs: map[string]string{"home/.local/bin/copilot": present}, want: "ROOT/home/.local/bin/copilot login"},
		"the user's choice":          {programs: map[string]string{"my cli/copilot": present}, setting: "my cli/copilot", want: "'ROOT/my cli/copilot' login"},
		"another one is in the path": {programs: map[string]string{"bin/copilot": present, "new/copilot": present}, setting: "new/copilot", want: "ROOT/new/copilot login"},
		"the user's choice is in it": {programs: map[string]string{"bin/copilot": present}, setting: "bin/copilot", want: "copilot login"},
		"behind a wrapper":           {programs: map[string]string{wrapper: present, native: present}, want: "copilot login"},
	} {
		t.Run(name, func(t *testing.T) {
			f, root := newMachine(t, test.programs)
			if test.programs[wrapper] != "" {
				if err := os.MkdirAll(filepath.Join(root, "bin"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(root, wrapper), filepath.Join(root, "bin", "copilot")); err != nil {
					t.Fatal(err)
				}
			}
			if test.login != "" {
				f.login = func(context.Context) []string { return []string{filepath.Join(root, test.login)} }
			}
			setting := test.setting
			if setting != "" {
				setting = filepath.Join(root, setting)
			}
			c := f.find(setting)
			if want := strings.ReplaceAll(test.want, "ROOT", root); c.State != backend.CLIFound || c.LoginCommand != want {
				t.Errorf("for %s it is %q, want %q", c.Path, c.LoginCommand, want)
			}
		})
	}
	if got := quoted("windows", `C:\Program Files\copilot.exe`); got != `& "C:\Program Files\copilot.exe"` {
		t.Errorf("on Windows it is %s", got)
	}
}

func TestFind_PrefersNewestNode(t *testing.T) {
	f, root := newMachine(t, map[string]string{
		"home/.nvm/versions/node/v9.1.0/bin/copilot":  present,
		"home/.nvm/versions/node/v22.1.0/bin/copilot": present,
	})
	f.env = func(string) string { return "" }
	if c := f.find(""); c.Path != filepath.Join(root, "home/.nvm/versions/node/v22.1.0/bin/copilot") {
		if !strings.HasPrefix(c.Path, root) {
			need.Missing(t, "a machine without a Copilot CLI for everybody: this one has %s", c.Path)
		}
		t.Errorf("found %+v", c)
	}
}

func TestFind_InvalidConfiguredPathFails(t *testing.T) {
	f, root := newMachine(t, map[string]string{"bin/copilot": present, "own/copilot": present})
	if err := os.WriteFile(filepath.Join(root, "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(root, "nowhere"): "The file doesn't exist.",
		filepath.Join(root, "own"):     "That path is a folder, not a program.",
		filepath.Join(root, "plain"):   "isn't executable",
	} {
		c := f.find(path)
		if c.State != backend.CLIMissing || !strings.Contains(c.Message.String(), want) || !strings.Contains(c.Message.String(), path) || !strings.Contains(c.Message.String(), "Settings") {
			t.Errorf("%s: %+v", path, c)
		}
		if e := agent.LaunchErrorOf(c); e == nil || e.Cause != backend.CauseCLIMissing || len(e.Searched) == 0 {
			t.Errorf("%s: %+v", path, e)
		}
		env := f.env
		f.env = func(name string) string {
			if name == PathVar {
				return path
			}
			return env(name)
		}
		if c := f.find(""); c.State != backend.CLIMissing || !strings.Contains(c.Message.String(), PathVar) {
			t.Errorf("%s: %+v", path, c)
		}
		if c := f.find(filepath.Join(root, "own", "copilot")); c.State != backend.CLIFound { // the setting takes precedence
			t.Errorf("%s: %+v", path, c)
		}
		f.env = env
	}
	f.home = root
	if c := f.find(`"~/own/copilot"`); c.Path != filepath.Join(root, "own/copilot") {
		t.Errorf("%+v", c)
	}
}

func TestFind_WrapperLeadsToNativeProgram(t *testing.T) {
	for name, native := range map[string]string{
		"beside it": "lib/node_modules/@github/copilot-linux-x64/copilot",
		"inside it": "lib/node_modules/@github/copilot/node_modules/@github/copilot-linux-x64/copilot",
	} {
		t.Run(name, func(t *testing.T) {
			f, root := newMachine(t, map[string]string{
				"lib/node_modules/@github/copilot/npm-loader.js": "fails: node: command not found", native: present,
			})
			if err := os.MkdirAll(filepath.Join(root, "bin"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../lib/node_modules/@github/copilot/npm-loader.js", filepath.Join(root, "bin", "copilot")); err != nil {
				t.Fatal(err)
			}
			if c := f.find(""); c.State != backend.CLIFound || c.Path != filepath.Join(root, native) {
				t.Errorf("found %+v", c)
			}
		})
	}
}

func TestFind_WindowsShimLeadsToProgram(t *testing.T) {
	const native = "npm/node_modules/@github/copilot/node_modules/@github/copilot-win32-x64/copilot.exe"
	f, root := newMachine(t, map[string]string{"npm/copilot.cmd": "fails: no", native: present})
	f.goos = "windows"
	f.env = func(name string) string { return map[string]string{"APPDATA": root}[name] }
	if c := f.find(""); c.State != backend.CLIFound || c.Path != filepath.Join(root, native) {
		t.Errorf("found %+v", c)
	}
}

func TestFind_SkipsOldOrBrokenCLI(t *testing.T) {
	for name, c := range map[string]struct {
		says  string
		state backend.CLIState
		cause backend.Cause
		word  string
	}{
		"too old":         {"1.0.77\n", backend.CLITooOld, backend.CauseCLITooOld, "1.0.77"},
		"a prerelease":    {"1.0.78-3\n", backend.CLITooOld, backend.CauseCLITooOld, "1.0.78-3"},
		"fails":           {"fails: no such library", backend.CLIBroken, backend.CauseSpawnFailed, "no such library"},
		"another program": {"aws copilot\n", backend.CLIBroken, backend.CauseSpawnFailed, "aws copilot"},
	} {
		t.Run(name, func(t *testing.T) {
			f, root := newMachine(t, map[string]string{"bin/copilot": c.says})
			got := f.find(filepath.Join(root, "bin/copilot"))
			if got.State != c.state || !strings.Contains(got.Message.String(), c.word) || got.Min != backend.MinCLIVersion {
				t.Errorf("found %+v", got)
			}
			if e := agent.LaunchErrorOf(got); e == nil || e.Cause != c.cause {
				t.Errorf("launch error: %+v", e)
			}
			install(t, filepath.Join(root, "home/.local/bin/copilot"), present)
			if got := f.find(""); got.State != backend.CLIFound || got.Path != filepath.Join(root, "home/.local/bin/copilot") {
				t.Errorf("found %+v", got)
			}
		})
	}
}

func TestFind_ReportsSearchedPlaces(t *testing.T) {
	f, root := newMachine(t, nil)
	f.login = func(context.Context) []string {
		return []string{filepath.Join(root, "login"), filepath.Join(root, "bin")}
	}
	f.goos = "windows" // its install locations don't exist here
	c := f.find("")
	var want []string
	for _, dir := range []string{"bin", "none", "login"} {
		for _, name := range f.names() {
			want = append(want, filepath.Join(root, dir, name))
		}
	}
	if c.State != backend.CLIMissing || !strings.Contains(c.Message.String(), "npm install") || len(c.Searched) < len(want) {
		t.Fatalf("found %+v", c)
	}
	if d := cmp.Diff(want, c.Searched[:len(want)]); d != "" {
		t.Error(d)
	}
}

func TestVersion_ReadFromProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copilot")
	install(t, path, "#!/bin/sh\n[ \"$1\" = --version ] && echo GitHub Copilot CLI 1.0.102.\n")
	t.Setenv(PathVar, path)
	if c := Find(context.Background(), "", func(context.Context) []string { return nil }); c.State != backend.CLIFound || c.Version != "1.0.102" || c.Path != path {
		t.Errorf("found %+v", c)
	}
	install(t, path, "#!/bin/sh\necho no library >&2; exit 3\n")
	if c := Find(context.Background(), "", func(context.Context) []string { return nil }); c.State != backend.CLIBroken || !strings.Contains(c.Message.String(), "no library") {
		t.Errorf("found %+v", c)
	}
}
