//go:build unix

package agent_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/process"
)

// If the environment variable parentVar is set to a chat's folder, the test binary runs as an app that the test
// will kill. If stubbornVar is also set, the agent keeps running after the app has been killed.
const (
	parentVar   = "VOXPILOT_TEST_PARENT"
	stubbornVar = "VOXPILOT_TEST_STUBBORN"
)

// runParentIfRequested runs an app with one agent if parentVar is set; otherwise it returns. If stubbornVar is set, the
// agent also starts a command. The app prints the agent's PID and waits.
func runParentIfRequested() {
	folder := os.Getenv(parentVar)
	if folder == "" {
		return
	}
	script := fakeagent.Script{IgnoreEOF: true}
	if os.Getenv(stubbornVar) != "" {
		script.IgnoreTERM = true
		script.Turns = []fakeagent.Turn{{fakeagent.Run("trap '' TERM; (echo $BASHPID > pid.new; mv pid.new pid; exec sleep 1000) > /dev/null 2>&1 & true")}}
	}
	_ = os.Unsetenv(parentVar)
	path, args, env := fakeagent.Command(script)
	a := agent.New(agent.Config{
		ChatID: "chat", Folder: folder, RecordsDir: filepath.Join(folder, "running"),
		Launch: func(context.Context) (agent.Launch, *agent.LaunchError) {
			return agent.Launch{Path: path, Args: args, Env: append(append(os.Environ(), env...), "COPILOT_HOME="+folder)}, nil
		},
		Publish: func(...backend.Event) {},
		Commit:  func(context.Context, ...backend.Event) error { return nil },
		Ask: func(_ context.Context, p backend.Permission) (backend.Permission, bool) {
			p.OptionID, p.Decision = p.Options[0].ID, backend.DecisionAllowedOnce
			return p, true
		},
	})
	a.Prompt(context.Background(), backend.Turn{ID: "1", Session: backend.SessionMain}, "go")
	fmt.Println(a.Connection().PID)
	select {}
}

func records(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	noErr(t, err)
	return files
}

func TestReap_EndsProcessesOfKilledApp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	app := exec.Command(os.Args[0])
	app.Env = append(os.Environ(), parentVar+"="+folder, stubbornVar+"=1")
	out, err := app.StdoutPipe()
	noErr(t, err)
	noErr(t, app.Start())
	var own int
	_, err = fmt.Fscan(out, &own)
	noErr(t, err)
	var command int
	waitFor(t, "the command", func() bool {
		b, err := os.ReadFile(filepath.Join(folder, "pid"))
		if err == nil {
			_, err = fmt.Sscan(string(b), &command)
		}
		return err == nil
	})
	noErr(t, app.Process.Kill())
	_ = app.Wait()
	dir := filepath.Join(folder, "running")
	equal(t, "records", len(records(t, dir)), 1)
	if !alive(own) || !alive(command) {
		t.Fatal("nothing is left to be ended")
	}
	process.Reap(dir, slog.New(slog.DiscardHandler))
	if alive(own) || alive(command) {
		t.Errorf("it is still there: the agent %v, its command %v", alive(own), alive(command))
	}
	equal(t, "records", len(records(t, dir)), 0)
}

func TestReap_NormalExitLeavesNoRecord(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "running")
	w := newEnv(t, fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) { cfg.RecordsDir = dir })
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "records", len(records(t, dir)), 1)
	kill(t, w.agent.Connection().PID)
	w.waitForBanner(backend.BannerRestored)
	equal(t, "records", len(records(t, dir)), 1)
	w.close()
	equal(t, "records", len(records(t, dir)), 0)
}

func TestReap_SparesReusedPID(t *testing.T) {
	t.Parallel()
	other := exec.Command("sleep", "1000")
	noErr(t, other.Start())
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	}()
	dir := t.TempDir()
	for name, body := range map[string]string{
		"a.json": `{"pid":` + strconv.Itoa(other.Process.Pid) + `,"start":"1@another-boot"}`,
		"b.json": `{"pid":` + strconv.Itoa(other.Process.Pid) + `}`,
		"c.json": `{"pid":`,
		"d.json": ``,
		"e.txt":  `of somebody else`,
	} {
		noErr(t, os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600))
	}
	process.Reap(dir, slog.New(slog.DiscardHandler))
	if !alive(other.Process.Pid) {
		t.Error("another process was ended")
	}
	equalDeep(t, "what is left", records(t, dir), []string{filepath.Join(dir, "e.txt")})
	process.Reap(filepath.Join(dir, "not", "there"), slog.New(slog.DiscardHandler))
}
