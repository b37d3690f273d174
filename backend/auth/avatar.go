package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const maxAvatar = 1 << 20 // bytes

// avatarTypes are what the page is given; the first bytes decide, not what the
// server says.
var avatarTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// picture is the user's, as it was fetched.
type picture struct {
	from    string // its address
	body    []byte
	mime    string
	version string
}

// fetchAvatar gets the user's picture in the background, where it is another
// than the one that is there. The page never asks a foreign server for it.
func (d *Desk) fetchAvatar(address string) {
	d.mu.Lock()
	same := d.picture.from == address
	if same && d.account.State == backend.AccountValid {
		d.show(d.picture.version)
	}
	if !same {
		d.picture = picture{from: address}
		d.show("")
	}
	d.mu.Unlock()
	if same || !d.maySee(address) {
		return
	}
	d.goes(func() {
		p := picture{from: address}
		body, err := d.getAvatar(address)
		if err != nil {
			d.cfg.Log.Info("the picture of the account could not be fetched", "err", err)
			p.from = "" // It is tried again with the next check.
		} else if mime := http.DetectContentType(body); slices.Contains(avatarTypes, mime) {
			sum := sha256.Sum256(body)
			p.body, p.mime, p.version = body, mime, hex.EncodeToString(sum[:8])
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.picture.from == address { // nobody signed out meanwhile
			d.picture = p
			d.show(p.version)
		}
	})
}

// show publishes the account with a picture. It is called with the lock held.
func (d *Desk) show(version string) {
	account := d.account
	account.Avatar = version
	d.publish(account)
}

// maySee says whether a picture may be fetched from an address: by https, and
// by http only where GitHub itself is asked by it.
func (d *Desk) maySee(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(d.api, "http://")
}

func (d *Desk) getAvatar(address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(d.life, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", d.userAgent())
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAvatar+1))
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode != http.StatusOK:
		return nil, errors.New(resp.Status)
	case len(body) > maxAvatar:
		return nil, nil // It will not be shorter the next time.
	}
	return body, nil
}
