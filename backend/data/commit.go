package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

func (h *handler) reviewCommit(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewCommitForm, error) {
	chat, files := r.FormValue("chat"), backend.ReviewCommitFiles(r.FormValue("files")) // FormValue parses the form
	return e.Repository.Form(ctx, chat, files, r.Form["path"], r.FormValue("amend") == "1")
}

func (h *handler) reviewPull(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewPull, error) {
	return e.Repository.Pull(ctx, r.FormValue("chat"))
}

func (h *handler) reviewPullForm(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewPullForm, error) {
	return e.Repository.PullForm(ctx, r.FormValue("chat"), r.FormValue("base"))
}
