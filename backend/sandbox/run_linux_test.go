package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestRun_KeepsOutputAndExitCode(t *testing.T) {
	w := newComputer(t)
	for command, want := range map[string]int{"echo out; echo err >&2": 0, "exit 3": 3, "kill -9 $$": 128 + 9, "no-such-command-x": 127, "(sleep 0.01 & exec true) & exec sleep 0.1": 0} {
		if out, code := w.run(w.policy, command); code != want {
			t.Errorf("%s: got exit code %d, want %d\n%s", command, code, want, out)
		}
	}
	out, _ := w.run(w.policy, "cat; echo 'it'\\''s'; pwd; echo \"$0 $#\"")
	if want := "it's\n" + w.folder + "\nbash 0\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	out, _ = w.run(w.policy, "exit 1")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 1 || !strings.Contains(out, "ran in a sandbox") || !strings.Contains(out, w.folder) {
		t.Errorf("got %q, want one line for the model", out)
	}
}

func TestRun_CommandsWork(t *testing.T) {
	w := newComputer(t)
	out, code := w.run(w.policy, `set -e
echo new > new.go; mkdir -p sub/dir; git add new.go; git commit -qm Two; git status --porcelain; git checkout -qb other; git log --oneline | wc -l
mkdir -p .github/workflows; echo x > .github/workflows/two.yml; echo ok > /tmp/file; cat /dev/null; echo "a b" | { read x y; echo $y; }; cat <(echo sub)`)
	if code != 0 || !strings.Contains(out, "sub") {
		t.Errorf("got exit code %d:\n%s", code, out)
	}
	if out, _ := w.run(w.policy, "cat /tmp/file"); out != "ok\n" {
		t.Errorf("got %q, want the file of the command before", out)
	}
	p := w.policy
	p.Temp = false
	if out, code := w.run(p, "echo x > /tmp/x"); code == 0 {
		t.Errorf("wrote to /tmp: %s", out)
	}
}

// leftovers returns the folders of runs and the mount points that still exist.
func (w *computer) leftovers() (left []string) {
	w.t.Helper()
	runs, _ := filepath.Glob(filepath.Join(w.data, "sandbox", "runs", "*"))
	left = append(left, runs...)
	for _, name := range []string{".claude", ".vscode", ".husky", "lefthook.yml", ".github/hooks", ".git/config.worktree", ".git/commondir"} {
		if exists(filepath.Join(w.folder, name)) {
			left = append(left, name)
		}
	}
	return left
}

func TestRun_KilledLeavesNothing(t *testing.T) {
	for name, kill := range map[string]func(cmd *exec.Cmd){
		"bubblewrap":  func(cmd *exec.Cmd) { _ = cmd.Process.Kill() }, // the shell has become bubblewrap
		"its program": func(cmd *exec.Cmd) { _ = syscall.Kill(childOf(cmd.Process.Pid), syscall.SIGKILL) },
		"terminated":  func(cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newComputer(t)
			cmd, ended := w.start(w.policy, `(trap '' TERM HUP; while :; do mkdir -p .claude && echo x > .claude/settings.json; done) 2>/dev/null & echo started; exec -a killed-sleep sleep 300`)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 8)); err != nil {
				t.Fatal(err)
			}
			if len(w.leftovers()) < 5 {
				t.Errorf("got %v, want mount points", w.leftovers())
			}
			kill(cmd)
			w.wait(ended)
			_ = cmd.Wait()
			if left := w.leftovers(); len(left) > 0 || runs("killed-sleep") {
				t.Errorf("left %v, processes: %v", left, runs("killed-sleep"))
			}
		})
	}
}

// childOf returns the only child of a process.
func childOf(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	child, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return child
}

// crash ends the sandbox's goroutines without cleanup, as if VoxPilot had been killed.
func (w *computer) crash() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	for _, r := range w.s.runs {
		r.once.Do(func() { _ = r.alive.Close() })
		r.giveUp()
	}
}

func TestRun_AppKilledLeavesNothing(t *testing.T) {
	w := newComputer(t)
	if err := os.Mkdir(filepath.Join(w.folder, ".husky"), 0o755); err != nil { // the user's
		t.Fatal(err)
	}
	prepared, _ := w.start(w.policy, "true")
	cmd, _ := w.start(w.policy, "echo started; read x; echo $x > done")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	w.crash()
	w.open()
	if len(w.s.runs) != 1 {
		t.Fatalf("got %d running commands, want 1", len(w.s.runs))
	}
	if !exists(filepath.Join(w.folder, ".claude")) {
		t.Error("removed a mount point in use")
	}
	if text, err := prepared.CombinedOutput(); err == nil {
		t.Errorf("a command of an earlier VoxPilot ran: %s", text)
	}
	_, _ = in.Write([]byte("x\n"))
	_ = cmd.Wait()
	w.until(func() bool { return len(w.leftovers()) == 1 })
	if left := w.leftovers(); left[0] != ".husky" {
		t.Errorf("left %v, want only the user's folder", left)
	}
	if !exists(filepath.Join(w.folder, "done")) {
		t.Error("the command didn't end by itself")
	}
}

// until waits until the given condition holds. It fails the test after 30 seconds.
func (w *computer) until(is func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 30*time.Second)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			w.t.Fatal("it didn't happen")
		case <-time.After(time.Millisecond):
		}
	}
}

func TestRun_SharesMountPoints(t *testing.T) {
	w := newComputer(t)
	cmd, ended := w.start(w.policy, "read x")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	out, code := w.run(w.policy, "echo x > .claude/settings.json")
	if code == 0 || !exists(filepath.Join(w.folder, ".claude")) {
		t.Errorf("got exit code %d, %s", code, out)
	}
	// A file that the user creates in the meantime stays.
	if err := os.WriteFile(filepath.Join(w.folder, ".claude", "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = cmd.Wait()
	w.wait(ended)
	if left := w.leftovers(); len(left) != 1 || left[0] != ".claude" {
		t.Errorf("left %v, want only .claude", left)
	}
	if info, err := os.Stat(filepath.Join(w.folder, ".claude")); err != nil || info.Mode()&os.ModeSticky != 0 {
		t.Errorf("got %v, %v, want an ordinary folder", info.Mode(), err)
	}
}

func TestRun_DiscardedLeavesNothing(t *testing.T) {
	w := newComputer(t)
	ended := make(chan struct{})
	r, err := w.s.Command(t.Context(), w.policy, "touch ran", func() { close(ended) })
	if err != nil {
		t.Fatal(err)
	}
	w.s.Discard(r.ID)
	w.wait(ended)
	out, err := exec.CommandContext(t.Context(), "bash", "-c", r.Shell).CombinedOutput()
	if err == nil || exists(filepath.Join(w.folder, "ran")) || len(w.leftovers()) > 0 {
		t.Errorf("a discarded command ran, or left %v: %s", w.leftovers(), out)
	}
	// Close discards prepared commands, too.
	if _, err := w.s.Command(t.Context(), w.policy, "true", nil); err != nil {
		t.Fatal(err)
	}
	w.s.Close()
	if left := w.leftovers(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if _, err := w.s.Command(t.Context(), w.policy, "true", nil); err == nil {
		t.Error("a closed sandbox prepares a command")
	}
}

func TestRun_RefusesUnenforceable(t *testing.T) {
	w := newComputer(t)
	link := filepath.Join(w.folder, "lefthook.yml")
	for name, change := range map[string]func(p *Policy) error{
		"folder below a hidden place": func(p *Policy) error { p.Hidden = append(p.Hidden, w.home); return nil },
		"the whole computer":          func(p *Policy) error { p.Folder = "/"; return nil },
		"relative path":               func(p *Policy) error { p.Write = []string{"x"}; return nil },
		"protected link":              func(p *Policy) error { return os.Symlink("main.go", link) },
	} {
		p := w.policy
		if err := change(&p); err != nil {
			t.Fatal(err)
		}
		if _, err := w.s.Command(t.Context(), p, "true", nil); err == nil {
			t.Errorf("%s: no error", name)
		}
		_ = os.Remove(link)
		if left := w.leftovers(); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestRun_FolderBelowMaskedPlaces(t *testing.T) {
	w := newComputer(t)
	for _, parent := range []string{"/tmp", "/run", "/var/tmp", w.data} {
		folder, err := os.MkdirTemp(parent, "sandbox-test-") //nolint:usetesting // in these folders
		if err != nil {
			continue // not this user's
		}
		t.Cleanup(func() { _ = os.RemoveAll(folder) })
		if err := os.WriteFile(filepath.Join(parent, filepath.Base(folder)+".secret"), []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(folder + ".secret") })
		p := w.policy
		p.Folder, p.Protected, p.Hidden = folder, []string{filepath.Join(folder, ".claude/x")}, p.Hidden[:len(p.Hidden)-2]
		r, err := w.s.Command(t.Context(), p, "cd "+folder+" && echo x > new && cat ../*.secret; mkdir -p .claude/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", r.Shell)
		cmd.Dir = folder
		out, _ := cmd.CombinedOutput()
		if !exists(filepath.Join(folder, "new")) || exists(filepath.Join(folder, ".claude/x")) || parent != w.data && strings.Contains(string(out), secret) {
			t.Errorf("%s: %s", parent, out)
		}
	}
}

// TestRun_SkipsUnreachableSockets checks that a command starts even if there are sockets in folders that this user
// can't enter, or sockets that disappear before the command starts.
func TestRun_SkipsUnreachableSockets(t *testing.T) {
	w := newComputer(t)
	locked, gone := filepath.Join(w.outside, "locked"), filepath.Join(w.outside, "gone")
	if err := os.Mkdir(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	w.listen("unix", filepath.Join(locked, "s"))
	server, err := net.Listen("unix", gone)
	if err != nil {
		t.Fatal(err)
	}
	cmd, ended := w.start(w.policy, "echo ran")
	if err := errors.Join(os.Chmod(locked, 0), server.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	w.wait(ended)
	if err = errors.Join(err, os.Chmod(locked, 0o700)); err != nil || string(out) != "ran\n" {
		t.Errorf("got %v, %s", err, out)
	}
}

func TestRun_HiddenPlacesWin(t *testing.T) {
	w := newComputer(t)
	p := w.policy
	p.Folder, p.Protected = w.home, []string{filepath.Join(w.home, ".bashrc"), filepath.Join(w.home, ".config/autostart")}
	out, _ := w.run(p, "cd ~; cat .ssh/* .npmrc; echo x >> .bashrc; mkdir -p .config/autostart; echo x > .config/autostart/x; echo y > mine")
	if strings.Contains(out, secret) || !exists(filepath.Join(w.home, "mine")) || exists(filepath.Join(w.home, ".config/autostart")) {
		t.Errorf("got %s", out)
	}
	// A protected link in a folder makes the whole folder read-only.
	if err := os.MkdirAll(filepath.Join(w.folder, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../main.go", filepath.Join(w.folder, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	out, _ = w.run(w.policy, "rm .claude/settings.json; echo x >> .claude/settings.json; echo x > main.go; mv .claude c")
	if text, _ := os.ReadFile(filepath.Join(w.folder, "main.go")); string(text) != "package main\n" {
		t.Errorf("the target of a protected link was changed to %q: %s", text, out)
	}
}

func TestRun_ReachesProxyAndPorts(t *testing.T) {
	w := newComputer(t)
	target, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = http.Serve(target, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprint(rw, "local") }))
	}() //nolint:gosec // a test
	t.Cleanup(func() { _ = target.Close() })
	_, port, _ := net.SplitHostPort(target.Addr().String())
	proxy := filepath.Join(w.data, "proxy")
	server, err := net.Listen("unix", proxy)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, server, func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodConnect && r.Host == "127.0.0.1:"+port:
			up, err := (&net.Dialer{}).DialContext(r.Context(), "tcp4", r.Host)
			conn, _, hijackErr := http.NewResponseController(rw).Hijack()
			if err != nil || hijackErr != nil {
				return
			}
			_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
			go func() {
				_, _ = io.Copy(up, conn)
				_ = up.Close()
			}()
			_, _ = io.Copy(conn, up)
			_ = conn.Close()
		case r.URL.Host == "voxpilot.sandbox":
			fmt.Fprint(rw, `["bad.example","<script>"]`)
		case r.URL.Host == "good.example":
			fmt.Fprint(rw, "proxied")
		default:
			http.Error(rw, "no", http.StatusForbidden)
		}
	})
	p := w.policy
	p.Network, p.Proxy = backend.NetworkSites, proxy
	p.Ports = []int{mustInt(t, port)}
	out, code := w.run(p, "curl -sS http://good.example/; curl -sS http://127.0.0.1:"+port+"/; git config http.proxy; exit 2")
	if code != 2 || !strings.HasPrefix(out, "proxiedlocalhttp://127.0.0.1:") || !strings.Contains(out, "Blocked sites: bad.example.") || strings.Contains(out, "script") {
		t.Errorf("got %d, %q", code, out)
	}
	if out, code = w.run(p, "curl -sS http://other.example/ | cat"); code != 0 || !strings.Contains(out, "Blocked sites: bad.example.") {
		t.Errorf("a pipeline hides that a site was blocked: got %d, %q", code, out)
	}
	if out, code = w.run(p, "sleep 0.1"); code != 0 || out != "" {
		t.Errorf("without a connection: got %d, %q", code, out)
	}
	p.Network = backend.NetworkOff
	out, _ = w.run(p, "curl -sS http://127.0.0.1:"+port+"/; echo; env | grep -ci https*_proxy")
	if !strings.HasPrefix(out, "local\n0\n") {
		t.Errorf("got %q, want the port without a proxy", out)
	}
}

// serve answers requests until the test ends.
func serve(t *testing.T, listener net.Listener, handler http.HandlerFunc) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
}

func mustInt(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
