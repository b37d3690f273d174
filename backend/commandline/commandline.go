// Package commandline implements the program's command line: the commands that need no window, the handover
// from a later launch to the running VoxPilot, and the running VoxPilot's handling of the requests that are
// handed over.
package commandline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/data"
	"github.com/voxpilot/voxpilot/backend/doctor"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

const usage = `VoxPilot is a desktop app for working with GitHub Copilot on code.

  voxpilot                  open the VoxPilot window
  voxpilot FOLDER           open a new chat in FOLDER
  voxpilot voxpilot://…     open a VoxPilot link
  voxpilot --hidden         start without showing the window
  voxpilot quick            open the quick prompt
  voxpilot quick "TEXT"     send TEXT to a new chat in the last-used folder
  voxpilot ask "TEXT"       send TEXT to a new chat in this folder and print
                            the answer
  voxpilot ask -            read TEXT from standard input
  voxpilot blame FILE       print the message behind each line of FILE
  voxpilot blame FILE:LINE  print the message behind that line
  voxpilot blame --json …   print the result as JSON
  voxpilot review           review this folder's uncommitted changes
  voxpilot review FOLDER    review FOLDER's uncommitted changes
  voxpilot doctor           check VoxPilot's setup
  voxpilot doctor --json    print the report as JSON
  voxpilot --version        print the version
  voxpilot --help           show this help

quick and ask accept --folder DIR. quick, ask, blame and review use the running
VoxPilot, or start one in the background if none is running.

Exit status: doctor exits with 0 if nothing needs fixing, and with 1 otherwise.
quick, ask, blame and review exit with 1 if they fail, and with 130 if you press
Ctrl+C. ask exits with 3 if you need to trust the folder first. An invalid
command line exits with 2.
`

// Run executes a command that needs no window and returns its exit code. ok is false if
// the arguments contain no such command and the window should open.
func Run(build engine.Build, args []string, out, errs io.Writer) (code int, ok bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case "--version", "-version", "-v", "version":
		_, _ = fmt.Fprintln(out, "voxpilot "+build.Version)
	case "--help", "-help", "-h", "help":
		_, _ = fmt.Fprint(out, usage)
	case "doctor":
		asJSON := len(args) == 2 && args[1] == "--json"
		if len(args) > 1 && !asJSON {
			_, _ = fmt.Fprintf(errs, "voxpilot doctor: unknown argument. The only option is --json.\n\n%s", usage)
			return 2, true
		}
		ctx, cancel := context.WithTimeout(context.Background(), doctorTime)
		defer cancel()
		return printReport(examine(ctx, build, environment.DataDir()), asJSON, out), true
	case "quick":
		return runRemote(instance.Quick, args[1:], os.Stdin, out, errs), true
	case "blame":
		return runBlame(args[1:], out, errs), true
	case "review":
		return runReview(args[1:], out, errs), true
	case "ask":
		return runRemote(instance.Ask, args[1:], os.Stdin, out, errs), true
	default:
		if _, err := ParseStart(args); err != nil {
			_, _ = fmt.Fprintf(errs, "%v.\n\n%s", err, usage)
			return 2, true
		}
		return 0, false
	}
	return 0, true
}

// doctorTime is the time limit of the doctor command.
const doctorTime = 90 * time.Second

func printReport(report doctor.Report, asJSON bool, out io.Writer) (code int) {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		if encoder.Encode(report) != nil {
			return 1
		}
	} else if _, err := fmt.Fprint(out, report.Text); err != nil {
		return 1
	}
	if !report.Healthy() {
		return 1
	}
	return 0
}

// examine creates the doctor's report for the data directory dir. It doesn't use the
// app, which may be running.
func examine(ctx context.Context, build engine.Build, dir string) doctor.Report {
	secrets := &logfile.File{Logger: slog.New(slog.DiscardHandler)} // no file is opened: the log file is the app's
	tokens := environment.TakeTokens()                              // child processes don't inherit them
	for _, token := range tokens {
		secrets.Redact(token)
	}
	kept := store.Inspect(ctx, dir)
	shell := environment.New(ctx, secrets.Logger)
	path := shell.Path()
	cli := copilot.Find(ctx, kept.Settings.CLIPath, shell.Recent)
	logPath := filepath.Join(dir, "logs", logfile.Name)
	in := doctor.Input{
		Version: build.Version, System: doctor.System(), CLI: cli, Storage: kept.Storage,
		Account: account(ctx, build, kept, shell, secrets, tokens), DataDir: doctor.Probe(dir), Keychain: keychain.Check,
		Fonts: doctor.ProbeFonts(ctx), Language: kept.Settings.Language,
		Path: filepath.SplitList(path), Shell: data.LoginShell(shell.Shell()), Redact: secrets.Redacted, LogPath: logPath,
		Log: func() ([]string, error) { return logfile.Tail(logPath, data.LogLines) },
	}
	in.Home, _ = os.UserHomeDir() // if unknown, no path is shortened to ~
	if cli.State == backend.CLIFound {
		env := append(environment.WithoutGitHub(shell.Vars()), "PATH="+path)
		if home := engine.CLIHome(kept.Settings); home != "" {
			env = append(env, "COPILOT_HOME="+home)
		}
		c, err := agent.Ask(ctx, agent.Launch{Path: cli.Path, Args: copilot.Args(), Env: env, Redact: secrets.Redacted}, build.Version, secrets.Logger)
		if err != nil {
			c.Stderr = cmp.Or(c.Stderr, err.Error())
		}
		in.Agents = []backend.Connection{c}
	}
	return doctor.Examine(ctx, in)
}

// account returns the state of the user's sign-in. It changes nothing.
func account(ctx context.Context, build engine.Build, kept store.Inspection, shell *environment.Environment, secrets *logfile.File, tokens environment.Tokens) backend.Account {
	told := make(chan backend.Account, 100) // a check publishes two at most
	manager := auth.New(auth.Config{
		Version: build.Version, Keys: &keychain.Fallback{}, Logins: kept.Logins, ReadOnly: true,
		Getenv:   tokens.Get,
		Settings: func() backend.Settings { return kept.Settings }, ClientID: build.ClientID,
		GH: func(context.Context) string {
			program, _ := environment.LookUp("gh", shell.Path())
			return program
		},
		CLILogin: func(context.Context) (string, bool) { return copilot.CLILogin(engine.CLIHome(kept.Settings)) },
		Base:     engine.GitHubBase,
		Publish: func(events ...backend.Event) {
			for _, e := range events {
				if e.Account != nil {
					told <- *e.Account
				}
			}
		},
		Commit:        func(context.Context, ...backend.Event) error { return nil },
		Pin:           func(context.Context, backend.TokenSource) error { return nil },
		Redact:        secrets.Redact,
		TokenChanged:  func(bool) {},
		WrapTransport: shell.WrapTransport,
		Log:           secrets.Logger,
	})
	_, _ = manager.Check(ctx) // the result is published
	manager.Close()
	close(told)
	last := backend.Account{State: backend.AccountUnknown}
	for a := range told {
		last = a
	}
	return last
}
