package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// windowProgram is the path of the app as shipped, but with the inspector enabled in its window.
const windowProgram = "bin/voxpilot-bench"

// beginWindow measures the time from process start to the first paint of the chat list, in the real window, with a
// database full of chats. The page records the paint in its performance timeline, using the system clock. The Web
// Inspector reads the record later, so that reading it doesn't slow down the start.
//
// The baseline is the same start with the database of an app that has only been set up. In the first round, which isn't
// counted, both sides are started so that the files of the app and of WebKit exist.
func beginWindow(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := desktopFolder(ctx, after)
	if err != nil {
		return nil, nil, err
	}
	full, empty := &home{dir: filepath.Join(dir, "full"), chats: seedChats}, &home{dir: filepath.Join(dir, "empty")}
	say("  writing %d chats and %d rows", seedChats, seedRows)
	err = seed(ctx, full.data(), filepath.Join(dir, "work"), seedChats, seedRows)
	if err == nil {
		err = seed(ctx, empty.data(), filepath.Join(dir, "work"), 0, 0)
	}
	return full.start, empty.start, err
}

// desktopFolder builds the app for a bench that needs a desktop and returns a new temporary folder.
func desktopFolder(ctx context.Context, after *ends) (string, error) {
	if err := needsDesktop(); err != nil {
		return "", err
	}
	if err := buildWindow(ctx); err != nil {
		return "", err
	}
	return after.folder()
}

// buildWindow builds the app with the inspector. Go's build cache makes repeated builds fast.
func buildWindow(ctx context.Context) error {
	if _, err := os.Stat("frontend/dist/index.html"); err != nil {
		return errors.New("the page isn't built: run make build or make bench in the project folder")
	}
	say("  building the app with the inspector")
	return build(ctx, "desktop,production,devtools,webkit2_41", windowProgram, ".")
}

// buildEmpty builds the program that shows the empty window. It writes the program to dir and returns
// its path.
func buildEmpty(ctx context.Context, dir string) (program string, err error) {
	program = filepath.Join(dir, "empty")
	return program, build(ctx, "desktop,production,webkit2_41", program, "./bench/empty")
}

func build(ctx context.Context, tags, program, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags", tags, "-trimpath", "-ldflags", "-s -w", "-o", program, pkg)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

// home is the home directory of a simulated user. The method start expects the page to show chats
// unless chats is 0.
type home struct {
	dir   string
	chats int
}

func (h *home) data() string { return filepath.Join(h.dir, "data") }

func (h *home) env() []string {
	return append(os.Environ(), "VOXPILOT_DATA_DIR="+h.data(),
		"HOME="+h.dir, "XDG_CONFIG_HOME="+filepath.Join(h.dir, "config"), "XDG_DATA_HOME="+filepath.Join(h.dir, "share"),
		"XDG_STATE_HOME="+filepath.Join(h.dir, "state"), "XDG_CACHE_HOME="+filepath.Join(h.dir, "cache"))
}

// startTime is the time limit for one run of the app, from start to exit.
const startTime = 60 * time.Second

// start starts the app, waits until its chat list is painted, stops the app, and
// returns the milliseconds from start to paint.
func (h *home) start(ctx context.Context) (took float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	r, err := h.run(ctx, inWindow)
	if err != nil {
		return 0, err
	}
	// A clean exit leaves the database as it is after a user has quit the app. After an unclean exit, the next start
	// would check the file.
	defer func() { err = errors.Join(err, r.end()) }()
	var seen struct {
		At    float64 `json:"at"`
		Chats int     `json:"chats"`
		Empty bool    `json:"empty"`
	}
	// Only visible rows exist in the DOM, so there can be fewer rows than chats.
	err = r.page.evaluate(ctx, `JSON.stringify({
		at: performance.timeOrigin + performance.getEntriesByName("voxpilot:chats-painted")[0].startTime,
		chats: document.querySelectorAll(".chats li").length,
		empty: document.querySelector(".chats-none") !== null,
	})`, &seen)
	if err != nil {
		return 0, err
	}
	if shows := seen.Chats > 0; shows != (h.chats > 0) || seen.Empty == shows {
		return 0, fmt.Errorf("the page shows %d rows for %d chats", seen.Chats, h.chats)
	}
	return seen.At - float64(r.started.UnixMicro())/1000, nil
}
