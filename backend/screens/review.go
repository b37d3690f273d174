// Package screens holds the calls of the window's screens, apart from those of the chats. App, in the root
// package, embeds its types, so that the window can call their methods.
package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// Review has the calls of the review screen.
type Review struct{ api *engine.API }

// NewReview returns the calls of the review screen.
func NewReview(api *engine.API) *Review { return &Review{api} }

// ReviewViewed records whether the user has viewed the changes of a file in a source, in the given version. A
// file whose version has changed since counts as not viewed.
func (r *Review) ReviewViewed(chatID, source, path, version string, viewed bool) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error {
		return e.Review.SetViewed(ctx, chatID, source, path, version, viewed)
	})
}

// ReviewPutBack undoes a part of the changes to a file. It fails with CodeStale if the part's version is no longer
// current, and with CodeUnavailable while the folder is in use.
func (r *Review) ReviewPutBack(chatID string, part backend.ReviewPart) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.PutBack(ctx, chatID, part)
		return err
	})
	return res, err
}

// ReviewResolve replaces a conflict of a merge that is marked in a file with one of its sides or both. ReviewRedo takes
// that back. It fails with CodeStale if the file has changed since it was shown, and with CodeUnavailable while the
// folder is in use.
func (r *Review) ReviewResolve(chatID string, resolution backend.ReviewResolution) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.Resolve(ctx, chatID, resolution)
		return err
	})
	return res, err
}

// ReviewRedo restores a part that ReviewPutBack undid. The result has Diff if later changes overlap it, so that
// nothing was written.
func (r *Review) ReviewRedo(chatID, id string) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.Redo(ctx, chatID, id)
		return err
	})
	return res, err
}
