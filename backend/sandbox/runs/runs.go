// Package runs prepares the commands of chats, and whole agents, to run in the sandbox. For each of them, it creates
// the policy from the chat's sandbox options, the settings and the folder's protected files and folders. If a command
// may reach only some sites or ports, the package starts a proxy for it and, depending on the settings, asks the user
// about other sites. It also tests whether the sandbox works on this computer.
package runs

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox"
	"github.com/voxpilot/voxpilot/backend/sandbox/proxy"
	"github.com/voxpilot/voxpilot/backend/sandbox/sites"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// Config configures a Manager.
type Config struct {
	Data string // VoxPilot's data folder; runs and caches are in its folder "sandbox"
	// Program returns the path of the program that runs in sandboxes. That program imports sandbox/first.
	Program func() (path string, err error)
	Path    func() string   // the user's PATH
	Env     func() []string // the user's environment
	// Chat and Settings return a chat and the settings in their current state.
	Chat     func(id string) (backend.Chat, error)
	Settings func() backend.SandboxSettings
	// AddSite adds a site to those that the chat may reach.
	AddSite func(ctx context.Context, chatID, site string) error
	// HostRule returns the effect of the user's rules on a connection from a folder to a host and port.
	HostRule func(folder, host string, port int) backend.RuleEffect
	// Places returns the protected files and folders in a folder.
	Places func(folder string) []string
	// Own returns the folders with the agents' sign-ins, which no command may read.
	Own func() []string
	// IsSecret reports whether the value of a variable contains one of VoxPilot's secrets, such as a model's API key.
	IsSecret func(value string) bool
	Publish  func(events ...backend.Event)
	Log      *slog.Logger
}

// Manager prepares commands and agents for the sandbox. It is safe for concurrent use.
type Manager struct {
	cfg    Config
	dir    string          // the folder "sandbox" in Config.Data
	home   string          // the user's home directory, or "" if unknown
	ctx    context.Context // parent context of the tests; canceled by Close
	end    context.CancelFunc
	tasks  sync.WaitGroup
	checks sync.Mutex // held during a test

	mu     sync.Mutex
	inner  *sandbox.Sandbox          // nil until the first test has started it
	status backend.SandboxStatus     // result of the last test
	tested chan struct{}             // closed when the first test has ended
	search bool                      // the package managers' sites are needed
	sited  chan struct{}             // closed when status has sites for the first time
	agents map[string]*sandbox.Agent // the agents that run in a sandbox as a whole, by chat ID
	asks   map[string]*siteAsk       // requests that wait for the user, by chat ID and site
	places map[string]knownPlaces    // by the keys of known
	proxyN int                       // number of proxies started so far
}

// New returns a manager. The caller must call Check before commands can run, and Close at the end.
func New(cfg Config) *Manager {
	m := &Manager{
		cfg: cfg, dir: filepath.Join(cfg.Data, "sandbox"), tested: make(chan struct{}), sited: make(chan struct{}),
		agents: map[string]*sandbox.Agent{}, asks: map[string]*siteAsk{}, places: map[string]knownPlaces{}, status: backend.SandboxStatus{State: backend.SandboxChecking},
	}
	m.home, _ = os.UserHomeDir() // without a home folder, nothing in it is hidden
	m.ctx, m.end = context.WithCancel(context.Background())
	return m
}

// Close cancels a running test and cleans up after commands. The caller must have stopped the agents.
func (m *Manager) Close() {
	m.end()
	m.tasks.Wait()
	m.mu.Lock()
	box := m.inner
	m.mu.Unlock()
	if box != nil {
		box.Close()
	}
}

// Check tests the sandbox in the background and publishes the result. Before the first test, it cleans up after
// commands of an earlier process.
func (m *Manager) Check() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx.Err() != nil {
		return
	}
	m.tasks.Go(m.check)
}

func (m *Manager) check() {
	m.checks.Lock()
	defer m.checks.Unlock()
	m.mu.Lock()
	status := m.status
	status.State = backend.SandboxChecking
	m.mu.Unlock()
	m.cfg.Publish(backend.Event{Sandbox: &status})
	known := status
	status = m.test()
	if status.State != backend.SandboxUnavailable {
		status.Sites, status.SitesKnown = known.Sites, known.SitesKnown // kept until the next search
	}
	if !m.setStatus(status, m.tested) {
		return
	}
	m.cfg.Log.Info("tested the sandbox", "state", status.State, "program", status.Program, "problem", status.Problem.String())
	m.mu.Lock()
	search := m.search
	m.mu.Unlock()
	if search {
		m.setSites()
	}
}

// FindSites asks the package managers for the sites that they use, in the background, and publishes the result. Only
// the first call has an effect. Later tests of the sandbox repeat the search.
func (m *Manager) FindSites() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.search || m.ctx.Err() != nil {
		return
	}
	m.search = true
	m.tasks.Go(func() {
		m.checks.Lock() // wait for a running test, which may do the search
		defer m.checks.Unlock()
		select {
		case <-m.sited:
			return
		default:
		}
		select {
		case <-m.tested:
			m.setSites()
		default: // the first test will search
		}
	})
}

// setSites stores and publishes the sites that the package managers use, unless the sandbox is unavailable. The caller
// must hold m.checks.
func (m *Manager) setSites() {
	status := m.Status()
	if status.State == backend.SandboxUnavailable { // such a sandbox runs no commands
		return
	}
	status.Sites, status.SitesKnown = m.findSites(), true
	m.setStatus(status, m.sited)
}

// setStatus stores and publishes the result of a test, and closes done unless it is already closed. If the app is
// closing, setStatus does nothing and returns false.
func (m *Manager) setStatus(status backend.SandboxStatus, done chan struct{}) bool {
	if m.ctx.Err() != nil {
		return false
	}
	m.mu.Lock()
	m.status = status
	m.mu.Unlock()
	m.cfg.Publish(backend.Event{Sandbox: &status})
	select {
	case <-done:
	default:
		close(done)
	}
	return true
}

// test starts the sandbox if necessary and tests it.
func (m *Manager) test() backend.SandboxStatus {
	box, err := m.start()
	if err != nil {
		return backend.SandboxStatus{State: backend.SandboxUnavailable, Hidden: sandbox.DefaultHidden, Problem: backend.Say("VoxPilot couldn't prepare the sandbox: %s", err)}
	}
	return box.Check(m.ctx)
}

// findSites asks the package managers for the sites that they use, which can take seconds.
func (m *Manager) findSites() (list []backend.SandboxSite) {
	for _, s := range sites.Find(m.ctx, append(m.cfg.Env(), "PATH="+m.cfg.Path())) {
		if s.Tool == "cargo" {
			s.Tool = "Cargo"
		}
		list = append(list, backend.SandboxSite(s))
	}
	return list
}

// start returns the sandbox, creating it if necessary.
func (m *Manager) start() (*sandbox.Sandbox, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.inner != nil {
		return m.inner, nil
	}
	if err := os.MkdirAll(m.socketsDir(), 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(m.socketsDir())
	for _, e := range entries { // of an earlier process
		err = errors.Join(err, os.Remove(filepath.Join(m.socketsDir(), e.Name())))
	}
	if err != nil {
		return nil, err
	}
	program, err := m.cfg.Program()
	if err != nil {
		return nil, err
	}
	m.inner, err = sandbox.New(sandbox.Config{Dir: m.dir, Program: program, Path: m.cfg.Path(), Log: m.cfg.Log})
	return m.inner, err
}

// socketsDir returns the folder of the proxies' sockets.
func (m *Manager) socketsDir() string { return filepath.Join(m.dir, "s") }

// testTime is the maximum time that a command waits for the first test of the sandbox.
const testTime = 30 * time.Second

// Use reports whether a chat's commands must run in the sandbox. If the chat can't be read, they must. If they must but
// can't, problem is the reason. Use waits for the first test of the sandbox, but no longer than testTime.
func (m *Manager) Use(chatID string) (on bool, problem backend.Message) {
	chat, err := m.cfg.Chat(chatID)
	if err == nil && !chat.Sandbox.On {
		return false, problem
	}
	select {
	case <-m.tested:
	case <-m.ctx.Done():
	case <-time.After(testTime):
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.status.State == backend.SandboxReady:
	case m.status.Problem != backend.Message{}:
		problem = m.status.Problem
	default:
		problem = backend.Say("VoxPilot hasn't tested the sandbox yet.")
	}
	return true, problem
}

// Offered reports whether chats may use the sandbox. They may if its test has succeeded or is still running.
func (m *Manager) Offered() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status.State == backend.SandboxReady || m.status.State == backend.SandboxChecking
}

// Status returns the result of the last test.
func (m *Manager) Status() backend.SandboxStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

// Command is a command to run in the sandbox (sandboxed.Command).
type Command struct {
	Line   string
	Folder string
	Env    []string
	Hint   string // a sentence for the model, shown if the command fails
	// Ask asks the user whether the command may reach the site in p.
	Ask     func(ctx context.Context, p backend.Permission) (allowed bool)
	Blocked func(site string) // called for a site that the command may not reach
	ByApp   bool              // VoxPilot starts the command, not the agent
}

// Run is a command that was prepared to run in the sandbox or outside of it (sandboxed.Run).
type Run struct {
	Shell   string // the shell line that the agent must run instead of the command
	Discard func() // undoes the preparations if the run hasn't started
}

// Wrap prepares a chat's command to run in the sandbox. Its error states why the command can't run there.
func (m *Manager) Wrap(ctx context.Context, chatID string, c Command) (Run, error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return Run{}, err
	}
	m.mu.Lock()
	box := m.inner
	m.mu.Unlock()
	if box == nil {
		return Run{}, backend.Problem("VoxPilot is closing")
	}
	p := m.policy(chat, c)
	if !c.ByApp {
		m.mu.Lock()
		p.In = m.agents[chatID]
		m.mu.Unlock()
	}
	if chat.Sandbox.Masked {
		if p.Env, err = sandbox.WithoutGitPrograms(ctx, p.Folder, m.cfg.Path(), p.Env); err != nil {
			return Run{}, err
		}
	}
	if p.Network == backend.NetworkSites {
		m.FindSites()
	}
	stop := func() {}
	if p.Network != backend.NetworkOn && (p.Network == backend.NetworkSites || len(p.Ports) > 0) {
		if p.Proxy, stop, err = m.serve(chat, c, p); err != nil {
			return Run{}, backend.Problem("couldn't start the proxy: %w", err)
		}
	}
	r, err := box.Command(ctx, p, c.Line, stop)
	if err != nil {
		stop()
		return Run{}, err
	}
	return Run{Shell: r.Shell, Discard: func() { box.Discard(r.ID) }}, nil
}

// serve starts the proxy for a run and returns the path of its socket. The returned function closes the proxy, and may
// be called more than once.
func (m *Manager) serve(chat backend.Chat, c Command, p sandbox.Policy) (path string, stop func(), err error) {
	m.mu.Lock()
	m.proxyN++
	path = filepath.Join(m.socketsDir(), strconv.Itoa(m.proxyN)+"-"+rand.Text()[:4])
	m.mu.Unlock()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return "", func() {}, err
	}
	server := proxy.Start(l, proxy.Config{
		Allow: func(ctx context.Context, host string, port int) proxy.Answer {
			return m.allow(ctx, chat.ID, c, p.Network, host, port)
		},
		Ports: p.Ports, Env: c.Env,
		Blocked: func(b proxy.Blocked) { c.Blocked(hostname.Join(b.Host, b.Port)) },
	})
	var once sync.Once
	return path, func() {
		once.Do(func() {
			if err := errors.Join(server.Close(), removeIfThere(path)); err != nil {
				m.cfg.Log.Warn("couldn't close the proxy of a command", "err", err)
			}
		})
	}, nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// cachesOf returns the cache folder for commands in a folder.
func (m *Manager) cachesOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(m.dir, "caches", hex.EncodeToString(sum[:12]))
}
