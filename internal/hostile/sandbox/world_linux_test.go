package sandbox_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard/program"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// Paths of the user's folders.
const (
	folder     = home + "/project"
	data       = home + "/.local/share/VoxPilot"
	sandboxDir = data + "/sandbox"
	out        = home + "/outside"
)

// scene is a computer with a user, secrets, services and a chat in the folder of a project.
type scene struct {
	t        *testing.T
	secret   string // the common prefix of all secrets
	win      string // text that attacks print if they succeed
	path     string // the user's PATH
	manager  *runs.Manager
	network  backend.SandboxNetwork
	places   []string // protected places in the folder
	pristine map[string]content
	decoys   *decoys
	victim   *exec.Cmd // a process of the user
	files    []*os.File
	apart    bool // scripts run in a separate mount namespace

	mu      sync.Mutex
	blocked []string
}

func newScene(t *testing.T) *scene {
	w := &scene{t: t, secret: os.Getenv(secretVar), win: rand.Text()[:8] + "-" + rand.Text()[:8], network: backend.NetworkOff}
	w.path = searchPath()
	for name, value := range map[string]string{"HOME": home, "PATH": w.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "TMPDIR": ""} {
		t.Setenv(name, value)
	}
	w.makeHome()
	w.decoys = startDecoys(t, w.secret)
	w.sharedMemory()
	publish, sited := untilSited()
	w.manager = runs.New(runs.Config{
		Data: data, Program: func() (string, error) { return program.Write(data) }, Path: func() string { return w.path }, Env: w.env,
		Chat: func(id string) (backend.Chat, error) {
			return backend.Chat{ID: id, Folder: folder, Sandbox: backend.Sandbox{On: true, Network: w.network}}, nil
		},
		Settings: func() backend.SandboxSettings {
			return backend.SandboxSettings{WhenBlocked: backend.BlockedKeep, Network: w.network, Sites: []string{"allowed.test"}}
		},
		AddSite:  func(context.Context, string, string) error { return nil },
		HostRule: func(string, string, int) backend.RuleEffect { return "" },
		Places: func(dir string) []string {
			return trust.Guard{Home: home, Data: []string{data}, Agent: []string{home + "/.copilot"}}.Places(dir)
		},
		Own: func() []string { return []string{home + "/.copilot"} }, Publish: publish, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(w.manager.Close)
	w.manager.Check()
	w.manager.FindSites()
	if on, problem := w.manager.Use("chat"); !on || problem.String() != "" {
		t.Fatalf("the sandbox isn't ready: %s", problem)
	}
	<-sited
	w.places = trust.Guard{Home: home, Data: []string{data}, Agent: []string{home + "/.copilot"}}.Places(folder)
	w.pristine = contents(t)
	w.openFiles()
	t.Chdir(home + "/private")
	t.Cleanup(func() { w.stopVictim() })
	return w
}

// untilSited returns a function for runs.Config.Publish, and a channel that is closed once the package managers have
// been asked for their sites (runs.Manager.FindSites). Until then, they may change files in the user's home.
func untilSited() (publish func(...backend.Event), sited chan struct{}) {
	sited = make(chan struct{})
	return func(events ...backend.Event) {
		for _, e := range events {
			if e.Sandbox != nil && e.Sandbox.SitesKnown {
				close(sited)
			}
		}
	}, sited
}

// searchPath returns the PATH without the folders of shims. A shim is a program that only starts another program of
// the same name; settings determine which one.
func searchPath() string {
	var dirs []string
	if out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output(); err == nil {
		dirs = append(dirs, filepath.Dir(strings.TrimSpace(string(out))))
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !strings.HasSuffix(dir, "/shims") {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, ":")
}

// env returns the environment of the agent, with secrets and the addresses of services.
func (w *scene) env() []string {
	return []string{
		"HOME=" + home, "PATH=" + w.path, "LANG=C.UTF-8", "USER=me", "LOGNAME=me", "SHELL=/bin/bash", "TERM=xterm",
		"GITHUB_TOKEN=" + w.secret + "-github-token", "COPILOT_GITHUB_TOKEN=" + w.secret + "-copilot-token", "AWS_SECRET_ACCESS_KEY=" + w.secret + "-aws", "OPENAI_API_KEY=" + w.secret + "-openai",
		"DATABASE_URL=postgres://me:" + w.secret + "-db@localhost/db", "MY_PASSWORD=" + w.secret + "-password", "HTTPS_PROXY_LOGIN=http://me:" + w.secret + "-proxy@127.0.0.1:1",
		"SSH_AUTH_SOCK=" + home + "/.ssh-agent.sock", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus", "DISPLAY=:0", "WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR=/run/user/1000",
		"XAUTHORITY=" + home + "/.Xauthority", "DOCKER_HOST=unix:///run/docker.sock", "VOXPILOT_GUARD_KEY=" + w.secret + "-guard",
	}
}

// prelude returns the common beginning of all scripts.
func (w *scene) prelude() string {
	return fmt.Sprintf("export OUT=%s FOLDER=%s DATA=%s WIN1=%s WIN2=%s VICTIM=%d LAN=%s META=%s RESOLVER=%s\nwin() { echo \"$WIN1-$WIN2\"; }; export -f win\nulimit -c 0; cd \"$FOLDER\"\n", out, folder, data, w.win[:8], w.win[9:], w.victimPID(), lanAddress, metaAddress, resolver)
}

func (w *scene) victimPID() int {
	if w.victim == nil || w.victim.ProcessState != nil {
		w.victim = exec.Command("sleep", "100000")
		w.victim.Env, w.victim.Dir = w.env(), home+"/private"
		if err := w.victim.Start(); err != nil {
			w.t.Fatal(err)
		}
	}
	return w.victim.Process.Pid
}

func (w *scene) stopVictim() {
	if w.victim != nil {
		_ = w.victim.Process.Kill()
		_ = w.victim.Wait()
		w.victim = nil
	}
}

// Descriptors that the agent's shell inherits, besides those that the sandbox itself uses.
const (
	fdHome   = 10
	fdFile   = 11
	fdSocket = 12
	fdRoot   = 13
	fdPath   = 14
	fdSecret = 15
	fdProc   = 16
	fdHigh   = 300
)

func (w *scene) openFiles() {
	w.files = make([]*os.File, fdHigh-2)
	put := func(fd int, name string, flags int) {
		n, err := unix.Open(name, flags|unix.O_CLOEXEC, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		w.files[fd-3] = os.NewFile(uintptr(n), name)
	}
	put(fdHome, home, unix.O_RDONLY|unix.O_DIRECTORY)
	put(fdFile, out+"/inherited", unix.O_RDWR)
	put(fdRoot, "/", unix.O_RDONLY|unix.O_DIRECTORY)
	put(fdPath, home, unix.O_PATH)
	put(fdSecret, home+"/.netrc", unix.O_RDONLY)
	put(fdProc, "/proc", unix.O_RDONLY|unix.O_DIRECTORY)
	put(fdHigh, home, unix.O_RDONLY|unix.O_DIRECTORY)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[fdSocket-3] = os.NewFile(uintptr(pair[0]), "pair")
	mine := os.NewFile(uintptr(pair[1]), "pair")
	w.t.Cleanup(func() { _ = mine.Close() })
	go func() {
		buf := make([]byte, 100)
		for {
			if n, err := mine.Read(buf); n == 0 || err != nil {
				return
			}
			w.decoys.hit("inherited socket")
		}
	}()
}

// runTime is the time limit for a script.
const runTime = 60 * time.Second

// sandboxed runs a script in the sandbox, as the agent would, and returns its output and exit code.
func (w *scene) sandboxed(script string) (output string, code int) {
	r, err := w.manager.Wrap(w.t.Context(), "chat", runs.Command{
		Line: script, Folder: folder, Env: w.env(),
		Ask: func(context.Context, backend.Permission) bool { w.t.Error("a question about a site"); return false },
		Blocked: func(site string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.blocked = append(w.blocked, site)
		},
	})
	if err != nil {
		w.t.Errorf("the sandbox doesn't start: %v", err)
		return "", -1
	}
	output, code = w.shell(r.Shell)
	r.Discard()
	deadline := time.Now().Add(10 * time.Second)
	for {
		left, _ := os.ReadDir(sandboxDir + "/runs")
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			w.t.Errorf("the run didn't end")
			break
		}
		time.Sleep(time.Millisecond)
	}
	readable()
	return output, code
}

// readable restores access to folders that a command has made unreadable.
func readable() {
	for _, dir := range []string{folder, folder + "/.git", folder + "/.github", folder + "/.vscode", folder + "/deep"} {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && info.Mode().Perm()&0o700 != 0o700 {
			_ = os.Chmod(dir, 0o755) //nolint:gosec // as before
		}
	}
}

// shell runs a line the way the agent's shell does, and returns its output and exit code.
func (w *scene) shell(line string) (output string, code int) {
	ctx, cancel := context.WithTimeout(w.t.Context(), runTime)
	defer cancel()
	_, _ = w.files[fdSecret-3].Seek(0, io.SeekStart)
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir, cmd.Env, cmd.ExtraFiles, cmd.WaitDelay = folder, w.env(), w.files, 500*time.Millisecond
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if w.apart {
		cmd.SysProcAttr.Unshareflags = syscall.CLONE_NEWNS
	}
	b, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		w.t.Errorf("a script didn't end: %.300s", line)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		w.t.Errorf("bash doesn't run: %v", err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// sharedMemory creates a segment of shared memory with a secret.
func (w *scene) sharedMemory() {
	id, err := unix.SysvShmGet(0x5ec, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		w.t.Logf("no shared memory: %v", err)
		return
	}
	if b, err := unix.SysvShmAttach(id, 0, 0); err == nil {
		copy(b, w.secret+"-shared-memory\n")
	}
}
