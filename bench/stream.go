package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/bench/consumption"
)

// streaming is a home directory with a single chat, whose agent is the benchmark agent.
type streaming struct {
	*home
	window where
	script string
	chat   string
	agent  string
}

func streamingHome(ctx context.Context, after *ends, place where, script string) (*streaming, error) {
	dir, err := desktopFolder(ctx, after)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	return &streaming{home: &home{dir: dir}, window: place, script: script, agent: self}, err
}

// fresh replaces the database with a new one that contains one empty chat.
func (h *streaming) fresh(ctx context.Context) (err error) {
	if err := os.RemoveAll(h.data()); err != nil {
		return err
	}
	work := filepath.Join(h.dir, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	db, _, err := store.Open(ctx, h.data())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	settings, now := backend.DefaultSettings(), backend.Now()
	settings.SetupDone = true
	profile := backend.CustomAgent{ID: backend.NewID(), Name: "Bench", Command: h.agent, CreatedAt: now}
	chat := backend.Chat{ID: backend.NewID(), Title: "Stream", Folder: work, ProviderID: profile.ID, CreatedAt: now, UpdatedAt: now}
	h.chat = chat.ID
	return db.Apply(ctx, []backend.Event{{Settings: &settings}, {CustomAgent: &profile}, {Chat: &chat}}, true)
}

// with starts the app on a fresh database, shows its chat, warms up all measured code paths and returns the
// result of the function do.
func (h *streaming) with(ctx context.Context, do func(ctx context.Context, r *running) (float64, error)) (n float64, err error) {
	if err := h.fresh(ctx); err != nil {
		return 0, err
	}
	r, err := h.run(ctx, h.window, scriptVar+"="+h.script)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.forget(ctx), r.end()) }()
	var open bool
	for !open {
		err := r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify((() => {
			if (document.querySelector('[role="log"]') && document.querySelector("textarea")) return true;
			document.querySelector('.chat[data-id="%s"]')?.click();
			return false;
		})())`, h.chat), &open)
		if err != nil {
			return 0, err
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return 0, fmt.Errorf("the chat didn't appear: %w", err)
		}
	}
	// Warm up all measured code paths.
	if err := h.prompt(ctx, r, greeting); err != nil {
		return 0, err
	}
	return do(ctx, r)
}

// prompt sends a message the way the composer does and returns once the page shows that
// its turn has ended.
func (h *streaming) prompt(ctx context.Context, r *running, text string) error {
	if err := h.send(ctx, r, text); err != nil {
		return err
	}
	return h.ended(ctx, r)
}

func (h *streaming) send(ctx context.Context, r *running, text string) error {
	var sent string
	err := r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify((() => {
		window.benchSent = "";
		window.go.main.App.Send(%q, %q, []).then(() => { window.benchSent = "yes"; }, (e) => { window.benchSent = "no: " + JSON.stringify(e); });
		return "";
	})())`, h.chat, text), &sent)
	for err == nil && sent == "" {
		if err = wait(ctx, 20*time.Millisecond); err == nil {
			err = r.page.evaluate(ctx, `JSON.stringify(window.benchSent)`, &sent)
		}
	}
	if err == nil && sent != "yes" {
		err = errors.New(sent)
	}
	return err
}

func (h *streaming) ended(ctx context.Context, r *running) error {
	for {
		var state string
		err := r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify(document.querySelector('.chat[data-id="%s"]').dataset.state)`, h.chat), &state)
		if err != nil {
			return err
		}
		switch state {
		case "running":
		case "idle", "unread":
			return nil
		default:
			return fmt.Errorf("the turn ended as %s", state)
		}
		if err := wait(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

const (
	// torrentCalls is the number of streamed tool calls with 1 MB of output each.
	torrentCalls = 1024
	// torrentNodes is the maximum number of elements in the page after all calls.
	torrentNodes = 5000
	torrentTime  = 10 * time.Minute // limit for one run
)

// beginTorrent measures the memory of the rendering processes after 1 GB of tool output
// has been streamed through the chat. The baseline is their memory before that.
func beginTorrent(place where) func(context.Context, *ends) (ours, bare side, err error) {
	return func(ctx context.Context, after *ends) (ours, bare side, err error) {
		h, err := streamingHome(ctx, after, place, fmt.Sprint(torrent, torrentCalls))
		if err != nil {
			return nil, nil, err
		}
		bare = func(ctx context.Context) (float64, error) {
			return h.with(ctx, func(ctx context.Context, r *running) (float64, error) { return drawn(ctx, r) })
		}
		ours = func(ctx context.Context) (float64, error) {
			ctx, cancel := context.WithTimeout(ctx, torrentTime)
			defer cancel()
			return h.with(ctx, func(ctx context.Context, r *running) (float64, error) {
				if err := h.prompt(ctx, r, "Run them all."); err != nil {
					return 0, err
				}
				var nodes int
				if err := r.page.evaluate(ctx, `JSON.stringify(document.querySelectorAll("*").length)`, &nodes); err != nil {
					return 0, err
				}
				if nodes > torrentNodes {
					return 0, fmt.Errorf("the page has %d elements", nodes)
				}
				return drawn(ctx, r)
			})
		}
		return ours, bare, nil
	}
}

// drawn waits for restTime, so that the page becomes quiet and its garbage is collected. Then it returns the memory of
// the rendering processes in MB.
func drawn(ctx context.Context, r *running) (float64, error) {
	if err := wait(ctx, restTime); err != nil {
		return 0, err
	}
	pids, err := renderers(r.shows)
	if err != nil {
		return 0, err
	}
	var total float64
	for _, pid := range pids {
		n, err := consumption.Memory(pid)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// Frames are recorded while frameChunks chunks of prose arrive, one per millisecond. A key is pressed
// at intervals of keyEvery.
const (
	frameChunks = 6000
	keyEvery    = 150 * time.Millisecond
)

// beginFrames measures a page to which a thousand chunks are streamed per second. If times is "frames", the result is
// the 99th percentile of the time between frames. If times is "keys", the result is the 99th percentile of the time
// from a key press to the paint. The baseline is the mean time between frames while the same page is at rest. It is
// a mean, since WebKit reports times in whole milliseconds. All values are in milliseconds.
func beginFrames(place where, times string) func(context.Context, *ends) (ours, bare side, err error) {
	return func(ctx context.Context, after *ends) (ours, bare side, err error) {
		h, err := streamingHome(ctx, after, place, fmt.Sprint(paced, frameChunks))
		if err != nil {
			return nil, nil, err
		}
		ours = func(ctx context.Context) (float64, error) {
			ctx, cancel := context.WithTimeout(ctx, startTime)
			defer cancel()
			return h.with(ctx, func(ctx context.Context, r *running) (float64, error) {
				if err := watchFrames(ctx, r); err != nil {
					return 0, err
				}
				if err := h.send(ctx, r, "Tell me all."); err != nil {
					return 0, err
				}
				typing, stop := context.WithCancel(ctx)
				typed := make(chan error, 1)
				go func() { typed <- pressKeys(typing) }()
				err := h.ended(ctx, r)
				stop()
				if err = errors.Join(err, <-typed); err != nil {
					return 0, err
				}
				var ms float64
				err = r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify((() => {
					const of = window.benchFrames.%s.sort((a, b) => a - b);
					return of.length < 20 ? 0 : of[Math.floor(of.length * 0.99)];
				})())`, times), &ms)
				return ms, err
			})
		}
		bare = func(ctx context.Context) (float64, error) {
			ctx, cancel := context.WithTimeout(ctx, startTime)
			defer cancel()
			return h.with(ctx, func(ctx context.Context, r *running) (float64, error) {
				if err := watchFrames(ctx, r); err != nil {
					return 0, err
				}
				if err := wait(ctx, settled); err != nil {
					return 0, err
				}
				var ms float64
				err := r.page.evaluate(ctx, `JSON.stringify((() => {
					const of = window.benchFrames.frames.slice(1);
					return of.reduce((sum, each) => sum + each, 0) / of.length;
				})())`, &ms)
				return ms, err
			})
		}
		return ours, bare, nil
	}
}

// watchFrames makes the page record the time between frames, and the time from each key
// press to the end of the frame that shows its effect.
func watchFrames(ctx context.Context, r *running) error {
	var ok bool
	return r.page.evaluate(ctx, `JSON.stringify((() => {
		const seen = window.benchFrames = { frames: [], keys: [] };
		let last = performance.now();
		const frame = () => {
			const now = performance.now();
			seen.frames.push(now - last);
			last = now;
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
		const text = document.querySelector("textarea");
		text.focus();
		text.addEventListener("input", (e) => {
			requestAnimationFrame(() => setTimeout(() => seen.keys.push(performance.now() - e.timeStamp)));
		});
		return true;
	})())`, &ok)
}

// pressKeys presses keys in the window until ctx is canceled.
func pressKeys(ctx context.Context) error {
	find := exec.CommandContext(ctx, "xdotool", "search", "--sync", "--onlyvisible", "--name", "^VoxPilot", "windowfocus", "--sync")
	if out, err := find.CombinedOutput(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("couldn't find the window: %w: %s", err, out)
	}
	for wait(ctx, keyEvery) == nil {
		if out, err := exec.CommandContext(ctx, "xdotool", "key", "a").CombinedOutput(); err != nil && ctx.Err() == nil {
			return fmt.Errorf("couldn't press a key: %w: %s", err, out)
		}
	}
	return nil
}
