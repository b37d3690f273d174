// Package environment provides the environment for the programs that VoxPilot starts: this process's variables
// without the user's tokens, and the additions from the user's login shell. It also provides those tokens, an HTTP
// transport that uses the proxies and certificates set in that environment, and the location of VoxPilot's data.
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

// Environment is this process's environment plus the additions from the user's login shell. An app
// started from the desktop inherits only a minimal environment, without the proxies and certificates
// that agents and VoxPilot may need to reach the internet.
type Environment struct {
	ask func() LoginShell
	log *slog.Logger

	mu      sync.Mutex
	pending chan struct{} // closed when the running query has finished
	login   *LoginShell
	at      time.Time // end of the last query

	routes  map[*route]bool // the transports returned by WrapTransport
	proxies func(*url.URL) (*url.URL, error)
	roots   *x509.CertPool // nil for the system's
}

// shellTime is the time limit for the login shell.
var shellTime = 5 * time.Second

// New creates an Environment. The login shell is queried on first use; queries stop when ctx ends.
func New(ctx context.Context, log *slog.Logger) *Environment {
	v := &Environment{
		ask: func() LoginShell { return AskLoginShell(ctx, shellTime) },
		log: log, routes: map[*route]bool{},
	}
	v.direct(nil)
	return v
}

// Shell returns the login shell's environment. The first call runs the shell; later calls return the stored result.
func (v *Environment) Shell() LoginShell {
	v.mu.Lock()
	login := v.login
	v.mu.Unlock()
	if login == nil {
		return v.Refresh()
	}
	return *login
}

// Refresh queries the login shell again; concurrent calls share the result. If the query fails, the previous values
// remain.
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
	v.log.Info("read the environment of the login shell", "shell", told.Program, "took", told.Duration, "variables", names, "problem", told.Problem.String())

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

// Recent returns the login shell's PATH. It queries the shell again unless the last
// query was only seconds ago, because the user may just have installed something.
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

// Path returns the PATH of this process, followed by the login shell's additions.
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

// Vars returns the environment for child processes: this process's variables, followed by the variables that the
// login shell adds. The PATH among them lacks the folders that the login shell adds; the Path method returns the
// complete value.
func (v *Environment) Vars() []string { return append(os.Environ(), v.Shell().Vars...) }

// direct sets the proxies and trusted certificates for VoxPilot's own requests. It takes them from this process's
// variables and, if those aren't set, from vars, the login shell's variables. The caller must hold v.mu, except in New.
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

// trusted returns the system's certificates plus those in two files (extra and file) and in the folders listed in
// dirs. If no file is given or found, it returns nil, so that only the system's certificates are trusted.
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
			v.log.Warn("couldn't read a certificate file", "file", name, "err", err)
		}
	}
	return pool
}

// route is an HTTP transport that always uses the environment's current proxies and certificates.
type route struct {
	mu  sync.Mutex
	now *http.Transport
}

// WrapTransport returns a copy of t that uses the environment's proxies and
// certificates, including later changes.
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

// CloseIdleConnections closes the transport's idle connections. http.Client.CloseIdleConnections calls it.
func (r *route) CloseIdleConnections() { r.transport().CloseIdleConnections() }

// LookUp finds a program. command is an absolute path, or a name that is looked up in the folders listed in path,
// which has the form of PATH. If LookUp finds no program, searched lists the paths that it tried.
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
		if found, err := exec.LookPath(file); err == nil { // adds Windows' file extensions
			return found, nil
		}
	}
	return "", searched
}

// LoginShell is the result of querying the user's login shell: the variables that an app started from the desktop
// doesn't inherit.
type LoginShell struct {
	// Program is the shell, or "" if the user has none that can be queried.
	Program string
	Path    []string
	// Vars are the variables, as NAME=value, that this process lacks and that programs may need: proxies, certificates,
	// the SSH agent, the language. All others are ignored.
	Vars     []string
	Duration time.Duration
	// Problem is the reason why the query failed, or zero if it succeeded.
	Problem backend.Message
}

// TokenVar is the variable that passes a token to an agent. It takes precedence over other variables
// and the CLI's own sign-in.
const TokenVar = "COPILOT_GITHUB_TOKEN"

// HostVar is the variable that contains the host name of the user's GitHub server, for the Copilot CLI only. GH_HOST,
// which all GitHub programs read, is passed to every agent.
const HostVar = "COPILOT_GH_HOST"

// isToken reports whether the variable with the given name contains a token for the user's GitHub account.
func isToken(name string) bool {
	name = strings.ToUpper(name)
	github := strings.HasPrefix(name, "GH_") || strings.HasPrefix(name, "GITHUB_")
	secret := strings.HasSuffix(name, "TOKEN") || strings.HasSuffix(name, "_PAT")
	return name == TokenVar || github && secret
}

// Tokens holds the values of the environment variables that contained the user's tokens when VoxPilot started, by name.
type Tokens map[string]string

// TakeTokens removes the user's tokens from this process's environment and returns them. If they stayed there, all
// child processes would inherit them: login shells, git, the browser, and agents unrelated to GitHub.
func TakeTokens() Tokens {
	tokens := Tokens{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); isToken(name) && os.Unsetenv(name) == nil {
			tokens[name] = value
		}
	}
	return tokens
}

// Get returns the value that an environment variable had when VoxPilot started.
func (t Tokens) Get(name string) string {
	if token, ok := t[name]; ok {
		return token
	}
	return os.Getenv(name)
}

// Environ returns the environment as it was when VoxPilot started, including the
// tokens. It must be passed only to another VoxPilot process.
func (t Tokens) Environ() []string {
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		env = append(env, name+"="+t[name])
	}
	return env
}

// WithoutGitHub returns env without the variables that give access to the user's GitHub account or configure the
// Copilot CLI. It is for agents that don't use the account.
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

// DataDir returns the folder for VoxPilot's data: VOXPILOT_DATA_DIR or the system's default.
func DataDir() string {
	if dir := os.Getenv("VOXPILOT_DATA_DIR"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
		return dir
	}
	return filepath.Join(xdg.DataHome, "VoxPilot")
}
