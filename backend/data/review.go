package data

import (
	"context"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/review"
)

// reviewed converts r, an HTTP request from the review screen, to a review.Request. If r is about a whole
// source, the path is "".
func reviewed(r *http.Request) review.Request {
	return review.Request{
		ChatID: r.FormValue("chat"), Source: r.FormValue("source"), Path: r.FormValue("path"), Version: r.FormValue("version"),
		Side: backend.ReviewSide(r.FormValue("side")), HideWhitespace: r.FormValue("whitespace") == "hide",
	}
}

func (h *handler) reviewSources(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewSources, error) {
	return e.Review.Sources(ctx, r.FormValue("chat"))
}

func (h *handler) reviewDisk(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewDisk, error) {
	return e.Review.Disk(ctx, r.FormValue("chat"))
}

func (h *handler) reviewFiles(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewFiles, error) {
	first, err := number(r, "first", 0)
	if err != nil {
		return backend.ReviewFiles{}, err
	}
	q := reviewed(r)
	q.First = int(min(first, backend.MaxReviewFiles))
	return e.Review.Files(ctx, q)
}

func (h *handler) reviewDiff(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewDiff, error) {
	return e.Review.Diff(ctx, reviewed(r))
}

func (h *handler) reviewLines(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewLines, error) {
	from, err := number(r, "from", 0)
	if err != nil {
		return backend.ReviewLines{}, err
	}
	count, err := number(r, "count", backend.MaxReviewLines)
	if err != nil {
		return backend.ReviewLines{}, err
	}
	return e.Review.Lines(ctx, reviewed(r), int(from), int(min(count, backend.MaxReviewLines)))
}

func (h *handler) reviewImage(ctx context.Context, e *engine.Engine, r *http.Request) (body, error) {
	mime, data, err := e.Review.Image(ctx, reviewed(r))
	if err == nil && !engine.SafeImage[mime] {
		err = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("VoxPilot can't show this file as an image.")}
	}
	return body{mime: mime, data: data}, err
}

func (h *handler) reviewFind(ctx context.Context, e *engine.Engine, r *http.Request) (backend.ReviewMatches, error) {
	limit, err := number(r, "limit", backend.MaxReviewMatches)
	if err != nil {
		return backend.ReviewMatches{}, err
	}
	return e.Review.Find(ctx, reviewed(r), r.FormValue("q"), r.FormValue("case") == "1", int(min(limit, backend.MaxReviewMatches)))
}
