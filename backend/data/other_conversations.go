package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

func (h *handler) otherConversations(ctx context.Context, e *engine.Engine, _ *http.Request) (backend.OtherConversations, error) {
	return e.Others.List(ctx)
}
