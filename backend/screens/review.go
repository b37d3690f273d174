// Package screens implements the calls that the screens of the window make, except those for chats. App, in the root
// package, embeds the types of this package, so that the window can call their methods.
package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// Review implements the window's calls for reviewing changes.
type Review struct{ api *engine.API }

// NewReview returns a Review that uses api.
func NewReview(api *engine.API) *Review { return &Review{api} }

// ReviewViewed records that the user has viewed a version of a changed file or, if viewed is false, that the user
// hasn't viewed the file. When the file gets another version, it no longer counts as viewed.
func (r *Review) ReviewViewed(chatID, source, path, version string, viewed bool) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error {
		return e.Review.SetViewed(ctx, chatID, source, path, version, viewed)
	})
}

// ReviewPutBack undoes a part of the changes to a file. It fails with CodeStale if VoxPilot no longer knows the part's
// version, and with CodeUnavailable while the folder is in use.
func (r *Review) ReviewPutBack(chatID string, part backend.ReviewPart) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.PutBack(ctx, chatID, part)
		return err
	})
	return res, err
}

// ReviewResolve resolves a merge conflict that is marked in a file. It replaces the marked lines with one side of the
// conflict, or with both sides. ReviewRedo undoes this. ReviewResolve fails with CodeStale if the file has changed
// since it was shown, and with CodeUnavailable while the folder is in use.
func (r *Review) ReviewResolve(chatID string, resolution backend.ReviewResolution) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.Resolve(ctx, chatID, resolution)
		return err
	})
	return res, err
}

// ReviewRedo reverses a call of ReviewPutBack or ReviewResolve; id is the ID that the call returned. If later changes
// overlap, nothing is written and the result contains a Diff.
func (r *Review) ReviewRedo(chatID, id string) (res backend.ReviewPutBackResult, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		res, err = e.Review.Redo(ctx, chatID, id)
		return err
	})
	return res, err
}
