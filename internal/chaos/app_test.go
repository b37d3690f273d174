package chaos_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/data"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

// appVar is the environment variable that turns this program into the whole app without
// a window. Its value is the data directory. The tests run the app in a separate
// process so that they can kill it without killing themselves. The process reads the
// page's calls from stdin and writes events for the page to stdout, one per line.
const appVar = "VOXPILOT_CHAOS_APP"

// callLine is a line of stdin: a method of App with its arguments, or GET with a /data path.
type callLine struct {
	ID   int
	Call string
	Args []json.RawMessage
}

// outputLine is a line of stdout: a response, or an emitted batch.
type outputLine struct {
	At     int64 // in milliseconds since the Unix epoch
	ID     int
	Answer json.RawMessage `json:",omitempty"`
	Error  *backend.Error  `json:",omitempty"`
	Batch  *backend.Batch  `json:",omitempty"`
}

func TestMain(m *testing.M) { apptest.Main(m, runAppIfRequested) }

// runAppIfRequested runs the app if this process was started for that purpose, and otherwise returns.
func runAppIfRequested() {
	dir, ok := os.LookupEnv(appVar)
	if !ok {
		return
	}
	_ = os.Unsetenv(appVar) // its agents run this program too
	d := desktop.New(dir, apptest.Build)
	c := &console{desktop: d, data: data.New(d.API, apptest.Licenses), out: os.Stdout}
	d.API.Start()
	c.run(os.Stdin)
	os.Exit(0)
}

// console stands in for Wails and the page.
type console struct {
	desktop *desktop.Desktop
	data    http.Handler
	mu      sync.Mutex
	out     io.Writer
}

// run handles calls until stdin ends or a signal stops the app.
func (c *console) run(in io.Reader) {
	var once sync.Once
	ended := make(chan struct{})
	quit := func() { once.Do(func() { close(ended) }) }
	window := *desktop.NoWindow()
	window.Emit = func(b backend.Batch) { c.write(outputLine{Batch: &b}) }
	window.Quit = quit
	window.SaveFile = func(name string) (string, error) { return filepath.Join(os.TempDir(), name), nil }
	c.desktop.SetWindow(&window)
	stop := c.desktop.QuitOnSignals()
	defer stop()
	first := make(chan os.Signal, 1) // this one is for Wails
	signal.Notify(first, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-first
		quit()
	}()
	go func() {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			var q callLine
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				panic(err)
			}
			go c.answer(q) // concurrently, like Wails
		}
		quit()
	}()
	<-ended
	c.desktop.Shutdown(context.Background())
}

func (c *console) write(t outputLine) {
	t.At = time.Now().UnixMilli()
	line, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.out.Write(append(line, '\n')) // fails if the reader has exited
}

func (c *console) answer(q callLine) {
	result, err := c.call(q.Call, q.Args)
	t := outputLine{ID: q.ID}
	if err != nil {
		t.Error = backend.AsError(err)
	}
	if t.Answer, err = json.Marshal(result); err != nil {
		panic(err)
	}
	c.write(t)
}

func (c *console) call(name string, args []json.RawMessage) (result any, err error) {
	if name == http.MethodGet {
		var path string
		if err := json.Unmarshal(args[0], &path); err != nil {
			return nil, err
		}
		r := httptest.NewRecorder()
		c.data.ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
		if r.Code != http.StatusOK {
			return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain(r.Body.String())}
		}
		if r.Header().Get("Content-Type") != "application/json" {
			return r.Body.String(), nil
		}
		return json.RawMessage(r.Body.Bytes()), nil
	}
	method := reflect.ValueOf(c.desktop.API).MethodByName(name)
	if !method.IsValid() {
		method = reflect.ValueOf(c.desktop).MethodByName(name)
	}
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		v := reflect.New(method.Type().In(i))
		if err := json.Unmarshal(arg, v.Interface()); err != nil {
			return nil, err
		}
		in[i] = v.Elem()
	}
	for _, out := range method.Call(in) {
		if e, ok := out.Interface().(error); ok {
			err = e
		} else if out.Type().Kind() != reflect.Interface {
			result = out.Interface()
		}
	}
	return result, err
}
