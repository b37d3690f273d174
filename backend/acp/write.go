package acp

import (
	"io"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// NotReadingAfter and maxUnsent bound what an agent leaves unread: it is stuck once
// either is passed.
var NotReadingAfter = 30 * time.Second

const maxUnsent = 64 << 20

// errExited is the error of a message to an agent that has ended.
var errExited = backend.Problem("the agent is no longer running")

// Outbox is where messages to the agent wait until it reads them, so that an
// agent that does not read blocks nobody.
type Outbox struct {
	to           io.Writer
	onNotReading func() // called once, when the agent does not read

	mu     sync.Mutex
	more   *sync.Cond
	queue  [][]byte
	size   int
	closed bool
	Done   chan struct{} // closed when nothing is written any more
}

// NewOutbox makes an Outbox that writes to to; stuck is called if that takes too long.
func NewOutbox(to io.Writer, stuck func()) *Outbox {
	o := &Outbox{to: to, onNotReading: sync.OnceFunc(stuck), Done: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// Write queues a whole message. It never blocks.
func (o *Outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, errExited
	}
	o.queue = append(o.queue, append([]byte(nil), p...))
	o.size += len(p)
	if o.size > maxUnsent {
		go o.onNotReading()
	}
	o.more.Signal()
	return len(p), nil
}

// Close ends the outbox once what is queued was written, or cannot be.
func (o *Outbox) Close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.more.Signal()
}

func (o *Outbox) run() {
	defer close(o.Done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.more.Wait()
		}
		if len(o.queue) == 0 {
			o.mu.Unlock()
			return
		}
		p := o.queue[0]
		o.queue = o.queue[1:]
		o.size -= len(p)
		o.mu.Unlock()

		late := time.AfterFunc(NotReadingAfter, o.onNotReading)
		_, err := o.to.Write(p)
		late.Stop()
		if err != nil {
			o.mu.Lock()
			o.closed, o.queue = true, nil
			o.mu.Unlock()
			return
		}
	}
}
