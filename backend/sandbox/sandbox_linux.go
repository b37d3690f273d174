package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/inside"
)

// closeTime is the maximum time that Close waits for runs to end.
const closeTime = 2 * time.Second

// maxCommand is the maximum length of a command in bytes. It is the kernel's limit for one argument.
const maxCommand = 128<<10 - 1

var (
	errClosed = errors.New("the sandbox is closed")
	errRoot   = backend.Invalid("Can't use the sandbox in the folder /. Choose another folder for the chat.")
)

// Sandbox runs commands in sandboxes. Its methods are safe for concurrent use.
type Sandbox struct {
	cfg   Config
	tasks sync.WaitGroup
	// closing is closed by Close.
	closing chan struct{}

	placing sync.RWMutex // held for reading while a run chooses its mount points, and locked while mount points are removed

	mu      sync.Mutex
	closed  bool
	runs    map[string]*run
	points  map[string]int // number of runs that use each mount point
	parking parking
	spare   []string // folders of finished runs, for new runs to reuse
	gos     map[string]goSettings
}

// Folders in Config.Dir.
const (
	runsDir  = "runs"
	tempDir  = "tmp"
	spareDir = "spare"
)

// New prepares cfg.Dir and cleans up after earlier runs. It doesn't touch commands that are still running, because a
// command outlives VoxPilot if its shell does.
func New(cfg Config) (*Sandbox, error) {
	s := &Sandbox{cfg: cfg, closing: make(chan struct{}), runs: map[string]*run{}, points: map[string]int{}, gos: map[string]goSettings{}}
	if err := os.MkdirAll(filepath.Join(cfg.Dir, runsDir), 0o700); err != nil {
		return nil, err
	}
	var err error
	if s.cfg.Dir, err = filepath.EvalSymlinks(cfg.Dir); err != nil {
		return nil, err
	}
	s.parking, err = openParking(filepath.Join(s.cfg.Dir, parkedDir))
	if err = errors.Join(err, removeAll(filepath.Join(s.cfg.Dir, spareDir)), os.Mkdir(filepath.Join(s.cfg.Dir, spareDir), 0o700)); err != nil {
		s.cfg.Log.Warn("couldn't clean up after an earlier sandbox", "err", err)
	}
	running, dead := s.earlier()
	for _, r := range running {
		if err := r.watch(true); err != nil {
			dead = append(dead, r)
		}
	}
	for _, r := range dead {
		r.clean()
	}
	if len(running) == 0 {
		return s, removeAll(filepath.Join(s.cfg.Dir, tempDir))
	}
	return s, nil
}

// earlier returns the runs that an earlier Sandbox left in cfg.Dir, with their mount points.
func (s *Sandbox) earlier() (running, dead []*run) {
	dirs, _ := filepath.Glob(filepath.Join(s.cfg.Dir, runsDir, "*"))
	for _, dir := range dirs {
		r := &run{sandbox: s, id: filepath.Base(dir), dir: dir, points: recorded(dir), discard: make(chan struct{})}
		for _, path := range r.points {
			s.points[path]++
		}
		if isAlive(dir) {
			running = append(running, r)
		} else {
			dead = append(dead, r)
		}
	}
	return running, dead
}

// Close discards the runs that haven't started, waits up to closeTime for running commands to end, and cleans up after
// them. The caller must have stopped their agents. If commands are still running afterward, the next Sandbox cleans up
// after them.
func (s *Sandbox) Close() {
	s.mu.Lock()
	if !s.closed {
		close(s.closing)
	}
	s.closed = true
	for _, r := range s.runs {
		r.giveUp()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.tasks.Wait()
		close(done)
	}()
	var err error
	select {
	case <-done:
		err = removeAll(filepath.Join(s.cfg.Dir, tempDir))
	case <-time.After(closeTime):
		s.cfg.Log.Warn("commands in the sandbox are still running")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err = errors.Join(err, s.parking.close(), removeAll(filepath.Join(s.cfg.Dir, spareDir))); err != nil {
		s.cfg.Log.Warn("couldn't remove the temporary folders of the sandbox", "err", err)
	}
}

// giveUp discards a run that hasn't started yet. The caller must hold Sandbox.mu.
func (r *run) giveUp() {
	select {
	case <-r.discard:
	default:
		close(r.discard)
	}
}

// Discard removes a run that hasn't started and won't be started. It doesn't affect a running command.
func (s *Sandbox) Discard(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[id]; r != nil {
		r.giveUp()
	}
}

// Command prepares a command for the sandbox. The agent must run Run.Shell with bash instead of the command, at most
// once. If Command succeeds and ended isn't nil, ended is called when the command and all of its processes have ended,
// or when the command was discarded. An error of type *backend.Error tells the user why the command can't run in the
// sandbox.
func (s *Sandbox) Command(ctx context.Context, p Policy, command string, ended func()) (Run, error) {
	if err := contextErr(ctx); err != nil {
		return Run{}, err
	}
	if len(command) > maxCommand {
		return Run{}, backend.Invalid("The command is too long for the sandbox. The limit is %d KB.", maxCommand>>10)
	}
	if err := checkPaths([]string{p.Folder}, p.Write, p.Hidden, p.Protected); err != nil {
		return Run{}, err
	}
	bwrap := program(s.cfg.Path, "", "bwrap")
	shell := program(get(p.Env, "PATH"), p.Folder, "bash")
	if bwrap == "" || shell == "" {
		return Run{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Commands can't run in the sandbox because bubblewrap or bash isn't installed.")}
	}
	r, err := s.newRun(filepath.Join(s.cfg.Dir, runsDir), ended)
	if err != nil {
		return Run{}, err
	}
	if err = s.prepare(ctx, r, p, []string{shell, "bash", "-c", command}); err == nil {
		err = r.watch(false)
	}
	if err != nil {
		r.ended = nil
		r.clean()
		return Run{}, err
	}
	// The program starts faster with one processor. The command has a separate environment.
	line := shellLine(r, append([]string{bwrap, "--setenv", "GOMAXPROCS", "1"}, bwrapArgs(s.cfg.Program, p.Network)...))
	if p.In != nil {
		line = p.In.launcher.offer(launch{shell: shell, line: line, dir: p.Folder}, r)
	}
	return Run{ID: r.id, Shell: line}, nil
}

// shellLine returns the shell line that the agent must run instead of the command. The line starts bubblewrap with an
// empty environment, because processes in the sandbox could otherwise read the agent's environment from bubblewrap's
// process. The line fails if the run's folder no longer exists.
func shellLine(r *run, bwrap []string) string {
	words := make([]string, len(bwrap))
	for i, word := range bwrap {
		words[i] = quote(word)
	}
	return fmt.Sprintf("exec %d<>%s && printf %s$$. >&%d && exec -c %s %d<%s", inside.AliveFD, quote(r.file(inside.AliveFile)), inside.Started, inside.AliveFD,
		strings.Join(words, " "), inside.JobFD, quote(r.file(inside.JobFile)))
}

// bwrapArgs returns the arguments for bubblewrap. They make the given program the first process in the namespaces.
// Otherwise, the first process would be one of bubblewrap's own, and it would expose bubblewrap's environment.
// bubblewrap itself prevents processes from gaining privileges. The program gives up the right to mount before it
// starts the command.
func bwrapArgs(program string, network backend.SandboxNetwork) []string {
	args := []string{"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"}
	if network != backend.NetworkOn {
		args = append(args, "--unshare-net")
	}
	return append(args, "--new-session", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--sync-fd", strconv.Itoa(inside.AliveFD),
		"--ro-bind", "/", "/", program, inside.RunArg)
}

// prepare writes the files that a command's run needs.
func (s *Sandbox) prepare(ctx context.Context, r *run, p Policy, command []string) error {
	m := newMounts(r)
	var (
		listed sync.WaitGroup
		others []string
	)
	listed.Go(func() { others = sockets() })
	defer listed.Wait()
	folder, err := checkFolder(p.Folder, p.Hidden, m.real)
	if err != nil {
		return err
	}
	if folder == "/" {
		return errRoot
	}
	env := filterEnv(p.Env, p.IsSecret, p.KeepSecretNames)
	if err := s.basics(m, p, folder); err != nil {
		return err
	}
	m.add(folder, view{mount: writable, from: folder})
	for _, path := range p.Write {
		m.write(path)
	}
	cached := func() ([]string, error) { return env, nil }
	if p.Caches != "" {
		if cached, err = s.caches(ctx, r, m, p, env); err != nil {
			return err
		}
	}
	restrictErr := m.restrict(p.Folder, folder, p.Hidden, p.Protected, func() []string { listed.Wait(); return others })
	if env, err = cached(); err != nil || restrictErr != nil {
		return errors.Join(restrictErr, err)
	}
	job := inside.Job{Command: command, NoUserNS: true, Write: m.folders()}
	job.Note, job.NoteBlocked = note(p)
	if p.Network != backend.NetworkOn && p.Proxy != "" {
		if err := m.linkTool(p.Proxy, insideProxy); err != nil {
			return err
		}
		job.Proxy, job.Sockets = insideProxy, []string{insideProxy}
		for _, port := range p.Ports {
			job.Relays = append(job.Relays, inside.Relay{Port: port, To: port})
		}
		if p.Network == backend.NetworkSites {
			port := freePort(p.Ports)
			job.Relays = append(job.Relays, inside.Relay{Port: port})
			env = useProxy(env, "http://127.0.0.1:"+strconv.Itoa(port))
		}
	}
	env = m.gitConfig(env)
	if err := m.skeleton(); err != nil {
		return err
	}
	job.Mounts, job.Proc, job.Root, job.Env = m.list(), true, os.Geteuid() == 0, set(env, "TMPDIR=/tmp")
	return r.save(job)
}

// freePort returns a port for the proxy inside a sandbox. Any port that isn't in ports is free there.
func freePort(ports []int) int {
	port := 3128
	for slices.Contains(ports, port) {
		port++
	}
	return port
}

// linkTool makes a file available at the given path in VoxPilot's folder in the sandbox. It creates a hard link or, if
// the file is on another file system, mounts the file.
func (m *mounts) linkTool(file, to string) error {
	link := filepath.Join(m.run.file(toolsDir), filepath.Base(to))
	if os.Link(file, link) == nil {
		return nil
	}
	m.keep(to, view{mount: protected, from: real(file)})
	return os.WriteFile(link, nil, 0o600)
}

// basics adds the mounts that are the same for all commands in a folder, such as /run and /tmp.
func (s *Sandbox) basics(m *mounts, p Policy, folder string) error {
	m.keep(insideRun, view{mount: masked, from: m.run.file(runtimeDir)})
	if info, err := os.Lstat("/var/run"); err == nil && info.IsDir() {
		m.add("/var/run", view{mount: masked})
	}
	for _, path := range runtimeFiles {
		if _, err := os.Stat(path); err == nil {
			m.keep(path, view{mount: protected, from: real(path)})
		}
	}
	hash := sha256.Sum256([]byte(folder))
	private := filepath.Join(s.cfg.Dir, tempDir, hex.EncodeToString(hash[:8]))
	if p.Temp {
		if err := os.MkdirAll(private, 0o700); err != nil {
			return err
		}
	}
	if p.Temp {
		m.keep("/tmp", view{mount: writable, from: private})
	} else {
		m.add("/tmp", view{mount: masked})
	}
	if info, err := os.Lstat("/var/tmp"); err == nil && info.IsDir() {
		m.add("/var/tmp", view{mount: masked})
	}
	return nil
}

// keep adds a mount that VoxPilot itself needs. It takes effect even inside a masked folder.
func (m *mounts) keep(path string, p view) {
	m.add(path, p)
	m.own[path] = true
}

// restrict hides the paths in hidden and the result of sockets, and protects the paths in protect. named is the
// folder's path as given by the caller, and folder is the same path with links resolved.
func (m *mounts) restrict(named, folder string, hidden, protect []string, sockets func() []string) error {
	// Another run may end meanwhile. Its mount points must not disappear between the check and their use.
	m.run.sandbox.placing.RLock()
	defer m.run.sandbox.placing.RUnlock()
	for _, path := range protect {
		if below(named, path) {
			path = folder + path[len(named):]
		} else {
			path = filepath.Join(m.real(filepath.Dir(path)), filepath.Base(path))
		}
		if err := m.protect(filepath.Clean(path)); err != nil {
			return err
		}
	}
	for _, path := range hidden {
		if err := m.hide(path, false); err != nil {
			return err
		}
	}
	for _, path := range sockets() {
		if err := m.hide(path, true); err != nil {
			return err
		}
	}
	return m.run.closeRecord()
}

// caches adds the mount of the folder for package managers' caches. It prepares the caches in the background, while the
// caller adds other mounts. The caller must call wait, which returns the environment for using the caches.
func (s *Sandbox) caches(ctx context.Context, r *run, m *mounts, p Policy, env []string) (wait func() ([]string, error), err error) {
	if err := os.MkdirAll(p.Caches, 0o700); err != nil {
		return nil, err
	}
	caches := real(p.Caches)
	m.keep(insideCaches, view{mount: writable, from: caches})
	var (
		done     sync.WaitGroup
		using    []string
		cacheErr error
	)
	done.Go(func() {
		using, cacheErr = cacheEnv(caches, insideCaches, r.file(toolsDir), insideDir, env, s.goSettings(ctx, p.Folder, env))
	})
	return func() ([]string, error) {
		done.Wait()
		return using, cacheErr
	}, nil
}

// goSettings returns the user's Go settings. It caches them by the variables on which they depend.
func (s *Sandbox) goSettings(ctx context.Context, folder string, env []string) goSettings {
	key := get(env, "PATH") + "\x00" + get(env, "GOPROXY") + "\x00" + get(env, "GOMODCACHE") + "\x00" + get(env, "GOPATH") + "\x00" + get(env, "HOME")
	s.mu.Lock()
	known, ok := s.gos[key]
	s.mu.Unlock()
	if ok {
		return known
	}
	known = askGo(ctx, folder, s.cfg.Dir, env)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gos[key] = known
	return known
}
