package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/doctor"
	loginshell "github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// logLines is how much of the log the doctor page shows.
const logLines = 200

// doctor answers without a database too: that is when it is needed most.
func (a *App) doctor(ctx context.Context, _ *http.Request) (doctor.Report, error) {
	in := doctor.Input{
		Version:  version,
		System:   doctor.System(),
		CLI:      backend.CLI{State: backend.CLIChecking, Min: backend.MinCLIVersion},
		DataDir:  doctor.Look(a.dir),
		Keychain: keychain.Check,
		Redact:   a.redacted,
		Fonts:    doctor.LookFonts(ctx),
		Language: a.tray.state().Language,
		Log:      func() ([]string, error) { return nil, nil },
	}
	in.Home, _ = os.UserHomeDir() // without one, nothing is shortened to ~
	if a.file != nil {
		in.LogPath = a.file.Path()
		in.Log = func() ([]string, error) { return logfile.Tail(a.file.Path(), logLines) }
	}
	a.mu.Lock()
	e := a.eng
	in.Storage = a.storage
	a.mu.Unlock()
	if e != nil {
		e.mu.Lock()
		in.CLI = e.cli
		e.mu.Unlock()
		in.Path = filepath.SplitList(e.loginPath())
		in.Shell = loginShell(e.shell.shell())
		for _, ev := range e.feed.Held() {
			switch {
			case ev.Storage != nil:
				in.Storage = *ev.Storage
			case ev.Account != nil:
				in.Account = *ev.Account
			case ev.Connection != nil:
				in.Agents = append(in.Agents, *ev.Connection)
			}
		}
	}
	return doctor.Examine(ctx, in), nil
}

// loginShell is what the login shell has told, for the doctor.
func loginShell(l loginshell.LoginShell) doctor.Shell {
	return doctor.Shell{Program: l.Program, Vars: l.Vars, Took: l.Took, Problem: l.Problem}
}
