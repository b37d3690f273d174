package acp

import (
	"io"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// NotReadingAfter is the time that an agent may take to read one message. An agent that takes longer, or that
// leaves more than maxUnsent bytes unread, counts as having stopped reading.
var NotReadingAfter = 30 * time.Second

// maxUnsent is the maximum number of bytes that an Outbox holds until the agent reads them.
const maxUnsent = 64 << 20

// errExited is the error for messages to an agent that has exited.
var errExited = backend.Problem("the agent is no longer running")

// Outbox queues the messages to an agent until the agent reads them. Writing to it never blocks, even if the agent
// stops reading. It is safe for concurrent use.
type Outbox struct {
	to           io.Writer
	onNotReading func() // called once, when the agent stops reading

	mu     sync.Mutex
	more   *sync.Cond
	queue  [][]byte
	size   int
	closed bool
	Done   chan struct{} // closed when writing has ended
}

// NewOutbox returns an Outbox that writes its messages to the agent's input. The function in the parameter stuck is
// called once if the agent stops reading.
func NewOutbox(input io.Writer, stuck func()) *Outbox {
	o := &Outbox{to: input, onNotReading: sync.OnceFunc(stuck), Done: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// Write queues p, a complete message. It never blocks, and fails only after Close or a failed write.
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

// Close makes the Outbox reject further messages. Close doesn't wait until the queued messages have been written:
// Done is closed once they have been written, or once a write has failed.
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
