package sandbox_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// Places of the user.
const (
	folder = home + "/project"
	data   = home + "/.local/share/VoxPilot"
	box    = data + "/sandbox"
	out    = home + "/outside"
)

// world is a computer with a user, secrets, services and a chat in the folder of a project.
type world struct {
	t        *testing.T
	secret   string // the start of all secrets
	win      string // what attacks print if they succeed
	path     string // the user's PATH
	manager  *runs.Manager
	network  backend.SandboxNetwork
	places   []string // protected ones
	pristine map[string]content
	decoys   *decoys
	victim   *exec.Cmd // a process of the user's
	files    []*os.File
	asked    int
	apart    bool // scripts have mounts of their own

	mu      sync.Mutex
	blocked []string
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, secret: os.Getenv(secretVar), win: rand.Text()[:8] + "-" + rand.Text()[:8], network: backend.NetworkOff}
	w.path = searchPath()
	for name, value := range map[string]string{"HOME": home, "PATH": w.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "TMPDIR": ""} {
		t.Setenv(name, value)
	}
	w.makeHome()
	w.decoys = startDecoys(t, w.secret)
	w.sharedMemory()
	w.manager = runs.New(runs.Config{
		Data: data, Program: program.Write, Path: func() string { return w.path }, Env: w.env,
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
		Own: func() []string { return []string{home + "/.copilot"} }, Publish: func(...backend.Event) {}, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(w.manager.Close)
	w.manager.Check()
	if on, problem := w.manager.Use("chat"); !on || problem.String() != "" {
		t.Fatalf("the sandbox isn't ready: %s", problem)
	}
	w.places = trust.Guard{Home: home, Data: []string{data}, Agent: []string{home + "/.copilot"}}.Places(folder)
	w.pristine = contents(t)
	w.openFiles()
	t.Chdir(home + "/private")
	t.Cleanup(func() { w.stopVictim() })
	return w
}

// searchPath returns the PATH without programs that only start others of the same name by the user's settings.
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

// env is the environment of the agent, with secrets and the addresses of services.
func (w *world) env() []string {
	return []string{
		"HOME=" + home, "PATH=" + w.path, "LANG=C.UTF-8", "USER=me", "LOGNAME=me", "SHELL=/bin/bash", "TERM=xterm",
		"GITHUB_TOKEN=" + w.secret + "-github-token", "COPILOT_GITHUB_TOKEN=" + w.secret + "-copilot-token", "AWS_SECRET_ACCESS_KEY=" + w.secret + "-aws", "OPENAI_API_KEY=" + w.secret + "-openai",
		"DATABASE_URL=postgres://me:" + w.secret + "-db@localhost/db", "MY_PASSWORD=" + w.secret + "-password", "HTTPS_PROXY_LOGIN=http://me:" + w.secret + "-proxy@127.0.0.1:1",
		"SSH_AUTH_SOCK=" + home + "/.ssh-agent.sock", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus", "DISPLAY=:0", "WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR=/run/user/1000",
		"XAUTHORITY=" + home + "/.Xauthority", "DOCKER_HOST=unix:///run/docker.sock", "VOXPILOT_GUARD_KEY=" + w.secret + "-guard",
	}
}

// prelude is the start of all scripts.
func (w *world) prelude() string {
	return fmt.Sprintf("export OUT=%s FOLDER=%s DATA=%s WIN1=%s WIN2=%s VICTIM=%d LAN=%s META=%s RESOLVER=%s\nwin() { echo \"$WIN1-$WIN2\"; }; export -f win\nulimit -c 0; cd \"$FOLDER\"\n", out, folder, data, w.win[:8], w.win[9:], w.victimPID(), lanAddress, metaAddress, resolver)
}

func (w *world) victimPID() int {
	if w.victim == nil || w.victim.ProcessState != nil {
		w.victim = exec.Command("sleep", "100000")
		w.victim.Env, w.victim.Dir = w.env(), home+"/private"
		if err := w.victim.Start(); err != nil {
			w.t.Fatal(err)
		}
	}
	return w.victim.Process.Pid
}

func (w *world) stopVictim() {
	if w.victim != nil {
		_ = w.victim.Process.Kill()
		_ = w.victim.Wait()
		w.victim = nil
	}
}

// Descriptors that the agent's shell inherits, beside those that the sandbox itself uses.
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

func (w *world) openFiles() {
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

// sandboxed runs a script as the agent would, and returns its output.
func (w *world) sandboxed(script string) (output string, code int) {
	r, err := w.manager.Wrap(w.t.Context(), "chat", runs.Command{
		Line: script, Folder: folder, Env: w.env(),
		Ask: func(context.Context, backend.Permission) bool { w.asked++; return false },
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
		left, _ := os.ReadDir(box + "/runs")
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			w.t.Errorf("the run didn't end")
			break
		}
		time.Sleep(time.Millisecond)
	}
	return output, code
}

// shell runs a line as the agent's shell.
func (w *world) shell(line string) (output string, code int) {
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

// facts describes what attacks could change beside files.
func (w *world) facts() map[string]string {
	read := func(name string) string {
		b, _ := os.ReadFile(name)
		return string(b)
	}
	host, _ := os.Hostname()
	facts := map[string]string{
		"host name": host, "forwarding": read("/proc/sys/net/ipv4/ip_forward"), "mounts": read("/proc/self/mountinfo"), "memory segments": strconv.Itoa(strings.Count(read("/proc/sysvipc/shm"), "\n")),
		"queues": strconv.Itoa(strings.Count(read("/proc/sysvipc/msg"), "\n")), "routes": read("/proc/net/route"), "addresses": read("/proc/net/fib_trie"),
	}
	facts["process of the user"] = strconv.Itoa(w.victimPID())
	dir := "/proc/" + strconv.Itoa(w.victimPID())
	status := ""
	for line := range strings.Lines(read(dir + "/status")) {
		if name, _, _ := strings.Cut(line, ":"); slices.Contains([]string{"TracerPid", "Cpus_allowed", "State"}, name) {
			status += strings.ReplaceAll(line, "R (running)", "S (sleeping)")
		}
	}
	_, stat, _ := strings.Cut(read(dir+"/stat"), ") ")
	fields := append(strings.Fields(stat), make([]string, 50)...)
	facts["victim"] = status + strings.Join(fields[15:17], " ") + read(dir+"/limits") + read(dir+"/oom_score_adj") + read(dir+"/coredump_filter") + read(dir+"/comm")
	return facts
}

// state is everything that is compared.
type state struct {
	files  map[string]entry
	facts  map[string]string
	pids   map[int]bool
	counts map[string]int
}

func (w *world) look() state {
	w.reap()
	facts := w.facts() // starts the victim
	return state{files: entries(w.t), facts: facts, pids: processes(), counts: w.decoys.counts()}
}

// trips returns what an attack changed, read or left, given its output.
func (w *world) trips(before state, output string) (trips []string) {
	deadline := time.Now().Add(300 * time.Millisecond)
	for len(w.newProcesses(before)) > 0 && time.Now().Before(deadline) {
		time.Sleep(2 * time.Millisecond)
	}
	for _, p := range w.newProcesses(before) {
		trips = append(trips, fmt.Sprintf("left process %d (%s)", p, name(p)))
	}
	after := w.look()
	for _, path := range differing(before.files, after.files) {
		if w.counts(path) {
			trips = append(trips, "changed "+strconv.Quote(path))
		}
	}
	for name, value := range after.facts {
		if value != before.facts[name] {
			trips = append(trips, "changed "+name)
		}
	}
	for name, n := range after.counts {
		if n != before.counts[name] {
			trips = append(trips, "connected to "+name)
		}
	}
	if _, rest, ok := strings.Cut(output, w.secret); ok {
		trips = append(trips, "printed a secret: "+strings.Split(rest+"\n", "\n")[0])
	}
	if strings.Contains(output, w.win) {
		trips = append(trips, "reports success")
	}
	if file := w.findSecret(); file != "" {
		trips = append(trips, "left a secret in "+file)
	}
	return trips
}

// counts reports whether the change of a file counts: files in the folder do if they are protected.
func (w *world) counts(path string) bool {
	if path == box || strings.HasPrefix(path, box+"/") {
		return false
	}
	if path != folder && !strings.HasPrefix(path, folder+"/") {
		return true
	}
	return slices.ContainsFunc(w.places, func(place string) bool { return path == place || strings.HasPrefix(path, place+"/") })
}

// findSecret returns a file with a secret in a place where commands can write.
func (w *world) findSecret() string {
	for _, dir := range []string{folder, box + "/tmp", box + "/caches"} {
		found, device := "", deviceOf(dir)
		_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() && deviceOf(path) != device {
				return filepath.SkipDir // mounted by an attack
			}
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // changed at the same time
			}
			if info, err := e.Info(); err != nil || info.Size() > 1<<20 || info.ModTime().Before(started) {
				return nil //nolint:nilerr // likewise
			}
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), w.secret) {
				found = path
			}
			return nil
		})
		if found != "" {
			return found
		}
	}
	return ""
}

var started = time.Now()

// newProcesses returns the processes that weren't there before.
func (w *world) newProcesses(before state) []int {
	w.reap()
	var pids []int
	for pid := range processes() {
		if !before.pids[pid] {
			pids = append(pids, pid)
		}
	}
	return pids
}

// reap ends zombies, whose parent is the first process of the computer.
func (w *world) reap() {
	for pid := range allProcesses() {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z 1 ") {
			if w.victim != nil && pid == w.victim.Process.Pid {
				_ = w.victim.Wait()
				continue
			}
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

func allProcesses() map[int]bool {
	pids := map[int]bool{}
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids[pid] = true
		}
	}
	return pids
}

// processes returns the running processes.
func processes() map[int]bool {
	pids := allProcesses()
	maps.DeleteFunc(pids, func(pid int, _ bool) bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		return err != nil || len(threads) < 2 && (strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X "))
	})
	return pids
}

func name(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// restore undoes what an attack did.
func (w *world) restore(before state) {
	for range 100 {
		pids := w.newProcesses(before)
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(2 * time.Millisecond)
	}
	after := w.look()
	if after.facts["victim"] != before.facts["victim"] {
		w.stopVictim()
	}
	if after.facts["mounts"] != before.facts["mounts"] {
		old := map[string]bool{}
		for line := range strings.Lines(before.facts["mounts"]) {
			old[strings.Fields(line)[0]] = true
		}
		for _, line := range slices.Backward(strings.Split(strings.TrimSpace(after.facts["mounts"]), "\n")) {
			if fields := strings.Fields(line); !old[fields[0]] {
				_ = unix.Unmount(strings.ReplaceAll(fields[4], `\040`, " "), unix.MNT_DETACH)
			}
		}
	}
	_ = unix.Sethostname([]byte("computer"))
	_ = os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("0"), 0)
	undo(w.t, w.pristine)
	w.reap()
}

// sharedMemory makes a segment of shared memory with a secret.
func (w *world) sharedMemory() {
	id, err := unix.SysvShmGet(0x5ec, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		w.t.Logf("no shared memory: %v", err)
		return
	}
	if b, err := unix.SysvShmAttach(id, 0, 0); err == nil {
		copy(b, w.secret+"-shared-memory\n")
	}
}

// decoys are services that no command may reach. They answer with a secret.
type decoys struct {
	mu   sync.Mutex
	hits map[string]int
}

func (d *decoys) hit(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hits[name]++
}

func (d *decoys) counts() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.hits)
}

// unixSockets are the sockets of services in the file system.
var unixSockets = []string{
	"/run/user/1000/bus", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/user/1000/systemd/private", "/run/systemd/notify", "/run/systemd/journal/stdout", "/run/user/1000/wayland-0", "/run/user/1000/pipewire-0", "/run/user/1000/pulse/native",
	"/run/user/1000/keyring/control", "/run/user/1000/keyring/ssh", "/run/user/1000/gnupg/S.gpg-agent", "/run/user/1000/gnupg/S.gpg-agent.ssh", "/run/user/1000/gcr/ssh", "/run/user/1000/podman/podman.sock", "/run/user/1000/docker.sock", "/run/user/1000/vscode-ipc.sock",
	"/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock", "/run/crio/crio.sock", "/run/buildkit/buildkitd.sock", "/run/libvirt/libvirt-sock", "/run/snapd.socket", "/run/lxd.sock", "/run/cups/cups.sock", "/run/avahi-daemon/socket", "/run/acpid.socket",
	"/run/mysqld/mysqld.sock", "/run/postgresql/.s.PGSQL.5432", "/run/redis/redis.sock", "/run/pcscd/pcscd.comm", "/run/nscd/socket", "/run/screen/S-me/1.tty", "/run/mount.sock",
	"/tmp/.X11-unix/X0", "/tmp/.ICE-unix/1", "/tmp/ssh-abc/agent.1", "/tmp/tmux-1000/default", "/tmp/vscode-git.sock", "/var/tmp/app.sock",
	home + "/.ssh-agent.sock", home + "/.gnupg/S.gpg-agent", home + "/.docker/run/docker.sock", home + "/.1password/agent.sock", home + "/.local/share/app/app.sock", home + "/.cache/app.sock", home + "/.emacs.d/server/server", data + "/instance.sock", data + "/guard/socket",
	home + "/.copilot/ide/ide.sock", folder + "/dev.sock",
}

// abstractSockets are the sockets of services without a path.
var abstractSockets = []string{"/tmp/.X11-unix/X0", "/tmp/dbus-abc", "/tmp/.ICE-unix/1", "/containerd-shim/x.sock", "voxpilot-test", "/com/ubuntu/upstart", "bluetooth"}

// tcpPorts are the ports of services.
var tcpPorts = []int{22, 53, 80, 139, 631, 2375, 3000, 3306, 4444, 5432, 6000, 6379, 8080, 9222, 11434, 50000}

func startDecoys(t *testing.T, secret string) *decoys {
	d := &decoys{hits: map[string]int{}}
	serve := func(network, address, name string) {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				d.hit(name)
				_, _ = fmt.Fprintf(conn, "%s-%s\r\n", secret, strings.ReplaceAll(name, " ", "-"))
				_ = conn.Close()
			}
		}()
	}
	for _, path := range unixSockets {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		serve("unix", path, path)
	}
	for _, name := range abstractSockets {
		serve("unix", "@"+name, "@"+name)
	}
	for _, port := range tcpPorts {
		serve("tcp4", fmt.Sprintf("0.0.0.0:%d", port), fmt.Sprintf("TCP port %d", port))
		serve("tcp6", fmt.Sprintf("[::1]:%d", port), fmt.Sprintf("TCP port %d (IPv6)", port))
	}
	for _, where := range []struct{ network, address string }{{"udp4", "0.0.0.0:53"}, {"udp4", "0.0.0.0:514"}, {"udp4", "0.0.0.0:123"}, {"udp6", "[::1]:53"}, {"unixgram", "/run/systemd/journal/socket"}, {"unixgram", "/dev/log"}, {"unixgram", home + "/.datagrams"}, {"unixgram", "@datagrams"}} {
		name := where.network + " " + where.address
		var c net.PacketConn
		var err error
		if where.network == "unixgram" {
			_ = os.MkdirAll(filepath.Dir(where.address), 0o755)
			c, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: where.address, Net: "unixgram"})
		} else {
			c, err = net.ListenPacket(where.network, where.address)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		go func() {
			buf := make([]byte, 2000)
			for {
				if _, _, err := c.ReadFrom(buf); err != nil {
					return
				}
				d.hit(name)
			}
		}()
	}
	return d
}
