package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/doctor"
)

// healthyInput returns the input for a healthy machine.
func healthyInput() doctor.Input {
	return doctor.Input{
		Version: "0.1.0",
		System:  "Debian (linux/amd64)",
		Home:    "/home/ann",
		CLI:     backend.CLI{State: backend.CLIFound, Path: "/home/ann/bin/copilot", Version: "1.0.102", Min: backend.MinCLIVersion},
		Account: backend.Account{
			State: backend.AccountValid, Host: "github.com", Login: "ann", Source: backend.SourceEnv, Variable: "GH_TOKEN",
			CheckedAt: 1_700_000_000_000,
		},
		Storage:  backend.Storage{State: backend.StorageOK, Path: "/home/ann/.local/share/voxpilot/voxpilot.db"},
		DataDir:  doctor.Directory{Path: "/home/ann/.local/share/voxpilot", Free: 12_345_678_901},
		Keychain: func(context.Context) error { return nil },
		Path:     []string{"/usr/bin", "/home/ann/bin"},
		Shell:    doctor.Shell{Program: "/bin/zsh", Duration: 340 * time.Millisecond},
		Agents: []backend.Connection{{
			State: backend.ConnectionReady, Agent: "Copilot", Version: "1.0.102", Capabilities: &backend.Capabilities{Load: true, List: true, Close: true, Image: true, EmbeddedContext: true},
		}},
		LogPath: "/home/ann/.local/state/voxpilot/voxpilot.log",
		Log:     func() ([]string, error) { return []string{"one in /home/ann/x", "two SECRET"}, nil },
		Redact:  func(s string) string { return strings.ReplaceAll(s, "SECRET", "•••") },
	}
}

func TestReport_AllHealthy(t *testing.T) {
	r := doctor.Examine(t.Context(), healthyInput())
	for _, c := range r.Checks {
		if c.State != doctor.OK || c.Detail.IsZero() || !c.Hint.IsZero() {
			t.Errorf("%+v", c)
		}
	}
	if got := strings.Join(r.Log, "|"); got != "one in ~/x|two •••" {
		t.Errorf("the log is %q", got)
	}
	want := "VoxPilot doctor, " + time.UnixMilli(int64(r.At)).UTC().Format("2006-01-02 15:04:05 UTC") + `

[ok  ] VoxPilot: 0.1.0
[ok  ] System: Debian (linux/amd64)
[ok  ] Copilot CLI: 1.0.102, found at ~/bin/copilot
[ok  ] GitHub sign-in: github.com, using the environment variable GH_TOKEN: valid, checked 22:13 UTC
[ok  ] Data folder: 12.3 GB free on the disk that contains ~/.local/share/voxpilot
[ok  ] Database: ~/.local/share/voxpilot/voxpilot.db
[ok  ] Keychain: available
[ok  ] Search path: /usr/bin, ~/bin
[ok  ] Login shell: PATH read from /bin/zsh in 0.3 s; no other variables were needed
[ok  ] Agent: Copilot 1.0.102 can load sessions, list sessions, close sessions, accept images and accept embedded files. It can't resume sessions, fork sessions or accept audio.
[ok  ] Log: ~/.local/state/voxpilot/voxpilot.log

Recent log entries:
  one in ~/x
  two •••
`
	if got := r.Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReport_ProblemsHaveAdvice(t *testing.T) {
	for _, c := range []struct {
		name, check string
		change      func(*doctor.Input)
		state       doctor.State
		detail      string
		hint        string
	}{
		{"the CLI is looked for", "Copilot CLI", func(in *doctor.Input) { in.CLI = backend.CLI{State: backend.CLIChecking} }, doctor.Warn, "checking…", "in a moment"},
		{
			"the CLI is missing", "Copilot CLI",
			func(in *doctor.Input) {
				in.CLI = backend.CLI{State: backend.CLIMissing, Searched: []string{"/usr/bin", "/home/ann/bin"}}
			},
			doctor.Bad, "not found; searched /usr/bin, ~/bin", "npm install",
		},
		{
			"the CLI is too old", "Copilot CLI",
			func(in *doctor.Input) { in.CLI.State, in.CLI.Version = backend.CLITooOld, "1.0.1" },
			doctor.Bad, "1.0.1 at ~/bin/copilot is older than the required version 1.0.78", "copilot update",
		},
		{
			"the CLI is broken", "Copilot CLI",
			func(in *doctor.Input) {
				in.CLI.State, in.CLI.Message = backend.CLIBroken, backend.Plain("VoxPilot found "+in.CLI.Path+", but it won't run (exit code 127).")
			},
			doctor.Bad, "VoxPilot found ~/bin/copilot, but it won't run (exit code 127).", "copilot --version",
		},
		{"the data folder cannot be used", "Data folder", func(in *doctor.Input) { in.DataDir.Err = os.ErrPermission }, doctor.Bad, "permission denied", "VOXPILOT_DATA_DIR"},
		{"the data folder doesn't exist yet", "Data folder", func(in *doctor.Input) { in.DataDir.Err = os.ErrNotExist }, doctor.Warn, "doesn't exist", "creates it"},
		{
			"the agent does not answer", "Agent",
			func(in *doctor.Input) {
				in.Agents = []backend.Connection{{Path: "/home/ann/bin/copilot", Stderr: "SECRET in /home/ann/x"}}
			},
			doctor.Bad, `~/bin/copilot didn't respond. Last output: "••• in ~/x"`, "terminal",
		},
		{
			"the agent wrote something", "Agent",
			func(in *doctor.Input) { in.Agents[0].Stderr = "a warning" },
			doctor.OK, `fork sessions or accept audio. Last output: "a warning"`, "",
		},
		{"others can read the data folder", "Data folder", func(in *doctor.Input) { in.DataDir.Shared = true }, doctor.Warn, "12.3 GB", "chmod 700"},
		{"there is little room", "Data folder", func(in *doctor.Input) { in.DataDir.Free = 900_000_000 }, doctor.Warn, "900.0 MB free", "almost full"},
		{"there is no room", "Data folder", func(in *doctor.Input) { in.DataDir.Free = 999 }, doctor.Bad, "999 bytes free", "Free up some disk space"},
		{"the database is being opened", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageOpening }, doctor.Warn, ".db", "in a moment"},
		{"another one has the database", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageInUse }, doctor.Bad, ".db", "Another copy of VoxPilot"},
		{"the database cannot be written", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageReadOnly }, doctor.Bad, ".db", "permissions"},
		{"the database is newer", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageNewer }, doctor.Bad, ".db", "Update"},
		{"the database was damaged", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageSalvaged }, doctor.Warn, ".db", "damaged"},
		{
			"the database fails", "Database",
			func(in *doctor.Input) {
				in.Storage = backend.Storage{State: backend.StorageFailing, Path: "/home/ann/x.db", Message: backend.Plain("disk full")}
			},
			doctor.Bad, "~/x.db: disk full", "free disk space",
		},
		{"the database is unusable", "Database", func(in *doctor.Input) { in.Storage.State = backend.StorageUnusable }, doctor.Bad, ".db", "log"},
		{
			"there is no keychain", "Keychain",
			func(in *doctor.Input) {
				in.Keychain = func(context.Context) error { return errors.New("no bus, SECRET, /home/ann") }
			},
			doctor.Warn, "no bus, •••, ~", "gnome-keyring",
		},
		{
			"the login shell does not tell", "Login shell",
			func(in *doctor.Input) { in.Shell.Problem = backend.Plain("the shell didn't respond within 5 seconds") },
			doctor.Warn, "couldn't read the environment from /bin/zsh: the shell didn't respond within 5 seconds", "without asking for input",
		},
		{
			"the log cannot be read", "Log",
			func(in *doctor.Input) { in.Log = func() ([]string, error) { return nil, os.ErrPermission } },
			doctor.Warn, "permission denied", "can read the log folder",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := healthyInput()
			c.change(&in)
			r := doctor.Examine(t.Context(), in)
			for _, got := range r.Checks {
				if got.Name != c.check {
					if got.State != doctor.OK {
						t.Errorf("%+v is not well either", got)
					}
					continue
				}
				if got.State != c.state || !strings.Contains(got.Detail.String(), c.detail) || !strings.Contains(got.Hint.String(), c.hint) {
					t.Errorf("got %+v, want %s, %q, %q", got, c.state, c.detail, c.hint)
				}
			}
			if text := r.Text; !strings.Contains(text, "["+string(c.state)) || !strings.Contains(text, c.hint) {
				t.Errorf("the text is\n%s", text)
			}
		})
	}
}

func TestReport_ListsAgentVersionOnce(t *testing.T) {
	in := healthyInput()
	one := in.Agents[0]
	other := one
	other.Version, other.Capabilities = "2.0.0", &backend.Capabilities{}
	in.Agents = []backend.Connection{other, one, one, {State: backend.ConnectionStarting, Path: "/bin/copilot"}}
	var told []string
	for _, c := range doctor.Examine(t.Context(), in).Checks {
		if c.Name == "Agent" {
			told = append(told, c.Detail.String())
		}
	}
	if len(told) != 2 || !strings.HasPrefix(told[0], "Copilot 1.0.102 can load") || !strings.HasPrefix(told[1], "Copilot 2.0.0 can answer prompts. It can't load") {
		t.Errorf("%q", told)
	}
}

// TestReport_ShowsSandbox checks that the result of testing the sandbox has a separate row, and that a missing sandbox
// isn't reported as an error.
func TestReport_ShowsSandbox(t *testing.T) {
	in := healthyInput()
	in.Sandbox = &backend.SandboxStatus{State: backend.SandboxUnavailable, Problem: backend.Plain("bubblewrap is missing"), Fix: "apt install bubblewrap"}
	r := doctor.Examine(t.Context(), in)
	if want := "[warn] Sandbox: bubblewrap is missing\n       Run this in a terminal: apt install bubblewrap\n"; !strings.Contains(r.Text, want) || !r.Healthy() {
		t.Errorf("got %s", r.Text)
	}
	in.Sandbox = &backend.SandboxStatus{State: backend.SandboxReady, Program: "bubblewrap 1"}
	if text := doctor.Examine(t.Context(), in).Text; !strings.Contains(text, "[ok  ] Sandbox: bubblewrap 1\n") {
		t.Errorf("got %s", text)
	}
}

func TestReport_HealthyWithoutErrors(t *testing.T) {
	in := healthyInput()
	in.DataDir.Shared = true // a warning
	if !doctor.Examine(t.Context(), in).Healthy() {
		t.Error("a warning makes it ill")
	}
	in.CLI.State = backend.CLIMissing
	if doctor.Examine(t.Context(), in).Healthy() {
		t.Error("without the CLI it is healthy")
	}
}

func TestReport_HidesUserHome(t *testing.T) {
	for _, c := range []struct{ home, in, want string }{
		{"/home/ann", "/home/ann/x /home/anna/x /home/ann", "~/x /home/anna/x ~"},
		{"/home/ann/", `path="/home/ann/x y" (/home/ann)`, `path="~/x y" (~)`},
		{"/home/a.b", "/home/axb/x /home/a.b:c", "/home/axb/x ~:c"},
		{`C:\Users\Ann`, `C:\Users\Ann\x "c:\\users\\ann\\y" C:/Users/Ann/z C:\Users\Anna`, `~\x "~\\y" ~/z C:\Users\Anna`},
		{"/Users/Ülf", "/Users/Ülf/x /Users/Ülfü", "~/x /Users/Ülfü"},
		{"/", "/etc", "/etc"},
		{"", "/etc", "/etc"},
	} {
		in := healthyInput()
		in.Home = c.home
		in.Log = func() ([]string, error) { return []string{c.in}, nil }
		if got := doctor.Examine(t.Context(), in).Log[0]; got != c.want {
			t.Errorf("home %q: got %q, want %q", c.home, got, c.want)
		}
	}
}

func TestReport_IsJSONForPage(t *testing.T) {
	b, err := json.Marshal(doctor.Examine(t.Context(), healthyInput()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"checks":[{"name":"VoxPilot","state":"ok","detail":"0.1.0"}`, `"log":["one`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is missing in %s", want, b)
		}
	}
}

func TestFolder_IsChecked(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d := doctor.Probe(dir)
	if d.Err != nil || d.Free == 0 || d.Shared || d.Path != dir {
		t.Errorf("got %+v", d)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("it left %v, %v", entries, err)
	}
	if d := doctor.Probe(filepath.Join(dir, "none")); !errors.Is(d.Err, os.ErrNotExist) {
		t.Errorf("of no folder: %+v", d)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d := doctor.Probe(file); d.Err == nil {
		t.Errorf("of a file: %+v", d)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if d := doctor.Probe(dir); !d.Shared {
			t.Errorf("of a folder for all: %+v", d)
		}
	}
}

func TestSystem_IsNamed(t *testing.T) {
	if got := doctor.System(); !strings.Contains(got, runtime.GOOS+"/"+runtime.GOARCH) || !strings.Contains(got, runtime.Version()) {
		t.Errorf("got %q", got)
	}
}

func TestSignIn_StatusHidesIdentity(t *testing.T) {
	for _, c := range []struct {
		account backend.Account
		state   doctor.State
		detail  string
		hint    string
	}{
		{backend.Account{State: backend.AccountUnknown}, doctor.Warn, "checking…", "in a moment"},
		{backend.Account{State: backend.AccountSignedOut}, doctor.Warn, "not signed in", "Sign in"},
		{backend.Account{State: backend.AccountOwn, Source: backend.SourceCLI}, doctor.OK, "the Copilot CLI login: can't be checked by VoxPilot", ""},
		{backend.Account{State: backend.AccountValid, Source: backend.SourceGH, Program: "/home/ann/bin/gh", CheckedAt: 1}, doctor.OK, "using gh at ~/bin/gh: valid, checked 00:00 UTC", ""},
		{backend.Account{State: backend.AccountValid, Source: backend.SourceStored, Key: backend.KeyKeychain, CheckedAt: 1}, doctor.OK, "using a VoxPilot sign-in stored in the keychain", ""},
		{backend.Account{State: backend.AccountValid, Source: backend.SourceStored, Kind: backend.LoginToken, Key: backend.KeyMemory}, doctor.OK, "using a token kept in memory until you quit VoxPilot: valid", ""},
		{backend.Account{State: backend.AccountUnverified, Source: backend.SourceStored}, doctor.Warn, "not confirmed by GitHub", "network"},
		{backend.Account{State: backend.AccountExpired, Source: backend.SourceStored}, doctor.Bad, "rejected by GitHub", "Sign in again"},
		{backend.Account{State: backend.AccountWrongKind}, doctor.Bad, "token type not supported by Copilot", "fine-grained"},
		{backend.Account{State: backend.AccountNoAccess, Source: backend.SourceEnv, Variable: "GH_TOKEN"}, doctor.Bad, "rejected by Copilot", "plan"},
		{backend.Account{State: backend.AccountLocked}, doctor.Bad, "can't read the keychain", "Unlock"},
	} {
		t.Run(string(c.account.State), func(t *testing.T) {
			in := healthyInput()
			c.account.Host, c.account.Login, c.account.Message = "github.com", "marked-login", backend.Plain("marked-login has no access.")
			in.Account = c.account
			r := doctor.Examine(t.Context(), in)
			got := r.Checks[3]
			if strings.Contains(r.Text, ", checked") != (c.account.CheckedAt != 0) {
				t.Errorf("got the time of a check in %q", got.Detail)
			}
			if got.State != c.state || !strings.Contains(got.Detail.String(), c.detail) || !strings.Contains(got.Hint.String(), c.hint) || got.Hint.IsZero() != (c.hint == "") {
				t.Errorf("%+v", got)
			}
			if strings.Contains(r.Text, "marked-login") {
				t.Error("the report says who it is")
			}
		})
	}
}

func TestLoginShell_VariablesHidePasswords(t *testing.T) {
	in := healthyInput()
	in.Shell.Vars = []string{
		"HTTPS_PROXY=http://ann:p%40ss@proxy:8080/", "http_proxy=ann:p@ss@proxy:1", "ALL_PROXY=socks5://proxy:9",
		"NO_PROXY=.corp,10.0.0.0/8", "SSL_CERT_FILE=/home/ann/ca.pem",
	}
	var said string
	for _, c := range doctor.Examine(t.Context(), in).Checks {
		if c.Name == "Login shell" {
			said = c.Detail.String()
		}
	}
	want := "Read from /bin/zsh in 0.3 s: PATH, HTTPS_PROXY=http://•••@proxy:8080/, http_proxy=•••@proxy:1, ALL_PROXY=socks5://proxy:9, NO_PROXY=.corp,10.0.0.0/8, SSL_CERT_FILE=~/ca.pem"
	if said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
	in.Shell = doctor.Shell{}
	if text := doctor.Examine(t.Context(), in).Text; strings.Contains(text, "Login shell") {
		t.Error("a shell that doesn't exist is told of")
	}
}
