package instance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

const (
	holdVar  = "VOXPILOT_TEST_HOLD"
	startVar = "VOXPILOT_TEST_START"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVar); dir != "" {
		holdInstance(dir)
	}
	if dir := os.Getenv(startVar); dir != "" {
		startInstance(dir)
	}
	// On Windows, go-winio's goroutine starts with the first pipe and never ends.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/Microsoft/go-winio.ioCompletionProcessor"))
}

// holdInstance is the main function of a process that is the instance for dir until it is killed.
func holdInstance(dir string) {
	i, err := Claim(context.Background(), dir, Request{Verb: Open})
	if err != nil || i == nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	i.Serve(func(context.Context, Request, func(Response) error) Response { return Response{} })
	fmt.Println("holds")
	select {}
}

// startInstance is the main function of a process that claims dir once its stdin ends, and
// prints the result. If it is the instance, it runs until it is killed.
func startInstance(dir string) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	i, err := Claim(context.Background(), dir, Request{Verb: Open, Dir: fmt.Sprint(os.Getpid())})
	switch {
	case err != nil:
		fmt.Println("failed:", err)
	case i == nil:
		fmt.Println("handed over")
	default:
		i.Serve(func(context.Context, Request, func(Response) error) Response { return Response{} })
		fmt.Println("won")
		select {}
	}
	os.Exit(0)
}

// otherProcess is a process that runs holdInstance or startInstance.
type otherProcess struct {
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
}

func startOtherProcess(t *testing.T, env string) *otherProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := &otherProcess{cmd: exec.CommandContext(t.Context(), self)}
	o.cmd.Env = append(os.Environ(), env)
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	o.out = bufio.NewReader(out)
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.kill() })
	return o
}

func (o *otherProcess) readLine(t *testing.T) string {
	t.Helper()
	line, err := o.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the process said %q and %v", line, err)
	}
	return strings.TrimSpace(line)
}

func (o *otherProcess) kill() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// newDataDir creates a data directory with a path short enough for a socket.
func newDataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "vp") //nolint:usetesting // needs a short path, and Wine can't clean up
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // it fails under Wine
	return dir
}

// newInstance makes this process the instance for dir, with handle as its handler.
func newInstance(t *testing.T, dir string, handle Handler) *Instance {
	t.Helper()
	i, err := Claim(t.Context(), dir, Request{})
	if err != nil || i == nil {
		t.Fatalf("%v, %v", i, err)
	}
	i.Serve(handle)
	t.Cleanup(func() { i.Stop(); i.Release() })
	return i
}

// recordRequests returns a handler that sends each request on the given channel.
func recordRequests(asked chan<- Request) Handler {
	return func(_ context.Context, r Request, _ func(Response) error) Response {
		asked <- r
		return Response{}
	}
}

func TestInstance_SecondHandsOverToFirst(t *testing.T) {
	dir, asked := newDataDir(t), make(chan Request, 1)
	newInstance(t, dir, recordRequests(asked))
	want := Request{Verb: Open, Dir: "/somewhere", Target: "voxpilot://open?ä=\"1\"\n"}
	if i, err := Claim(t.Context(), dir, want); err != nil || i != nil {
		t.Fatalf("%v, %v", i, err)
	}
	if got := <-asked; got != want {
		t.Errorf("it was asked %+v", got)
	}
}

func TestInstance_OnePerDataDirectory(t *testing.T) {
	none := func(context.Context, Request, func(Response) error) Response { return Response{} }
	newInstance(t, newDataDir(t), none)
	newInstance(t, newDataDir(t), none)
}

func TestInstance_RepliesInOrderErrorLast(t *testing.T) {
	dir := newDataDir(t)
	newInstance(t, dir, func(_ context.Context, r Request, more func(Response) error) Response {
		for i := range 100 {
			if err := more(Response{Text: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		}
		return Response{Error: "no " + r.Text}
	})
	var got []string
	err := Do(t.Context(), dir, Request{Text: strings.Repeat("long", 1<<18)}, func(a Response) { got = append(got, a.Text) })
	var refused *RemoteError
	if !errors.As(err, &refused) || !strings.HasPrefix(refused.Message, "no longlong") || len(refused.Message) < 1<<20 {
		t.Errorf("it failed as %.100v", err)
	}
	if len(got) != 100 || got[0] != "0" || got[99] != "99" {
		t.Errorf("the answers are %q", got)
	}
}

func TestInstance_ConcurrentStartsRunOne(t *testing.T) {
	dir, asked := newDataDir(t), make(chan Request, 20)
	const all = 20
	var won atomic.Pointer[Instance]
	var starts sync.WaitGroup
	begin := make(chan struct{})
	for range all {
		starts.Go(func() {
			<-begin
			i, err := Claim(t.Context(), dir, Request{Verb: Open})
			switch {
			case err != nil:
				t.Error(err)
			case i != nil:
				if won.Swap(i) != nil {
					t.Error("two are the one")
				}
				i.Serve(recordRequests(asked))
			}
		})
	}
	close(begin)
	starts.Wait()
	i := won.Load()
	if i == nil {
		t.Fatal("none runs")
	}
	i.Stop()
	i.Release()
	if len(asked) != all-1 {
		t.Errorf("%d of %d were handed over", len(asked), all-1)
	}
}

func TestInstance_ConcurrentProcessesRunOne(t *testing.T) {
	dir := newDataDir(t)
	others := make([]*otherProcess, 6)
	for n := range others {
		others[n] = startOtherProcess(t, startVar+"="+dir)
	}
	for _, o := range others {
		_ = o.in.Close()
	}
	said := map[string]int{}
	for _, o := range others {
		said[o.readLine(t)]++
	}
	if said["won"] != 1 || said["handed over"] != len(others)-1 {
		t.Errorf("they said %v", said)
	}
}

func TestInstance_StartsAfterCrash(t *testing.T) {
	dir := newDataDir(t)
	first := startOtherProcess(t, holdVar+"="+dir)
	if said := first.readLine(t); said != "holds" {
		t.Fatal(said)
	}
	if err := Do(t.Context(), dir, Request{}, func(Response) {}); err != nil {
		t.Errorf("before the crash: %v", err)
	}
	first.kill()
	if err := Do(t.Context(), dir, Request{}, func(Response) {}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after the crash: %v", err)
	}
	asked := make(chan Request, 1)
	newInstance(t, dir, recordRequests(asked))
	if err := Do(t.Context(), dir, Request{Text: "again"}, func(Response) {}); err != nil || (<-asked).Text != "again" {
		t.Error(err)
	}
}

func TestInstance_WaitsForClosingOne(t *testing.T) {
	dir := newDataDir(t)
	first := newInstance(t, dir, func(context.Context, Request, func(Response) error) Response { return Response{} })
	first.Stop()
	if err := Do(t.Context(), dir, Request{}, func(Response) {}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("one that ends answers: %v", err)
	}
	next := make(chan *Instance)
	go func() {
		i, err := Claim(t.Context(), dir, Request{})
		if err != nil {
			t.Error(err)
		}
		next <- i
	}()
	select {
	case <-next:
		t.Error("it did not wait")
	case <-time.After(3 * tryAgain):
	}
	first.Release()
	i := <-next
	i.Stop()
	i.Release()
}

func TestInstance_UnresponsiveTimesOut(t *testing.T) {
	dir := newDataDir(t)
	i, err := Claim(t.Context(), dir, Request{}) // and never serves
	if err != nil {
		t.Fatal(err)
	}
	defer func() { i.Stop(); i.Release() }()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Claim(ctx, dir, Request{}); !errors.Is(err, errNoResponse) {
		t.Errorf("it says %v", err)
	}
}

func TestInstance_HandlerSeesDisconnect(t *testing.T) {
	dir, asked := newDataDir(t), make(chan struct{})
	ended := make(chan struct{})
	newInstance(t, dir, func(ctx context.Context, _ Request, _ func(Response) error) Response {
		close(asked)
		<-ctx.Done()
		close(ended)
		return Response{}
	})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- Do(ctx, dir, Request{}, func(Response) {}) }()
	<-asked
	cancel()
	<-ended
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("who asked gets %v", err)
	}
}

func TestStop_EndsRunningHandler(t *testing.T) {
	dir, asked := newDataDir(t), make(chan struct{})
	i := newInstance(t, dir, func(ctx context.Context, _ Request, _ func(Response) error) Response {
		close(asked)
		<-ctx.Done()
		return Response{Error: "VoxPilot ends"}
	})
	result := make(chan error)
	go func() { result <- Do(t.Context(), dir, Request{}, func(Response) {}) }()
	<-asked
	i.Stop()
	if err := <-result; err == nil {
		t.Error("it is said to be done")
	}
}

func TestInstance_SurvivesFloodAndGarbage(t *testing.T) {
	dir, asked := newDataDir(t), make(chan Request, 1)
	newInstance(t, dir, recordRequests(asked))
	address, err := os.ReadFile(filepath.Join(dir, addressName))
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"", "\n", "{", "nonsense\n", `{"verb":3}` + "\n", strings.Repeat("a", 1<<16), strings.Repeat("a", maxLine+1) + "\n"} {
		conn, err := localsocket.Dial(t.Context(), string(address))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, said) // the server disconnects if it is too long
		_ = conn.Close()
	}
	// Idle connections take all slots, and further connections are rejected. Closing
	// the idle ones frees the slots.
	var idle []io.Closer
	for range 2 * maxPeers {
		conn, err := localsocket.Dial(t.Context(), string(address))
		if err != nil {
			break // the backlog is full too
		}
		idle = append(idle, conn)
	}
	for _, conn := range idle {
		_ = conn.Close()
	}
	for {
		err := Do(t.Context(), dir, Request{Text: "heard"}, func(Response) {})
		if err == nil {
			break
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	if got := <-asked; got.Text != "heard" {
		t.Errorf("it was asked %+v", got)
	}
}

func TestInstance_UnusableDirectoryReported(t *testing.T) {
	file := filepath.Join(newDataDir(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if i, err := Claim(t.Context(), file, Request{}); i != nil || !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v, %v", i, err)
	}
}

func TestRequest_IsOnePlainTextLine(t *testing.T) {
	line, err := json.Marshal(Request{Verb: Ask, Dir: "/d", Text: "a\nb"})
	if want := `{"verb":"ask","dir":"/d","text":"a\nb"}`; err != nil || string(line) != want {
		t.Errorf("%s %v", line, err)
	}
}

func TestSend_WithoutInstanceFails(t *testing.T) {
	if err := Do(t.Context(), newDataDir(t), Request{}, func(Response) {}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("it says %v", err)
	}
}
