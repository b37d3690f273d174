// Package instance lets one VoxPilot run on a data directory, and lets a later
// start hand over to it what it was started for.
//
// Who runs is decided by a lock of the operating system on a file in the data
// directory, which ends with its process, however that ends. Who has it listens
// on a Unix socket, or on a named pipe where the system is Windows. Its address
// stands in a file beside the lock, so that a start with another environment
// finds it. A request is one line of JSON, and so is each answer.
package instance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// The files in the data directory.
const (
	lockName    = "instance.lock"
	addressName = "instance.address"
)

// Bounds of what is taken from others.
const (
	maxLine     = 8 << 20          // of a request or an answer; a prompt is at most a million bytes
	maxPeers    = 64               // that are answered at the same time
	requestTime = 10 * time.Second // for a request to be there after the connection
	writeTime   = 10 * time.Second // for an answer to be taken
	dialTime    = 5 * time.Second
	tryAgain    = 50 * time.Millisecond // while one begins or ends
)

// Verb says what a later start asks for.
type Verb string

// What can be asked for.
const (
	Open  Verb = "open"  // the window, with Target in it
	Quick Verb = "quick" // the quick prompt, or Text sent as it would
	Ask   Verb = "ask"   // Text answered in a new chat, and the answer printed
)

// Request is what a later start asks of the VoxPilot that runs. Nothing in it is
// checked yet.
type Request struct {
	Verb   Verb   `json:"verb"`
	Dir    string `json:"dir"`              // the working directory of who asks
	Target string `json:"target,omitempty"` // of Open: a folder, a link, or "" for the window as it is
	Hidden bool   `json:"hidden,omitempty"` // of Open: the window stays as it is
	Token  string `json:"token,omitempty"`  // of Open: the desktop's leave to bring the window to the front
	Text   string `json:"text,omitempty"`   // of Quick and Ask
	Folder string `json:"folder,omitempty"` // of Quick and Ask, absolute or from Dir on; "" is for who answers to choose
}

// Response is one of the answers to a request. The last one has Done.
type Response struct {
	Text  string `json:"text,omitempty"`  // a piece of what Ask prints
	Note  string `json:"note,omitempty"`  // something that the user should know meanwhile
	Done  bool   `json:"done,omitempty"`  //
	Error string `json:"error,omitempty"` // with Done: why it could not be done, for a person
	Code  string `json:"code,omitempty"`  // with Error: the same for a program, a backend.Code
}

// Handler answers a request: it returns the last answer, and gives those before
// it to more, which fails when nobody takes them. ctx ends when who asked has
// hung up, and with Stop.
type Handler func(ctx context.Context, r Request, more func(Response) error) Response

// ErrNotRunning says that nobody answers on the data directory.
var ErrNotRunning = errors.New("no running VoxPilot uses this data directory")

// ErrUnreachable says that this process runs and that no later start can reach it, or be
// kept from running beside it: something is wrong with the data directory.
var ErrUnreachable = errors.New("later starts of VoxPilot can't reach this one")

// errRunning says that another process has the lock.
var errRunning = errors.New("a running VoxPilot uses this data directory")

// Instance is the one VoxPilot of a data directory.
type Instance struct {
	dir    string
	lock   *flock.Flock
	server net.Listener
	ctx    context.Context // of the handlers
	end    context.CancelFunc
	tasks  sync.WaitGroup
	once   sync.Once
}

// Claim makes this process the VoxPilot of the data directory dir, or hands r over
// to the one that is; the Instance is nil then. While another one begins or ends,
// it waits for that, as long as ctx lets it.
func Claim(ctx context.Context, dir string, r Request) (*Instance, error) {
	for {
		i, err := claim(dir)
		switch {
		case err == nil:
			return i, nil
		case !errors.Is(err, errRunning):
			return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		err = Do(ctx, dir, r, func(Response) {})
		if !errors.Is(err, ErrNotRunning) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, errNoResponse
		case <-time.After(tryAgain):
		}
	}
}

var errNoResponse = errors.New("VoxPilot is already running but isn't responding. Quit it or end its process, then start VoxPilot again")

// claim takes the lock and begins to listen.
func claim(dir string) (*Instance, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	i := &Instance{dir: dir, lock: flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))}
	got, err := i.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !got {
		return nil, errRunning
	}
	server, err := listen(dir)
	if err == nil {
		err = writeAddress(dir, server.Addr().String())
		if err != nil {
			err = errors.Join(err, server.Close())
		}
	}
	if err != nil {
		return nil, errors.Join(err, i.lock.Close())
	}
	i.server = server
	i.ctx, i.end = context.WithCancel(context.Background())
	return i, nil
}

// writeAddress says where the requests go, whole or not at all.
func writeAddress(dir, address string) error {
	path := filepath.Join(dir, addressName)
	if err := os.WriteFile(path+".new", []byte(address), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Serve begins to answer. What was asked since the claim has waited.
func (i *Instance) Serve(handle Handler) {
	i.tasks.Go(func() { i.accept(handle) })
}

// Stop answers nothing any more, and returns when no handler runs. The lock stays
// until Release: another start waits for it.
func (i *Instance) Stop() {
	i.once.Do(func() {
		i.end()
		_ = os.Remove(filepath.Join(i.dir, addressName)) // one that stays leads nowhere
		_ = i.server.Close()
	})
	i.tasks.Wait()
}

// Release lets another process be the one. It comes after everything else that
// this one does.
func (i *Instance) Release() { _ = i.lock.Close() }
