// Package instance ensures that only one VoxPilot runs per data directory, and lets a process that is
// started later hand over its request to the running one.
//
// The running instance is the process that holds an OS lock on a file in the data directory. The lock
// is released when that process exits for any reason. The instance listens on a Unix socket, or on a
// named pipe on Windows. The address is in a file beside the lock, so that processes with a different
// environment can find it. Requests and responses are single lines of JSON.
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

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

// Names of this package's files in the data directory.
const (
	lockName    = "instance.lock"
	addressName = "instance.address"
)

// Limits for requests and responses.
const (
	maxLine     = 8 << 20          // size of a request or response; a prompt has at most a million bytes
	maxPeers    = 64               // concurrent connections
	requestTime = 10 * time.Second // for receiving a request after connecting
	writeTime   = 10 * time.Second // for sending a response
	dialTime    = 5 * time.Second
	tryAgain    = 50 * time.Millisecond // delay before another attempt to reach the running instance or to accept a connection
)

// Verb is the action requested by a process that was started later.
type Verb string

// The actions.
const (
	Open  Verb = "open"  // open the window, with Target in it
	Quick Verb = "quick" // open the quick prompt, or send Text from it
	Ask   Verb = "ask"   // send Text to a new chat and print the answer
	Blame Verb = "blame" // print the turns that wrote the lines of the file Target
	// Review opens the review of Folder's uncommitted changes.
	Review Verb = "review"
)

// Request is a request to the running VoxPilot from a process that was started later. Its fields
// haven't been validated.
type Request struct {
	Verb   Verb   `json:"verb"`
	Dir    string `json:"dir"`              // the client's working directory
	Target string `json:"target,omitempty"` // for Open: a folder, a link, or "" to leave the content unchanged; for Blame: a file, perhaps with ":" and a line
	JSON   bool   `json:"json,omitempty"`   // for Blame: the format
	Hidden bool   `json:"hidden,omitempty"` // for Open: leave the window hidden
	Token  string `json:"token,omitempty"`  // for Open and Review: the desktop's activation token
	Text   string `json:"text,omitempty"`   // for Quick and Ask
	Folder string `json:"folder,omitempty"` // for Quick, Ask and Review: absolute or relative to Dir; "" lets the server choose
}

// Response is one of the responses to a request. The last one has Done set.
type Response struct {
	Text  string `json:"text,omitempty"`  // part of the text that Ask prints
	Note  string `json:"note,omitempty"`  // a progress message for the user
	Done  bool   `json:"done,omitempty"`  // this is the last response
	Error string `json:"error,omitempty"` // with Done: the reason for a failure, for the user
	Code  string `json:"code,omitempty"`  // with Error: its backend.Code
}

// Handler handles a request and returns the last response to it. It can send earlier responses with the function
// more, which returns an error if the client has disconnected. ctx ends when the client disconnects or Stop is
// called.
type Handler func(ctx context.Context, r Request, more func(Response) error) Response

// ErrNotRunning means that no running VoxPilot responds for the data directory.
var ErrNotRunning = errors.New("no running VoxPilot uses this data directory")

// ErrUnreachable means that a problem with the data directory keeps processes that are started later from handing
// over their requests to this one. Such processes may then run at the same time as this one.
var ErrUnreachable = errors.New("later starts of VoxPilot can't reach this one")

// errRunning means that another process holds the lock.
var errRunning = errors.New("a running VoxPilot uses this data directory")

// Instance is the running VoxPilot for a data directory.
type Instance struct {
	dir    string
	lock   *flock.Flock
	server net.Listener
	ctx    context.Context // of the handlers
	end    context.CancelFunc
	tasks  sync.WaitGroup
	once   sync.Once
}

// Claim makes this process the only running VoxPilot for the data directory dir. If VoxPilot is already running, Claim
// hands over r to that process as Do does, and returns nil and the error of Do. While another process is starting or
// stopping, Claim waits for it, and returns an error if ctx ends first. If that process exits before it responds, Claim
// tries again, except for a request with Text: the message may have been sent already.
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
		if !errors.Is(err, ErrNotRunning) && (r.Text != "" || !errors.Is(err, errDisconnected)) {
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

// claim takes the lock and starts listening. It returns errRunning if another process holds the lock.
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
	server, err := localsocket.Listen(dir, "instance")
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

// writeAddress atomically writes the file with the socket's address.
func writeAddress(dir, address string) error {
	path := filepath.Join(dir, addressName)
	if err := os.WriteFile(path+".new", []byte(address), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Serve starts handling requests, including those received since Claim.
func (i *Instance) Serve(handle Handler) {
	i.tasks.Go(func() { i.accept(handle) })
}

// Stop stops handling requests and returns when no handler is running. It doesn't release the lock, so a process
// that is started in the meantime waits until Release is called.
func (i *Instance) Stop() {
	i.once.Do(func() {
		i.end()
		_ = os.Remove(filepath.Join(i.dir, addressName)) // a leftover file does no harm
		_ = i.server.Close()
	})
	i.tasks.Wait()
}

// Release releases the lock. Calling it must be the last thing that this process does.
func (i *Instance) Release() { _ = i.lock.Close() }
