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
	maxHeld      = 2000
	maxHeldBytes = 8 << 20
)

// heldUpdate is an update for a session that is not known yet.
type heldUpdate struct {
	id  string
	raw string
}

// register makes s the one that takes the updates of its id, beginning with
// those that were held.
func (k *link) register(s *session.Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.forgotten, s.ID)
	k.sessions[s.ID] = s
	others := k.held[:0]
	for _, h := range k.held {
		if h.id != s.ID {
			others = append(others, h)
			continue
		}
		k.heldBytes -= len(h.raw)
		k.conn.Safely(func() { s.Update(gjson.Parse(h.raw)) })
	}
	clear(k.held[len(others):])
	k.held = others
	s.Flush()
}

// forget ends what register began. What the agent still sends for the session
// is left alone.
func (k *link) forget(s *session.Session) {
	k.mu.Lock()
	if k.sessions[s.ID] == s {
		delete(k.sessions, s.ID)
		k.forgotten[s.ID] = true
	}
	k.mu.Unlock()
	s.Away()
}

// names are the names of the sessions that the process holds.
func (k *link) names() (names []string) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, s := range k.sessions {
		names = append(names, s.Name)
	}
	return names
}

// byID is the session with the ACP id, or nil.
func (k *link) byID(id string) *session.Session {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.sessions[id]
}

// update takes a session/update that is no chunk.
func (k *link) update(params gjson.Result) {
	k.updated = true
	id, up := params.Get("sessionId").String(), params.Get("update")
	if s := k.byID(id); s != nil {
		s.Update(up)
		return
	}
	k.hold(id, up.Raw)
}

// chunk takes a piece of text. It stays with its session until nothing more
// can be read at once, so that many pieces make one event.
func (k *link) chunk(c acp.Chunk) {
	k.updated = true
	s := k.dirty
	if s == nil || s.ID != string(c.Session) || s.IsGone() {
		k.flush()
		s = k.byID(string(c.Session))
	}
	if s == nil {
		kind := "agent_message_chunk"
		if c.Kind == acp.ThoughtChunk {
			kind = "agent_thought_chunk"
		}
		k.hold(string(c.Session), fmt.Sprintf(`{"sessionUpdate":%q,"content":{"type":"text","text":"%s"}}`, kind, c.Text))
		return
	}
	k.dirty = s
	s.Chunk(c.Kind, c.Text)
}

// flush publishes the text that chunk kept back.
func (k *link) flush() {
	if k.dirty != nil {
		k.dirty.Flush()
		k.dirty = nil
	}
	if k.updated {
		k.updated = false
		k.heard.Store(time.Now().UnixMilli())
	}
}

// hold keeps an update for a session that is not known yet. Where there are too
// many, the oldest is dropped: a session that is about to be known is new.
func (k *link) hold(id, raw string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.sessions[id]; s != nil { // became known just now
		s.Update(gjson.Parse(raw))
		s.Flush()
		return
	}
	if k.forgotten[id] || len(raw) > maxHeldBytes {
		return
	}
	k.held = append(k.held, heldUpdate{id, strings.Clone(raw)})
	k.heldBytes += len(raw)
	for len(k.held) > maxHeld || k.heldBytes > maxHeldBytes {
		k.log.Debug("an update for a session that is not known was dropped", "id", k.held[0].id, "bytes", len(k.held[0].raw))
		k.heldBytes -= len(k.held[0].raw)
		k.held[0] = heldUpdate{}
		k.held = k.held[1:]
	}
}
