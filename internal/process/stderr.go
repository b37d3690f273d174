package process

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxStderr is the maximum number of bytes stored from the start of stderr and, separately, from its end.
const maxStderr = 8 << 10

// maxStderrShown is the maximum size in bytes of the stderr excerpt in a Connection.
const maxStderrShown = 2000

// Stderr stores the start and the end of a process's stderr. It is safe for concurrent use.
type Stderr struct {
	mu   sync.Mutex
	head []byte
	tail []byte // a ring buffer once it is full
	at   int    // index of the ring's oldest byte
	lost int64  // number of bytes that were dropped between head and tail

	redact func(string) string // from Spec
}

func (t *Stderr) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := maxStderr - len(t.head); room > 0 {
		take := min(room, len(p))
		t.head = append(t.head, p[:take]...)
		p = p[take:]
	}
	if over := len(p) - maxStderr; over > 0 {
		t.lost += int64(over)
		p = p[over:]
	}
	for len(p) > 0 {
		if len(t.tail) < maxStderr {
			take := min(maxStderr-len(t.tail), len(p))
			t.tail = append(t.tail, p[:take]...)
			p = p[take:]
			continue
		}
		take := min(maxStderr-t.at, len(p))
		copy(t.tail[t.at:], p[:take])
		t.lost += int64(take)
		t.at = (t.at + take) % maxStderr
		p = p[take:]
	}
	return n, nil
}

// String returns the stored output. If output was dropped between the start and the end, a note in its place states the
// number of dropped bytes.
func (t *Stderr) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.Write(t.head)
	if t.lost > 0 {
		fmt.Fprintf(&b, "\n… %d bytes …\n", t.lost)
	}
	b.Write(t.tail[t.at:])
	b.Write(t.tail[:t.at])
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// Last returns the end of the stored output with secrets removed: whole lines if possible, at most
// maxStderrShown bytes.
func (t *Stderr) Last() string {
	s := strings.TrimSpace(t.String())
	if t.redact != nil {
		s = t.redact(s) // before a cut could split a secret
	}
	if len(s) <= maxStderrShown {
		return s
	}
	s = excerpt.Tail(s, maxStderrShown)
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)-1 {
		return s[i+1:]
	}
	return s
}

var _ io.Writer = (*Stderr)(nil)
