package desktop

import (
	"context"
	"log/slog"
	"net/mail"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/i18n"
	"github.com/voxpilot/voxpilot/backend/webview"
)

// Window holds the functions through which the app uses its window. While there is no window, they do nothing
// (NoWindow), because Wails' runtime ends the process if it is called with a context that isn't Wails' own.
type Window struct {
	Emit       func(backend.Batch)
	PickFolder func() (string, error)
	PickFile   func() (string, error)
	SaveFile   func(name string) (string, error)
	OpenURL    func(string)
	Copy       func(string) error
	Paste      func() (string, error) // returns the text on the clipboard
	Token      func(string)           // sets the desktop's activation token for the next show
	Show       func()
	Hide       func()
	Bounds     func() (b Bounds, ok bool) // ok is false for a minimized or full-screen window
	Quit       func()
	Ask        func(title, message, yes, no string) bool // reports whether the user chose yes
	Retitle    func(from, to []string)                   // renames entries of the menu bar
}

// NoWindow returns the functions to use while there is no window. Emitted events are
// lost, which is correct because a page starts with a snapshot.
func NoWindow() *Window {
	none := func() (string, error) { return "", nil }
	return &Window{
		Emit: func(backend.Batch) {}, PickFolder: none, PickFile: none,
		SaveFile: func(string) (string, error) { return "", nil }, OpenURL: func(string) {},
		Copy: func(string) error { return nil }, Paste: none, Token: func(string) {}, Show: func() {}, Quit: func() {},
		Hide: func() {}, Bounds: func() (b Bounds, ok bool) { return b, false },
		Ask:     func(string, string, string, string) bool { return false },
		Retitle: func(_, _ []string) {},
	}
}

func wailsWindow(ctx context.Context, words func() i18n.Catalog) *Window {
	return &Window{
		Emit: func(b backend.Batch) { runtime.EventsEmit(ctx, backend.EventName, b) },
		PickFolder: func() (string, error) {
			return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: words().Say("Choose a folder"), CanCreateDirectories: true})
		},
		PickFile: func() (string, error) {
			return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: words().Say("Choose a file"), ShowHiddenFiles: true})
		},
		SaveFile: func(name string) (string, error) {
			return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: words().Say("Save as"), DefaultFilename: name, CanCreateDirectories: true})
		},
		OpenURL: func(address string) { runtime.BrowserOpenURL(ctx, address) },
		Copy:    func(text string) error { return runtime.ClipboardSetText(ctx, text) },
		Paste:   func() (string, error) { return runtime.ClipboardGetText(ctx) },
		Hide:    func() { runtime.Hide(ctx) }, // hides the app on macOS; a click in the Dock shows it
		Bounds:  func() (Bounds, bool) { return windowBounds(ctx) },
		Token:   startupToken,
		Show: func() {
			runtime.Show(ctx)
			runtime.WindowShow(ctx)
			runtime.WindowUnminimise(ctx) // Show alone doesn't raise a minimized window on Linux
		},
		Quit: func() { runtime.Quit(ctx) },
		Ask: func(title, message, yes, no string) bool {
			answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
				Type: runtime.QuestionDialog, Title: title, Message: message,
				Buttons: []string{yes, no}, DefaultButton: yes, CancelButton: no,
			})
			return err == nil && (answer == yes || answer == "Yes" || answer == "Ok")
		},
		Retitle: retitleMenu,
	}
}

// window returns the current window.
func (d *Desktop) window() *Window { return d.win.Load() }

// Startup is called by Wails when the window exists. It runs concurrently with the page's first calls.
func (d *Desktop) Startup(ctx context.Context) {
	d.SetWindow(d.withPlacement(ctx, wailsWindow(ctx, d.messages)))
	webview.OnPageDied(d.watchdog.processDied)
	d.startTray()
	d.startHotkey()
	d.startNotify()
	d.watchPower()
}

// Shutdown is called by Wails when the window has closed.
func (d *Desktop) Shutdown(context.Context) {
	d.SetWindow(NoWindow())
	ctx, cancel := context.WithTimeout(context.Background(), engine.EndTime)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		slog.Error("VoxPilot couldn't shut down cleanly", "err", err)
	}
}

// QuitOnSignals quits the app cleanly on a termination signal, until the returned function is called.
// Wails quits at the first signal, but misses it if the window's loop isn't running yet, ignores a
// second one, and doesn't handle SIGHUP. Two simultaneous quits crash GTK, so QuitOnSignals first gives
// Wails some time to quit. If the window hasn't closed after 2*engine.EndTime, QuitOnSignals ends the process.
func (d *Desktop) QuitOnSignals() (stop func()) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ended := make(chan struct{})
	go func() {
		select {
		case s := <-told:
			first := !d.quitting.Swap(true) // the system doesn't wait for an answer
			d.API.Save()
			if first && s == syscall.SIGHUP {
				d.window().Quit()
			}
		case <-ended:
			return
		}
		again := time.NewTicker(quitAgain)
		defer again.Stop()
		late := time.NewTimer(2 * engine.EndTime)
		defer late.Stop()
		for {
			select {
			case <-ended:
				return
			case <-again.C:
				d.window().Quit() // does nothing once the app is shutting down
			case <-late.C:
				d.API.Log.Error("the window didn't close; VoxPilot is exiting anyway")
				d.Shutdown(context.Background())
				os.Exit(1)
			}
		}
	}()
	return func() {
		signal.Stop(told)
		close(ended)
	}
}

// quitAgain is the interval at which the app retries closing the window.
const quitAgain = 3 * time.Second

// pick opens a file dialog and publishes the chosen path as a backend.DialogResult. request is the ID of the
// request for the dialog.
func (d *Desktop) pick(request string, dialog func() (string, error)) {
	path, err := dialog()
	if err != nil {
		d.API.Log.Warn("a file dialog failed", "err", err)
	}
	if e, err := d.API.Engine(); err == nil {
		e.Bus.Publish(backend.Event{DialogResult: &backend.DialogResult{Request: request, Path: path}})
	}
}

// checkURL returns the address in normalized form, or an error if it is neither a web address without a user name nor
// an email address.
func checkURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err == nil && u.Scheme == "mailto" {
		// Only the recipient is allowed: mail programs may attach files from other parameters.
		if to, err := url.PathUnescape(u.Opaque); err == nil {
			if who, err := mail.ParseAddress(to); err == nil && who.Address == to {
				return (&url.URL{Scheme: "mailto", Opaque: url.PathEscape(to)}).String(), nil
			}
		}
	}
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil {
		return "", &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("VoxPilot opens only web addresses (http and https) and email addresses."), Detail: address}
	}
	return u.String(), nil
}

// Log writes an error or a warning from the page to the log, truncated to 4,000 bytes.
func (d *Desktop) Log(level, message string) {
	if len(message) > 4000 {
		message = message[:4000]
	}
	if level == "error" {
		d.API.Log.Error("page: " + message)
		return
	}
	d.API.Log.Warn("page: " + message)
}

// frozen asks in a native dialog whether to restart VoxPilot. If the user declines and the web process
// has crashed, frozen reloads the page. The dialog works because only the web process has stopped
// responding.
func (d *Desktop) frozen() {
	d.API.Log.Error("the page stopped responding")
	w := d.messages()
	body := w.Say("Your chats are saved. If you restart VoxPilot, running agents will stop. You can continue their sessions afterward.")
	if !d.window().Ask(w.Say("VoxPilot's window isn't responding"), body, w.Say("Restart VoxPilot"), w.Say("Wait")) {
		webview.ReloadPage()
		return
	}
	d.restart()
}

// restart stops this process cleanly and starts a new one.
func (d *Desktop) restart() {
	ctx, cancel := context.WithTimeout(context.Background(), engine.EndTime)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		slog.Error("VoxPilot couldn't shut down cleanly before restarting", "err", err)
	}
	self, err := os.Executable()
	if err == nil {
		// The database is closed, so the new process can lock it.
		cmd := exec.Command(self) //nolint:noctx // outlives this process
		cmd.Env = d.API.Tokens.Environ()
		err = cmd.Start()
	}
	if err != nil {
		slog.Error("couldn't restart VoxPilot", "err", err)
	}
	os.Exit(0)
}
