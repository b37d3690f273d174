package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

// page is an inspectable page of the app.
type page interface {
	// evaluate evaluates a JavaScript expression that returns JSON as a string, and decodes this JSON into *value.
	evaluate(ctx context.Context, expression string, value any) error
	close() error
}

// where identifies the host of a page: the app's own window or Chromium.
type where string

const (
	inWindow   where = "window"   // the app as shipped, in its own window
	inChromium where = "chromium" // its development build, in Chromium
)

// running is a running app whose page can be inspected.
type running struct {
	page page
	// shows is the pid of the process that hosts the page. Descendants of this process may render the page.
	shows   int
	started time.Time // start time of the app
	ends
}

// forget clears the page's stored state, so that the next start opens no chat.
func (r *running) forget(ctx context.Context) error {
	var length int
	return r.page.evaluate(ctx, `JSON.stringify((localStorage.clear(), localStorage.length))`, &length)
}

// begin starts a program that exits on SIGTERM. If the program fails, the error that
// r.end returns includes the program's output.
func (r *running) begin(cmd *exec.Cmd) error {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	r.shows = cmd.Process.Pid
	r.later(func() error {
		err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Error() == "signal: terminated" {
			return nil // a browser, which the signal ends
		}
		if err != nil {
			err = fmt.Errorf("%w; its output:\n%s", err, said.Bytes())
		}
		return err
	})
	return nil
}

// quiet is the time after the start of the app during which the app isn't inspected, because the inspector's server
// runs on the thread that creates the window.
const quiet = 1500 * time.Millisecond

// run starts the app with the home directory h and waits until its chat list is painted.
func (h *home) run(ctx context.Context, place where, env ...string) (*running, error) {
	r := &running{}
	if err := h.bring(ctx, r, place, env); err != nil {
		return nil, errors.Join(err, r.end())
	}
	return r, nil
}

func (h *home) bring(ctx context.Context, r *running, place where, env []string) error {
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	program, args := windowProgram, []string(nil)
	if place == inChromium {
		// Hide the app's own window, which would render the same page and take the keyboard focus.
		program, args = "bin/voxpilot-dev", []string{"--hidden"}
		assets, err := filepath.Abs("frontend/dist")
		if err != nil {
			return err
		}
		env = append(env, "devserver="+address, "assetdir="+assets, "loglevel=warning")
	} else {
		env = append(env, "WEBKIT_INSPECTOR_HTTP_SERVER="+address)
	}
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	cmd := exec.Command(program, args...) //nolint:noctx // stopped by a signal, as at logout
	cmd.Env = append(h.env(), env...)
	r.started = time.Now()
	if err := r.begin(cmd); err != nil {
		return err
	}
	if place == inWindow {
		if err := wait(ctx, quiet); err != nil {
			return err
		}
		if r.page, err = inspect(ctx, address); err != nil {
			return err
		}
	} else if err = r.browse(ctx, "http://"+address+"/", filepath.Join(h.dir, "chromium")); err != nil {
		return err
	}
	r.later(r.page.close)
	var ready bool
	for !ready {
		err := r.page.evaluate(ctx, `JSON.stringify(performance.getEntriesByName("voxpilot:chats-painted").length > 0)`, &ready)
		if err != nil {
			return err
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("the chat list was not painted: %w", err)
		}
	}
	return nil
}

// chromiumArgs returns arguments that make Chromium run without prompts or telemetry. Background throttling is off,
// so that the page runs at full speed even if its window isn't focused.
func chromiumArgs(profile string, more ...string) []string {
	return append([]string{
		"--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-sync",
		"--disable-component-update", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--password-store=basic", "--window-size=1280,800", "--user-data-dir=" + profile,
	}, more...)
}

// browse opens a URL in a separate Chromium, which hosts the page from then on.
func (r *running) browse(ctx context.Context, url, profile string) error {
	for {
		if _, err := get(ctx, url); err == nil {
			break
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("the app doesn't respond at %s: %w", url, err)
		}
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	_, port, _ := strings.Cut(address, ":")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return err
	}
	cmd := exec.Command("chromium", chromiumArgs(profile, "--remote-debugging-port="+port, "--app="+url)...) //nolint:noctx // stopped by a signal, like the app
	if err := r.begin(cmd); err != nil {
		return err
	}
	r.page, err = devtools(ctx, address, url)
	return err
}

// chrome is a Chromium page, controlled through the DevTools protocol.
type chrome struct {
	conn *websocket.Conn
	ids  int
}

// devtools waits until the page with the given URL can be inspected and connects to it.
func devtools(ctx context.Context, address, url string) (*chrome, error) {
	for {
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return nil, fmt.Errorf("no page appeared: %w", err)
		}
		list, err := get(ctx, "http://"+address+"/json/list")
		if err != nil {
			continue
		}
		var pages []struct {
			URL    string `json:"url"`
			Type   string `json:"type"`
			Socket string `json:"webSocketDebuggerUrl"`
		}
		if err := json.Unmarshal([]byte(list), &pages); err != nil {
			return nil, err
		}
		for _, p := range pages {
			if p.Type != "page" || !strings.HasPrefix(p.URL, url) {
				continue
			}
			conn, response, err := websocket.Dial(ctx, p.Socket, nil)
			if err != nil {
				return nil, err
			}
			if response.Body != nil {
				_ = response.Body.Close()
			}
			conn.SetReadLimit(64 << 20)
			return &chrome{conn: conn}, nil
		}
	}
}

func (c *chrome) evaluate(ctx context.Context, expression string, value any) error {
	c.ids++
	ask, err := json.Marshal(map[string]any{
		"id": c.ids, "method": "Runtime.evaluate", "params": map[string]any{"expression": expression, "returnByValue": true},
	})
	if err != nil {
		return err
	}
	if err := c.conn.Write(ctx, websocket.MessageText, ask); err != nil {
		return err
	}
	for {
		_, data, err := c.conn.Read(ctx)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Result struct {
					Value string `json:"value"`
				} `json:"result"`
				Thrown *struct {
					Text string `json:"text"`
				} `json:"exceptionDetails"`
			} `json:"result"`
		}
		if err := json.Unmarshal(data, &answer); err != nil || answer.ID != c.ids {
			continue // an event
		}
		if answer.Result.Thrown != nil {
			return fmt.Errorf("the page threw %s", answer.Result.Thrown.Text)
		}
		return json.Unmarshal([]byte(answer.Result.Result.Value), value)
	}
}

func (c *chrome) close() error { return c.conn.CloseNow() }
