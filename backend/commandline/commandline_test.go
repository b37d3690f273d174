package commandline

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/doctor"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// runCLI runs a command line and returns its output and exit code.
func runCLI(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code, ok := Run(apptest.Build, args, &o, &e)
	if !ok {
		t.Fatalf("%q opens the window", args)
	}
	return o.String(), e.String(), code
}

func TestCLI_VersionAndHelp(t *testing.T) {
	if out, _, code := runCLI(t, "--version"); out != "voxpilot "+apptest.Build.Version+"\n" || code != 0 {
		t.Errorf("%d %q", code, out)
	}
	if out, _, code := runCLI(t, "--help"); !strings.Contains(out, "voxpilot doctor --json") || code != 0 {
		t.Errorf("%d %q", code, out)
	}
	if out, errs, code := runCLI(t, "doctor", "--all"); out != "" || !strings.Contains(errs, "--json") || code != 2 {
		t.Errorf("%d %q %q", code, out, errs)
	}
	for _, args := range [][]string{nil, {"-psn_0_1"}, {"file.txt"}} {
		if _, ok := Run(apptest.Build, args, nil, nil); ok {
			t.Errorf("%q does not open the window", args)
		}
	}
}

func TestDoctor_RunsBesideApp(t *testing.T) {
	token := "gh" + "o_" + strings.Repeat("A1b2", 9)
	apptest.UseFakeAgent(t, fakeagent.Script{Stderr: "the agent saw " + token})
	dir := t.TempDir()
	t.Setenv("VOXPILOT_DATA_DIR", dir)
	apptest.Open(t, dir)
	t.Setenv("GH_TOKEN", token)

	out, _, code := runCLI(t, "doctor", "--json")
	var report doctor.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Version != apptest.Build.Version {
		t.Fatalf("%v in %s", err, out)
	}
	got := map[string]doctor.Check{}
	for _, c := range report.Checks {
		got[c.Name] = c
	}
	for name, want := range map[string]string{
		"Copilot CLI": "1.0.102, found at ", "Database": "VoxPilot is running and using the database", "GitHub sign-in": "GH_TOKEN", "Agent": "can load sessions",
		"Search path": string(filepath.Separator), "Data folder": "free", "Log": "voxpilot.log", "Keychain": "",
	} {
		if c, ok := got[name]; !ok || !strings.Contains(c.Detail.String(), want) || c.State == doctor.Bad {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if strings.Contains(out, token) || !strings.Contains(got["Agent"].Detail.String(), "the agent saw •••") {
		t.Errorf("the token is shown, or the last words are not: %+v", got["Agent"])
	}
	if code != 0 {
		t.Errorf("the exit code is %d:\n%s", code, report.Text)
	}
}

func TestDoctor_ExitCodeReportsProblems(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	t.Setenv("VOXPILOT_DATA_DIR", dir)
	t.Setenv("SHELL", "/bin/sh")
	apptest.UseFakeAgent(t, fakeagent.Script{ExitAtOnce: 3, Stderr: "no such model"})
	out, _, code := runCLI(t, "doctor")
	if code != 1 || !strings.Contains(out, "[bad ] Agent: ") || !strings.Contains(out, "no such model") || !strings.HasPrefix(out, "VoxPilot doctor, ") {
		t.Errorf("%d\n%s", code, out)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it made the data directory")
	}
}
