package quick

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/webview"
)

// arg is the first argument of a quick prompt process.
const arg = "__quick"

// The size of the quick prompt's window in pixels.
const (
	width  = 680
	height = 300
)

// Names of the events exchanged by the page and its process. They carry a
// backend.QuickCommand and a backend.QuickEvent, respectively.
const (
	commandEvent = "quick:order"
	pageEvent    = "quick:said"
)

// RunIfRequested returns at once unless this process was started for the quick prompt. If it was, RunIfRequested runs
// the quick prompt and then exits. The process only displays a window: it opens none of VoxPilot's files and has no
// tokens. It reads commands from its standard input, writes events to its standard output, and exits when its input is
// closed. The parameter page is a file system that contains the app's page.
func RunIfRequested(page fs.FS) {
	if len(os.Args) < 2 || os.Args[1] != arg {
		return
	}
	if err := run(page, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "voxpilot:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// environ returns env without the variables that make a development build serve the app's page to a browser.
func environ(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "assetdir" || name == "devserver" || name == "frontenddevserverurl"
	})
}

// window is the quick prompt's window, in its own process.
type window struct {
	in  *bufio.Reader
	ctx context.Context // Wails' context
	// isRound is true if the window has round corners.
	isRound bool

	mu    sync.Mutex
	out   io.Writer
	first backend.QuickView     // the content at the start of the process
	ready bool                  // the page is loaded
	next  *backend.QuickCommand // command to send when the page is loaded
}

func run(page fs.FS, in io.Reader, out io.Writer) error {
	q := &window{in: bufio.NewReader(in), out: out}
	order, err := q.readCommand()
	if err != nil || order.Show == nil {
		return err
	}
	q.first, q.next, q.isRound = *order.Show, &order, hasRoundCorners()
	return wails.Run(&options.App{
		Title: "VoxPilot quick prompt", Width: width, Height: height, MinWidth: width, MinHeight: height,
		Frameless: true, AlwaysOnTop: true, StartHidden: true, HideWindowOnClose: true,
		BackgroundColour: q.background(),
		AssetServer:      &assetserver.Options{Assets: promptPage{page}, Handler: http.HandlerFunc(q.serveLook)},
		OnStartup:        q.startup,
		Logger:           webview.Log{Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))},
		LogLevel:         logger.ERROR,
		// No icon is set: it would never be visible, but the window manager would load it each time.
		Linux:   &linux.Options{ProgramName: "voxpilot", WebviewGpuPolicy: linux.WebviewGpuPolicyNever, WindowIsTranslucent: q.isRound},
		Mac:     &mac.Options{TitleBar: mac.TitleBarHidden(), WebviewIsTransparent: true, WindowIsTranslucent: true},
		Windows: &windows.Options{},
	})
}

// background returns the background color that the window has before the page is painted.
func (q *window) background() *options.RGBA {
	if q.first.Theme == "dark" {
		return options.NewRGB(0x22, 0x23, 0x27)
	}
	return options.NewRGB(0xFF, 0xFF, 0xFF)
}

// readCommand reads the next command from the app. It returns a zero command at the end of the input.
func (q *window) readCommand() (o backend.QuickCommand, err error) {
	line, err := q.in.ReadBytes('\n')
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return o, err
	}
	return o, json.Unmarshal(line, &o)
}

// startup starts listening to the app and the page.
func (q *window) startup(ctx context.Context) {
	q.ctx = ctx
	// The process is useless without its page. The app starts a new one when needed.
	webview.OnPageDied(func() bool {
		go runtime.Quit(ctx)
		return false
	})
	runtime.EventsOn(ctx, pageEvent, func(data ...any) {
		var said backend.QuickEvent
		if text, ok := data[0].(string); ok && json.Unmarshal([]byte(text), &said) == nil {
			q.handle(said)
		}
	})
	go func() {
		for {
			o, err := q.readCommand()
			if err != nil || o == (backend.QuickCommand{}) {
				break
			}
			q.carryOut(o)
		}
		time.AfterFunc(endTime/2, func() { os.Exit(0) }) // exits even if the window hangs
		runtime.Quit(ctx)
	}()
}

// carryOut executes a command. If the page isn't loaded yet, carryOut only stores the content to show.
func (q *window) carryOut(o backend.QuickCommand) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.ready {
		if o.Show != nil {
			q.next = &o
		}
		return
	}
	runtime.EventsEmit(q.ctx, commandEvent, o)
	switch {
	case o.Show != nil:
		presentWindow(q.ctx)
	case o.Sent:
		runtime.WindowHide(q.ctx)
		q.send(backend.QuickEvent{Closed: true})
	}
}

// handle processes an event from the page and, except for Ready, forwards it to the app.
func (q *window) handle(said backend.QuickEvent) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case said.Ready:
		q.ready = true
		if o := q.next; o != nil {
			q.next = nil
			runtime.EventsEmit(q.ctx, commandEvent, *o)
			presentWindow(q.ctx)
		}
		return
	case said.Closed:
		runtime.WindowHide(q.ctx)
	}
	q.send(said)
}

// send sends an event to the app. The caller must hold q.mu.
func (q *window) send(said backend.QuickEvent) {
	line, err := json.Marshal(said)
	if err == nil {
		_, _ = q.out.Write(append(line, '\n')) // if the app has exited, the input ends too
	}
}

// appearanceScript is the name of the script that the page loads first.
const appearanceScript = "look.js"

// serveLook serves a script that stores the appearance settings where the page reads them, so that they apply from the
// first paint.
func (q *window) serveLook(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/"+appearanceScript {
		http.NotFound(w, r)
		return
	}
	look, err := json.Marshal(map[string]string{
		"theme": q.first.Theme, "contrast": q.first.Contrast, "motion": q.first.Motion, "text": q.first.TextSize,
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	language, err := json.Marshal(q.first.Language)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript")
	_, _ = fmt.Fprintf(w, "localStorage.setItem('voxpilot.look', JSON.stringify(%s));\nlocalStorage.setItem('voxpilot.language', %s);\n", look, language)
	if q.isRound {
		_, _ = io.WriteString(w, "document.documentElement.dataset.round = '';\n")
	}
}

// promptPage serves the app's files, with the quick prompt's page instead of the main window's.
type promptPage struct{ fs.FS }

func (p promptPage) Open(name string) (fs.File, error) {
	switch name {
	case "index.html":
		name = "quick.html"
	case appearanceScript: // served by window.serveLook
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return p.FS.Open(name)
}
