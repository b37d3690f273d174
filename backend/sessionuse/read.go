package sessionuse

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// read stores the rows for everything that other programs wrote to a session since the last call. live reports whether
// one of them has the session open. The caller must hold c.mu.
func (m *Manager) read(ctx context.Context, c *chat, s backend.Session, live bool) error {
	m.load(c, s)
	err := withLog(s, func(log *os.File, size int64) error {
		if size == c.state.Offset && live == c.live {
			return nil
		}
		from, next := c.state.Offset, *c.state
		next.Writers = slices.Clone(next.Writers)
		f, err := scan(ctx, log, &next)
		if err != nil {
			return err
		}
		if f.messages > 0 {
			if err := m.announce(ctx, c, s, &next, from, f.messages); err != nil {
				return err
			}
		}
		if f.foreign || c.live && !live && !f.replaced {
			part := Part{Log: View{file: log, size: next.Offset, own: f.own}, From: from, Live: live}
			if err := m.cfg.Rows(ctx, c.id, s, part); err != nil {
				return err
			}
			c.live = live
		}
		c.stale = c.stale || f.messages > 0
		if !c.running {
			next.Pending = nil
		}
		*c.state = next
		m.saveState(c.id, c.state)
		return nil
	})
	if errors.Is(err, sessionfiles.ErrNoSession) {
		return nil // the next load reports it
	}
	return err
}

// announce stores the banner above another program's messages. The banner contains the number of these messages.
func (m *Manager) announce(ctx context.Context, c *chat, s backend.Session, next *state, from int64, messages int) error {
	b := banner{ItemID: bannerID(s.ACPID, from), CreatedAt: backend.Now()}
	if next.Banner != nil {
		b = *next.Banner
	}
	b.Messages += messages
	next.Banner = &b
	return m.cfg.Commit(ctx, backend.Event{Item: &backend.Item{
		ID: b.ItemID, ChatID: c.id, Session: s.Name, Kind: backend.ItemBanner, CreatedAt: b.CreatedAt, EndedAt: b.CreatedAt,
		Banner: &backend.Banner{Kind: backend.BannerOtherProgram, Session: s.Name, Detail: backend.Count(b.Messages, "1 message", "%d messages")},
	}})
}

// bannerID returns the ID of the banner before a part of a session's log. If the app is killed and writes a banner
// twice, both thus have the same ID.
func bannerID(session string, from int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "banner %s %d", session, from))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// View is the log of a session up to a certain size. The lines of VoxPilot's own agent look empty, so that each line has
// the same offset as in the log.
type View struct {
	file *os.File
	size int64
	own  []Span // in order
}

// Until returns the view's part before an offset.
func (v View) Until(offset int64) View {
	v.size = min(v.size, offset)
	return v
}

// Stat returns information on the log. Its size is that of the view.
func (v View) Stat() (os.FileInfo, error) {
	info, err := v.file.Stat()
	return viewInfo{info, v.size}, err
}

type viewInfo struct {
	fs.FileInfo
	size int64
}

func (i viewInfo) Size() int64 { return i.size }

// ReadAt implements io.ReaderAt.
func (v View) ReadAt(p []byte, off int64) (n int, err error) {
	cut := off+int64(len(p)) > v.size
	if cut {
		p = p[:max(0, v.size-off)]
	}
	if len(p) > 0 {
		n, err = v.file.ReadAt(p, off)
	}
	if err == nil && cut {
		err = io.EOF
	}
	i, _ := slices.BinarySearchFunc(v.own, off, func(s Span, off int64) int { return int(min(1, max(-1, s.To-1-off))) })
	for ; i < len(v.own) && v.own[i].From < off+int64(n); i++ {
		part := p[max(0, v.own[i].From-off):min(int64(n), v.own[i].To-off)]
		for j, b := range part {
			if b != '\n' {
				part[j] = ' '
			}
		}
	}
	return n, err
}
