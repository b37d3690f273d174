package trust

import (
	"context"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

var (
	errNotAsked = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("VoxPilot no longer asks about this folder.")}
	errChanged  = backend.Invalid("The folder has changed. Review it again.")
)

// request is what the starts that wait for the folder ask the user. The caller must
// hold d.mu, and something must wait.
func (d *Desk) request(key string) *backend.TrustRequest {
	waits := d.waitsFor(key)
	first := waits[0]
	r := &backend.TrustRequest{
		Key: key, Folder: first.by.Folder, Root: first.found.Root, Agent: first.by.Agent,
		From: first.from, ClonedAt: first.clonedAt, Runs: []backend.TrustEntry{}, Steers: []backend.TrustEntry{},
	}
	for _, w := range waits {
		if !slices.Contains(r.ChatIDs, w.by.ChatID) {
			r.ChatIDs = append(r.ChatIDs, w.by.ChatID)
		}
		r.Changed = r.Changed || w.known
		r.Incomplete = r.Incomplete || w.found.Incomplete
		for _, e := range w.steers {
			if !slices.ContainsFunc(r.Steers, func(o backend.TrustEntry) bool { return o.File == e.File }) {
				r.Steers = append(r.Steers, e)
			}
		}
	}
	all := union(waits)
	r.ID = listOf(key, r.Incomplete, all)
	for _, f := range all {
		r.Runs = append(r.Runs, f.shown)
	}
	r.Runs, r.MoreRuns = bounded(r.Runs)
	r.Steers, r.MoreSteers = bounded(r.Steers)
	return r
}

func (d *Desk) waitsFor(key string) (waits []*wait) {
	for _, w := range d.waits {
		if w.key == key {
			waits = append(waits, w)
		}
	}
	return waits
}

func bounded(all []backend.TrustEntry) (listed []backend.TrustEntry, more int) {
	n := min(len(all), maxListed)
	return all[:n:n], len(all) - n
}

func same(a, b *backend.TrustRequest) bool { return reflect.DeepEqual(a, b) }

// Trust has the user trust exactly what the request with this id showed, and
// everything that waited for it go on. It is refused with CodeNotFound where there
// is no such request, and with CodeInvalid where the folder has changed since;
// another request is then published.
func (d *Desk) Trust(ctx context.Context, id string) error {
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	key := ""
	for k, r := range d.asked {
		if r.ID == id {
			key = k
		}
	}
	_, replaced := d.replaced[id]
	d.mu.Unlock()
	switch {
	case replaced:
		return errChanged
	case key == "":
		return errNotAsked
	}
	freed := d.lookAgain(ctx, key, Starter{})
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	waits := d.waitsFor(key)
	if len(waits) == 0 { // what it asked for is gone
		d.mu.Unlock()
		d.renew()
		d.free(key, freed)
		return nil
	}
	r := d.request(key)
	d.mu.Unlock()
	if r.ID != id {
		d.renew()
		d.free(key, freed)
		return errChanged
	}
	if !r.Incomplete {
		folder := backend.TrustedFolder{Key: key, Folder: r.Root, TrustedAt: backend.Now()}
		for _, f := range union(waits) {
			folder.Add = append(folder.Add, d.entry(f.Entry))
		}
		if err := d.cfg.Commit(ctx, backend.Event{Trusted: &folder}); err != nil {
			return err
		}
	}
	d.mu.Lock()
	for _, w := range waits {
		if r.Incomplete {
			d.passes[w.by.ChatID] = &pass{key: key, list: w.list()}
		}
		freed = append(freed, w.by.ChatID)
	}
	d.waits = slices.DeleteFunc(d.waits, func(w *wait) bool { return slices.Contains(waits, w) })
	d.mu.Unlock()
	d.renew()
	d.free(key, freed)
	return nil
}

// Forget takes back the user's trust in a folder. What runs goes on.
func (d *Desk) Forget(ctx context.Context, key string) error {
	d.looking.Lock()
	defer d.looking.Unlock()
	if _, known, err := d.cfg.Trusted(ctx, key); err != nil || !known {
		if err == nil {
			err = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This folder is no longer trusted.")}
		}
		return err
	}
	return d.cfg.Commit(ctx, backend.Event{TrustedGone: &backend.Gone{ID: key}})
}

var scpLike = regexp.MustCompile(`^(?:[^@/:]+@)?([^/:@]{2,}):(.+)$`)

// hostAndPath is the host and the path of a remote's address, without the name and
// the password that may be in it; "" for one on this computer.
func hostAndPath(address string) string {
	host, at := "", ""
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, at = u.Host, u.Path
	} else if m := scpLike.FindStringSubmatch(address); m != nil && !strings.Contains(address, "://") && !strings.Contains(m[2], "@") {
		host, at = m[1], m[2]
	}
	if host == "" {
		return ""
	}
	text := host + "/" + strings.TrimPrefix(strings.TrimSuffix(at, ".git"), "/")
	return clip(strings.TrimSuffix(text, "/"), 300)
}
