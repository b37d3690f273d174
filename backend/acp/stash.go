package acp

import (
	"bytes"
	"cmp"
	"context"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// stashKey is the only member of a body that stands for a stashed one.
const stashKey = "voxpilot.stash"

// A stashed body arrived at a time that no other one of the gate has.
type stashed struct {
	body string
	at   backend.Millis
}

func (g *Gate) stash(body string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stashes++
	g.arrived = max(backend.Now(), g.arrived+1)
	key := strconv.Itoa(g.stashes)
	g.stashed[key] = stashed{body: body, at: g.arrived}
	return key
}

// Unstash returns body, or what it stands for and when that arrived.
func (g *Gate) Unstash(body []byte) ([]byte, backend.Millis) {
	if len(body) > 100 || !bytes.Contains(body, []byte(stashKey)) {
		return body, 0
	}
	key := gjson.GetBytes(body, gjson.Escape(stashKey)).String()
	g.mu.Lock()
	defer g.mu.Unlock()
	if whole, ok := g.stashed[key]; ok {
		delete(g.stashed, key)
		return []byte(whole.body), whole.at
	}
	return body, 0
}

type arrivalKey struct{}

// WithArrival is ctx for a request that arrived at the time.
func WithArrival(ctx context.Context, at backend.Millis) context.Context {
	return context.WithValue(ctx, arrivalKey{}, at)
}

// ArrivedAt returns when the request that ctx belongs to arrived.
func ArrivedAt(ctx context.Context) backend.Millis {
	at, _ := ctx.Value(arrivalKey{}).(backend.Millis)
	return cmp.Or(at, backend.Now())
}
