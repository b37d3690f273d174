package agent

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// Limits on the updates that are stored for unknown sessions. Agents send some updates for a new session before they
// respond to session/new.
const (
	maxPending      = 2000
	maxPendingBytes = 8 << 20
)

// pendingUpdate is an update for a session that isn't registered yet.
type pendingUpdate struct {
	id  string
	raw string
}

// register adds s to the connection's sessions. From then on, s receives the updates with its ID, starting with the
// pending ones.
func (c *conn) register(s *session.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.forgotten, s.ID)
	c.sessions[s.ID] = s
	others := c.pending[:0]
	for _, h := range c.pending {
		if h.id != s.ID {
			others = append(others, h)
			continue
		}
		c.pendingBytes -= len(h.raw)
		c.rpc.Safely(func() { s.Update(gjson.Parse(h.raw)) })
	}
	clear(c.pending[len(others):])
	c.pending = others
	s.Flush()
}

// forget removes s from the connection's sessions and unloads it. Later updates for the session are ignored.
func (c *conn) forget(s *session.Session) {
	c.mu.Lock()
	if c.sessions[s.ID] == s {
		delete(c.sessions, s.ID)
		c.forgotten[s.ID] = true
	}
	c.mu.Unlock()
	s.Unload()
}

// names returns the names of the loaded sessions.
func (c *conn) names() (names []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, s := range c.sessions {
		names = append(names, s.Name)
	}
	return names
}

// byID returns the session with the given ACP ID, or nil.
func (c *conn) byID(id string) *session.Session {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.sessions[id]
}

// update passes the update in a session/update notification to its session, or to addPending if the session is unknown.
// Chunks of text are passed to the method chunk instead.
func (c *conn) update(params gjson.Result) {
	c.updated = true
	id, up := params.Get("sessionId").String(), params.Get("update")
	if s := c.byID(id); s != nil {
		s.Update(up)
		return
	}
	c.addPending(id, up.Raw)
}

// chunk passes a piece of text to its session, or to addPending if the session is unknown. The session buffers text
// until the connection has no more input to read, so that many chunks become one event.
func (c *conn) chunk(piece acp.Chunk) {
	c.updated = true
	s := c.dirty
	if s == nil || s.ID != string(piece.Session) || s.IsUnloaded() {
		c.flush()
		s = c.byID(string(piece.Session))
	}
	if s == nil {
		kind := "agent_message_chunk"
		if piece.Kind == acp.ThoughtChunk {
			kind = "agent_thought_chunk"
		}
		c.addPending(string(piece.Session), fmt.Sprintf(`{"sessionUpdate":%q,"content":{"type":"text","text":"%s"}}`, kind, piece.Text))
		return
	}
	c.dirty = s
	s.Chunk(piece.Kind, piece.Text)
}

// flush publishes the text that the method chunk has buffered, and records the time of the last update.
func (c *conn) flush() {
	if c.dirty != nil {
		c.dirty.Flush()
		c.dirty = nil
	}
	if c.updated {
		c.updated = false
		c.lastUpdateAt.Store(time.Now().UnixMilli())
	}
}

// addPending stores an update for an unknown session. It ignores updates for forgotten sessions and single updates that
// exceed maxPendingBytes. If the pending updates exceed their limits, it discards the oldest, because the updates of a
// session that is about to be registered are recent.
func (c *conn) addPending(id, raw string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[id]; s != nil { // registered in the meantime
		s.Update(gjson.Parse(raw))
		s.Flush()
		return
	}
	if c.forgotten[id] || len(raw) > maxPendingBytes {
		return
	}
	c.pending = append(c.pending, pendingUpdate{id, strings.Clone(raw)})
	c.pendingBytes += len(raw)
	for len(c.pending) > maxPending || c.pendingBytes > maxPendingBytes {
		c.log.Debug("dropped an update for an unknown session", "id", c.pending[0].id, "bytes", len(c.pending[0].raw))
		c.pendingBytes -= len(c.pending[0].raw)
		c.pending[0] = pendingUpdate{}
		c.pending = c.pending[1:]
	}
}
