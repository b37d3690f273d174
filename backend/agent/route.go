package agent

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// What is kept of updates for sessions that are not known yet: an agent sends
// some for a new session before it answers session/new.
const (
	maxPending      = 2000
	maxPendingBytes = 8 << 20
)

// pendingUpdate is an update for a session that is not known yet.
type pendingUpdate struct {
	id  string
	raw string
}

// register makes s the one that takes the updates of its id, beginning with
// those that were held.
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

// forget ends what register began. What the agent still sends for the session
// is left alone.
func (c *conn) forget(s *session.Session) {
	c.mu.Lock()
	if c.sessions[s.ID] == s {
		delete(c.sessions, s.ID)
		c.forgotten[s.ID] = true
	}
	c.mu.Unlock()
	s.Unload()
}

// names are the names of the sessions that the process holds.
func (c *conn) names() (names []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, s := range c.sessions {
		names = append(names, s.Name)
	}
	return names
}

// byID is the session with the ACP id, or nil.
func (c *conn) byID(id string) *session.Session {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.sessions[id]
}

// update takes a session/update that is no chunk.
func (c *conn) update(params gjson.Result) {
	c.updated = true
	id, up := params.Get("sessionId").String(), params.Get("update")
	if s := c.byID(id); s != nil {
		s.Update(up)
		return
	}
	c.addPending(id, up.Raw)
}

// chunk takes a piece of text. It stays with its session until nothing more
// can be read at once, so that many pieces make one event.
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

// flush publishes the text that chunk kept back.
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

// addPending keeps an update for a session that is not known yet. Where there are too
// many, the oldest is dropped: a session that is about to be known is new.
func (c *conn) addPending(id, raw string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[id]; s != nil { // became known just now
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
		c.log.Debug("an update for a session that is not known was dropped", "id", c.pending[0].id, "bytes", len(c.pending[0].raw))
		c.pendingBytes -= len(c.pending[0].raw)
		c.pending[0] = pendingUpdate{}
		c.pending = c.pending[1:]
	}
}
