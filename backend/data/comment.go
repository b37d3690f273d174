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

func (h *handler) reviewPlaces(ctx context.Context, e *engine.Engine, r *http.Request) ([]backend.ReviewPlace, error) {
	return e.Comments.Places(ctx, r.FormValue("chat"), r.FormValue("source"), r.FormValue("path"), r.FormValue("version"))
}
