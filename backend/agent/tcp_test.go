package agent_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// launchTCP returns a function that returns a Launch for a fake agent. The agent runs the script s and is reached over
// TCP.
func launchTCP(s fakeagent.Script) func(*env) agent.Launch {
	return func(w *env) agent.Launch {
		l := fake(s)(w)
		l.Args = append(l.Args, fakeagent.PortArgs...)
		return l
	}
}

func TestContract_FakeAgentTCP(t *testing.T) {
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *env, turns [][]act) agent.Launch {
		return launchTCP(fakeScript(turns))(w)
	}})
}

func TestContract_FakeAgentSocket(t *testing.T) {
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *env, turns [][]act) agent.Launch {
		l := fake(fakeScript(turns))(w)
		l.Args = append(l.Args, fakeagent.SocketArgs...)
		return l
	}})
}

func TestContract_CopilotTCP(t *testing.T) {
	cli := copilotCLI(t)
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(t *testing.T, w *env, turns [][]act) agent.Launch {
		return launchCopilotTCP(t, w, cli, turns)
	}})
}

func launchCopilotTCP(t *testing.T, w *env, cli string, turns [][]act) agent.Launch {
	t.Helper()
	l := copilotLaunch(t, w, cli, turns)
	i := slices.Index(l.Args, "--stdio")
	l.Args = slices.Replace(l.Args, i, i+1, "--port", "{port}")
	return l
}

// agentServer is an agent that listens on an address and wasn't started by VoxPilot.
type agentServer struct {
	t          *testing.T
	addr       string
	launchWith func(*env) agent.Launch
	cmd        *exec.Cmd
}

// newAgentServer returns a server that, once started, runs the agent described by launchWith.
func newAgentServer(t *testing.T, launchWith func(*env) agent.Launch) *agentServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noErr(t, err)
	srv := &agentServer{t: t, addr: l.Addr().String(), launchWith: launchWith}
	noErr(t, l.Close())
	return srv
}

func (srv *agentServer) start(w *env) {
	srv.t.Helper()
	_, port, err := net.SplitHostPort(srv.addr)
	noErr(srv.t, err)
	l := srv.launchWith(w)
	for i, arg := range l.Args {
		l.Args[i] = strings.ReplaceAll(arg, "{port}", port)
	}
	srv.cmd = exec.Command(l.Path, l.Args...)
	srv.cmd.Env, srv.cmd.Dir = l.Env, w.folder
	noErr(srv.t, srv.cmd.Start())
	srv.t.Cleanup(srv.stop) // before the env's folders are removed
	waitFor(srv.t, "the agent at "+srv.addr, func() bool {
		conn, err := net.Dial("tcp", srv.addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

func (srv *agentServer) stop() {
	if srv.cmd != nil {
		_ = srv.cmd.Process.Kill()
		_ = srv.cmd.Wait()
		srv.cmd = nil
	}
}

func (srv *agentServer) launch(w *env) agent.Launch {
	return agent.Launch{Address: srv.addr, Home: w.home}
}

func TestRemote_RetriedUntilAvailable(t *testing.T) {
	t.Parallel()
	srv := newAgentServer(t, launchTCP(fakeagent.Script{}))
	w := newEnv(t, srv.launch, func(_ *env, cfg *agent.Config) { cfg.Attempts = func() int { return 10 } })
	tu := w.start(backend.SessionMain, "go")
	w.waitFor("the second try", func([]backend.Event) bool {
		c := w.agent.Connection()
		return c.State == backend.ConnectionWaiting && c.Attempt == 2
	})
	c := w.agent.Connection()
	equal(t, "cause", c.Cause, backend.CauseUnreachable)
	equal(t, "path", c.Path, srv.addr)
	equal(t, "attempts", c.Attempts, 10)
	if !strings.Contains(c.Message.String(), srv.addr) || !strings.Contains(c.Message.String(), "refused") {
		t.Errorf("message: %s", c.Message)
	}
	srv.start(w)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	c = w.agent.Connection()
	equal(t, "state", c.State, backend.ConnectionReady)
	equal(t, "process", c.PID, 0)
	equal(t, "agent", c.Agent, "Copilot")
	equal(t, "processes", len(w.agent.Processes()), 0)
}

func TestRemote_GiveUpNamesAddress(t *testing.T) {
	t.Parallel()
	srv := newAgentServer(t, launchTCP(fakeagent.Script{}))
	w := newEnv(t, srv.launch, func(_ *env, cfg *agent.Config) { cfg.Attempts = func() int { return 2 } })
	tu := w.start(backend.SessionMain, "go")
	c := w.waitForState(backend.ConnectionFailed)
	equal(t, "cause", c.Cause, backend.CauseUnreachable)
	if !strings.Contains(c.Message.String(), srv.addr) {
		t.Errorf("message: %s", c.Message)
	}
	srv.start(w)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
}

func TestRemote_LostConnectionRestoresSession(t *testing.T) {
	t.Parallel()
	srv := newAgentServer(t, launchTCP(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("half"), fakeagent.Hang()}, {fakeagent.Say("three")}}}))
	w := newEnv(t, srv.launch, nil)
	srv.start(w)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	srv.stop()
	r := w.expectEnd(tu, backend.TurnInterrupted)
	if !strings.Contains(r.Err.Message.String(), "connection") {
		t.Errorf("error: %v", r.Err)
	}
	srv.start(w)
	w.waitForBanner(backend.BannerIncomplete)
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
}

func TestRemote_AgentLeftRunning(t *testing.T) {
	t.Parallel()
	srv := newAgentServer(t, launchTCP(fakeagent.Script{}))
	w := newEnv(t, srv.launch, nil)
	srv.start(w)
	w.promptAndExpect("go", backend.TurnDone)
	w.agent.Stop()
	equal(t, "cause", w.waitForState(backend.ConnectionIdle).Cause, backend.CauseStopped)
	w.promptAndExpect("next", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	w.close()
	if !alive(srv.cmd.Process.Pid) {
		t.Error("it was ended")
	}
}

func TestRemote_CopilotKeepsSession(t *testing.T) {
	cli := copilotCLI(t)
	srv := newAgentServer(t, func(w *env) agent.Launch {
		return launchCopilotTCP(t, w, cli, [][]act{{{text: "one"}}, {{text: "two"}}, {{text: "three"}}})
	})
	w := newEnv(t, srv.launch, nil)
	srv.start(w)
	w.promptAndExpect("Do 1.", backend.TurnDone)
	id := w.session().ACPID
	w.agent.Stop()
	w.waitForState(backend.ConnectionIdle)
	equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "two")
	srv.stop()
	c := w.waitForState(backend.ConnectionWaiting)
	equal(t, "cause", c.Cause, backend.CauseUnreachable)
	srv.start(w)
	w.agent.Retry()
	equal(t, "said", w.answerText(w.promptAndExpect("Do 3.", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerRestored})
}

func TestListen_NeverOpenedReportsOutput(t *testing.T) {
	t.Parallel()
	w := newEnv(t, launchTCP(fakeagent.Script{ExitAtOnce: 3, Stderr: "no such option: --port"}), func(_ *env, cfg *agent.Config) {
		cfg.Attempts = func() int { return 1 }
	})
	tu := w.start(backend.SessionMain, "go")
	c := w.waitForState(backend.ConnectionFailed)
	equal(t, "cause", c.Cause, backend.CauseExitedOnStart)
	equal(t, "stderr", c.Stderr, "no such option: --port")
	if c.ExitCode == nil || *c.ExitCode != 3 {
		t.Errorf("connection: %+v", c)
	}
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
}

func TestListen_OtherOutputInErrorDetail(t *testing.T) {
	t.Parallel()
	w := newEnv(t, launchTCP(fakeagent.Script{Stderr: "listening", Turns: []fakeagent.Turn{{fakeagent.Die(7, "out of luck")}}}), nil)
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnInterrupted)
	if !strings.Contains(r.Err.Detail, "listening") || !strings.Contains(r.Err.Detail, "out of luck") || !strings.Contains(r.Err.Message.String(), "exit code 7") {
		t.Errorf("error: %+v", r.Err)
	}
	if _, err := os.Stat(filepath.Join(w.home, "session-state")); err != nil {
		t.Error(err)
	}
}
