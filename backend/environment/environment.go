// Package environment is what programs are started with, and where VoxPilot keeps its
// data: this process's variables, what the user's login shell adds to them, the tokens
// among them, the proxies and certificates that follow from them.
package environment

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/net/http/httpproxy"

	"github.com/voxpilot/voxpilot/backend"
)

// Environment is this process's and what the user's login shell adds to it: an
// app that was started by a double click has inherited a short one, and neither
// agents nor VoxPilot itself would get through the user's network with that.
type Environment struct {
	ask func() LoginShell
	log *slog.Logger

	mu      sync.Mutex
	pending chan struct{} // closed when the shell that is being asked has told
	login   *LoginShell
	at      time.Time // when it told

	routes  map[*route]bool
	proxies func(*url.URL) (*url.URL, error)
	roots   *x509.CertPool // nil: those of the system
}

// shellTime bounds how long a login shell is waited for.
var shellTime = 5 * time.Second

// New makes an Environment; the login shell is asked, until ctx ends, when it is
// wanted first.
func New(ctx context.Context, log *slog.Logger) *Environment {
	v := &Environment{
		ask: func() LoginShell { return AskLoginShell(ctx, shellTime) },
		log: log, routes: map[*route]bool{},
	}
	v.direct(nil)
	return v
}

// Shell is what the login shell has told. The first call asks it.
func (v *Environment) Shell() LoginShell {
	v.mu.Lock()
	login := v.login
	v.mu.Unlock()
	if login == nil {
		return v.Refresh()
	}
	return *login
}

// Refresh asks the login shell again; calls at the same time share the answer.
// Where it does not tell, what it told before counts.
func (v *Environment) Refresh() LoginShell {
	v.mu.Lock()
	if asking := v.pending; asking != nil {
		v.mu.Unlock()
		<-asking
		return v.Shell()
	}
	asking := make(chan struct{})
	v.pending = asking
	v.mu.Unlock()

	told := v.ask()
	names := make([]string, len(told.Vars))
	for i, kv := range told.Vars {
		names[i], _, _ = strings.Cut(kv, "=")
	}
	v.log.Info("asked the login shell", "shell", told.Program, "took", told.Duration, "variables", names, "problem", told.Problem.String())

	v.mu.Lock()
	defer v.mu.Unlock()
	if !told.Problem.IsZero() && v.login != nil {
		told.Path, told.Vars = v.login.Path, v.login.Vars
	}
	v.login, v.pending, v.at = &told, nil, time.Now()
	v.direct(told.Vars)
	close(asking)
	return told
}

// Recent is what the login shell has told within the last seconds; else it is
// asked again, for the user may just have installed something.
func (v *Environment) Recent(context.Context) []string {
	v.mu.Lock()
	login := v.login
	if time.Since(v.at) > recently {
		login = nil
	}
	v.mu.Unlock()
	if login == nil {
		return v.Refresh().Path
	}
	return login.Path
}

const recently = 10 * time.Second

// Path is the PATH of this process and then what the login shell adds to it.
func (v *Environment) Path() string { return joinPath(v.Shell()) }

func joinPath(login LoginShell) string {
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for _, dir := range login.Path {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// Vars is the environment for what is started: all but the PATH.
func (v *Environment) Vars() []string { return append(os.Environ(), v.Shell().Vars...) }

// direct finds out which way requests of our own go, and whom they trust, with
// the variables that the login shell has added. v.mu is held, but at first.
func (v *Environment) direct(vars []string) {
	get := func(names ...string) (value string) {
		for _, name := range names {
			value = cmp.Or(value, os.Getenv(name))
			for _, kv := range vars {
				if n, set, _ := strings.Cut(kv, "="); n == name {
					value = cmp.Or(value, set)
				}
			}
		}
		return value
	}
	all := get("ALL_PROXY", "all_proxy")
	config := httpproxy.Config{
		HTTPProxy:  cmp.Or(get("HTTP_PROXY", "http_proxy"), all),
		HTTPSProxy: cmp.Or(get("HTTPS_PROXY", "https_proxy"), all),
		NoProxy:    get("NO_PROXY", "no_proxy"),
	}
	v.proxies = config.ProxyFunc()
	v.roots = v.trusted(get("NODE_EXTRA_CA_CERTS"), get("SSL_CERT_FILE"), get("SSL_CERT_DIR"))
	for r := range v.routes {
		r.set(v.proxies, v.roots)
	}
}

// trusted are the system's certificates and those of the files and folders that
// are named; nil where none are.
func (v *Environment) trusted(extra, file, dirs string) *x509.CertPool {
	files := slices.DeleteFunc([]string{extra, file}, func(name string) bool { return name == "" })
	for _, dir := range filepath.SplitList(dirs) {
		for _, pattern := range []string{"*.pem", "*.crt", "*.0"} {
			found, _ := filepath.Glob(filepath.Join(dir, pattern))
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, name := range files {
		pem, err := os.ReadFile(name)
		if err != nil || !pool.AppendCertsFromPEM(pem) {
			v.log.Warn("there is no certificate that can be read", "file", name, "err", err)
		}
	}
	return pool
}

// route sends requests by the environment as it is now.
type route struct {
	mu  sync.Mutex
	now *http.Transport
}

// WrapTransport has the requests of a client go by the environment, also when that
// changes later.
func (v *Environment) WrapTransport(t *http.Transport) http.RoundTripper {
	r := &route{now: t}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.routes[r] = true
	r.set(v.proxies, v.roots)
	return r
}

func (r *route) set(proxies func(*url.URL) (*url.URL, error), roots *x509.CertPool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.now
	r.now = old.Clone()
	r.now.Proxy = func(req *http.Request) (*url.URL, error) { return proxies(req.URL) }
	if r.now.TLSClientConfig == nil {
		r.now.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	r.now.TLSClientConfig.RootCAs = roots
	old.CloseIdleConnections()
}

func (r *route) transport() *http.Transport {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *route) RoundTrip(req *http.Request) (*http.Response, error) {
	return r.transport().RoundTrip(req)
}

// CloseIdleConnections is what http.Client calls by that name.
func (r *route) CloseIdleConnections() { r.transport().CloseIdleConnections() }

// LookUp finds a program by its name in the folders of a PATH, or by its whole
// path; else it says where it was looked for.
func LookUp(command, path string) (program string, searched []string) {
	if filepath.IsAbs(command) {
		searched = []string{command}
	} else {
		for _, dir := range filepath.SplitList(path) {
			if filepath.IsAbs(dir) {
				searched = append(searched, filepath.Join(dir, command))
			}
		}
	}
	for _, file := range searched {
		if found, err := exec.LookPath(file); err == nil { // with the endings that Windows adds
			return found, nil
		}
	}
	return "", searched
}

// LoginShell is what the user's login shell told of its environment, which an
// app that was started by a double click has not inherited.
type LoginShell struct {
	// Program is the shell; "" where the user has none that could be asked.
	Program string
	Path    []string
	// Vars are variables, as NAME=value, that programs need to get through the
	// user's network and that this process does not have: proxies, certificates,
	// the SSH agent, the language. No other variable is looked at.
	Vars     []string
	Duration time.Duration
	// Problem is why the shell did not tell, "" where it did or there is none.
	Problem backend.Message
}

// TokenVar hands a token to an agent, before any other variable and the CLI's
// own login.
const TokenVar = "COPILOT_GITHUB_TOKEN"

// HostVar names the user's GitHub, for the Copilot CLI alone; GH_HOST, which all
// programs of GitHub's read, is passed on to every agent.
const HostVar = "COPILOT_GH_HOST"

// isToken says whether a variable has a token of the user's GitHub account.
func isToken(name string) bool {
	name = strings.ToUpper(name)
	github := strings.HasPrefix(name, "GH_") || strings.HasPrefix(name, "GITHUB_")
	secret := strings.HasSuffix(name, "TOKEN") || strings.HasSuffix(name, "_PAT")
	return name == TokenVar || github && secret
}

// Tokens are the variables with the user's tokens, as VoxPilot was started with.
type Tokens map[string]string

// TakeTokens takes the user's tokens out of the environment of this process,
// which all that it starts inherits: login shells, git, the browser, and agents
// that have nothing to do with GitHub.
func TakeTokens() Tokens {
	tokens := Tokens{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); isToken(name) && os.Unsetenv(name) == nil {
			tokens[name] = value
		}
	}
	return tokens
}

// Get reads the environment that VoxPilot was started with.
func (t Tokens) Get(name string) string {
	if token, ok := t[name]; ok {
		return token
	}
	return os.Getenv(name)
}

// Environ is the environment that VoxPilot was started with, for another
// VoxPilot and for nobody else.
func (t Tokens) Environ() []string {
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		env = append(env, name+"="+t[name])
	}
	return env
}

// WithoutGitHub is the environment for an agent that has nothing to do with the
// user's GitHub account: without what would show it that account, or point it
// at another model.
func WithoutGitHub(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "COPILOT_") && !isToken(name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// DataDir is where VoxPilot keeps its own data: the system's place for it, or
// VOXPILOT_DATA_DIR.
func DataDir() string {
	if dir := os.Getenv("VOXPILOT_DATA_DIR"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
		return dir
	}
	return filepath.Join(xdg.DataHome, "VoxPilot")
}
