package process

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxStderr is how much of the beginning and of the end of stderr is kept.
const maxStderr = 8 << 10

// maxStderrShown is the size of the excerpt that a Connection carries.
const maxStderrShown = 2000

// Stderr keeps the beginning and the end of what a process writes to
// stderr, whatever it writes.
type Stderr struct {
	mu   sync.Mutex
	head []byte
	tail []byte // a ring once it is full
	at   int    // where the ring's oldest byte is
	lost int64

	redact func(string) string // of spec
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

// String is all that was kept.
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

// Last is the end of what was kept: whole lines where possible, at most
// maxStderrShown bytes.
func (t *Stderr) Last() string {
	s := strings.TrimSpace(t.String())
	if t.redact != nil {
		s = t.redact(s) // before a cut could go through a secret
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
