package data

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/doctor"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// LogLines is the maximum number of log lines in the doctor's report.
const LogLines = 200

// doctor returns the doctor's report. It also works while the database isn't open, because the report
// is most needed then.
func (h *handler) doctor(ctx context.Context, _ *http.Request) (doctor.Report, error) {
	in := doctor.Input{
		Version:  h.api.Config.Build.Version,
		System:   doctor.System(),
		CLI:      backend.CLI{State: backend.CLIChecking, Min: backend.MinCLIVersion},
		DataDir:  doctor.Probe(h.api.Dir),
		Keychain: keychain.Check,
		Redact:   h.api.Redacted,
		Fonts:    doctor.ProbeFonts(ctx),
		Language: h.api.Config.Language(),
		Log:      func() ([]string, error) { return nil, nil },
	}
	in.Home, _ = os.UserHomeDir() // if unknown, no path is shortened to ~
	if path := h.api.LogPath(); path != "" {
		in.LogPath = path
		in.Log = func() ([]string, error) { return logfile.Tail(path, LogLines) }
	}
	e, storage := h.api.Current()
	in.Storage = storage
	if e != nil {
		in.CLI = e.CLI()
		in.Path = filepath.SplitList(e.LoginPath())
		in.Shell = LoginShell(e.Shell.Shell())
		for _, ev := range e.Bus.Retained() {
			switch {
			case ev.Storage != nil:
				in.Storage = *ev.Storage
			case ev.Account != nil:
				in.Account = *ev.Account
			case ev.Connection != nil:
				in.Agents = append(in.Agents, *ev.Connection)
			case ev.Sandbox != nil:
				in.Sandbox = ev.Sandbox
			}
		}
	}
	return doctor.Examine(ctx, in), nil
}

// LoginShell converts the state of the login shell for the doctor.
func LoginShell(l environment.LoginShell) doctor.Shell {
	return doctor.Shell{Program: l.Program, Vars: l.Vars, Duration: l.Duration, Problem: l.Problem}
}
