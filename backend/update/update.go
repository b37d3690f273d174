// Package update looks for newer versions of VoxPilot, downloads and verifies
// them, and installs them where the system's package manager does not. Its
// promises:
//
//   - Nothing that the publisher has not signed is believed, kept or started, and
//     nothing older than what was seen before.
//   - Nothing is downloaded and nothing installed unless the user asks for it.
//   - What fails leaves the installed version as it is, and no file behind.
//   - A version that does not start is replaced by the one before.
//
// A build that was given no feed does none of it.
package update

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Config is what an Updater works with.
type Config struct {
	Feed    string // where the signed feed is; "" turns updates off
	Keys    string // the publisher's public keys, in base64, with commas between them
	Version string // the one that runs
	Dir     string // for what is kept and downloaded
	Install Installation
	// Source is the repository that this VoxPilot was built from, by its https address:
	// a list has to name a build of it. "" asks for none.
	Source    string
	IsEnabled func() bool // whether to look without being asked
	Publish   func(backend.Update)
	Log       *slog.Logger

	// WrapTransport is how requests go; nil is by the proxies of the environment.
	WrapTransport func(*http.Transport) http.RoundTripper
	Roots         *x509.CertPool // who is trusted for https; nil is whom the system trusts
	Stall         time.Duration  // how long a server may say nothing; 0 is a minute
	Pause         time.Duration  // before a download that broke off goes on, each time twice as long; 0 is a second
}

// An Updater knows how this version stands to the newest one.
type Updater struct {
	Config
	keys   []ed25519.PublicKey
	client *client // nil where updates are off

	ctx   context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup

	mu     sync.Mutex
	now    backend.Update
	state  state
	latest Feed // the newest that was believed
	asset  Asset
}

var errOlderFeed = errors.New("a newer list was seen before")

// New makes an Updater from what earlier ones have kept. It publishes how it
// stands with Start.
func New(c Config) *Updater {
	u := &Updater{Config: c}
	u.ctx, u.end = context.WithCancel(context.Background())
	u.now.State = backend.UpdateOff
	if c.Feed == "" || c.Keys == "" {
		return u
	}
	keys, err := parseKeys(c.Keys)
	address, urlErr := url.Parse(c.Feed)
	if err := errors.Join(err, urlErr); err != nil {
		c.Log.Error("this build was given a key or an address for updates that cannot be used", "err", err)
		return u
	}
	if c.Stall == 0 {
		u.Stall = time.Minute
	}
	if c.Pause == 0 {
		u.Pause = time.Second
	}
	u.keys = keys
	u.client = newClient(u.Config, address.Scheme == "http" && isLoopback(address))
	u.state = readState(c.Dir, c.Log)
	u.now = backend.Update{State: backend.UpdateIdle, CheckedAt: u.state.CheckedAt}
	if f, err := openFeed(u.state.Feed, keys); err == nil && (c.Source == "" || f.Source.from(c.Source)) {
		u.take(f)
	}
	return u
}

// Start says how things stand and begins to look for newer versions, where that
// is wanted. It is called when this version has opened its data: it has started
// well.
func (u *Updater) Start() {
	u.confirm()
	if u.client == nil {
		u.Publish(u.now)
		return
	}
	u.tasks.Go(func() {
		u.tidy()
		u.daily()
	})
}

// Close ends what goes on.
func (u *Updater) Close() {
	u.end()
	u.tasks.Wait()
	if u.client != nil {
		u.client.close()
	}
}

// set changes what is known and publishes it.
func (u *Updater) set(change func(*backend.Update)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change(&u.now)
	u.Publish(u.now)
}

// take makes of a feed what is known. u.mu is held, or u not yet used.
func (u *Updater) take(f Feed) {
	u.latest, u.asset = f, Asset{}
	u.now.Version, u.now.Notes, u.now.Size, u.now.Downloaded, u.now.Message, u.now.Command = "", "", 0, 0, backend.Message{}, ""
	if !newer(f.Version, u.Version) {
		u.now.State = backend.UpdateNone
		return
	}
	u.now.Version, u.now.Notes = f.Version, f.Notes
	if u.Install.Format == FormatFlatpak { // one of a file has no repository that flatpak would look into
		u.now.State, u.now.Message = backend.UpdateExternal, backend.Say("To update, download the new Flatpak from the project page and open it.")
		return
	}
	a, found := f.asset(runtime.GOOS, runtime.GOARCH, u.Install.Format)
	u.asset, u.now.Size = a, a.Size
	switch {
	case found && !u.Install.Format.isExternal():
		u.now.State = backend.UpdateAvailable
	case found: // the package is downloaded here and installed there
		u.now.State = backend.UpdateExternal
	case u.Install.Format.isExternal():
		u.now.State, u.now.Command = backend.UpdateExternal, u.Install.Format.command("")
	default:
		u.now.State, u.now.Message = backend.UpdateExternal, backend.Say("This version has no download for this computer. See the project page.")
	}
}

// ready says that what is at path was downloaded and verified. u.mu is held.
func (u *Updater) ready(path string) {
	u.now.Downloaded, u.now.Message = u.now.Size, backend.Message{}
	if u.Install.Format.isExternal() {
		u.now.State, u.now.Command = backend.UpdateExternal, u.Install.Format.command(path)
		return
	}
	u.now.State = backend.UpdateReady
	if u.Install.Format == FormatImage {
		u.now.Message = backend.Say("Open the image, quit VoxPilot, and drag the new version into Applications.")
	}
}

// path is where the file of a version is kept.
func (u *Updater) path() string {
	return filepath.Join(u.Dir, "voxpilot-"+u.latest.Version+"."+string(u.asset.Format))
}

// tidy removes what earlier downloads have left and looks at what is there of
// the newest version.
func (u *Updater) tidy() {
	u.mu.Lock()
	want, asset := "", u.asset
	if asset.URL != "" {
		want = u.path()
	}
	u.mu.Unlock()
	removeOthers(u.Dir, want)
	there := want != "" && verify(want, asset) == nil
	if want != "" && !there {
		_ = os.Remove(want) // it is most often not there, and else downloaded again
	}
	u.set(func(now *backend.Update) {
		if there {
			u.ready(want)
		}
		if failed := u.state.Failed; failed != "" { // an installation, which is told of once
			u.state.Failed = ""
			u.save()
			now.State = backend.UpdateFailed
			now.Message, _ = backend.Restored(failed)
		}
	})
}

const (
	day          = 24 * time.Hour
	tryAgain     = 4 * time.Hour // after a check that failed
	jitter       = time.Hour
	settle       = 20 * time.Second // the start itself comes first
	pollInterval = time.Hour        // a computer that slept has not counted the time
)

// due is how long it is until the next check. spread, from 0 to 1, keeps all
// VoxPilots from asking at the same moment.
func due(now time.Time, k state, spread float64) time.Duration {
	wait := time.UnixMilli(int64(k.CheckedAt)).Add(day + time.Duration(spread*float64(jitter))).Sub(now)
	if again := time.UnixMilli(int64(k.TriedAt)).Add(tryAgain).Sub(now); k.TriedAt > k.CheckedAt {
		wait = max(wait, again)
	}
	if wait > 2*day { // the clock was wrong when it was checked
		return 0
	}
	return max(wait, 0)
}

// daily checks once a day while that is wanted.
func (u *Updater) daily() {
	spread := rand.Float64()
	for wait := settle; ; {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-u.ctx.Done():
			timer.Stop()
			return
		}
		u.mu.Lock()
		next := due(time.Now(), u.state, spread)
		u.mu.Unlock()
		if next == 0 && u.IsEnabled() {
			u.check(false)
		}
		wait = pollInterval
		if next > 0 {
			wait = min(next, pollInterval)
		}
	}
}

var errOff = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This build doesn't check for updates. To update, install the latest version the way you installed this one.")}

// Check looks for a newer version now; what it found is published.
func (u *Updater) Check() error {
	if u.client == nil {
		return errOff
	}
	u.tasks.Go(func() { u.check(true) })
	return nil
}

// check looks for a newer version. Where nobody asked for it, a failure is for
// the log only.
func (u *Updater) check(asked bool) {
	u.mu.Lock()
	before := u.now
	if before.State == backend.UpdateChecking || before.State == backend.UpdateDownloading {
		u.mu.Unlock()
		return
	}
	u.now.State = backend.UpdateChecking
	u.Publish(u.now)
	u.mu.Unlock()

	signed, f, err := u.fetch()
	u.set(func(now *backend.Update) {
		at := backend.Now()
		u.state.TriedAt = at
		if err == nil {
			u.state.CheckedAt, u.state.Feed = at, signed
			now.CheckedAt = at
			if same := before.State == backend.UpdateReady || before.Command != ""; same && f.Version == u.latest.Version {
				*now = before
				now.CheckedAt = at
			} else {
				u.take(f)
			}
		} else {
			*now = before
			u.Log.Warn("VoxPilot could not look for a newer version", "err", err)
			if asked && u.ctx.Err() == nil {
				now.State, now.Message = backend.UpdateFailed, explain(backend.Say("Couldn't check for updates."), err).Message
			}
		}
		u.save()
	})
}

func (u *Updater) fetch() ([]byte, Feed, error) {
	signed, err := u.client.feed(u.ctx, u.Feed)
	if err != nil {
		return nil, Feed{}, err
	}
	f, err := openFeed(signed, u.keys)
	if err != nil {
		return nil, Feed{}, err
	}
	if time.Now().After(f.Expires) {
		return nil, Feed{}, errExpired
	}
	if u.Source != "" && !f.Source.from(u.Source) {
		return nil, Feed{}, errSource
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if f.Date.Before(u.latest.Date) {
		return nil, Feed{}, errOlderFeed
	}
	return signed, f, nil
}

// Download fetches the newer version and verifies it; how far it is, is
// published.
func (u *Updater) Download() error {
	if u.client == nil {
		return errOff
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.now.State == backend.UpdateChecking || u.now.State == backend.UpdateDownloading {
		return nil
	}
	if u.asset.URL == "" {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("There's no update to download. Check for updates first.")}
	}
	if f := u.Install.Format; f == FormatTar || f == FormatZip {
		if err := canReplace(u.Install.Program); err != nil {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't update itself in %s. Install %s the way you installed this version.", filepath.Dir(u.Install.Program), u.now.Version), Detail: err.Error()}
		}
	}
	u.now.State, u.now.Downloaded, u.now.Message, u.now.Command = backend.UpdateDownloading, 0, backend.Message{}, ""
	u.Publish(u.now)
	u.tasks.Go(func() { u.download(u.asset, u.path()) })
	return nil
}

func (u *Updater) download(a Asset, path string) {
	err := os.MkdirAll(u.Dir, 0o700)
	if err != nil {
		err = writeError{err}
	} else {
		removeOthers(u.Dir, path)
		if verify(path, a) == nil { // its installation had failed
			u.set(func(*backend.Update) { u.ready(path) })
			return
		}
		err = u.client.download(u.ctx, a, path, func(got int64) {
			u.set(func(now *backend.Update) { now.Downloaded = got })
		})
	}
	u.set(func(now *backend.Update) {
		if err == nil {
			u.ready(path)
			return
		}
		u.Log.Warn("VoxPilot could not download an update", "version", u.latest.Version, "err", err)
		u.take(u.latest)
		if u.ctx.Err() == nil {
			now.State, now.Message = backend.UpdateFailed, explain(backend.Say("Couldn't download VoxPilot %s.", now.Version), err).Message
		}
	})
}

// removeOthers removes all that was downloaded but the file that is kept.
func removeOthers(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // there is none
	}
	for _, entry := range entries {
		if path := filepath.Join(dir, entry.Name()); path != keep && strings.HasPrefix(entry.Name(), "voxpilot-") {
			_ = os.Remove(path) // it is tried again
		}
	}
}
