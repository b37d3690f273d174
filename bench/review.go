package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/bench/changes"
)

// beginReview creates a chat in which one turn made changes of the given size. It returns the chat's folder and a side
// that runs the app in its real window and calls the function measure.
func beginReview(ctx context.Context, after *ends, size changes.Size, measure func(ctx context.Context, page changes.Evaluate, chat string) (float64, error)) (s side, work string, err error) {
	dir, err := desktopFolder(ctx, after)
	if err != nil {
		return nil, "", err
	}
	h := &home{dir: filepath.Join(dir, "home")}
	work = filepath.Join(dir, "work")
	say("  writing %d files of %d lines", size.Files, size.Lines)
	chat, err := seedChat(ctx, h.data(), work, func(s *seeder, turn backend.Turn) error {
		recorded, err := changes.Create(ctx, work, h.data(), size, turn)
		s.add(1, recorded)
		return err
	})
	return func(ctx context.Context) (n float64, err error) {
		ctx, cancel := context.WithTimeout(ctx, startTime)
		defer cancel()
		r, err := h.run(ctx, inWindow)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, r.forget(ctx), r.end()) }()
		return measure(ctx, r.page.evaluate, chat)
	}, work, err
}

// beginReviewOpen measures the time to open the review of 2,000 files. The baseline is the time that git diff --stat
// takes for the same files.
func beginReviewOpen(ctx context.Context, after *ends) (ours, bare side, err error) {
	ours, work, err := beginReview(ctx, after, changes.ManyFiles, func(ctx context.Context, page changes.Evaluate, chat string) (float64, error) {
		return page.Open(ctx, chat, changes.FirstLine)
	})
	return ours, func(ctx context.Context) (float64, error) { return changes.Stat(ctx, work) }, err
}

// beginReviewSource returns a function that measures the time to choose another source in the review of 2,000 files. The
// baseline is the time that git diff --stat takes for the same changes: those between the given commits or, if there are
// fewer than two, up to the files on the disk.
func beginReviewSource(source string, commits ...string) func(ctx context.Context, after *ends) (ours, bare side, err error) {
	return func(ctx context.Context, after *ends) (ours, bare side, err error) {
		ours, work, err := beginReview(ctx, after, changes.ManyFiles, func(ctx context.Context, page changes.Evaluate, chat string) (float64, error) {
			if _, err := page.Open(ctx, chat, changes.FirstLine); err != nil {
				return 0, err
			}
			return page.Choose(ctx, source)
		})
		return ours, func(ctx context.Context) (float64, error) { return changes.Stat(ctx, work, commits...) }, err
	}
}

// beginReviewScroll measures the time between frames, as the 99th percentile, while a file with 100,000 changed lines
// is scrolled. The baseline is the mean time between frames while nothing is scrolled.
func beginReviewScroll(ctx context.Context, after *ends) (ours, bare side, err error) {
	frames := func(scroll bool, of func([]float64) float64) (side, error) {
		s, _, err := beginReview(ctx, after, changes.LongFile, func(ctx context.Context, page changes.Evaluate, chat string) (float64, error) {
			if _, err := page.Open(ctx, chat, changes.FirstHead); err != nil {
				return 0, err
			}
			if err := page.ShowDiff(ctx); err != nil {
				return 0, err
			}
			times, err := page.Frames(ctx, scroll)
			return of(times), err
		})
		return s, err
	}
	if ours, err = frames(true, changes.Slowest); err == nil {
		bare, err = frames(false, changes.Mean)
	}
	return ours, bare, err
}
