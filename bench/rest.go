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
)

// beginMemory measures what the app needs, with its page, that shows one chat
// and has started no agent. The baseline is a Chromium that shows an empty page
// as an app.
func beginMemory(ctx context.Context, after *ends) (ours, bare side, err error) {
	chat, err := restingHome(ctx, after, 1)
	if err != nil {
		return nil, nil, err
	}
	ours = func(ctx context.Context) (float64, error) {
		return chat.rest(ctx, func(ctx context.Context, r *running) (float64, error) {
			return memory(r.shows)
		})
	}
	bare = func(ctx context.Context) (n float64, err error) {
		r := &running{}
		defer func() { err = errors.Join(err, r.end()) }()
		profile, err := r.folder()
		if err != nil {
			return 0, err
		}
		if err := r.begin(exec.Command("chromium", chromiumArgs(profile, "--app=about:blank")...)); err != nil { //nolint:noctx // it is ended by a signal
			return 0, err
		}
		if err := wait(ctx, settled+quiet); err != nil {
			return 0, err
		}
		return memory(r.shows)
	}
	return ours, bare, nil
}

// A window is quiet once it has had restTime to put away what was opened in it.
// It is then left alone for idleTime.
const (
	restTime = time.Minute
	idleTime = time.Minute
)

// beginIdle measures the processor time that the app takes, with its page, while
// nothing happens and ten chats are open. The baseline is a Wails window with
// nothing in it. The composer is not in focus: a caret that blinks in an otherwise
// empty window takes 600 ms a minute where no graphics processor helps WebKit.
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
			// The inspector is told of all that happens, which takes its time as well.
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
		cmd := exec.Command(empty) //nolint:noctx // it is ended by a signal
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

// resting is a home with chats that are opened one after the other, and then
// left alone.
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
		// The next one has the same words at its end.
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

// leave shows a chat of which nothing is known.
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
			return errors.Join(errors.New("the chat stays"), err)
		}
	}
	return nil
}

// renderers are the processes in a tree that draw pages, and nothing else.
func renderers(root int) ([]int, error) {
	pids, err := tree(root)
	if err != nil {
		return nil, err
	}
	var found []int
	for _, pid := range pids {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			continue // it has ended
		}
		if s := string(line); strings.Contains(s, "WebKitWebProcess") || strings.Contains(s, "--type=renderer") {
			found = append(found, pid)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no process draws the page")
	}
	return found, nil
}
