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

// The test binary is its own gh, and its own second process.
func TestMain(m *testing.M) {
	if says := os.Getenv(ghVar); says != "" && len(os.Args) > 1 && os.Args[1] == "auth" {
		beGH(says)
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

// sceneVar names what this process is to do, where a test has started it.
const sceneVar = "VOXPILOT_AUTH_SCENE"

// scenes are those; a system's own are added by their file.
var scenes = map[string]func() error{"proxy": throughAProxy}

var octocat = fakegithub.User{Login: "octocat", Name: "Mona Lisa"}

// world is all that a manager sees, and all that it did.
type world struct {
	t      *testing.T
	github *fakegithub.Server
	desk   *auth.Manager
	keys   *keychain.Fallback

	mu       sync.Mutex
	env      map[string]string
	settings backend.Settings
	logins   map[string]backend.Login // as rows
	account  backend.Account
	signIn   backend.SignIn
	events   []backend.Event
	changed  []bool
	redacted []string
	failing  bool // the database
	news     chan struct{}
	log      bytes.Buffer
}

// newWorld is a keychain that works, and a GitHub that is reached without a
// network. Nothing was looked at yet.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, github: fakegithub.New(), keys: &keychain.Fallback{}, env: map[string]string{}, logins: map[string]backend.Login{}, news: make(chan struct{}, 1)}
	t.Cleanup(func() {
		if w.desk != nil {
			w.desk.Close()
		}
		if err := w.github.Close(); err != nil {
			t.Error(err)
		}
		w.saysNoToken()
	})
	return w
}

// inBubble runs f in a world whose time passes only while everybody waits.
func inBubble(t *testing.T, f func(w *world)) {
	t.Helper()
	keychaintest.Works(t)
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		f(newWorld(t))
	})
}

// open makes a manager, as after a start of VoxPilot.
func (w *world) open(change ...func(*auth.Config)) {
	w.t.Helper()
	if w.desk != nil {
		w.desk.Close()
		w.keys = &keychain.Fallback{}
	}
	cfg := auth.Config{
		Version:  "1.2.3",
		Keys:     w.keys,
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
		Log:          slog.New(slog.NewTextHandler(logOf{w}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	w.mu.Lock()
	for _, l := range w.logins {
		cfg.Logins = append(cfg.Logins, l)
	}
	w.mu.Unlock()
	for _, c := range change {
		c(&cfg)
	}
	w.desk = auth.New(cfg)
}

// start opens a manager and waits until it knows all that it finds out by itself.
func (w *world) start(change ...func(*auth.Config)) {
	w.t.Helper()
	w.open(change...)
	w.desk.Start()
	synctest.Wait()
}

// logOf is where the log of a world goes.
type logOf struct{ w *world }

func (l logOf) Write(p []byte) (int, error) {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	return l.w.log.Write(p)
}

// record is a way to the network that remembers where it led.
type record struct {
	to http.RoundTripper

	mu        sync.Mutex
	addresses []string
}

func (r *record) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.addresses = append(r.addresses, req.URL.String())
	r.mu.Unlock()
	return r.to.RoundTrip(req)
}

func (r *record) first() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.addresses) == 0 {
		return ""
	}
	return r.addresses[0]
}

func (w *world) getenv(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.env[name]
}

func (w *world) publish(events ...backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		w.events = append(w.events, e)
		switch {
		case e.Account != nil:
			w.account = *e.Account
		case e.SignIn != nil:
			w.signIn = *e.SignIn
		case e.Login != nil:
			w.logins[e.Login.ID] = *e.Login
		case e.LoginDeleted != nil:
			delete(w.logins, e.LoginDeleted.ID)
		default:
			w.t.Errorf("an event of a kind that is not the desk's: %+v", e)
		}
	}
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// until waits for an account, in worlds that no bubble can hold.
func (w *world) until(what string, is func(backend.Account) bool) {
	w.t.Helper()
	for !is(w.now()) {
		select {
		case <-w.news:
		case <-time.After(time.Minute):
			w.t.Fatalf("waited in vain until %s; the account is %+v", what, w.now())
		}
	}
}

func (w *world) commit(ctx context.Context, events ...backend.Event) error {
	w.mu.Lock()
	failing := w.failing
	w.mu.Unlock()
	if failing {
		return fmt.Errorf("the disk is full")
	}
	w.publish(events...)
	return ctx.Err()
}

// now is the account as the window shows it.
func (w *world) now() backend.Account {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.account
}

func (w *world) nowSignIn() backend.SignIn {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.signIn
}

// rows are the ids of the sign-ins that are kept.
func (w *world) rows() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var ids []string
	for id := range w.logins {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// told is what agents were told since it was asked last.
func (w *world) told() []bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.changed
	w.changed = nil
	return told
}

// asked is how often GitHub was asked whose a token is.
func (w *world) asked() int { return len(w.github.Requests("/user")) }

func (w *world) secretOf(id string) string {
	w.t.Helper()
	secret, err := keychain.Get(context.Background(), keychain.Entry{Service: keychain.Service, Account: id})
	if err != nil {
		return err.Error()
	}
	return secret
}

// signsIn signs in by a code, as octocat where nothing else is said.
func (w *world) signsIn(a fakegithub.Approval) {
	w.t.Helper()
	if a.User.Login == "" {
		a.User = octocat
	}
	if err := w.desk.SignIn(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	synctest.Wait()
	if err := w.github.Approve(a); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(time.Minute) // of the bubble
	synctest.Wait()
	if s := w.nowSignIn(); s.State != backend.SignInDone {
		w.t.Fatalf("the sign-in is %+v", s)
	}
}

func (w *world) check() (auth.Token, *auth.Refusal) {
	return w.desk.Check(context.Background())
}

// mustCheck is the token that an agent is started with.
func (w *world) mustCheck() auth.Token {
	w.t.Helper()
	token, refusal := w.check()
	if refusal != nil {
		w.t.Fatalf("refused: %+v", *refusal)
	}
	return token
}

func (w *world) wantRefusal(r *auth.Refusal, cause backend.Cause, words string) {
	w.t.Helper()
	if r == nil {
		w.t.Fatalf("an agent may start, want a refusal for %q", cause)
	}
	if r.Cause != cause || !strings.Contains(r.Message.String(), words) {
		w.t.Errorf("refused for %q: %q, want %q with %q", r.Cause, r.Message.String(), cause, words)
	}
}

func (w *world) wantState(state backend.AccountState, words string) backend.Account {
	w.t.Helper()
	a := w.now()
	if a.State != state || !strings.Contains(a.Message.String(), words) {
		w.t.Errorf("the account is %+v, want %q with %q", a, state, words)
	}
	return a
}

var secret = regexp.MustCompile(`(gh[a-z]_|github_pat_)\w{8,}|device\d{10,}`)

// saysNoToken looks for tokens in what the manager has said to anybody but agents.
func (w *world) saysNoToken() {
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
