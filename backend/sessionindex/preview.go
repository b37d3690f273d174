package sessionindex

import (
	"context"
	"errors"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// previewTime is the time limit for reading a log for its preview. If reading takes longer, the preview contains no
// numbers until the background work has read the log.
const previewTime = 5 * time.Second

// Preview describes a session. It returns CodeNotFound if the index doesn't know the home or the session.
func (i *Index) Preview(ctx context.Context, homeName, id string) (p backend.CLISessionPreview, err error) {
	if err := i.refresh(ctx); err != nil {
		return p, err
	}
	i.mu.Lock()
	h := i.homeNamed(homeName)
	var e *entry
	if h != nil {
		e = h.sessions[id]
	}
	if e == nil || h.folder == nil || e.temporary {
		i.mu.Unlock()
		return p, errNoSession
	}
	j := job{h, h.folder, e, e.Known, e.isHead}
	i.mu.Unlock()
	if j.known.needsDescription() {
		i.finish(j)
	}
	i.mu.Lock()
	j.known = e.Known
	i.mu.Unlock()
	if j.known.needsScan() {
		k := j.known
		limited, cancel := context.WithTimeout(ctx, previewTime)
		err := readLog(limited, j.folder, id, &k, func() {})
		cancel()
		i.mu.Lock()
		i.storeScan(j, k)
		i.mu.Unlock()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return p, previewError(err)
		}
		j.known = k
	}
	i.mu.Lock()
	p.Session = e.row(h)
	i.mu.Unlock()
	return p, previewError(describe(&p, j.folder, j.known))
}

var errNoSession = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This session no longer exists.")}

// previewError returns the error for the page.
func previewError(err error) error {
	if errors.Is(err, sessionfiles.ErrNoSession) {
		return errNoSession
	}
	if err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the session."), Detail: err.Error()}
	}
	return nil
}

// describe adds the texts and numbers of a session to its preview.
func describe(p *backend.CLISessionPreview, f *sessionfiles.Folder, k Known) error {
	id := p.Session.ID
	if k.Scan == nil {
		p.First, p.Last = k.Description.First, k.Description.Last
		if k.Stamp.Log.Size > 0 {
			return nil
		}
		k.Scan = &sessionfiles.Scan{}
	}
	texts, err := f.Texts(id, *k.Scan)
	if err != nil {
		return err
	}
	p.First, p.Answer = texts.First, texts.Answer
	if k.Scan.Last != k.Scan.First {
		p.Last = texts.Last
	}
	p.Commands, p.Files, p.Added, p.Removed = k.Scan.Commands, len(k.Scan.Files), k.Scan.Added, k.Scan.Removed
	if p.Session.Damage == backend.DamageNone {
		return nil
	}
	r, err := f.Report(id, *k.Scan, p.Session.Damage)
	p.Report = &r
	return err
}
