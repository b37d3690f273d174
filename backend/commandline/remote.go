package commandline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Start holds the command-line arguments that concern the window.
type Start struct {
	Hidden bool
	Target string // a folder, a link or ""
}

// ParseStart parses a command line that opens the window instead of running a command such as quick.
func ParseStart(args []string) (b Start, err error) {
	for _, arg := range args {
		switch {
		case arg == "--hidden":
			b.Hidden = true
		case strings.HasPrefix(arg, "-psn_"): // macOS adds it for double-clicked apps
		case strings.HasPrefix(arg, "-"):
			return b, fmt.Errorf("unknown option %s", arg)
		case b.Target != "":
			return b, fmt.Errorf("voxpilot opens one folder or link at a time; unexpected argument %q", arg)
		default:
			b.Target = arg
		}
	}
	return b, nil
}

// parseText parses the arguments of quick and ask: the text and the folder. The argument "-" stands for the text in
// the reader, except after "--".
func parseText(args []string, in io.Reader) (text, folder string, err error) {
	var texts []string
	for only := false; len(args) > 0; args = args[1:] {
		arg := args[0]
		given, isFolder := strings.CutPrefix(arg, "--folder=")
		switch {
		case only:
			texts = append(texts, arg)
		case arg == "--":
			only = true
		case isFolder:
			folder = given
		case arg == "--folder" && len(args) > 1:
			folder, args = args[1], args[1:]
		case arg == "--folder":
			return "", "", errors.New("--folder requires a folder")
		case arg == "-":
			read, err := io.ReadAll(io.LimitReader(in, backend.MaxPromptBytes+1))
			if err != nil {
				return "", "", fmt.Errorf("couldn't read the text: %w", err)
			}
			texts = append(texts, strings.TrimRight(string(read), "\n"))
		case strings.HasPrefix(arg, "-"):
			return "", "", fmt.Errorf("unknown option %s", arg)
		default:
			texts = append(texts, arg)
		}
	}
	if len(texts) > 1 {
		return "", "", errors.New("pass the text as one argument: put quotes around it")
	}
	return strings.Join(texts, ""), folder, nil
}

// runRemote runs `voxpilot quick` and `voxpilot ask` in the running VoxPilot. If none
// is running, it starts one without showing its window.
func runRemote(verb instance.Verb, args []string, in io.Reader, out, errs io.Writer) (code int) {
	text, folder, err := parseText(args, in)
	switch {
	case err == nil && strings.TrimSpace(text) == "" && (verb == instance.Ask || text != ""):
		err = errors.New("no text to send")
	case err == nil && text == "" && folder != "":
		err = errors.New("--folder requires text to send")
	}
	if err != nil {
		_, _ = fmt.Fprintf(errs, "voxpilot %s: %v.\n\n%s", verb, err, usage)
		return 2
	}
	r := instance.Request{Verb: verb, Text: text, Folder: folder}
	r.Dir, _ = os.Getwd() // if unknown, a folder must be absolute
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	giveForeground()
	plain := &plainText{to: out}
	err = runOrStart(ctx, environment.DataDir(), r, func(a instance.Response) {
		if a.Note != "" {
			_, _ = fmt.Fprintln(errs, "voxpilot: "+printable(a.Note))
		}
		plain.write(a.Text)
	})
	plain.end()
	return report(ctx, err, errs, exitCode)
}

// report prints the error of a command, if any, and returns the command's exit code. If Ctrl+C has canceled ctx,
// it prints nothing.
func report(ctx context.Context, err error, errs io.Writer, codeOf func(error) int) int {
	switch {
	case ctx.Err() != nil:
		return 130 // the shells' exit code for Ctrl+C
	case err != nil:
		_, _ = fmt.Fprintln(errs, "voxpilot: "+printable(err.Error()))
		return codeOf(err)
	}
	return 0
}

// exitUntrusted is the exit code used if the user must trust the folder first.
const exitUntrusted = 3

func exitCode(err error) int {
	var refused *instance.RemoteError
	if errors.As(err, &refused) && refused.Code == string(backend.CodeUntrusted) {
		return exitUntrusted
	}
	return 1
}

// startTime is the time limit for starting VoxPilot to run a command.
const startTime = time.Minute

// runOrStart sends r to the VoxPilot that uses the data directory dir, and passes each response to a callback (got). If
// that VoxPilot isn't running, runOrStart starts it.
func runOrStart(ctx context.Context, dir string, r instance.Request, got func(instance.Response)) error {
	err := instance.Do(ctx, dir, r, got)
	if !errors.Is(err, instance.ErrNotRunning) {
		return err
	}
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("VoxPilot isn't running, and it can't start without a desktop: neither DISPLAY nor WAYLAND_DISPLAY is set")
	}
	self, err := os.Executable()
	if err == nil {
		home, _ := os.UserHomeDir() // if unknown, it starts in the current folder
		environ := os.Environ()
		if os.Getenv("VOXPILOT_DATA_DIR") != "" {
			environ = append(environ, "VOXPILOT_DATA_DIR="+dir) // it may be relative, and the new process has another folder
		}
		err = workspace.Detach(ctx, []string{self, "--hidden"}, home, environ)
	}
	if err != nil {
		return fmt.Errorf("couldn't start VoxPilot: %w", err)
	}
	late := time.NewTimer(startTime)
	defer late.Stop()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		if err := instance.Do(ctx, dir, r, got); !errors.Is(err, instance.ErrNotRunning) {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return errors.New("VoxPilot was started but isn't responding. Run voxpilot on its own to see why")
		}
	}
}

// plainText writes model output to a terminal. It removes control sequences, which the terminal might execute.
type plainText struct {
	to   io.Writer
	last byte
}

func (p *plainText) write(text string) {
	if text = printable(text); text != "" {
		_, _ = io.WriteString(p.to, text) // a closed output needs no error
		p.last = text[len(text)-1]
	}
}

// end writes a newline if the last line doesn't end with one.
func (p *plainText) end() {
	if p.last != 0 && p.last != '\n' {
		_, _ = io.WriteString(p.to, "\n")
	}
}

// printable returns text without bidirectional formatting and without control characters other than newlines and
// tabs.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text)
}
