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

// byPort returns a launch of the fake agent that is reached over TCP.
func byPort(s fakeagent.Script) func(*world) agent.Launch {
	return func(w *world) agent.Launch {
		l := fake(s)(w)
		l.Args = append(l.Args, fakeagent.PortArgs...)
		return l
	}
}

func TestContract_FakeAgentTCP(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		return byPort(fakeScript(turns))(w)
	}})
}

func TestContract_FakeAgentSocket(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		l := fake(fakeScript(turns))(w)
		l.Args = append(l.Args, fakeagent.SocketArgs...)
		return l
	}})
}

func TestContract_CopilotTCP(t *testing.T) {
	cli := copilotCLI(t)
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(t *testing.T, w *world, turns [][]act) agent.Launch {
		return copilotByPort(t, w, cli, turns)
	}})
}

func copilotByPort(t *testing.T, w *world, cli string, turns [][]act) agent.Launch {
	t.Helper()
	l := copilotLaunch(t, w, cli, turns)
	i := slices.Index(l.Args, "--stdio")
	l.Args = slices.Replace(l.Args, i, i+1, "--port", "{port}")
	return l
}

// server is an agent that runs at an address, not started by VoxPilot.
type server struct {
	t    *testing.T
	addr string
	as   func(*world) agent.Launch
	cmd  *exec.Cmd
}

// newServer returns a server that is started with the launch as.
func newServer(t *testing.T, as func(*world) agent.Launch) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noErr(t, err)
	srv := &server{t: t, addr: l.Addr().String(), as: as}
	noErr(t, l.Close())
	return srv
}

func (srv *server) start(w *world) {
	srv.t.Helper()
	_, port, err := net.SplitHostPort(srv.addr)
	noErr(srv.t, err)
	l := srv.as(w)
	for i, arg := range l.Args {
		l.Args[i] = strings.ReplaceAll(arg, "{port}", port)
	}
	srv.cmd = exec.Command(l.Path, l.Args...)
	srv.cmd.Env, srv.cmd.Dir = l.Env, w.folder
	noErr(srv.t, srv.cmd.Start())
	srv.t.Cleanup(srv.stop) // before the world's folders are removed
	poll(srv.t, "the agent at "+srv.addr, func() bool {
		conn, err := net.Dial("tcp", srv.addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

func (srv *server) stop() {
	if srv.cmd != nil {
		_ = srv.cmd.Process.Kill()
		_ = srv.cmd.Wait()
		srv.cmd = nil
	}
}

func (srv *server) launch(w *world) agent.Launch {
	return agent.Launch{Address: srv.addr, Home: w.home}
}

func TestRemote_RetriedUntilAvailable(t *testing.T) {
	t.Parallel()
	srv := newServer(t, byPort(fakeagent.Script{}))
	w := newWorld(t, srv.launch, func(_ *world, cfg *agent.Config) { cfg.Attempts = func() int { return 10 } })
	tu := w.start(backend.SessionMain, "go")
	w.wait("the second try", func([]backend.Event) bool {
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
	w.mustEnd(tu, backend.TurnDone)
	c = w.agent.Connection()
	equal(t, "state", c.State, backend.ConnectionReady)
	equal(t, "process", c.PID, 0)
	equal(t, "agent", c.Agent, "Copilot")
	equal(t, "processes", len(w.agent.Processes()), 0)
}

func TestRemote_GiveUpNamesAddress(t *testing.T) {
	t.Parallel()
	srv := newServer(t, byPort(fakeagent.Script{}))
	w := newWorld(t, srv.launch, func(_ *world, cfg *agent.Config) { cfg.Attempts = func() int { return 2 } })
	tu := w.start(backend.SessionMain, "go")
	c := w.waitState(backend.ConnectionFailed)
	equal(t, "cause", c.Cause, backend.CauseUnreachable)
	if !strings.Contains(c.Message.String(), srv.addr) {
		t.Errorf("message: %s", c.Message)
	}
	srv.start(w)
	w.agent.Retry()
	w.mustEnd(tu, backend.TurnDone)
}

func TestRemote_LostConnectionRestoresSession(t *testing.T) {
	t.Parallel()
	srv := newServer(t, byPort(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("half"), fakeagent.Hang()}, {fakeagent.Say("three")}}}))
	w := newWorld(t, srv.launch, nil)
	srv.start(w)
	w.must("go", backend.TurnDone)
	id := w.session().ACPID
	tu := w.start(backend.SessionMain, "go")
	w.waitText("half")
	srv.stop()
	r := w.mustEnd(tu, backend.TurnInterrupted)
	if !strings.Contains(r.Err.Message.String(), "connection") {
		t.Errorf("error: %v", r.Err)
	}
	srv.start(w)
	w.waitBanner(backend.BannerIncomplete)
	equal(t, "said", w.said(w.must("go", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
}

func TestRemote_AgentLeftRunning(t *testing.T) {
	t.Parallel()
	srv := newServer(t, byPort(fakeagent.Script{}))
	w := newWorld(t, srv.launch, nil)
	srv.start(w)
	w.must("go", backend.TurnDone)
	w.agent.Stop()
	equal(t, "cause", w.waitState(backend.ConnectionIdle).Cause, backend.CauseStopped)
	w.must("next", backend.TurnDone)
	same(t, "banners", w.banners(), []backend.BannerKind(nil))
	w.close()
	if !alive(srv.cmd.Process.Pid) {
		t.Error("it was ended")
	}
}

func TestRemote_CopilotKeepsSession(t *testing.T) {
	cli := copilotCLI(t)
	srv := newServer(t, func(w *world) agent.Launch {
		return copilotByPort(t, w, cli, [][]act{{{say: "one"}}, {{say: "two"}}, {{say: "three"}}})
	})
	w := newWorld(t, srv.launch, nil)
	srv.start(w)
	w.must("Do 1.", backend.TurnDone)
	id := w.session().ACPID
	w.agent.Stop()
	w.waitState(backend.ConnectionIdle)
	equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "two")
	srv.stop()
	c := w.waitState(backend.ConnectionWaiting)
	equal(t, "cause", c.Cause, backend.CauseUnreachable)
	srv.start(w)
	w.agent.Retry()
	equal(t, "said", w.said(w.must("Do 3.", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
	same(t, "banners", w.banners(), []backend.BannerKind{backend.BannerRestored})
}

func TestListen_NeverOpenedReportsOutput(t *testing.T) {
	t.Parallel()
	w := newWorld(t, byPort(fakeagent.Script{ExitAtOnce: 3, Stderr: "no such option: --port"}), func(_ *world, cfg *agent.Config) {
		cfg.Attempts = func() int { return 1 }
	})
	tu := w.start(backend.SessionMain, "go")
	c := w.waitState(backend.ConnectionFailed)
	equal(t, "cause", c.Cause, backend.CauseExitedOnStart)
	equal(t, "stderr", c.Stderr, "no such option: --port")
	if c.ExitCode == nil || *c.ExitCode != 3 {
		t.Errorf("connection: %+v", c)
	}
	tu.cancel()
	w.mustEnd(tu, backend.TurnStopped)
}

func TestListen_OtherOutputInErrorDetail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, byPort(fakeagent.Script{Stderr: "listening", Turns: []fakeagent.Turn{{fakeagent.Die(7, "out of luck")}}}), nil)
	r := w.mustEnd(w.start(backend.SessionMain, "go"), backend.TurnInterrupted)
	if !strings.Contains(r.Err.Detail, "listening") || !strings.Contains(r.Err.Detail, "out of luck") || !strings.Contains(r.Err.Message.String(), "exit code 7") {
		t.Errorf("error: %+v", r.Err)
	}
	if _, err := os.Stat(filepath.Join(w.home, "session-state")); err != nil {
		t.Error(err)
	}
}
