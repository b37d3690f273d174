package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/bench/consumption"
)

// beginMemory measures the memory of the app and its page while one chat is shown and
// no agent is running. The baseline is a Chromium app window that shows an empty page.
func beginMemory(ctx context.Context, after *ends) (ours, bare side, err error) {
	chat, err := restingHome(ctx, after, 1)
	if err != nil {
		return nil, nil, err
	}
	ours = func(ctx context.Context) (float64, error) {
		return chat.rest(ctx, func(ctx context.Context, r *running) (float64, error) {
			return consumption.Memory(r.shows)
		})
	}
	bare = func(ctx context.Context) (n float64, err error) {
		r := &running{}
		defer func() { err = errors.Join(err, r.end()) }()
		profile, err := r.folder()
		if err != nil {
			return 0, err
		}
		if err := r.begin(exec.Command("chromium", chromiumArgs(profile, "--app=about:blank")...)); err != nil { //nolint:noctx // stopped by a signal
			return 0, err
		}
		if err := wait(ctx, settled+quiet); err != nil {
			return 0, err
		}
		return consumption.Memory(r.shows)
	}
	return ours, bare, nil
}

// A window may release resources for up to restTime. After that it is considered quiet, and is left alone for idleTime
// while its CPU time is measured.
const (
	restTime = time.Minute
	idleTime = time.Minute
)

// beginIdle measures the CPU time that the app and its page use while nothing happens and ten chats are
// open. The baseline is an empty Wails window. The composer isn't focused: without a GPU, a blinking
// caret alone costs WebKit 600 ms of CPU time per minute.
func beginIdle(ctx context.Context, after *ends) (ours, bare side, err error) {
	chats, err := restingHome(ctx, after, 10)
	if err != nil {
		return nil, nil, err
	}
	empty, err := buildEmpty(ctx, chats.dir)
	if err != nil {
		return nil, nil, err
	}
	idle := func(ctx context.Context, r *running) (float64, error) {
		before, err := worked(r.shows)
		if err != nil {
			return 0, err
		}
		if err := wait(ctx, idleTime); err != nil {
			return 0, err
		}
		after, err := worked(r.shows)
		return after - before, err
	}
	ours = func(ctx context.Context) (float64, error) {
		return chats.rest(ctx, func(ctx context.Context, r *running) (float64, error) {
			var blurred bool
			if err := r.page.evaluate(ctx, `JSON.stringify((document.activeElement.blur(), true))`, &blurred); err != nil {
				return 0, err
			}
			// The inspector receives every event, which takes CPU time as well.
			if err := errors.Join(r.forget(ctx), r.page.close()); err != nil {
				return 0, err
			}
			r.page = nil
			if err := wait(ctx, restTime); err != nil {
				return 0, err
			}
			return idle(ctx, r)
		})
	}
	bare = func(ctx context.Context) (n float64, err error) {
		r := &running{}
		defer func() { err = errors.Join(err, r.end()) }()
		cmd := exec.Command(empty) //nolint:noctx // stopped by a signal
		cmd.Env = chats.env()
		if err := r.begin(cmd); err != nil {
			return 0, err
		}
		if err := wait(ctx, restTime); err != nil {
			return 0, err
		}
		return idle(ctx, r)
	}
	return ours, bare, nil
}

// resting is a home directory with chats that are opened one after the other and then left idle.
type resting struct {
	*home
	ids []string
}

func restingHome(ctx context.Context, after *ends, chats int) (*resting, error) {
	dir, err := desktopFolder(ctx, after)
	if err != nil {
		return nil, err
	}
	h := &resting{home: &home{dir: dir}}
	for range chats {
		id, err := seedBlocks(ctx, h.data(), filepath.Join(dir, "work"), shortBlocks)
		if err != nil {
			return nil, err
		}
		h.ids = append(h.ids, id)
	}
	return h, nil
}

func (h *resting) rest(ctx context.Context, measure func(context.Context, *running) (float64, error)) (n float64, err error) {
	r, err := h.run(ctx, inWindow)
	if err != nil {
		return 0, err
	}
	defer func() {
		if r.page != nil {
			err = errors.Join(err, r.forget(ctx))
		}
		err = errors.Join(err, r.end())
	}()
	for _, id := range h.ids {
		if _, err := openChat(ctx, r, id); err != nil {
			return 0, err
		}
		// The next chat ends with the same text, so this one must be left first.
		if err := r.leave(ctx); err != nil {
			return 0, err
		}
	}
	if _, err := openChat(ctx, r, h.ids[0]); err != nil {
		return 0, err
	}
	if err := wait(ctx, settled); err != nil {
		return 0, err
	}
	return measure(ctx, r)
}

// leave switches from the open chat to the empty chat.
func (r *running) leave(ctx context.Context) error {
	var shown bool
	for !shown {
		err := r.page.evaluate(ctx, fmt.Sprintf(`JSON.stringify((() => {
			window.benchOpened = 0;
			if (!document.body.textContent.includes(%q)) return true;
			const empty = [...document.querySelectorAll(".chat")].find((row) => row.getAttribute("aria-label").includes("(2)"));
			empty?.click();
			return false;
		})())`, lastWords), &shown)
		if err != nil {
			return err
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil {
			return errors.Join(errors.New("the chat is still listed"), err)
		}
	}
	return nil
}

// renderers returns the pids of the rendering processes in a process tree. root is the pid of the first process of the
// tree. It is an error if no process renders a page.
func renderers(root int) ([]int, error) {
	pids, err := consumption.Tree(root)
	if err != nil {
		return nil, err
	}
	var found []int
	for _, pid := range pids {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			continue // it has exited
		}
		if s := string(line); strings.Contains(s, "WebKitWebProcess") || strings.Contains(s, "--type=renderer") {
			found = append(found, pid)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no process renders the page")
	}
	return found, nil
}
