package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/need"
)

// helper is the path of the program that runs as the first process in a sandbox.
var helper string

// helperVar is the environment variable that passes the path of helper to test processes that run as other users.
const helperVar = "SANDBOX_TEST_HELPER"

// baseVar is the environment variable that contains the folder in which test processes of other users create their
// simulated computers.
const baseVar = "SANDBOX_TEST_BASE"

func TestMain(m *testing.M) {
	helper = os.Getenv(helperVar)
	if helper != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "sandbox-helper-")
	if err != nil {
		panic(err)
	}
	helper = filepath.Join(dir, "hook")
	build := exec.Command("go", "build", "-trimpath", "-tags", "netgo,osusergo", "-ldflags", "-s -w -linkmode external -extldflags -static", "-o", helper, "../guard/hook")
	build.Env = append(os.Environ(), "CC=musl-gcc")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Println(string(out))
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// secret is the content of all files that commands must not read, and the value of the agent's secret variable. It is
// different in each test process, because tests that run at the same time would otherwise find it in each other's
// processes.
var secret = "canary-of-the-user-" + rand.Text()

// computer is a simulated computer with a chat's folder, secrets and other files.
type computer struct {
	t       testing.TB
	s       *Sandbox
	base    string // contains all of the computer's folders
	home    string
	folder  string
	outside string
	data    string // VoxPilot's data folder
	policy  Policy
}

func newComputer(t testing.TB) *computer {
	t.Helper()
	need.Programs(t, "bwrap")
	// The test's own temporary folders would be invisible in the sandbox.
	parent := os.Getenv(baseVar)
	if parent == "" {
		parent = "."
	}
	base, err := os.MkdirTemp(parent, ".world-") //nolint:usetesting // see above
	if err == nil {
		base, err = filepath.Abs(base)
	}
	if err != nil {
		t.Fatal(err)
	}
	base = real(base)
	t.Cleanup(func() {
		if err := removeAll(base); err != nil {
			t.Error(err)
		}
	})
	at := func(name string) string { return filepath.Join(base, name) }
	w := &computer{t: t, base: base, home: at("home"), folder: at("home/project"), outside: at("outside"), data: at("data")}
	for name, text := range map[string]string{
		"home/.ssh/id_ed25519": secret, "home/.aws/credentials": secret, "home/.config/gh/hosts.yml": secret, "home/.npmrc": "registry=https://npm.example/\n//npm.example/:_authToken=" + secret + "\n",
		"home/.git-credentials": secret, "home/.bash_history": secret, "home/.cargo/credentials.toml": secret, "home/.copilot/config.json": secret, "home/.bashrc": "# shell\n", "home/.profile": "# profile\n",
		"home/.config/pip/pip.conf": "[global]\nindex-url = https://user:" + secret + "@pip.example/simple\ntimeout = 7\n", "home/.cargo/config.toml": "[net]\nretry = 3\n[registry]\ntoken = \"" + secret + "\"\n",
		"outside/file": "outside\n", "data/voxpilot.db": secret, "home/project/main.go": "package main\n", "home/project/.github/workflows/ci.yml": "on: push\n", "home/project/.mcp.json": "{}\n", "home/project/.env": secret + "\n",
		"home/.gitconfig": "[user]\nname = A\nemail = a@example.com\n[safe]\ndirectory = *\n",
	} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(at(name), []byte(text), 0o600)
		if err == nil { // git reads files that are as new as its index
			err = os.Chtimes(at(name), time.Time{}, time.Now().Add(-time.Hour))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.git("init", "-q", "-b", "main")
	w.git("add", "-A")
	w.git("commit", "-qm", "Begin")
	for _, dir := range []string{"home/project/.git/hooks", "caches"} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.open()
	protect := trust.GitPlaces(filepath.Join(w.folder, ".git"))
	for _, name := range []string{".github/hooks", ".mcp.json", ".claude/settings.json", ".vscode/tasks.json", "lefthook.yml", ".husky"} {
		protect = append(protect, filepath.Join(w.folder, name))
	}
	w.policy = Policy{
		Folder: w.folder, Temp: true, Hidden: append(Hidden(DefaultHidden, w.home), w.data, filepath.Join(w.folder, ".env")), Protected: protect, Caches: at("caches"),
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GH_TOKEN=" + secret, "OTHER=" + secret, "SSH_AUTH_SOCK=/run/x", "LANG=C.UTF-8", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}, IsSecret: func(value string) bool { return strings.Contains(value, secret) },
		Network: backend.NetworkOff,
	}
	return w
}

// open opens the sandbox in the data folder.
func (w *computer) open() {
	w.t.Helper()
	s, err := New(Config{Dir: filepath.Join(w.data, "sandbox"), Program: helper, Path: os.Getenv("PATH"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
	w.s = s
	w.t.Cleanup(s.Close)
}

func (w *computer) git(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir = w.folder
	cmd.Env = append(os.Environ(), "HOME="+w.home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// start prepares a command and returns the process, not yet started, with which an agent would run the command. ended
// is closed when the run has ended.
func (w *computer) start(p Policy, command string) (cmd *exec.Cmd, ended chan struct{}) {
	w.t.Helper()
	ended = make(chan struct{})
	r, err := w.s.Command(w.t.Context(), p, command, func() { close(ended) })
	if err != nil {
		w.t.Fatal(err)
	}
	cmd = exec.CommandContext(w.t.Context(), "bash", "-c", r.Shell)
	cmd.Dir = w.folder
	cmd.Env = append(slices.Clone(p.Env), "COPILOT_GITHUB_TOKEN="+secret)
	cmd.WaitDelay = 10 * time.Second
	return cmd, ended
}

// run runs a command and waits until the run has ended.
func (w *computer) run(p Policy, command string) (output string, code int) {
	w.t.Helper()
	cmd, ended := w.start(p, command)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	w.wait(ended)
	return string(out), cmd.ProcessState.ExitCode()
}

func (w *computer) wait(ended <-chan struct{}) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.t.Context()), 60*time.Second) // also at the end of the test
	defer cancel()
	select {
	case <-ended:
	case <-ctx.Done():
		w.t.Fatal("the run didn't end")
	}
}

// snapshot returns the paths, modes and contents of all files below dirs, except those in skip.
func snapshot(t testing.TB, skip []string, dirs ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if slices.Contains(skip, path) {
				return filepath.SkipDir
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			var text []byte
			if info.Mode().IsRegular() {
				text, err = os.ReadFile(path)
			} else if info.Mode()&os.ModeSymlink != 0 {
				to, _ := os.Readlink(path)
				text = []byte(to)
			}
			fmt.Fprintf(&b, "%s %v %q\n", path, info.Mode(), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// difference returns the lines that only one of two texts contains.
func difference(before, after string) string {
	var b strings.Builder
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range old {
		if !slices.Contains(now, line) {
			b.WriteString("- " + line + "\n")
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			b.WriteString("+ " + line + "\n")
		}
	}
	return b.String()
}
