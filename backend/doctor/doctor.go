// Package doctor checks everything that VoxPilot depends on and reports the results, both for the
// doctor page and as text for a problem report. It gets its data from the caller, and the report
// contains neither secrets nor the path of the user's home directory.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Input is the data for a report.
type Input struct {
	Version  string // of VoxPilot
	System   string // as returned by System
	Home     string // the user's home, shown as ~
	CLI      backend.CLI
	Account  backend.Account
	Storage  backend.Storage
	DataDir  Directory // as returned by Probe
	Keychain func(context.Context) error
	// Path lists the folders that are searched for programs: the PATH of this process, then the login
	// shell's additions.
	Path []string
	// Shell is the environment provided by the login shell.
	Shell    Shell
	Fonts    Fonts  // as returned by ProbeFonts
	Language string // of the window
	// Agents are the connections of the running agents, and the last connections of those that no longer run. If an
	// agent has no capabilities, it didn't respond, but it may have written to stderr.
	Agents  []backend.Connection
	Sandbox *backend.SandboxStatus // nil if it hasn't been tested
	LogPath string
	Log     func() ([]string, error) // returns the log's last lines
	Redact  func(string) string      // removes secrets
}

// Report is the result of all checks.
//
//tsgen:name Doctor
type Report struct {
	At      backend.Millis `json:"at"`
	Checks  []Check        `json:"checks"`
	Log     []string       `json:"log"`  // the last lines of the log
	Text    string         `json:"text"` // the whole report as text
	Version string         `json:"version"`
}

// Check is the result of one check.
type Check struct {
	Name   string          `json:"name"`
	State  State           `json:"state"`
	Detail backend.Message `json:"detail"`
	Hint   backend.Message `json:"hint,omitzero"` // what to do
}

// State is the severity of a check's result.
//
//tsgen:name CheckState
type State string

// The severities.
const (
	OK   State = "ok"
	Warn State = "warn" // VoxPilot works, but with a limitation or a risk
	Bad  State = "bad"  // a feature doesn't work until the problem is fixed
)

// Examine runs all checks and creates a report.
func Examine(ctx context.Context, in Input) Report {
	r := Report{At: backend.Now(), Version: in.Version, Log: []string{}, Checks: []Check{
		{Name: "VoxPilot", State: OK, Detail: backend.Plain(in.Version)},
		{Name: "System", State: OK, Detail: backend.Plain(in.System)},
		cli(in.CLI),
		account(in.Account),
		dataDir(in.DataDir),
		database(in.Storage),
		keys(in.Keychain(ctx)),
		{Name: "Search path", State: OK, Detail: backend.Plain(strings.Join(in.Path, ", "))},
	}}
	r.Checks = append(r.Checks, shell(in.Shell)...)
	r.Checks = append(r.Checks, fonts(in.Fonts, in.Language)...)
	r.Checks = append(r.Checks, agents(in.Agents)...)
	if in.Sandbox != nil {
		r.Checks = append(r.Checks, sandbox(*in.Sandbox))
	}
	log := Check{Name: "Log", State: OK, Detail: backend.Plain(in.LogPath)}
	lines, err := in.Log()
	if err != nil {
		log = Check{Name: "Log", State: Warn, Detail: backend.MessageOf(err), Hint: backend.Say("Check that VoxPilot can read the log folder.")}
	}
	r.Checks = append(r.Checks, log)

	clean := cleaner(in)
	for i, c := range r.Checks {
		r.Checks[i].Detail, r.Checks[i].Hint = c.Detail.Map(clean), c.Hint.Map(clean)
	}
	for _, line := range lines {
		r.Log = append(r.Log, clean(line))
	}
	r.Text = text(r)
	return r
}

func cli(c backend.CLI) Check {
	out := Check{Name: "Copilot CLI", State: Bad}
	switch c.State {
	case backend.CLIFound:
		out.State, out.Detail = OK, backend.Say("%s, found at %s", c.Version, c.Path)
	case backend.CLIChecking:
		out.State, out.Detail, out.Hint = Warn, backend.Say("checking…"), backend.Say("Check again in a moment.")
	case backend.CLIMissing:
		out.Detail = backend.Say("not found")
		if len(c.Searched) > 0 {
			out.Detail = backend.Say("not found; searched %s", strings.Join(c.Searched, ", "))
		}
		out.Hint = backend.Say("Set its path in Settings, or install it by running: npm install -g @github/copilot@%s", backend.TestedCLIVersion)
	case backend.CLITooOld:
		out.Detail = backend.Say("%s at %s is older than the required version %s", c.Version, c.Path, c.Min)
		out.Hint = backend.Say("To update Copilot CLI, run one of these commands: copilot update, or npm install -g @github/copilot@%s", backend.TestedCLIVersion)
	default:
		out.Detail = c.Message // names the path
		out.Hint = backend.Say("Run this in a terminal: copilot --version. If that also fails, reinstall Copilot CLI.")
	}
	return out
}

// Thresholds for free disk space in bytes. The check gives a warning below littleSpace and fails below noSpace.
const (
	littleSpace = 1 << 30
	noSpace     = 50 << 20
)

func dataDir(d Directory) Check {
	out := Check{Name: "Data folder", State: OK, Detail: backend.Say("%s free on the disk that contains %s", size(d.Free), d.Path)}
	switch {
	case errors.Is(d.Err, fs.ErrNotExist):
		out.State, out.Detail, out.Hint = Warn, backend.Say("%s doesn't exist", d.Path), backend.Say("VoxPilot creates it on startup.")
	case d.Err != nil:
		out.State, out.Detail = Bad, backend.Say("%s: %s", d.Path, d.Err)
		out.Hint = backend.Say("Make sure VoxPilot can write to the folder, or set another one with VOXPILOT_DATA_DIR.")
	case d.Free < noSpace:
		out.State, out.Hint = Bad, backend.Say("Free up some disk space. Otherwise, chats can't be saved.")
	case d.Shared:
		out.State, out.Hint = Warn, backend.Say("Other users of this computer can read the folder. To fix this, run chmod 700 on it.")
	case d.Free < littleSpace:
		out.State, out.Hint = Warn, backend.Say("The disk is almost full.")
	}
	return out
}

func database(s backend.Storage) Check {
	out := Check{Name: "Database", State: Bad, Detail: backend.Plain(s.Path)}
	if !s.Message.IsZero() {
		out.Detail = backend.Say("%s: %s", s.Path, s.Message)
	}
	switch s.State {
	case backend.StorageOK:
		out.State = OK
	case backend.StorageOpening:
		out.State, out.Hint = Warn, backend.Say("VoxPilot is still opening and verifying the database. Check again in a moment.")
	case backend.StorageSalvaged:
		out.State, out.Hint = Warn, backend.Say("The database was damaged. VoxPilot recovered what it could and kept the damaged file in the same folder.")
	case backend.StorageInUse:
		out.Hint = backend.Say("Another copy of VoxPilot is using the database. Quit that copy first.")
	case backend.StorageReadOnly:
		out.Hint = backend.Say("VoxPilot can't write to the database. Check the file's owner and permissions.")
	case backend.StorageNewer:
		out.Hint = backend.Say("The database was created by a newer version of VoxPilot. Update VoxPilot to open it.")
	case backend.StorageFailing:
		out.Hint = backend.Say("The last write failed. Check for free disk space. New data stays in memory until it can be saved.")
	default:
		out.Hint = backend.Say("VoxPilot can't use the database. See the log in Settings > Doctor.")
	}
	return out
}

func keys(err error) Check {
	if err == nil {
		return Check{Name: "Keychain", State: OK, Detail: backend.Say("available")}
	}
	return Check{
		Name: "Keychain", State: Warn, Detail: backend.MessageOf(err),
		Hint: backend.Say("API keys are kept in memory and forgotten when you quit VoxPilot. To save them, unlock the keychain. On Linux, install gnome-keyring or KWallet if you have neither."),
	}
}

// Healthy reports whether the report contains no failed check.
func (r Report) Healthy() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.State == Bad })
}

// text formats a report as plain text for a problem report.
func text(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "VoxPilot doctor, %s\n\n", when(r.At))
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "[%-4s] %s: %s\n", c.State, c.Name, c.Detail)
		if !c.Hint.IsZero() {
			fmt.Fprintf(&b, "       %s\n", c.Hint)
		}
	}
	if len(r.Log) > 0 {
		b.WriteString("\nRecent log entries:\n")
		for _, line := range r.Log {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

// cleaner returns a function that redacts a text: it removes secrets and replaces the path of the user's
// home directory, which contains the user's name, with "~".
func cleaner(in Input) func(string) string {
	var home *regexp.Regexp
	if trimmed := strings.TrimRight(in.Home, `/\`); trimmed != "" {
		// In the text, a Windows path may have doubled backslashes or slashes, and its letters may differ in case.
		parts := regexp.MustCompile(`[/\\]+`).Split(trimmed, -1)
		for i, p := range parts {
			parts[i] = regexp.QuoteMeta(p)
		}
		flags := ""
		if strings.Contains(trimmed, `\`) {
			flags = "(?i)"
		}
		home = regexp.MustCompile(flags + strings.Join(parts, `[/\\]{1,2}`) + `($|[^\pL\pN_.-])`)
	}
	return func(s string) string {
		s = in.Redact(s)
		if home != nil {
			s = home.ReplaceAllString(s, "~$1")
		}
		return s
	}
}

// size formats a number of bytes for the user.
func size(n uint64) backend.Message {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	f, i := float64(n), 0
	for f >= 1000 && i < len(units)-1 {
		f /= 1000
		i++
	}
	if i == 0 {
		return backend.Say("%d bytes", n)
	}
	return backend.Say("%.1f %s", f, units[i])
}

func when(m backend.Millis) string {
	return time.UnixMilli(int64(m)).UTC().Format("2006-01-02 15:04:05 UTC")
}
