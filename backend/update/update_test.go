package update

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
)

// A publisher is a server with a feed and the file listed in it.
type publisher struct {
	t      *testing.T
	server *httptest.Server
	public ed25519.PublicKey
	key    ed25519.PrivateKey
	dir    string
	file   []byte

	mu       sync.Mutex
	feed     []byte
	serve    http.HandlerFunc // serves the file; nil sends it unchanged
	requests []*http.Request
}

func newPublisher(t *testing.T, start func(http.Handler) *httptest.Server) *publisher {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &publisher{t: t, public: public, key: key, dir: filepath.Join(t.TempDir(), "updates"), file: make([]byte, 3<<20)}
	_, _ = rand.Read(p.file)
	p.server = start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.requests = append(p.requests, r)
		feed, serve := p.feed, p.serve
		p.mu.Unlock()
		switch {
		case r.URL.Path == "/feed":
			_, _ = w.Write(feed)
		case serve != nil:
			serve(w, r)
		default:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.file))
		}
	}))
	t.Cleanup(p.server.Close)
	p.publish("1.2.0", time.Now())
	return p
}

// asset returns the feed entry for the publisher's file, as a package in the given
// format for this computer's platform.
func (p *publisher) asset(form PackageFormat) Asset {
	sum := sha256.Sum256(p.file)
	return Asset{System: runtime.GOOS, Arch: runtime.GOARCH, Format: form, URL: p.server.URL + "/file", Size: int64(len(p.file)), SHA256: hex.EncodeToString(sum[:])}
}

// publish publishes a version; change modifies the feed before it is signed.
func (p *publisher) publish(version string, date time.Time, change ...func(*Feed)) {
	p.t.Helper()
	f := Feed{Version: version, Date: date, Notes: "What is **new**", Assets: []Asset{p.asset(FormatTar), p.asset(FormatDeb)}}
	for _, c := range change {
		c(&f)
	}
	signed, err := f.Sign(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	p.setFeed(signed)
}

func (p *publisher) setFeed(feed []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feed = feed
}

func (p *publisher) setFile(file http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serve = file
}

func (p *publisher) requestCount(path string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if r.URL.Path == path {
			n++
		}
	}
	return n
}

// installation is an Updater with all states it has published.
type installation struct {
	*Updater
	t *testing.T

	mu      sync.Mutex
	cond    *sync.Cond
	updates []backend.Update
}

// install creates an Updater of version 1.1.0 that uses the publisher.
func (p *publisher) install(change ...func(*Config)) *installation {
	p.t.Helper()
	in := &installation{t: p.t}
	in.cond = sync.NewCond(&in.mu)
	c := Config{
		Feed: p.server.URL + "/feed", Keys: base64.StdEncoding.EncodeToString(p.public), Version: "1.1.0", Dir: p.dir,
		Install:   Installation{Format: FormatTar, Program: filepath.Join(p.t.TempDir(), "voxpilot")},
		IsEnabled: func() bool { return false },
		Publish: func(now backend.Update) {
			in.mu.Lock()
			defer in.mu.Unlock()
			in.updates = append(in.updates, now)
			in.cond.Broadcast()
		},
		Log:   discard(),
		Pause: time.Nanosecond,
	}
	if p.server.TLS != nil {
		c.Roots = x509.NewCertPool()
		c.Roots.AddCert(p.server.Certificate())
	}
	for _, f := range change {
		f(&c)
	}
	in.Updater = New(c)
	p.t.Cleanup(in.Close)
	return in
}

// waitFor calls do and waits until one of the states is published.
func (in *installation) waitFor(do func() error, states ...backend.UpdateState) backend.Update {
	in.t.Helper()
	in.mu.Lock()
	from := len(in.updates)
	in.mu.Unlock()
	if err := do(); err != nil {
		in.t.Fatal(err)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	for at := from; ; at++ {
		for at == len(in.updates) {
			in.cond.Wait()
		}
		if now := in.updates[at]; slices.Contains(states, now.State) {
			return now
		}
	}
}

// check checks for a newer version and returns the resulting state.
func (in *installation) check() backend.Update {
	in.t.Helper()
	return in.waitFor(in.Check, backend.UpdateNone, backend.UpdateAvailable, backend.UpdateExternal, backend.UpdateReady, backend.UpdateFailed)
}

// download downloads the newer version and returns the resulting state.
func (in *installation) download() backend.Update {
	in.t.Helper()
	return in.waitFor(in.Download, backend.UpdateReady, backend.UpdateExternal, backend.UpdateFailed)
}

// files returns the names of all files in the updater's folder.
func (p *publisher) files() (names []string) {
	entries, err := os.ReadDir(p.dir)
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func (p *publisher) assertNoFiles() {
	p.t.Helper()
	if left := p.files(); !slices.Equal(left, []string{stateName}) {
		p.t.Errorf("what is left is %q", left)
	}
}

func TestUpdate_WithoutFeedOrKeyDoesNothing(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	for name, change := range map[string]func(*Config){
		"no feed":         func(c *Config) { c.Feed = "" },
		"no key":          func(c *Config) { c.Keys = "" },
		"a broken key":    func(c *Config) { c.Keys = "AAAA" },
		"a broken second": func(c *Config) { c.Keys += ",x" },
		"a broken feed":   func(c *Config) { c.Feed = "http://%%" },
	} {
		in := p.install(change, func(c *Config) { c.IsEnabled = func() bool { return true } })
		now := in.waitFor(func() error { in.Start(); return nil }, backend.UpdateOff)
		if now.State != backend.UpdateOff || in.Check() == nil || in.Download() == nil {
			t.Errorf("%s: %+v", name, now)
		}
	}
	if p.requestCount("/feed") != 0 {
		t.Error("the feed was asked")
	}
}

func TestUpdate_DownloadedVersionSurvivesRestart(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t, start)
			in := p.install()
			if now := in.check(); now.State != backend.UpdateAvailable || now.Version != "1.2.0" || now.Notes != "What is **new**" || now.Size != int64(len(p.file)) || now.CheckedAt == 0 {
				t.Fatalf("after the check: %+v", now)
			}
			if now := in.download(); now.State != backend.UpdateReady || now.Downloaded != now.Size {
				t.Fatalf("after the download: %+v", now)
			}
			var last int64
			for _, now := range in.updates {
				if now.State == backend.UpdateDownloading {
					if now.Downloaded < last || now.Downloaded > now.Size {
						t.Errorf("%d of %d bytes after %d", now.Downloaded, now.Size, last)
					}
					last = now.Downloaded
				}
			}
			if last == 0 {
				t.Error("nobody was told how far it was")
			}
			ready, err := in.Ready()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(ready.Path); err != nil || !bytes.Equal(got, p.file) {
				t.Errorf("what was downloaded is not what was published, %v", err)
			}
			if now := in.check(); now.State != backend.UpdateReady {
				t.Errorf("after another check: %+v", now)
			}
			in.Close()

			again := p.install()
			now := again.waitFor(func() error { again.Start(); return nil }, backend.UpdateReady, backend.UpdateAvailable)
			if now.State != backend.UpdateReady || now.Version != "1.2.0" || now.CheckedAt == 0 {
				t.Errorf("after a restart: %+v", now)
			}
			// A newer version still replaces it.
			p.publish("1.3.0", time.Now().Add(time.Minute))
			if now := again.check(); now.State != backend.UpdateAvailable || now.Version != "1.3.0" {
				t.Errorf("after a newer one: %+v", now)
			}
			again.Close()

			// When that version is running, the download is removed.
			newest := p.install(func(c *Config) { c.Version = "1.3.0" })
			newest.waitFor(func() error { newest.Start(); return nil }, backend.UpdateNone)
			p.assertNoFiles()
		})
	}
}

func TestUpdate_OnlyNewerVersionsOffered(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	for _, test := range []struct {
		runs, published string
		offered         bool
	}{
		{"1.1.0", "1.1.0", false},
		{"1.1.0", "1.0.9", false},
		{"1.10.0", "1.9.0", false},
		{"1.9.0", "1.10.0", true},
		{"1.2.0-rc.1", "1.2.0", true},
		{"1.2.0", "1.2.0-rc.1", false},
		{"1.2.0-dev+0a1b2c3", "1.2.0", true},
		{"1.2.0", "1.2.0+2", false},
		{"0.1.0-3-g0a1b2c3-dirty", "0.1.0", true},
		{"nobody knows", "1.2.0", false},
	} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.publish(test.published, time.Now())
		in := p.install(func(c *Config) { c.Version = test.runs })
		now := in.check()
		if offered := now.State == backend.UpdateAvailable; offered != test.offered || !offered && (now.State != backend.UpdateNone || now.Version != "") {
			t.Errorf("%s on %s: %+v", test.published, test.runs, now)
		}
		if !test.offered && in.Download() == nil {
			t.Errorf("%s can be downloaded on %s", test.published, test.runs)
		}
	}
}

func TestFeed_UnsignedIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	good := bytes.Clone(p.feed)
	other, otherKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := Feed{Version: "9.0.0", Date: time.Now()}.Sign(otherKey)
	if err != nil {
		t.Fatal(err)
	}
	line, body, _ := bytes.Cut(good, []byte("\n"))
	sign := func(body string) []byte {
		return fmt.Appendf(nil, "%s%s\n%s", signedBy, base64.StdEncoding.EncodeToString(ed25519.Sign(p.key, []byte(body))), body)
	}
	for name, feed := range map[string][]byte{
		"nothing":                    nil,
		"a page":                     []byte("<!doctype html><title>Sign in to the network</title>"),
		"the wrong key":              foreign,
		"one byte changed":           bytes.Replace(good, []byte(`"1.2.0"`), []byte(`"1.2.1"`), 1),
		"one byte more":              append(bytes.Clone(good), '\n'),
		"cut short":                  good[:len(good)-1],
		"no signature":               body,
		"an empty signature":         append([]byte(signedBy+"\n"), body...),
		"another line end":           append(append(bytes.Clone(line), "\r\n"...), body...),
		"the signature of another":   append(append(bytes.Clone(foreign[:bytes.IndexByte(foreign, '\n')]), '\n'), body...),
		"signed, but no JSON":        sign("nonsense"),
		"signed, of a later format":  sign(`{"format": 2, "version": "9.0.0"}`),
		"signed, of another program": sign(`{"format": 1, "program": "x", "version": "9.0.0", "date": "2026-01-01T00:00:00Z"}`),
		"signed, without a date":     sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0"}`),
		"signed, a path as version":  sign(`{"format": 1, "program": "` + feedProgram + `", "version": "../../9", "date": "2026-01-01T00:00:00Z"}`),
		"signed, a path as form":     sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0", "date": "2026-01-01T00:00:00Z", "assets": [{"system": "linux", "form": "../x", "url": "https://x", "size": 1, "sha256": "` + strings.Repeat("0", 64) + `"}]}`),
		"signed, far too large":      sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0", "date": "2026-01-01T00:00:00Z", "notes": "` + strings.Repeat("x", maxFeed) + `"}`),
	} {
		p.setFeed(feed)
		in := p.install()
		if now := in.check(); now.State != backend.UpdateFailed || now.Version != "" || now.CheckedAt != 0 || now.Message.IsZero() {
			t.Errorf("%s: %+v", name, now)
		}
		in.Close()
	}
	p.assertNoFiles()

	// Either of two keys suffices, which allows key rotation.
	p.setFeed(foreign)
	both := p.install(func(c *Config) { c.Keys += ", " + base64.StdEncoding.EncodeToString(other) })
	if now := both.check(); now.Version != "9.0.0" {
		t.Errorf("signed with the second key: %+v", now)
	}
}

func TestFeed_OlderThanSeenIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.publish("1.2.0", time.Now().Add(-time.Hour))
	old := p.feed
	in := p.install()
	in.check()
	p.publish("1.3.0", time.Now())
	if now := in.check(); now.Version != "1.3.0" {
		t.Fatalf("the newer feed: %+v", now)
	}
	p.setFeed(old)
	for range 2 {
		if now := in.check(); now.State != backend.UpdateFailed || now.Version != "1.3.0" || !strings.Contains(now.Message.String(), "older than one seen") {
			t.Errorf("the old feed: %+v", now)
		}
		in.Close()
		in = p.install()
	}
	// A newer feed can withdraw a version.
	p.publish("1.2.0", time.Now().Add(time.Hour))
	if now := in.check(); now.State != backend.UpdateAvailable || now.Version != "1.2.0" {
		t.Errorf("the version that was withdrawn: %+v", now)
	}
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFeed_ExpiredIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	p.publish("1.2.0", time.Now().Add(-validFor-time.Hour))
	expired := p.feed
	if now := in.check(); now.State != backend.UpdateFailed || now.Version != "" || !strings.Contains(now.Message.String(), "has expired") {
		t.Errorf("got %+v, want it refused", now)
	}
	renewed, err := Renew(expired, p.key, time.Now())
	noErr(t, err)
	p.setFeed(renewed)
	if now := in.check(); now.State != backend.UpdateAvailable || now.Version != "1.2.0" || now.Notes == "" {
		t.Errorf("got %+v, want the version of the renewed list", now)
	}
	_, other, err := ed25519.GenerateKey(rand.Reader)
	noErr(t, err)
	if _, err := Renew(expired, other, time.Now()); err == nil {
		t.Error("a list of another key is renewed")
	}
	for _, end := range []time.Time{time.Now().Add(-time.Hour), time.Now().Add(3 * validFor)} {
		if _, err := (Feed{Version: "1.2.0", Date: time.Now(), Expires: end}).Sign(p.key); err == nil {
			t.Errorf("a list that expires %s is signed", end)
		}
	}
}

// TestFeed_OtherBuildIgnored checks that a build with a source repository rejects
// signed feeds that don't describe a build of that repository.
func TestFeed_OtherBuildIgnored(t *testing.T) {
	const repository = "https://example.org/voxpilot/voxpilot"
	good := Source{Repository: repository, Commit: strings.Repeat("a1", 20), Workflow: repository + "/actions/runs/7"}
	for name, c := range map[string]struct {
		change func(*Source)
		want   backend.UpdateState
	}{
		"that build":         {func(*Source) {}, backend.UpdateAvailable},
		"no source":          {func(s *Source) { *s = Source{} }, backend.UpdateFailed},
		"another repository": {func(s *Source) { s.Repository = "https://example.org/evil/voxpilot" }, backend.UpdateFailed},
		"no commit":          {func(s *Source) { s.Commit = "main" }, backend.UpdateFailed},
		"another workflow":   {func(s *Source) { s.Workflow = "https://example.org/evil/voxpilot/actions/runs/7" }, backend.UpdateFailed},
	} {
		p := newPublisher(t, httptest.NewServer)
		in := p.install(func(c *Config) { c.Source = repository })
		source := good
		c.change(&source)
		p.publish("1.2.0", time.Now(), func(f *Feed) { f.Source = source })
		if now := in.check(); now.State != c.want {
			t.Errorf("%s: got %s, %s, want %s", name, now.State, now.Message, c.want)
		}
	}
}

func TestSetup_RehashedInItsOwnFolder(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	dir := t.TempDir()
	path := filepath.Join(dir, "VoxPilot-setup.exe")
	noErr(t, os.WriteFile(path, p.file, 0o600))
	noErr(t, os.WriteFile(filepath.Join(dir, "version.dll"), nil, 0o600)) // an installer would load it
	copied, remove, err := verifiedCopy(dir, path, p.asset(FormatSetup))
	noErr(t, err)
	beside, err := os.ReadDir(filepath.Dir(copied))
	noErr(t, err)
	if text, err := os.ReadFile(copied); err != nil || !bytes.Equal(text, p.file) || len(beside) != 1 || filepath.Dir(copied) == dir {
		t.Errorf("got %s with %d files beside it, %v", copied, len(beside)-1, err)
	}
	remove()
	noErr(t, os.WriteFile(path, append(p.file, 'x'), 0o600))
	if copied, _, err := verifiedCopy(dir, path, p.asset(FormatSetup)); !errors.Is(err, errChecksum) {
		t.Errorf("another file: got %s, %v", copied, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("got %v, %v, want nothing left", left, err)
	}
}

func TestNotes_CutAtLineEnd(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.publish("1.2.0", time.Now(), func(f *Feed) { f.Notes = strings.Repeat("- größer und schöner\n", 10_000) })
	now := p.install().check()
	if len(now.Notes) > maxNotes+10 || !strings.HasSuffix(now.Notes, "schöner\n\n…") || now.State != backend.UpdateAvailable {
		t.Errorf("%d bytes that end in %q", len(now.Notes), now.Notes[max(0, len(now.Notes)-40):])
	}
}

func TestRequest_SendsNothingElse(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.setFile(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		_, _ = w.Write(p.file)
	})
	in := p.install()
	in.check()
	if now := in.download(); now.State != backend.UpdateReady {
		t.Fatalf("%+v", now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.requests) != 3 {
		t.Fatalf("%d requests", len(p.requests))
	}
	for _, r := range p.requests {
		if r.Method != http.MethodGet || r.UserAgent() != "VoxPilot/1.1.0" || len(r.Header) != 1 || r.URL.RawQuery != "" {
			t.Errorf("it sent %s %s %v", r.Method, r.URL, r.Header)
		}
	}
}

func TestRequest_OnlySafeAddresses(t *testing.T) {
	p := newPublisher(t, httptest.NewTLSServer)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("it was asked without TLS")
		_, _ = w.Write(p.file)
	}))
	defer plain.Close()
	for name, change := range map[string]func(*Feed){
		"http":       func(f *Feed) { f.Assets[0].URL = plain.URL + "/file" },
		"a file":     func(f *Feed) { f.Assets[0].URL = "file:///etc/passwd" },
		"no address": func(f *Feed) { f.Assets[0].URL = "file" },
	} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.publish("1.2.0", time.Now(), change)
		in := p.install()
		in.check()
		if now := in.download(); now.State != backend.UpdateFailed {
			t.Errorf("%s: %+v", name, now)
		}
	}
	p.publish("1.2.0", time.Now())
	for name, to := range map[string]string{"to http": plain.URL, "in a circle": "/file"} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.setFile(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		in := p.install()
		in.check()
		if now := in.download(); now.State != backend.UpdateFailed {
			t.Errorf("led %s: %+v", name, now)
		}
	}
	// Redirects aren't interrupted connections, so they aren't retried.
	if asked := p.requestCount("/file"); asked != 1+1+maxRedirects {
		t.Errorf("they were followed %d times", asked)
	}
	// An untrusted server receives no requests.
	in := p.install(func(c *Config) { c.Roots = x509.NewCertPool() })
	if now := in.check(); now.State != backend.UpdateFailed {
		t.Errorf("a certificate of nobody: %+v", now)
	}
	// http is allowed only to this computer, and only if the feed is on it.
	far := p.install(func(c *Config) { c.Feed = "http://example.com/feed" })
	if now := far.check(); now.State != backend.UpdateFailed {
		t.Errorf("http to another computer: %+v", now)
	}
}

func TestRequest_UsesConfiguredTransport(t *testing.T) {
	p := newPublisher(t, httptest.NewTLSServer)
	through := make(chan string, 10)
	in := p.install(func(c *Config) {
		c.Feed = "https://example.com/feed" // matches the test certificate
		c.WrapTransport = func(t *http.Transport) http.RoundTripper {
			t.Proxy = func(r *http.Request) (*url.URL, error) {
				through <- r.URL.Host
				return nil, fmt.Errorf("the proxy is closed")
			}
			return t
		}
	})
	if now := in.check(); now.State != backend.UpdateFailed || <-through != "example.com" {
		t.Errorf("%+v", now)
	}
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
