package update

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// A client downloads from the publisher. It sends only the request and VoxPilot's
// version: no ID, no cookies and no user data.
type client struct {
	http    *http.Client
	version string
	plain   bool          // allows http to this computer
	stall   time.Duration // maximum time without data from the server
	pause   time.Duration // delay before resuming an interrupted download, doubled each time
}

const (
	maxRedirects = 5
	feedTime     = 30 * time.Second
	maxTries     = 4 // of an interrupted download
)

func newClient(config Config, plain bool) *client {
	c := &client{version: config.Version, plain: plain, stall: config.Stall, pause: config.Pause}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: config.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: c.stall,
		IdleConnTimeout:       c.stall,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // so that the received size is that of the file
	}
	c.http = &http.Client{Transport: transport}
	if config.WrapTransport != nil {
		c.http.Transport = config.WrapTransport(transport)
	}
	c.http.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return &addressError{backend.Say("the server redirects too many times")}
		}
		req.Header.Del("Referer")
		return c.allows(req.URL)
	}
	return c
}

func (c *client) close() { c.http.CloseIdleConnections() }

// allows returns an error unless the URL uses https or, in tests, http to this computer.
func (c *client) allows(u *url.URL) error {
	if u.Scheme == "https" && u.Host != "" || u.Scheme == "http" && c.plain && isLoopback(u) {
		return nil
	}
	return &addressError{backend.Say("%s://%s isn't a safe address", u.Scheme, u.Host)}
}

// An addressError is the reason a URL isn't requested.
type addressError struct{ why backend.Message }

func (e *addressError) Error() string            { return e.why.String() }
func (e *addressError) Message() backend.Message { return e.why }

func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

func (c *client) get(ctx context.Context, address string, from int64) (*http.Response, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, &addressError{backend.MessageOf(err)}
	}
	if err := c.allows(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "VoxPilot/"+c.version)
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return c.http.Do(req)
}

// feed downloads the signed feed.
func (c *client) feed(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, feedTime)
	defer cancel()
	response, err := c.get(ctx, address, 0)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, backend.Problem("the server returned %s", response.Status)
	}
	signed, err := io.ReadAll(io.LimitReader(response.Body, maxFeed+1))
	if err == nil && len(signed) > maxFeed {
		err = backend.Problem("the response is too large")
	}
	return signed, err
}

var (
	errTooMuch  = backend.Problem("the file is larger than its size in the signed update list")
	errChecksum = backend.Problem("the file doesn't match the signed checksum")
	errStall    = backend.Problem("the server stopped sending data")
)

// writeError is a disk error, as opposed to a network error.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

// download downloads an asset to the file at path. It resumes an interrupted transfer. If the download fails, it leaves
// nothing behind. If download returns nil, the file at path matches the signed feed and is synced to disk.
func (c *client) download(ctx context.Context, a Asset, path string, progress func(got int64)) (err error) {
	part := path + ".part"
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return writeError{err}
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(part)
		}
	}()
	for try := 1; ; try++ {
		err = c.transfer(ctx, a, file, progress)
		if err == nil {
			break
		}
		if try == maxTries || !isBrokenOff(err) {
			return err
		}
		pause := time.NewTimer(c.pause << (try - 1))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return err
		}
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return writeError{err}
	}
	if err := verify(part, a); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return writeError{err}
	}
	syncDir(filepath.Dir(path))
	return nil
}

// isBrokenOff reports whether a failed transfer can resume.
func isBrokenOff(err error) bool {
	return !errors.As(err, new(writeError)) && !errors.As(err, new(*statusError)) && !errors.As(err, new(*addressError)) && !errors.Is(err, errTooMuch)
}

type statusError struct{ status string }

func (e *statusError) Error() string { return "the server answers " + e.status }

// transfer downloads the part of the asset that the file doesn't contain yet, and appends it. If the server sends the
// whole asset instead, transfer replaces the file's content. After every twentieth of the asset, it calls progress
// with the size received so far.
func (c *client) transfer(ctx context.Context, a Asset, file *os.File, progress func(int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(c.stall, func() { cancel(errStall) })
	defer silence.Stop()

	got, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return writeError{err}
	}
	response, err := c.get(ctx, a.URL, got)
	if err != nil {
		return stalled(ctx, err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusPartialContent && got > 0 &&
		strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", got)):
	case response.StatusCode == http.StatusOK: // from the start
		if got, err = file.Seek(0, io.SeekStart); err == nil {
			err = file.Truncate(0)
		}
		if err != nil {
			return writeError{err}
		}
	default:
		return &statusError{response.Status}
	}

	buffer := make([]byte, 128<<10)
	for told := got; ; {
		n, err := response.Body.Read(buffer)
		silence.Reset(c.stall)
		if got += int64(n); got > a.Size {
			return errTooMuch
		}
		if _, err := file.Write(buffer[:n]); err != nil {
			return writeError{err}
		}
		if got-told > a.Size/20 {
			told = got
			progress(got)
		}
		switch {
		case errors.Is(err, io.EOF) && got == a.Size:
			return nil
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return stalled(ctx, err)
		}
	}
}

// stalled returns errStall if a stalled transfer caused err, and otherwise err.
func stalled(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStall) {
		return errStall
	}
	return err
}

// verify returns an error unless the file at path has the SHA-256 hash of the asset.
func verify(path string, a Asset) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, a.Size+1)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != strings.ToLower(a.SHA256) {
		return errChecksum
	}
	return nil
}

// verifiedCopy copies the file at path to a new folder below dir and checks that the copy has the hash of the asset.
// Only the user can access the folder, so no other user can put files there that the copy would load when it runs.
// The returned function removes the copy and the folder.
func verifiedCopy(dir, path string, a Asset) (copied string, remove func(), err error) {
	from, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer from.Close()
	own, err := os.MkdirTemp(dir, "setup-*")
	if err != nil {
		return "", nil, err
	}
	copied = filepath.Join(own, filepath.Base(path))
	remove = func() { _ = errors.Join(os.Remove(copied), os.Remove(own)) }
	to, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err == nil {
		sum := sha256.New()
		_, err = io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, a.Size+1))
		err = errors.Join(err, to.Sync(), to.Close())
		if err == nil && hex.EncodeToString(sum.Sum(nil)) != strings.ToLower(a.SHA256) {
			err = errChecksum
		}
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return copied, remove, nil
}

// syncDir syncs a directory's entries to disk. If that isn't possible, as on Windows, a power failure may undo a
// rename, but nothing else.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// explain returns the user-facing error: what failed, why, and what to do.
func explain(what backend.Message, err error) *backend.Error {
	e := &backend.Error{Code: backend.CodeUnavailable, Detail: err.Error()}
	if errors.As(err, new(writeError)) {
		e.Code = backend.CodeStorage
	}
	e.Message = backend.Sentences(what, reason(err))
	return e
}

func reason(err error) backend.Message {
	var refused *statusError
	switch {
	case errors.As(err, new(writeError)) && isFull(err):
		return backend.Say("The disk is full. Free up some space, then try again.")
	case errors.As(err, new(writeError)):
		return backend.Say("VoxPilot couldn't save the update. Check the permissions of VoxPilot's data folder, then try again.")
	case errors.Is(err, errUnsigned), errors.Is(err, errFormat), errors.Is(err, errChecksum), errors.Is(err, errTooMuch), errors.Is(err, errSource):
		return backend.Say("VoxPilot won't install this update because it couldn't verify it. Try again later or on another network.")
	case errors.Is(err, errOlderFeed):
		return backend.Say("The update list is older than a previous one, so VoxPilot ignored it. Try again later or on another network.")
	case errors.Is(err, errExpired):
		return backend.Say("The update list has expired, so VoxPilot ignored it. Check this computer's date, or try again on another network.")
	case errors.As(err, &refused):
		return backend.Say("The server returned %s. Try again later.", refused.status)
	case errors.Is(err, errStall), errors.Is(err, context.DeadlineExceeded):
		return backend.Say("The server stopped sending data. Check your connection, then try again.")
	}
	return backend.Say("The connection failed. Check your network, then try again.")
}
