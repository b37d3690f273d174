package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestRuns_KilledLeaveNothing checks that a run that is killed at a random time leaves no process, mount point or file
// behind.
func TestRuns_KilledLeaveNothing(t *testing.T) {
	rounds, seed := chaos.Runs(8, 100), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL for bubblewrap at any time", rounds)
	if inside, _ := onComputer(t, 1000); !inside {
		result("no process, mount point or file left")
		return
	}
	w := newScene(t)
	before := w.look()
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		run, err := w.manager.Wrap(t.Context(), "chat", runs.Command{
			Line: "for i in 1 2 3; do setsid sleep 600 & done; mkdir -p .idea; while :; do rmdir .codex .agents; mkdir -p .codex/x; done", Folder: folder, Env: w.env(), Blocked: func(string) {},
			Ask: func(context.Context, backend.Permission) bool { return false },
		})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "-c", run.Shell)
		cmd.Dir, cmd.Env = folder, w.env()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(r.Int64N(int64(60 * time.Millisecond))))
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		run.Discard()
		w.awaitRuns()
	}
	if trips := w.trips(before, ""); len(trips) > 0 {
		t.Errorf("after %d kills: %q", rounds, trips)
	}
}

// awaitRuns waits until the folders of all runs have been removed.
func (w *scene) awaitRuns() {
	for deadline := time.Now().Add(15 * time.Second); ; <-time.After(time.Millisecond) {
		left, _ := os.ReadDir(sandboxDir + "/runs")
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%d runs left", len(left))
		}
	}
}

// TestRuns_ExitCodesKept checks that the sandbox preserves the exit code of a command.
func TestRuns_ExitCodesKept(t *testing.T) {
	codes := map[string]int{"true": 0, "false": 1, "exit 7": 7, "exit 255": 255, "exit 256": 0, "kill -9 $$": 137, "kill -TERM $$": 143, "sh -c 'kill -SEGV $$'": 139, "nosuchcommand": 127, "./README.md": 126, "(": 2, "trap 'exit 3' EXIT; exit 4": 3, "set -e; false; true": 1, "exec sh -c 'exit 9'": 9, "sleep 60 & exit 5": 5}
	result := chaos.Row(t, "Exit codes of commands in the sandbox", len(codes))
	if inside, _ := onComputer(t, 1000); !inside {
		result("those of the commands")
		return
	}
	w := newScene(t)
	for line, want := range codes {
		if out, code := w.sandboxed(line); code != want {
			t.Errorf("%s: got exit code %d, want %d\n%s", line, code, want, out)
		}
	}
}

// TestRuns_OddFolderNames checks that the name of a chat's folder has no effect on its sandbox.
func TestRuns_OddFolderNames(t *testing.T) {
	names := []string{"a b", "it's", `quote"d`, "new\nline", "$(touch pwned)", "`touch pwned`", "-rf", "--bind", "größe", "\x1b[2J", "a;touch pwned", "*", "~", "a=b", `back\slash`, "#x", " lead", "trail ", "{a,b}", "%s%n", strings.Repeat("x", 200), "..x", "tab\there", "colon:name", "comma,name", "\xff\xfe"}
	result := chaos.Row(t, "Names of folders", len(names))
	if inside, _ := onComputer(t, 1000); !inside {
		result("commands run in the folder and write nowhere else")
		return
	}
	w := newScene(t)
	for _, name := range names {
		dir := filepath.Join(home, "odd", name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		before := w.look()
		run, err := w.manager.Wrap(t.Context(), "chat", runs.Command{
			Line: `echo x > written; echo x > ../outside; echo x > "$HOME/new"; mkdir .codex; echo x > .codex/config.toml; pwd -P`, Folder: dir, Env: w.env(), Blocked: func(string) {},
			Ask: func(context.Context, backend.Permission) bool { return false },
		})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		cmd := exec.Command("bash", "-c", run.Shell)
		cmd.Dir, cmd.Env = dir, w.env()
		out, _ := cmd.CombinedOutput()
		run.Discard()
		w.awaitRuns()
		after := w.look()
		for _, path := range differing(before.files, after.files) {
			if path != dir && path != dir+"/written" {
				t.Errorf("%q: changed %q", name, path)
			}
		}
		if _, err := os.Stat(dir + "/written"); err != nil {
			t.Errorf("%q: didn't run: %s", name, out)
		}
	}
}

// TestRuns_RenamesDuringStart checks that if a command renames folders and creates links while another command starts,
// neither of them gains access to anything that the sandbox denies.
func TestRuns_RenamesDuringStart(t *testing.T) {
	rounds := chaos.Runs(5, 60)
	result := chaos.Row(t, "Folders become links while a sandbox starts", rounds)
	if inside, _ := onComputer(t, 1000); !inside {
		result("nothing changed outside; protected files kept")
		return
	}
	w := newScene(t)
	before := w.look()
	flipping, err := w.manager.Wrap(t.Context(), "chat", runs.Command{
		Line: `for d in deep src .github .vscode .claude; do ( while :; do mv $d $d-2; ln -s "$HOME/outside" $d; rm $d; mv $d-2 $d; done ) & done 2>/dev/null; ( while :; do rmdir .qwen; ln -s "$HOME/outside" .qwen; rm -f .qwen; mkdir .idea; mv .idea .idea2; ln -s "$HOME/outside" .idea; rm -rf .idea .idea2; done ) 2>/dev/null; wait`, Folder: folder, Env: w.env(), Blocked: func(string) {},
		Ask: func(context.Context, backend.Permission) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	loop := exec.Command("bash", "-c", flipping.Shell)
	loop.Dir, loop.Env = folder, w.env()
	if err := loop.Start(); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for range rounds {
		r, err := w.manager.Wrap(t.Context(), "chat", runs.Command{
			Line: `for f in deep/er/x deep/x src/x .github/hooks/x .vscode/settings.json .claude/settings.json .qwen/x .idea/x; do echo x > $f; done 2>/dev/null; cat "$HOME/.netrc"`, Folder: folder, Env: w.env(), Blocked: func(string) {},
			Ask: func(context.Context, backend.Permission) bool { return false },
		})
		if err != nil {
			refused++
			continue
		}
		if out, _ := w.shell(r.Shell); strings.Contains(out, w.secret) {
			t.Errorf("a secret: %s", out)
		}
		r.Discard()
	}
	_ = loop.Process.Kill()
	_ = loop.Wait()
	w.awaitRuns()
	for _, trip := range w.trips(before, "") {
		t.Error(trip)
	}
	t.Logf("%d of %d starts refused", refused, rounds)
}
