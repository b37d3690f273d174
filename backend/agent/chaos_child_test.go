package agent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// childVar is the environment variable that makes the test binary run one job as an app in a separate
// process, so that a test can suspend the app and measure its memory.
const childVar = "VOXPILOT_TEST_JOB"

// jobSpec describes the job that a child runs. It is passed to the child in a file.
type jobSpec struct {
	Do      string // the name of the job, a key of jobs
	Dir     string // contains the app's data and the chat's folder
	Home    string // the agent's home; "" means Dir
	N       int
	Scripts []fakeagent.Script // the agent's script for each start of the app
	CLI     string             // path of the real CLI, used instead of a script
	Env     []string           // additional environment of the real CLI
}

// childReport is one report from a child, sent as a line of JSON.
type childReport struct {
	What      string
	State     backend.TurnState
	Stop      string
	Error     *backend.Error
	Text      string // text of the last turn
	Items     int
	Banners   []backend.BannerKind
	Sessions  int    // number of ACP IDs that the chat's session has had
	Memory    uint64 // total memory obtained from the system
	Heap      uint64 // heap in use after a garbage collection
	Routines  int
	Files     int
	Millis    int64
	Processes int // number of processes of the agent
}

var jobs = map[string]func(c *child){
	"say":    (*child).sendTwo,
	"answer": (*child).answerEach,
	"many":   (*child).sendMany,
}

// child is a process that runs a job.
type child struct {
	jobSpec
	app  *app
	chat backend.Chat
	open int // number of times the app was opened
}

func (c *child) Helper() {}

func (c *child) Fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

// runChildIfRequested does nothing unless this process is a child. In a child, it runs the job and exits.
func runChildIfRequested() {
	dir := os.Getenv(childVar)
	if dir == "" {
		return
	}
	_ = os.Unsetenv(childVar)
	c := &child{}
	b, err := os.ReadFile(filepath.Join(dir, "job.json"))
	if err == nil {
		err = json.Unmarshal(b, &c.jobSpec)
	}
	if err != nil {
		c.Fatalf("the job: %v", err)
	}
	c.start()
	c.chat = c.app.create(c.folder())
	jobs[c.Do](c)
	c.app.close()
	if err := goleak.Find(); err != nil {
		c.Fatalf("after the end: %v", err)
	}
	c.report(childReport{What: "ended", Memory: memory()})
	os.Exit(0)
}

func (c *child) home() string {
	if c.Home != "" {
		return c.Home
	}
	return c.Dir
}

func (c *child) folder() string { return filepath.Join(c.Dir, "folder") }

// start opens the app.
func (c *child) start() {
	launch := agent.Launch{Path: c.CLI, Args: copilot.Args(), Env: append(os.Environ(), c.Env...), Home: c.home()}
	if c.CLI == "" {
		path, args, env := fakeagent.Command(c.Scripts[min(c.open, len(c.Scripts)-1)])
		launch = agent.Launch{Path: path, Args: args, Env: append(append(os.Environ(), env...), "COPILOT_HOME="+c.home()), Home: c.home()}
	}
	c.open++
	c.app = openApp(c, filepath.Join(c.Dir, "data"), func(backend.Chat) agent.Launch { return launch })
}

func (c *child) report(f childReport) {
	b, err := json.Marshal(f)
	if err != nil {
		c.Fatalf("%v", err)
	}
	fmt.Println(string(b))
}

func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// promptAndReport sends a message and returns the window's state after the answer.
func (c *child) promptAndReport(text string) childReport {
	began := time.Now()
	n := 0
	c.app.waitFor(c, c.chat.ID, "", func(events []backend.Event) bool { n = viewOf(events).ended; return true })
	c.app.send(c.chat.ID, text)
	var s chatView
	var events []backend.Event
	c.app.waitFor(c, c.chat.ID, "the answer", func(all []backend.Event) bool {
		s, events = viewOf(all), all
		return s.ended > n
	})
	f := childReport{What: text, Banners: s.banners, Sessions: len(s.ids()), Memory: memory(), Millis: time.Since(began).Milliseconds()}
	items := map[string]bool{}
	var last string
	for _, e := range events {
		switch {
		case e.Item != nil && e.Item.Kind == backend.ItemUser:
			last = e.Item.TurnID
			clear(items)
			f.Text = ""
		case e.Item != nil && e.Item.Kind == backend.ItemMessage:
			items[e.Item.ID] = true
		case e.Text != nil && items[e.Text.ItemID]:
			f.Text += e.Text.Text
		}
	}
	f.State, f.Stop, f.Error, f.Items = s.turns[last].State, s.turns[last].StopReason, s.turns[last].Error, len(items)
	return f
}

// sendTwo sends one message, reports the start of its answer, and sends another.
func (c *child) sendTwo() {
	begun := false
	c.app.onEvent = func(e backend.Event) {
		if e.Text != nil && !begun && strings.HasPrefix(e.Text.Text, "word") {
			begun = true
			c.report(childReport{What: "begun"})
		}
	}
	c.report(c.promptAndReport("one"))
	c.report(c.promptAndReport("two"))
}

// answerEach opens the app once for each script and sends one message each time.
func (c *child) answerEach() {
	for i := range c.Scripts {
		if i > 0 {
			c.app.close()
			runtime.GC()
			debug.FreeOSMemory()
			c.start()
		}
		before := memory()
		f := c.promptAndReport(fmt.Sprint("message ", i+1))
		f.Memory = max(f.Memory, before) - before
		c.report(f)
	}
}

// sendMany sends N messages, distributed over ten chats that run at the same time. It reports the process's resources
// after the first tenth of the messages and at the end.
func (c *child) sendMany() {
	const chats = 10
	c.app.mu.Lock()
	c.app.events = nil
	done := make(chan string, chats)
	c.app.onEvent = func(e backend.Event) {
		switch {
		case e.Turn == nil || e.Turn.State == backend.TurnRunning:
		case e.Turn.State != backend.TurnDone:
			c.Fatalf("a turn ended: %+v", e.Turn)
		default:
			done <- e.Turn.ChatID
		}
	}
	c.app.mu.Unlock()
	ids := []string{c.chat.ID}
	for len(ids) < chats {
		ids = append(ids, c.app.create(c.folder()).ID)
	}
	rounds := func(n int, text string) {
		left := n
		send := func(id string) {
			left--
			c.app.send(id, text)
		}
		for _, id := range ids {
			send(id)
		}
		for n > 0 {
			id := <-done
			if n--; left > 0 {
				send(id)
			}
		}
	}
	rounds(chats, "fill")
	for _, n := range []int{c.N / 10, c.N - c.N/10} {
		rounds(n, "go")
		// Everything published is now in the database, and unused memory is freed.
		if err := c.app.bus.Snapshot(context.Background(), func(uint64) error { return nil }); err != nil {
			c.Fatalf("%v", err)
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		files, _ := os.ReadDir("/proc/self/fd")
		c.report(childReport{What: "many", Heap: m.HeapAlloc, Routines: runtime.NumGoroutine(), Files: len(files), Memory: m.Sys})
	}
}

// parent is the test's side of the connection to a child process.
type parent struct {
	t      *testing.T
	cmd    *exec.Cmd
	out    *bufio.Scanner
	stderr strings.Builder
}

// startChild starts a child process that runs the job j in its own folder.
func startChild(t *testing.T, j jobSpec, change ...func(*exec.Cmd)) *parent {
	t.Helper()
	if j.Dir == "" {
		j.Dir = t.TempDir()
	}
	noErr(t, os.MkdirAll(filepath.Join(j.Dir, "folder"), 0o700))
	b, err := json.Marshal(j)
	noErr(t, err)
	noErr(t, os.WriteFile(filepath.Join(j.Dir, "job.json"), b, 0o600))
	me, err := os.Executable()
	noErr(t, err)
	p := &parent{t: t, cmd: exec.CommandContext(t.Context(), me)}
	p.cmd.Env = append(os.Environ(), childVar+"="+j.Dir)
	p.cmd.Stderr = &p.stderr
	for _, c := range change {
		c(p.cmd)
	}
	out, err := p.cmd.StdoutPipe()
	noErr(t, err)
	noErr(t, p.cmd.Start())
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 64<<20)
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // already exited unless the test failed
		_ = p.cmd.Wait()
	})
	return p
}

// nextReport returns the child's next report. It fails the test unless the report has the given name.
func (p *parent) nextReport(what string) childReport {
	p.t.Helper()
	late := time.AfterFunc(5*patience, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	if !p.out.Scan() {
		_ = p.cmd.Wait()
		p.t.Fatalf("the child ended before it told %q: %v\n%s", what, p.out.Err(), p.stderr.String())
	}
	var f childReport
	noErr(p.t, json.Unmarshal(p.out.Bytes(), &f))
	if f.What != what {
		p.t.Fatalf("the child told %q, want %q", f.What, what)
	}
	return f
}
