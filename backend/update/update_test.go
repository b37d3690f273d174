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
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// publish publishes a version. The functions in change modify the feed before it is signed.
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

// waitFor calls the given function and waits until one of the given states is published.
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

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
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

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
