package chaos_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

// markVar is an environment variable that is set in every process that an appData starts, and inherited by the
// descendants of these processes. Its value identifies leftover processes.
const markVar = "VOXPILOT_CHAOS_MARK"

// appData is a user's data directory and home, with which the app is started repeatedly.
type appData struct {
	t    *testing.T
	dir  string // of the app's data
	home string // the agents' COPILOT_HOME
	env  []string
	mark string
}

func newAppData(t *testing.T) *appData {
	t.Helper()
	h := &appData{t: t, dir: t.TempDir(), home: apptest.UseSignedInHome(t, t.TempDir()), mark: backend.NewID()}
	t.Cleanup(func() {
		for _, p := range h.processes() {
			t.Errorf("process %d is left: %s", p, commandLine(p))
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	})
	return h
}

// appProcess is an app that runs in a separate process.
type appProcess struct {
	*appData
	cmd   *exec.Cmd
	in    io.WriteCloser
	words bytes.Buffer  // its stderr; read it only after the exit
	ended chan struct{} // closed when all output was read

	mu      sync.Mutex
	cond    *sync.Cond
	calls   int
	answers map[int]outputLine
	seen    []backend.Event
	exited  bool
	late    bool
}

// start starts the app. The parameter program is the path of the agent that the app runs.
func (h *appData) start(program string) *appProcess {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	return h.startCommand(exec.Command(self), program)
}

// startCommand starts cmd, which runs the app, possibly through a wrapper. The parameter program is the path of the
// agent that the app runs.
func (h *appData) startCommand(cmd *exec.Cmd, program string) *appProcess {
	h.t.Helper()
	l := &appProcess{appData: h, cmd: cmd, ended: make(chan struct{}), answers: map[int]outputLine{}}
	l.cond = sync.NewCond(&l.mu)
	cmd.Env = append(slices.Concat(os.Environ(), h.env), appVar+"="+h.dir, markVar+"="+h.mark,
		copilot.PathVar+"="+program, "COPILOT_HOME="+h.home, "GORACE=atexit_sleep_ms=0",
		"SHELL=/bin/sh") // the user's own shell would be killed while it uses the user's files
	cmd.Stderr = &l.words
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	l.in = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go l.listen(out)
	h.t.Cleanup(func() {
		select {
		case <-l.ended:
		default:
			l.kill()
		}
		if h.t.Failed() && l.words.Len() > 0 {
			h.t.Logf("the app said: %s", l.words.Bytes())
		}
	})
	return l
}

// listen reads the app's output until it exits.
func (l *appProcess) listen(out io.Reader) {
	defer close(l.ended)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		var t outputLine
		if err == nil {
			err = json.Unmarshal(line, &t)
		}
		l.mu.Lock()
		switch {
		case err != nil: // EOF, maybe in the middle of a line that was never shown
			l.exited = true
		case t.Batch != nil:
			l.seen = append(l.seen, t.Batch.Events...)
		default:
			l.answers[t.ID] = t
		}
		l.cond.Broadcast()
		l.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// ask calls a method of App without waiting for the response, and returns the id of the call.
func (l *appProcess) ask(call string, args ...any) (id int) {
	l.t.Helper()
	q := callLine{Call: call}
	for _, arg := range args {
		raw, err := json.Marshal(arg)
		if err != nil {
			l.t.Fatal(err)
		}
		q.Args = append(q.Args, raw)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	q.ID = l.calls
	line, err := json.Marshal(q)
	if err == nil {
		_, err = l.in.Write(append(line, '\n'))
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return q.ID
}

// answer waits for the response to a call and stores the decoded result in *into, unless into is nil.
func (l *appProcess) answer(id int, into any) error {
	l.t.Helper()
	var t outputLine
	l.waitFor(fmt.Sprintf("answer %d", id), func() (ok bool) {
		t, ok = l.answers[id]
		return ok
	})
	if t.Error != nil {
		return t.Error
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(t.Answer, into)
}

// call calls a method of App and fails the test on an error.
func (l *appProcess) call(into any, call string, args ...any) {
	l.t.Helper()
	if err := l.answer(l.ask(call, args...), into); err != nil {
		l.t.Fatalf("%s: %v (%s)", call, err, backend.AsError(err).Detail)
	}
}

// callWhenStarted is like call, but for a method that starts the chat's agent and has no result. It calls the method
// again while the agent is still starting, up to ten times, since a call waits for at most engine.CallTime.
func (l *appProcess) callWhenStarted(call string, args ...any) {
	l.t.Helper()
	for range 10 {
		err := l.answer(l.ask(call, args...), nil)
		if err == nil {
			return
		}
		if backend.CodeOf(err) != backend.CodeUnavailable {
			l.t.Fatalf("%s: %v (%s)", call, err, backend.AsError(err).Detail)
		}
	}
	l.t.Fatalf("%s: the agent is still starting", call)
}

// newChat creates a chat in a new folder.
func (l *appProcess) newChat() (c backend.Chat) {
	l.t.Helper()
	l.call(&c, "CreateChat", l.t.TempDir(), backend.ProviderCopilot)
	return c
}

func (l *appProcess) send(chatID, text string) (id string) {
	l.t.Helper()
	l.call(&id, "Send", chatID, text, nil)
	return id
}

func (l *appProcess) snapshot(path string) (s backend.Snapshot) {
	l.t.Helper()
	l.call(&s, http.MethodGet, path)
	return s
}

// waitForOpen waits until the database has been opened, or opening it has failed, and
// returns the app's snapshot.
func (l *appProcess) waitForOpen() backend.Snapshot {
	l.t.Helper()
	for {
		s := l.snapshot("/data/app")
		if storageIn(s).State != backend.StorageOpening {
			return s
		}
		l.waitForEvent(0, "the data is open", func(e backend.Event) bool {
			return e.Storage != nil && e.Storage.State != backend.StorageOpening
		})
	}
}

// storageIn returns the state of the storage in a snapshot.
func storageIn(s backend.Snapshot) (storage backend.Storage) {
	for _, e := range s.Events {
		if e.Storage != nil {
			storage = *e.Storage
		}
	}
	return storage
}

// waitFor waits until wanted returns true. It holds l.mu while it calls wanted. It fails the test if the app exits
// before that, or after a minute.
func (l *appProcess) waitFor(what string, wanted func() bool) {
	l.t.Helper()
	bell := time.AfterFunc(time.Minute, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.late = true
		l.cond.Broadcast()
	})
	defer bell.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for !wanted() {
		if l.exited {
			l.t.Fatalf("the app ended before %s", what)
		}
		if l.late {
			l.t.Fatalf("timed out waiting for %s", what)
		}
		l.cond.Wait()
	}
}

// waitForEvent waits for an event for which wanted returns true, and returns the number of events up to and including
// that one. Only events with an index ≥ from count, both past and future ones.
func (l *appProcess) waitForEvent(from int, what string, wanted func(backend.Event) bool) (upTo int) {
	l.t.Helper()
	l.waitFor(what, func() bool {
		for ; from < len(l.seen); from++ {
			if wanted(l.seen[from]) {
				from++
				return true
			}
		}
		return false
	})
	return from
}

// eventCount returns the number of events emitted so far.
func (l *appProcess) eventCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.seen)
}

// events returns the events emitted so far.
func (l *appProcess) events() []backend.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen[:len(l.seen):len(l.seen)]
}

// kill sends SIGKILL to the app and returns the time of the signal. It returns only
// after all of the app's output has been read.
func (l *appProcess) kill() (at time.Time) {
	l.t.Helper()
	at = time.Now()
	if err := l.cmd.Process.Kill(); err != nil {
		l.t.Fatal(err)
	}
	<-l.ended
	_ = l.cmd.Wait() // its exit status is known
	return at
}

// quit stops the app as a user does and fails the test on an error.
func (l *appProcess) quit() {
	l.t.Helper()
	l.endWith(func() error { return l.in.Close() })
}

func (l *appProcess) endWith(how func() error) {
	l.t.Helper()
	if err := how(); err != nil {
		l.t.Fatal(err)
	}
	late := time.AfterFunc(2*engine.EndTime, func() { _ = l.cmd.Process.Kill() })
	<-l.ended
	err := l.cmd.Wait()
	if !late.Stop() {
		l.t.Fatalf("the app did not end in twice the time that it gives itself")
	}
	if err != nil {
		l.t.Fatalf("the app did not end well: %v\n%s", err, l.words.Bytes())
	}
}

// processes returns the pids of all processes with the mark of h.
func (h *appData) processes() (pids []int) {
	mark := []byte(markVar + "=" + h.mark)
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		h.t.Fatal(err)
	}
	for _, name := range names {
		env, err := os.ReadFile(name)
		if err != nil {
			continue // it has exited
		}
		for v := range bytes.SplitSeq(env, []byte{0}) {
			if bytes.Equal(v, mark) {
				pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
				if err == nil {
					pids = append(pids, pid)
				}
			}
		}
	}
	return pids
}

func commandLine(pid int) string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
}

// orphanTime is the maximum time for which the descendants of an app may outlive it.
const orphanTime = 5 * time.Second

// waitForAllExits waits until no process with the mark of h is left. It returns the time since the app's death.
func (h *appData) waitForAllExits(death time.Time) time.Duration {
	h.t.Helper()
	for {
		pids := h.processes()
		if len(pids) == 0 {
			return time.Since(death)
		}
		for _, pid := range pids {
			if !waitForProcessEnd(pid, death.Add(orphanTime)) {
				h.t.Fatalf("%v after its death, the app's process %d is still there: %s", orphanTime, pid, commandLine(pid))
			}
		}
	}
}
