package auth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/keychain/keychaintest"
)

// TestMain runs the tests. In a child process of a test, it runs the fake gh or a scene instead.
func TestMain(m *testing.M) {
	if says := os.Getenv(ghVar); says != "" && len(os.Args) > 1 && os.Args[1] == "auth" {
		runFakeGH(says)
	}
	if scene := os.Getenv(sceneVar); scene != "" {
		if err := scenes[scene](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// sceneVar is the environment variable that names the scene for a child process to run.
const sceneVar = "VOXPILOT_AUTH_SCENE"

// scenes maps names to the functions that child processes of the tests run; platform-specific files add more scenes.
var scenes = map[string]func() error{"proxy": checkThroughProxy}

var octocat = fakegithub.User{Login: "octocat", Name: "Mona Lisa"}

// env is a manager in a fake environment. It records the manager's output.
type env struct {
	t        *testing.T
	github   *fakegithub.Server
	manager  *auth.Manager
	keychain *keychain.Fallback

	mu          sync.Mutex
	env         map[string]string
	settings    backend.Settings
	logins      map[string]backend.Login // stored rows
	account     backend.Account
	signInState backend.SignIn
	events      []backend.Event
	changed     []bool
	redacted    []string
	commitFails bool // fails database writes
	changes     chan struct{}
	log         bytes.Buffer
}

// newEnv returns an env with a working keychain and a fake GitHub that needs no
// network. No source has been checked yet.
func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, github: fakegithub.New(), keychain: &keychain.Fallback{}, env: map[string]string{}, logins: map[string]backend.Login{}, changes: make(chan struct{}, 1)}
	t.Cleanup(func() {
		if w.manager != nil {
			w.manager.Close()
		}
		if err := w.github.Close(); err != nil {
			t.Error(err)
		}
		w.assertNoTokenLogged()
	})
	return w
}

// redactedSecrets returns the secrets that the manager has passed to Redact.
func (w *env) redactedSecrets() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.redacted)
}

// inFakeTime runs f with an env in a synctest bubble, where time passes only while all
// goroutines are blocked.
func inFakeTime(t *testing.T, f func(w *env)) {
	t.Helper()
	keychaintest.UseWorking(t)
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		f(newEnv(t))
	})
}

// open creates a manager, as VoxPilot does at startup.
func (w *env) open(change ...func(*auth.Config)) {
	w.t.Helper()
	if w.manager != nil {
		w.manager.Close()
		w.keychain = &keychain.Fallback{}
	}
	cfg := auth.Config{
		Version:  "1.2.3",
		Keys:     w.keychain,
		Getenv:   w.getenv,
		Settings: func() backend.Settings { w.mu.Lock(); defer w.mu.Unlock(); return w.settings },
		ClientID: fakegithub.ClientID,
		CLILogin: func(context.Context) (string, bool) { return "", true },
		Base:     w.github.Base,
		Publish:  w.publish,
		Commit:   w.commit,
		Pin: func(_ context.Context, source backend.TokenSource) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.settings.SignIn = source
			return nil
		},
		Redact:       func(secret string) { w.mu.Lock(); defer w.mu.Unlock(); w.redacted = append(w.redacted, secret) },
		TokenChanged: func(signedIn bool) { w.mu.Lock(); defer w.mu.Unlock(); w.changed = append(w.changed, signedIn) },
		Client:       w.github.Client(),
		Log:          slog.New(slog.NewTextHandler(envLog{w}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	w.mu.Lock()
	for _, l := range w.logins {
		cfg.Logins = append(cfg.Logins, l)
	}
	w.mu.Unlock()
	for _, c := range change {
		c(&cfg)
	}
	w.manager = auth.New(cfg)
}

// start opens a manager and waits for the checks that it starts automatically.
func (w *env) start(change ...func(*auth.Config)) {
	w.t.Helper()
	w.open(change...)
	w.manager.Start()
	synctest.Wait()
}

// envLog writes log output to an env.
type envLog struct{ w *env }

func (l envLog) Write(p []byte) (int, error) {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	return l.w.log.Write(p)
}

// recordingTransport is a transport that records the URLs of its requests.
type recordingTransport struct {
	base http.RoundTripper

	mu        sync.Mutex
	addresses []string
}

func (r *recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.addresses = append(r.addresses, req.URL.String())
	r.mu.Unlock()
	return r.base.RoundTrip(req)
}

func (r *recordingTransport) first() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.addresses) == 0 {
		return ""
	}
	return r.addresses[0]
}

func (w *env) getenv(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.env[name]
}

func (w *env) publish(events ...backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		w.events = append(w.events, e)
		switch {
		case e.Account != nil:
			w.account = *e.Account
		case e.SignIn != nil:
			w.signInState = *e.SignIn
		case e.Login != nil:
			w.logins[e.Login.ID] = *e.Login
		case e.LoginDeleted != nil:
			delete(w.logins, e.LoginDeleted.ID)
		default:
			w.t.Errorf("unexpected event: %+v", e)
		}
	}
	select {
	case w.changes <- struct{}{}:
	default:
	}
}

// waitForAccount waits until the current account satisfies the given condition. It's for envs that can't run in a
// synctest bubble. The parameter what describes the condition in the failure message after a timeout.
func (w *env) waitForAccount(what string, is func(backend.Account) bool) {
	w.t.Helper()
	for !is(w.currentAccount()) {
		select {
		case <-w.changes:
		case <-time.After(time.Minute):
			w.t.Fatalf("timed out waiting until %s; the account is %+v", what, w.currentAccount())
		}
	}
}

func (w *env) commit(ctx context.Context, events ...backend.Event) error {
	w.mu.Lock()
	failing := w.commitFails
	w.mu.Unlock()
	if failing {
		return fmt.Errorf("the disk is full")
	}
	w.publish(events...)
	return ctx.Err()
}

// currentAccount returns the account as shown in the window.
func (w *env) currentAccount() backend.Account {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.account
}

func (w *env) currentSignIn() backend.SignIn {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.signInState
}

// storedSignIns returns the IDs of the stored sign-ins.
func (w *env) storedSignIns() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var ids []string
	for id := range w.logins {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// signInChanges returns the arguments with which TokenChanged was called since the last call of signInChanges.
func (w *env) signInChanges() []bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.changed
	w.changed = nil
	return told
}

// requestCount returns the number of requests to GitHub's user endpoint.
func (w *env) requestCount() int { return len(w.github.Requests("/user")) }

func (w *env) secretOf(id string) string {
	w.t.Helper()
	secret, err := keychain.Get(context.Background(), keychain.Entry{Service: keychain.Service, Account: id})
	if err != nil {
		return err.Error()
	}
	return secret
}

// signIn completes a device flow with the given approval. The user is octocat unless the approval specifies another
// one.
func (w *env) signIn(a fakegithub.Approval) {
	w.t.Helper()
	if a.User.Login == "" {
		a.User = octocat
	}
	if err := w.manager.SignIn(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	synctest.Wait()
	if err := w.github.Approve(a); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(time.Minute) // in the bubble
	synctest.Wait()
	if s := w.currentSignIn(); s.State != backend.SignInDone {
		w.t.Fatalf("the sign-in is %+v", s)
	}
}

func (w *env) check() (auth.Token, *auth.Refusal) {
	return w.manager.Check(context.Background())
}

// mustCheck returns the token with which an agent would be started. It fails the test if there is none.
func (w *env) mustCheck() auth.Token {
	w.t.Helper()
	token, refusal := w.check()
	if refusal != nil {
		w.t.Fatalf("refused: %+v", *refusal)
	}
	return token
}

func (w *env) expectRefusal(r *auth.Refusal, cause backend.Cause, words string) {
	w.t.Helper()
	if r == nil {
		w.t.Fatalf("an agent may start, want a refusal for %q", cause)
	}
	if r.Cause != cause || !strings.Contains(r.Message.String(), words) {
		w.t.Errorf("refused for %q: %q, want %q with %q", r.Cause, r.Message.String(), cause, words)
	}
}

func (w *env) expectState(state backend.AccountState, words string) backend.Account {
	w.t.Helper()
	a := w.currentAccount()
	if a.State != state || !strings.Contains(a.Message.String(), words) {
		w.t.Errorf("the account is %+v, want %q with %q", a, state, words)
	}
	return a
}

var secret = regexp.MustCompile(`(gh[a-z]_|github_pat_)\w{8,}|device\d{10,}`)

// assertNoTokenLogged fails the test if a token appears in an event or in the log.
func (w *env) assertNoTokenLogged() {
	w.mu.Lock()
	defer w.mu.Unlock()
	events, err := json.Marshal(w.events)
	if err != nil {
		w.t.Error(err)
	}
	for where, text := range map[string]string{"events": string(events), "log": w.log.String()} {
		if found := secret.FindString(text); found != "" {
			w.t.Errorf("the %s say %s", where, found)
		}
	}
}

func backendTime(s string) time.Time {
	t, err := time.Parse(time.DateTime, s)
	if err != nil {
		panic(err)
	}
	return t
}
