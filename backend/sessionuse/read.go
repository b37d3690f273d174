package sessionuse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"os"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// maxBatch is the size in bytes from which the lines read so far are turned into rows.
const maxBatch = 4 << 20

// read turns what other programs wrote to a session since the last call into rows, and returns the number of their
// messages. The caller must hold c.mu.
func (m *Manager) read(ctx context.Context, c *chat, s backend.Session) (n int, err error) {
	m.load(c, s)
	st := c.state
	err = withLog(s, func(log *os.File, size int64) error {
		if size == st.Offset {
			return nil
		}
		for { // once for each batch
			before := st.Offset
			if err := m.readBatch(ctx, c, s, log, &n); err != nil {
				return err
			}
			if st.Offset == before {
				break
			}
		}
		if !c.running {
			st.Pending = nil
		}
		m.saveState(c.id, st)
		return nil
	})
	if errors.Is(err, sessionfiles.ErrNoSession) {
		err = nil // the next load reports it
	}
	c.stale = c.stale || n > 0
	return n, err
}

// errFull ends a batch.
var errFull = errors.New("the batch is full")

// readBatch reads a part of the log. It adds the number of messages to n. If it fails, c.state doesn't change.
func (m *Manager) readBatch(ctx context.Context, c *chat, s backend.Session, log *os.File, n *int) error {
	next := *c.state
	next.Writers = append([]writer(nil), next.Writers...)
	var lines [][]byte
	size, found := 0, 0
	err := scan(ctx, log, &next, func(line []byte) error {
		lines = append(lines, bytes.Clone(line))
		size += len(line)
		found += messages(line)
		if size >= maxBatch {
			return errFull
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFull) {
		return err
	}
	if len(lines) > 0 {
		if err := m.commit(ctx, c, s, &next, lines, found); err != nil {
			return err
		}
	}
	*n += found
	*c.state = next
	return nil
}

// commit stores the rows of lines, after a banner that says that another program wrote them.
func (m *Manager) commit(ctx context.Context, c *chat, s backend.Session, next *state, lines [][]byte, found int) error {
	if found > 0 {
		if next.Banner == nil {
			next.Banner = &banner{ItemID: bannerID(lines[0]), CreatedAt: backend.Now()}
		} else {
			kept := *next.Banner
			next.Banner = &kept
		}
		next.Banner.Messages += found
		b := next.Banner
		item := backend.Item{
			ID: b.ItemID, ChatID: c.id, Session: s.Name, Kind: backend.ItemBanner, CreatedAt: b.CreatedAt, EndedAt: b.CreatedAt,
			Banner: &backend.Banner{Kind: backend.BannerWrittenElsewhere, Session: s.Name, Detail: backend.Count(b.Messages, "1 message", "%d messages")},
		}
		if err := m.cfg.Commit(ctx, backend.Event{Item: &item}); err != nil {
			return err
		}
	}
	state, err := m.cfg.Rows(ctx, c.id, s, next.Reader, lines)
	next.Reader = state
	return err
}

// bannerID returns the ID of the banner before the given line of the log. It depends only on the line, so that a banner
// that is written twice is the same one.
func bannerID(line []byte) string {
	sum := sha256.Sum256([]byte("banner " + gjson.GetBytes(line, "id").String()))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}
