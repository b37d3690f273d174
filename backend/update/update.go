// Package update checks for newer versions of VoxPilot, downloads and verifies them, and installs them
// unless the system's package manager does. It guarantees:
//
//   - Only data signed by the publisher is trusted, stored or started. A feed older
//     than one already seen is rejected.
//   - Nothing is downloaded or installed unless the user requests it.
//   - A failure leaves the installed version unchanged and no files behind.
//   - A version that doesn't start is replaced by the previous one, if that version can still read the data.
//
// A build without a feed does none of this.
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

// Config configures an Updater.
type Config struct {
	Feed    string // URL of the signed feed; "" turns updates off
	Keys    string // the publisher's public keys, in base64, comma-separated
	Version string // the running version
	Dir     string // for state and downloads
	Install Installation
	// Source is the https URL of the repository this VoxPilot was built from: a feed must describe a build of that
	// repository. "" accepts a build of any repository.
	Source    string
	IsEnabled func() bool // reports whether to check automatically
	// Publish receives the state after every change. It must not call the Updater.
	Publish func(backend.Update)
	Log     *slog.Logger

	// WrapTransport wraps the transport of requests. If it is nil, requests use the proxies set in the environment.
	WrapTransport func(*http.Transport) http.RoundTripper
	Roots         *x509.CertPool // trusted CAs for https; nil means the system's
	Stall         time.Duration  // maximum time without data from the server; 0 means a minute
	Pause         time.Duration  // delay before resuming an interrupted download, doubled each time; 0 means a second
}

// An Updater tracks the newest version and downloads it.
type Updater struct {
	Config
	keys   []ed25519.PublicKey
	client *client // nil if updates are off

	ctx   context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup

	mu     sync.Mutex
	now    backend.Update
	state  state
	latest Feed // newest accepted feed
	asset  Asset
}

var errOlderFeed = errors.New("a newer list was seen before")

// New creates an Updater from the stored state. Start publishes its state.
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
		c.Log.Error("this build has an invalid update key or feed URL", "err", err)
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

// Start publishes the state and, if enabled, starts checking for newer versions. It also confirms that this version has
// started successfully, so it must be called after the version has opened its data.
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

// Close cancels running tasks and waits for them.
func (u *Updater) Close() {
	u.end()
	u.tasks.Wait()
	if u.client != nil {
		u.client.close()
	}
}

// set changes the state and publishes it.
func (u *Updater) set(change func(*backend.Update)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change(&u.now)
	u.Publish(u.now)
}

// take makes f the newest accepted feed and sets the state accordingly. The caller must hold u.mu, or u must
// not be in use yet.
func (u *Updater) take(f Feed) {
	u.latest, u.asset = f, Asset{}
	u.now.Version, u.now.Notes, u.now.Size, u.now.Downloaded, u.now.Message, u.now.Command = "", "", 0, 0, backend.Message{}, ""
	if !newer(f.Version, u.Version) {
		u.now.State = backend.UpdateNone
		return
	}
	u.now.Version, u.now.Notes = f.Version, f.Notes
	if u.Install.Format == FormatFlatpak { // a Flatpak installed from a file has no repository to update from
		u.now.State, u.now.Message = backend.UpdateExternal, backend.Say("To update, download the new Flatpak from the project page and open it.")
		return
	}
	a, found := f.asset(runtime.GOOS, runtime.GOARCH, u.Install.Format)
	u.asset, u.now.Size = a, a.Size
	switch {
	case found && !u.Install.Format.isExternal():
		u.now.State = backend.UpdateAvailable
	case found: // the package is downloaded by VoxPilot, but installed by the package manager
		u.now.State = backend.UpdateExternal
	case u.Install.Format.isExternal():
		u.now.State, u.now.Command = backend.UpdateExternal, u.Install.Format.command("")
	default:
		u.now.State, u.now.Message = backend.UpdateExternal, backend.Say("There's no download of the new version for this computer. See the project page.")
	}
}

// ready records that the file at path was downloaded and verified. The caller must hold u.mu.
func (u *Updater) ready(path string) {
	u.now.Downloaded, u.now.Message = u.now.Size, backend.Message{}
	if u.Install.Format.isExternal() {
		u.now.State, u.now.Command = backend.UpdateExternal, u.Install.Format.command(path)
		return
	}
	u.now.State = backend.UpdateReady
	if u.Install.Format == FormatImage {
		u.now.Message = backend.Say("Open the disk image, quit VoxPilot, and drag the new version to the Applications folder.")
	}
}

// path returns the path to which the newest version is downloaded.
func (u *Updater) path() string {
	return filepath.Join(u.Dir, "voxpilot-"+u.latest.Version+"."+string(u.asset.Format))
}

// tidy removes old downloads, checks whether the newest version is already downloaded,
// and reports a failed installation.
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
		_ = os.Remove(want) // usually missing, otherwise downloaded again
	}
	u.set(func(now *backend.Update) {
		if there {
			u.ready(want)
		}
		if failed := u.state.Failed; failed != "" { // a failed installation is reported once
			u.state.Failed = ""
			u.save()
			now.State = backend.UpdateFailed
			now.Message, _ = backend.Restored(failed)
		}
	})
}

const (
	day          = 24 * time.Hour
	tryAgain     = 4 * time.Hour // after a failed check
	jitter       = time.Hour
	settle       = 20 * time.Second // delay after the start
	pollInterval = time.Hour        // timers don't advance during sleep
)

// due returns the time until the next check. The parameter spread, from 0 to 1, distributes the checks of all
// installations over time.
func due(now time.Time, k state, spread float64) time.Duration {
	wait := time.UnixMilli(int64(k.CheckedAt)).Add(day + time.Duration(spread*float64(jitter))).Sub(now)
	if again := time.UnixMilli(int64(k.TriedAt)).Add(tryAgain).Sub(now); k.TriedAt > k.CheckedAt {
		wait = max(wait, again)
	}
	if wait > 2*day { // the clock was wrong at the last check
		return 0
	}
	return max(wait, 0)
}

// daily looks for a newer version once a day until the Updater is closed, but not while automatic checks are disabled.
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

// Check starts a check for a newer version in the background and publishes the result.
func (u *Updater) Check() error {
	if u.client == nil {
		return errOff
	}
	u.tasks.Go(func() { u.check(true) })
	return nil
}

// check looks for a newer version, unless a check or a download is in progress. A failure is logged. If the user
// requested the check (asked), a failure is also reported to the user.
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
			u.Log.Warn("couldn't check for updates", "err", err)
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

// Download starts downloading and verifying the newer version in the background, and
// publishes the progress.
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
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't replace its own files in %s. Install version %s the way you installed this one.", filepath.Dir(u.Install.Program), u.now.Version), Detail: err.Error()}
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
		if verify(path, a) == nil { // its installation has failed before
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
		u.Log.Warn("couldn't download an update", "version", u.latest.Version, "err", err)
		u.take(u.latest)
		if u.ctx.Err() == nil {
			now.State, now.Message = backend.UpdateFailed, explain(backend.Say("Couldn't download VoxPilot %s.", now.Version), err).Message
		}
	})
}

// removeOthers removes all downloads in dir except the one at the path keep.
func removeOthers(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // no downloads yet
	}
	for _, entry := range entries {
		if path := filepath.Join(dir, entry.Name()); path != keep && strings.HasPrefix(entry.Name(), "voxpilot-") {
			_ = os.Remove(path) // retried next time
		}
	}
}
