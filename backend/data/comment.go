package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

func (h *handler) reviewComments(ctx context.Context, e *engine.Engine, r *http.Request) ([]backend.ReviewComment, error) {
	return e.Comments.List(ctx, r.FormValue("chat"))
}
