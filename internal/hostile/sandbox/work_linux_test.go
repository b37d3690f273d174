package sandbox_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard/program"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/need"
)

// worker runs ordinary commands in the sandbox on the real computer.
type worker struct {
	t       *testing.T
	folder  string
	manager *runs.Manager
	env     []string
}

// newWorker returns a worker for a new folder. Commands may reach the given local port, unless it is 0.
func newWorker(t *testing.T, port int) *worker {
	t.Helper()
	need.Programs(t, "bwrap", "bash", "git")
	base := t.TempDir()
	w := &worker{t: t, folder: filepath.Join(base, "home", "project")}
	user := filepath.Join(base, "home")
	checked(t, os.MkdirAll(w.folder, 0o700))
	w.env = []string{"PATH=" + searchPath(), "HOME=" + user, "LANG=C.UTF-8", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local"}
	if out, err := exec.Command("go", "env", "GOMODCACHE").Output(); err == nil {
		w.env = append(w.env, "GOMODCACHE="+strings.TrimSpace(string(out)))
	}
	t.Setenv("HOME", user)
	settings := backend.SandboxSettings{WhenBlocked: backend.BlockedKeep}
	if port != 0 {
		settings.Ports = []int{port}
	}
	guard := trust.Guard{Home: user, Data: []string{filepath.Join(base, "data")}}
	publish, sited := untilSited()
	w.manager = runs.New(runs.Config{
		Data: filepath.Join(base, "data"), Program: func() (string, error) { return program.Write(filepath.Join(base, "program")) }, Path: searchPath, Env: func() []string { return w.env },
		Chat: func(id string) (backend.Chat, error) {
			return backend.Chat{ID: id, Folder: w.folder, Sandbox: backend.Sandbox{On: true, Network: backend.NetworkOff}}, nil
		},
		Settings: func() backend.SandboxSettings { return settings }, AddSite: func(context.Context, string, string) error { return nil },
		HostRule: func(string, string, int) backend.RuleEffect { return "" }, Places: guard.Places, Own: func() []string { return nil }, Publish: publish, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(w.manager.Close)
	w.manager.Check()
	w.manager.FindSites()
	if on, problem := w.manager.Use("chat"); !on || problem.String() != "" {
		need.Missing(t, "the sandbox isn't ready: %s", problem)
	}
	<-sited
	return w
}

func checked(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// do runs a command in the sandbox and returns its output. It fails the test unless the command succeeds without asking
// the user.
func (w *worker) do(command string) string {
	w.t.Helper()
	r, err := w.manager.Wrap(w.t.Context(), "chat", runs.Command{
		Line: "set -e\n" + command, Folder: w.folder, Env: w.env, Blocked: func(site string) { w.t.Errorf("blocked: %s", site) },
		Ask: func(context.Context, backend.Permission) bool { w.t.Error("a question"); return false },
	})
	checked(w.t, err)
	cmd := exec.CommandContext(w.t.Context(), "bash", "-c", r.Shell)
	cmd.Dir, cmd.Env = w.folder, w.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

func (w *worker) write(files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		path := filepath.Join(w.folder, name)
		checked(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
		checked(w.t, os.WriteFile(path, []byte(text), 0o600))
	}
}

func TestWork_GitMakeAndC(t *testing.T) {
	result := chaos.Row(t, "Ordinary work in the sandbox: git, make, C", 1)
	need.Programs(t, "make", "gcc")
	w := newWorker(t, 0)
	w.write(map[string]string{"main.c": "#include <stdio.h>\nint main(void) { puts(\"built\"); return 0; }\n", "Makefile": "app: main.c\n\tgcc -o $@ $<\ntest: app\n\t./app\n"})
	outside := exec.Command("bash", "-c", `git init -q -b main "$1" && git -C "$1" config user.name me && git -C "$1" config user.email me@example.test`, "x", w.folder)
	if out, err := outside.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out := w.do("make test"); !strings.Contains(out, "built") {
		t.Errorf("make printed %q", out)
	}
	w.do(`git add main.c Makefile
git commit -qm "add the program"
git checkout -qb topic
echo '// more' >> main.c
git stash
git stash pop
git commit -qam "more"
git checkout -q main
git merge -q topic
git tag v1
git worktree add -q tree topic 2>/dev/null || git worktree add -q tree v1
git -C tree status --short
git worktree remove tree
git gc -q
git rebase -q topic
test "$(git log --oneline | wc -l)" = 2`)
	if out := w.do("rm -f app; git status --porcelain"); strings.TrimSpace(out) != "" {
		t.Errorf("git sees changes: %q", out)
	}
	result("passes, no question")
}

func TestWork_Python(t *testing.T) {
	result := chaos.Row(t, "Ordinary work in the sandbox: Python with venv, a local wheel and tests", 1)
	need.Programs(t, "python3")
	w := newWorker(t, 0)
	w.write(map[string]string{
		"pack.py": `import zipfile
with zipfile.ZipFile("greet-1.0-py3-none-any.whl", "w") as z:
    z.writestr("greet.py", "def hello(): return 'hello'\n")
    z.writestr("greet-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: greet\nVersion: 1.0\n")
    z.writestr("greet-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    z.writestr("greet-1.0.dist-info/RECORD", "")
`,
		"test_greet.py": "import unittest, greet\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(greet.hello(), 'hello')\n",
	})
	w.do("python3 pack.py\npython3 -m venv venv\nvenv/bin/pip install -q --no-index ./greet-1.0-py3-none-any.whl\nvenv/bin/python -m unittest -q")
	result("passes, no question")
}

func TestWork_Node(t *testing.T) {
	result := chaos.Row(t, "Ordinary work in the sandbox: npm ci from a registry on a listed port, npm test", 1)
	need.Programs(t, "node", "npm")
	var archive bytes.Buffer
	zip := gzip.NewWriter(&archive)
	files := tar.NewWriter(zip)
	for name, text := range map[string]string{"package/package.json": `{"name":"greet","version":"1.0.0","main":"index.js","scripts":{"postinstall":"node -e 1"}}`, "package/index.js": "module.exports = () => 'hello'\n"} {
		checked(t, files.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
		_, err := files.Write([]byte(text))
		checked(t, err)
	}
	checked(t, files.Close())
	checked(t, zip.Close())
	registry := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".tgz") {
			_, _ = rw.Write(archive.Bytes())
			return
		}
		http.NotFound(rw, r)
	}))
	defer registry.Close()
	_, text, _ := net.SplitHostPort(registry.Listener.Addr().String())
	port, _ := strconv.Atoi(text)
	w := newWorker(t, port)
	sum := sha512.Sum512(archive.Bytes())
	w.write(map[string]string{
		"package.json":      `{"name":"app","version":"1.0.0","dependencies":{"greet":"1.0.0"},"scripts":{"test":"node --test"}}`,
		"package-lock.json": fmt.Sprintf(`{"name":"app","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"app","version":"1.0.0","dependencies":{"greet":"1.0.0"}},"node_modules/greet":{"version":"1.0.0","resolved":"%s/greet/-/greet-1.0.0.tgz","integrity":"sha512-%s","hasInstallScript":true}}}`, registry.URL, base64.StdEncoding.EncodeToString(sum[:])),
		"greet.test.js":     "const test = require('node:test'); const assert = require('node:assert');\ntest('greets', () => assert.equal(require('greet')(), 'hello'));\n",
	})
	w.do(fmt.Sprintf("npm ci --no-audit --no-fund --registry %s\nnpm test", registry.URL))
	result("passes, no question")
}

func TestWork_GoOfThisRepository(t *testing.T) {
	if !chaos.Long() {
		t.Skip("it takes minutes: make hostile")
	}
	result := chaos.Row(t, "Ordinary work in the sandbox: build of this repository's Go code and its tests without agents, offline", 1)
	need.Programs(t, "go")
	root, err := filepath.Abs("../../..")
	checked(t, err)
	w := newWorker(t, 0)
	for _, name := range []string{"go.mod", "go.sum", "backend", "internal", "docs", "frontend/src/i18n"} {
		checked(t, os.MkdirAll(filepath.Dir(filepath.Join(w.folder, name)), 0o700))
		if out, err := exec.Command("cp", "-r", filepath.Join(root, name), filepath.Join(w.folder, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	// The tests of other packages need an agent, a desktop, namespaces or another user.
	w.do("go build ./backend/... ./internal/...\ngo vet ./backend/cmdline\ngo test ./backend/assistant ./backend/cmdline ./backend/danger ./backend/diff ./backend/export ./backend/permission ./backend/review/... ./backend/tools ./backend/trust ./backend/undo")
	result("passes, no question")
}

func TestWork_FrontendOfThisRepository(t *testing.T) {
	if !chaos.Long() {
		t.Skip("it takes a minute: make hostile")
	}
	root, err := filepath.Abs("../../..")
	checked(t, err)
	if _, err := os.Stat(filepath.Join(root, "frontend/node_modules/vite")); err != nil {
		need.Missing(t, "install the frontend's packages: make deps")
	}
	result := chaos.Row(t, "Ordinary work in the sandbox: vite build and all tests of the frontend", 1)
	w := newWorker(t, 0)
	cp := exec.Command("bash", "-c", `mkdir -p "$1/frontend" "$1/backend"; cp -r backend/i18n "$1/backend/"; cd frontend; shopt -s dotglob; for f in *; do [ "$f" = node_modules ] || cp -r "$f" "$1/frontend/"; done; cp -al node_modules "$1/frontend/" 2>/dev/null || cp -r node_modules "$1/frontend/"`, "x", w.folder)
	cp.Dir = root
	if out, err := cp.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.do("cd frontend && npx vite build --outDir out && npx vitest run --pool=threads")
	result("passes, no question")
}
