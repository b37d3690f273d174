//go:build unix

package environment

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/internal/need"
	"github.com/voxpilot/voxpilot/internal/process"
)

// patience is the time that a test waits for a shell.
const patience = time.Minute

// newLoginShell creates a login shell that runs the script.
func newLoginShell(t *testing.T, script string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "shell")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil { //nolint:gosec // must be executable
		t.Fatal(err)
	}
	t.Setenv("SHELL", path)
	unsetShellVariables(t)
	return path
}

// unsetShellVariables clears the variables in this process's environment that a login
// shell may provide.
func unsetShellVariables(t *testing.T) {
	t.Helper()
	for _, line := range append(slices.Clone(loginVars), []string{"LC_ALL"}) {
		for _, name := range line {
			t.Setenv(name, "")
		}
	}
}

func TestShell_EachReportsItsEnvironment(t *testing.T) {
	const posix = "echo welcome\nexport HTTPS_PROXY='http://proxy:8080/?a=\"b\" c' TWO='a\nNO_PROXY=b'\nexport PATH=\"/from/files:$PATH\" GH_TOKEN=secret\n"
	const csh = "echo welcome\nsetenv HTTPS_PROXY 'http://proxy:8080/?a=\"b\" c'\nsetenv PATH \"/from/files:$PATH\"\nsetenv GH_TOKEN secret\n"
	for _, c := range []struct{ shell, file, text string }{
		{"sh", ".profile", posix},
		{"dash", ".profile", posix},
		{"bash", ".bash_profile", posix},
		{"ksh", ".profile", posix},
		{"zsh", ".zshrc", posix},
		{"fish", ".config/fish/config.fish", strings.ReplaceAll(posix, "export HTTPS_PROXY='http://proxy:8080/?a=\"b\" c' TWO='a\nNO_PROXY=b'\nexport PATH=\"/from/files:$PATH\" GH_TOKEN=secret", "set -gx HTTPS_PROXY 'http://proxy:8080/?a=\"b\" c'\nset -gx PATH /from/files $PATH\nset -gx GH_TOKEN secret")},
		{"tcsh", ".tcshrc", csh},
	} {
		t.Run(c.shell, func(t *testing.T) {
			shell := need.Programs(t, c.shell)
			home := t.TempDir()
			file := filepath.Join(home, c.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			unsetShellVariables(t)
			t.Setenv("HOME", home)
			t.Setenv("ZDOTDIR", home)
			t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			t.Setenv("SHELL", shell)
			l := AskLoginShell(t.Context(), patience)
			if !l.Problem.IsZero() || l.Program != shell || len(l.Path) == 0 || l.Path[0] != "/from/files" {
				t.Errorf("got %+v", l)
			}
			var set []string
			for _, kv := range l.Vars {
				if name, _, _ := strings.Cut(kv, "="); name != "LANG" { // which system files may set
					set = append(set, kv)
				}
			}
			if diff := cmp.Diff([]string{`HTTPS_PROXY=http://proxy:8080/?a="b" c`}, set); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestShell_FindsEnvironmentInAnyOutput(t *testing.T) {
	for name, script := range map[string]string{
		"before and after":                  "printf 'PATH=/greeting\\0HTTP_PROXY=no\\0'; PATH=/login:$PATH HTTP_PROXY=http://p eval \"$4\"; printf 'PATH=/farewell\\0'\n",
		"megabytes before":                  "head -c 20000000 /dev/zero; PATH=/login:$PATH HTTP_PROXY=http://p eval \"$4\"\n",
		"to stderr":                         "echo no job control >&2; PATH=/login:$PATH HTTP_PROXY=http://p eval \"$4\"; exit 3\n",
		"a child is left":                   "PATH=/login:$PATH; HTTP_PROXY=http://p; export PATH HTTP_PROXY; eval \"$4\"; sleep 600 &\n",
		"it waits at the end, as for a key": "PATH=/login:$PATH HTTP_PROXY=http://p; export PATH HTTP_PROXY; sh -c \"$4\"; sleep 600\n",
		"it reads what nobody types":        "read answer; PATH=/login:$PATH HTTP_PROXY=http://p eval \"$4\"\n",
		"it refuses to be interactive":      "[ \"$2\" = -i ] && exit 2; PATH=/login:$PATH HTTP_PROXY=http://p eval \"$3\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			newLoginShell(t, script)
			l := AskLoginShell(t.Context(), patience)
			if !l.Problem.IsZero() || len(l.Path) == 0 || l.Path[0] != "/login" || !slices.Contains(l.Vars, "HTTP_PROXY=http://p") {
				t.Errorf("got %+v", l)
			}
		})
	}
}

func TestShell_UnresponsiveTimesOut(t *testing.T) {
	for name, c := range map[string]struct {
		script, problem string
		limit           time.Duration
	}{
		"it fails":               {"echo broken >&2; exit 1\n", "broken", patience},
		"it does something else": {"exit 0\n", "didn't run", patience},
		"it ignores a hang-up":   {"trap '' HUP TERM; sleep 600\n", "within 1s", time.Second},
		"it never stops talking": {"yes\n", "within 1s", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			newLoginShell(t, c.script)
			if l := AskLoginShell(t.Context(), c.limit); !strings.Contains(l.Problem.String(), c.problem) || l.Path != nil || l.Vars != nil {
				t.Errorf("got %+v", l)
			}
		})
	}
}

func TestShell_CancelRunsExitTrap(t *testing.T) {
	process.HangUpTime = patience
	t.Cleanup(func() { process.HangUpTime = time.Second })
	dir := t.TempDir()
	newLoginShell(t, "trap 'rm "+dir+"/lock' EXIT; trap exit HUP TERM; touch "+dir+"/lock; echo $$ > "+dir+"/pid; while :; do sleep 0.1; done\n")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan LoginShell)
	go func() { done <- AskLoginShell(ctx, patience) }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := os.Stat(dir + "/pid"); err == nil {
			break
		}
	}
	cancel()
	if l := <-done; l.Path != nil || l.Problem.IsZero() {
		t.Errorf("got %+v", l)
	}
	if _, err := os.Stat(dir + "/lock"); err == nil {
		t.Error("the shell left its lock behind")
	}
}

func TestShell_MissingIsSkipped(t *testing.T) {
	for _, shell := range []string{"/usr/sbin/nologin", "/bin/false", "zsh", "/usr/bin/git-shell"} {
		t.Setenv("SHELL", shell)
		if l := AskLoginShell(t.Context(), patience); l.Program != "" || !l.Problem.IsZero() {
			t.Errorf("%s: %+v", shell, l)
		}
	}
	const passwd = "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:,,,:/home/ann:/usr/bin/fish\nbroken\n"
	if got := shellIn(passwd, "1000"); got != "/usr/bin/fish" {
		t.Errorf("got %q", got)
	}
	if got := shellIn(passwd, "7"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestShell_AddsMissingVariablesNoSecrets(t *testing.T) {
	env := []string{
		"PATH=/a:/b", "HTTP_PROXY=http://theirs", "https_proxy=http://low", "HTTPS_PROXY=http://high", "NO_PROXY=", "LANG=de_DE.UTF-8",
		"SSL_CERT_FILE=/ca.pem", "SSH_AUTH_SOCK=/agent", "GH_TOKEN=secret", "OPENAI_API_KEY=secret", "EDITOR=vi", "odd",
	}
	for _, c := range []struct {
		name string
		own  map[string]string
		want []string
	}{
		{"nothing is set", nil, []string{"HTTP_PROXY=http://theirs", "HTTPS_PROXY=http://high", "https_proxy=http://low", "SSL_CERT_FILE=/ca.pem", "SSH_AUTH_SOCK=/agent", "LANG=de_DE.UTF-8"}},
		{"all is set", map[string]string{"http_proxy": "http://ours", "HTTPS_PROXY": "http://ours", "SSL_CERT_FILE": "/x", "SSH_AUTH_SOCK": "/y", "LC_ALL": "C"}, nil},
	} {
		path, vars := readLogin(env, func(name string) string { return c.own[name] })
		if diff := cmp.Diff(c.want, vars); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if diff := cmp.Diff([]string{"/a", "/b"}, path); diff != "" {
			t.Error(diff)
		}
	}
}

func TestShell_AllParseCommandIdentically(t *testing.T) {
	for _, c := range []struct{ shell, program, want string }{
		{"/bin/zsh", "/proc/12/exe", "/proc/12/exe __env x-1"},
		{"/bin/zsh", "/Applications/My App's/x", `'/Applications/My App'\''s/x' __env x-1`},
		{"/opt/homebrew/bin/nu", "/Applications/My App/x", "^'/Applications/My App/x' __env x-1"},
	} {
		if got := shellCommand(c.shell, c.program, envArg, "x-1"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
