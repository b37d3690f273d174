package engine_test

import (
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/need"
)

// newNPMEnv starts an app that finds no Copilot CLI. bin is the folder of a fake npm that runs the given script.
func newNPMEnv(t *testing.T, script string) (w *appEnv, bin string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("npm is a shell script")
	}
	bin = t.TempDir()
	// The last argument of npm pack is the folder.
	// VoxPilot also asks npm for its configured hosts.
	packs := `[ "$1" = config ] && exit 1` + "\n" + `if [ "$1" = pack ]; then for to; do :; done; printf finds >"$to/a.tgz"; printf runs >"$to/b.tgz"; exit; fi` + "\n"
	pinCLI(t, integrity("finds"), integrity("runs"))
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\n"+packs+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("HOME", t.TempDir())
	t.Setenv(copilot.PathVar, "")
	w = newAppEnv(t, t.TempDir())
	cli := w.WaitFor("the CLI was looked for", func(e backend.Event) bool { return e.CLI != nil && e.CLI.State != backend.CLIChecking }).CLI
	if cli.State == backend.CLIFound {
		need.Missing(t, "a machine without a Copilot CLI for everybody: this one has %s", cli.Path)
	}
	for _, c := range cli.Installers {
		if c == (backend.Choice{ID: "npm", Name: "npm", Description: "npm install -g @github/copilot@1.0.102"}) {
			return w, bin
		}
	}
	t.Fatalf("npm is not offered: %+v", cli.Installers)
	return nil, ""
}

func TestInstall_CLIInstalledAndFound(t *testing.T) {
	w, bin := newNPMEnv(t, `echo "installing $1 $2 $3 $4 $(basename "$5") $(basename "$6")"
printf '#!/bin/sh\necho 1.0.102\n' > "$(dirname "$0")/copilot"
chmod +x "$(dirname "$0")/copilot"`)
	if err := w.App.InstallCLI("conjure"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("another way: %v", err)
	}
	if err := w.App.InstallCLI("npm"); err != nil {
		t.Fatal(err)
	}
	cli := w.WaitFor("the CLI is there", func(e backend.Event) bool { return e.CLI != nil && e.CLI.State == backend.CLIFound }).CLI
	if cli.Path != filepath.Join(bin, "copilot") || len(cli.Installers) != 0 {
		t.Errorf("it is %+v", cli)
	}
	if i := cli.Install; i == nil || i.Running || !i.Message.IsZero() || i.How != "npm" || i.Output != "installing install -g --ignore-scripts --omit=optional a.tgz b.tgz" {
		t.Errorf("the installation is %+v", i)
	}
}

func TestInstall_WaitingChatContinues(t *testing.T) {
	w, _ := newNPMEnv(t, `printf '#!/bin/sh\necho 1.0.102\n' > "$(dirname "$0")/copilot"
chmod +x "$(dirname "$0")/copilot"`)
	chat, err := w.App.StartPractice() // needs no sign-in
	if err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "hello")
	w.WaitFor("there is no CLI", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionFailed && e.Connection.Cause == backend.CauseCLIMissing
	})
	if err := w.App.InstallCLI("npm"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it is started", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionStarting
	})
}

func TestInstall_FailureHasReasonAndAdvice(t *testing.T) {
	w, _ := newNPMEnv(t, `echo EACCES: no rights >&2; exit 243`)
	if err := w.App.InstallCLI("npm"); err != nil {
		t.Fatal(err)
	}
	i := w.WaitFor("it has failed", func(e backend.Event) bool { return e.CLI != nil && e.CLI.Install != nil && !e.CLI.Install.Running }).CLI.Install
	if !strings.Contains(i.Message.String(), "npm install -g @github/copilot@1.0.102") || i.Output != "EACCES: no rights" {
		t.Errorf("it is %+v", i)
	}
}

func TestInstall_OtherPackageRefused(t *testing.T) {
	w, bin := newNPMEnv(t, `touch "$(dirname "$0")/installed"`)
	pinCLI(t, integrity("finds"), integrity("what VoxPilot knows"))
	if err := w.App.InstallCLI("npm"); err != nil {
		t.Fatal(err)
	}
	i := w.WaitFor("it has failed", func(e backend.Event) bool { return e.CLI != nil && e.CLI.Install != nil && !e.CLI.Install.Running }).CLI.Install
	if !strings.Contains(i.Message.String(), "a different Copilot CLI") {
		t.Errorf("got %q", i.Message)
	}
	if _, err := os.Stat(filepath.Join(bin, "installed")); err == nil {
		t.Error("it was installed")
	}
}

func integrity(text string) string {
	sum := sha512.Sum512([]byte(text))
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func TestInstall_EndsWithApp(t *testing.T) {
	w, _ := newNPMEnv(t, `echo begun; exec sleep 1000`)
	if err := w.App.InstallCLI("npm"); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it runs", func(e backend.Event) bool {
		return e.CLI != nil && e.CLI.Install != nil && e.CLI.Install.Output == "begun"
	})
	if err := w.App.InstallCLI("npm"); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a second one: %v", err)
	}
	w.Close() // otherwise the test hangs
}

func TestInstall_RecheckFindsSameCLI(t *testing.T) {
	w, _ := newNPMEnv(t, "exit 1")
	looked := func(after backend.Millis) backend.Millis {
		return w.WaitFor("the CLI was looked for", func(e backend.Event) bool {
			return e.CLI != nil && e.CLI.DetectedAt > after && !e.CLI.Detecting && e.CLI.State != backend.CLIFound
		}).CLI.DetectedAt
	}
	first := looked(0)
	if err := w.App.CheckCLI(); err != nil {
		t.Fatal(err)
	}
	looked(first)
}

// pinCLI replaces the pinned hashes of the Copilot CLI for the duration of the test: the hash of the wrapper package
// (finds) and the hash of the package that contains the program (runs).
func pinCLI(t *testing.T, finds, runs string) {
	was := copilot.Pinned
	t.Cleanup(func() { copilot.Pinned = was })
	copilot.Pinned.Integrity, copilot.Pinned.Programs = finds, map[string]string{copilot.System(): runs}
}
