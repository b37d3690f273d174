package acp

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// What the protocol log keeps: the newest messages, and of a long one its
// beginning. A little more is kept than is shown, so that no secret is cut in
// two before it is taken out.
const (
	maxMessages     = 5000
	maxLogBytes     = 8 << 20 // of all together
	maxMessageBytes = 64 << 10
	messageSlack    = 4 << 10
)

// ProtocolLog is the protocol log of an agent: what was said in both directions, in
// order, over all processes that the agent has had. Messages are copied when
// they pass, and taken apart and cleaned of secrets only when someone reads
// them. The zero wire is ready for use.
type ProtocolLog struct {
	mu       sync.Mutex
	messages []loggedMessage // a ring once it is full
	last     uint64          // number of the newest
	first    uint64          // number of the oldest
	size     int             // of the memory of all bodies
	redact   func(string) string
	Trace    io.Writer
	ChatID   string
}

type loggedMessage struct {
	at   int64
	size int
	out  bool
	body []byte
}

// Begin is the start of a process, whose launch knows its secrets.
func (l *ProtocolLog) Begin(redact func(string) string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.redact = redact
}

// add keeps a message. line is valid until note returns.
func (l *ProtocolLog) add(out bool, line []byte) {
	if len(line) == 0 {
		return
	}
	kept := line[:min(len(line), maxMessageBytes+messageSlack)]
	at := time.Now().UnixMilli()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	if l.first == 0 {
		l.first = 1
	}
	if len(l.messages) < maxMessages {
		l.messages = append(l.messages, loggedMessage{})
	} else if l.last-l.first >= maxMessages {
		l.first++
	}
	f := l.at(l.last)
	// The memory of the message that was here before is used again, unless most
	// of it would lie waste.
	l.size -= cap(f.body)
	if cap(f.body) > 4*len(kept)+1024 {
		f.body = nil
	}
	*f = loggedMessage{at: at, size: len(line), out: out, body: append(f.body[:0], kept...)}
	l.size += cap(f.body)
	for l.size > maxLogBytes && l.first < l.last {
		old := l.at(l.first)
		l.size -= cap(old.body)
		*old = loggedMessage{}
		l.first++
	}
	if l.Trace != nil {
		_ = writeLine(l.Trace, l.ChatID, f.public(l.last, l.redact)) // it is there to look for faults; none of its own stops the agent
	}
}

func (l *ProtocolLog) at(seq uint64) *loggedMessage { return &l.messages[(seq-1)%maxMessages] }

// writeLine writes a message as a line of a file, in one piece.
func writeLine(w io.Writer, chatID string, f backend.ProtocolMessage) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		ChatID string `json:"chatId"`
		backend.ProtocolMessage
	}{chatID, f})
}

// message is a message and its number; false where it is not kept any more.
func (l *ProtocolLog) message(seq uint64) (f loggedMessage, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq < l.first || seq > l.last || seq == 0 {
		return f, false
	}
	f = *l.at(seq)
	f.body = bytes.Clone(f.body)
	return f, true
}

// public takes a message apart. It may be cut or nonsense: what can be read at
// its beginning is.
func (m loggedMessage) public(seq uint64, redact func(string) string) backend.ProtocolMessage {
	root := gjson.ParseBytes(m.body)
	session := root.Get("params.sessionId").String()
	if session == "" {
		session = root.Get("result.sessionId").String()
	}
	body := strings.ToValidUTF8(string(m.body), "\uFFFD")
	if redact != nil {
		body = redact(body)
	}
	body = WithoutSecrets(body)
	if m.size > maxMessageBytes && len(body) > maxMessageBytes {
		body = strings.ToValidUTF8(body[:maxMessageBytes], "")
	}
	return backend.ProtocolMessage{
		Seq: seq, At: backend.Millis(m.at), Out: m.out, Size: m.size, Body: body,
		Method: excerpt.FirstLine(root.Get("method").String(), maxName), ID: excerpt.FirstLine(root.Get("id").String(), maxName),
		Session: excerpt.FirstLine(session, maxName), Error: root.Get("error").IsObject(),
	}
}

// maxName is the size of the longest method or id that is told apart.
const maxName = 200

// Read are the newest messages after the one numbered after, oldest first, of
// which the text filter is a part; "" is part of all. limit is how many there
// are at most; 0 is all.
func (l *ProtocolLog) Read(after uint64, filter string, limit int) []backend.ProtocolMessage {
	filter = strings.ToLower(filter)
	l.mu.Lock()
	seq, redact := l.last, l.redact
	l.mu.Unlock()
	found := []backend.ProtocolMessage{}
	for ; seq > after; seq-- {
		f, ok := l.message(seq)
		if !ok {
			break
		}
		if filter != "" && !bytes.Contains(bytes.ToLower(f.body), []byte(filter)) {
			continue
		}
		found = append(found, f.public(seq, redact))
		if len(found) == limit {
			break
		}
	}
	slices.Reverse(found)
	return found
}

// Write writes all messages that are kept, each as a line of JSON.
func (l *ProtocolLog) Write(out io.Writer) error {
	for _, f := range l.Read(0, "", 0) {
		if err := writeLine(out, l.ChatID, f); err != nil {
			return err
		}
	}
	return nil
}

// secrets are what secrets look like in a message. The groups stay. A message
// may hold others as text, so quotes may have backslashes in front.
var secrets = []struct {
	hints []string // in lower case; without one of them there is no need to search
	find  *regexp.Regexp
	with  string
}{
	{
		[]string{"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		regexp.MustCompile(`\b(?:gh[opusr]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{10,})`), Hidden,
	},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}`), "${1}" + Hidden},
	{secretHints, regexp.MustCompile(`(?i)(` + SecretName + `\\*"\s*:\s*\\*")[^"\\]+`), "${1}" + Hidden},
	{ // a header or an environment variable, as ACP writes them
		secretHints,
		regexp.MustCompile(`(?i)(\\*"name\\*"\s*:\s*\\*"[a-z0-9_-]*` + SecretName + `\\*"\s*,\s*\\*"value\\*"\s*:\s*\\*")[^"\\]+`), "${1}" + Hidden,
	},
	{
		secretHints,
		regexp.MustCompile(`(?i)(\\*"value\\*"\s*:\s*\\*")[^"\\]+(\\*"\s*,\s*\\*"name\\*"\s*:\s*\\*"[a-z0-9_-]*` + SecretName + `\\*")`), "${1}" + Hidden + "${2}",
	},
}

// SecretName ends the names of things that are secret.
const SecretName = `(?:token|authorization|api[-_]?key|secret|password)`

var secretHints = []string{"token", "authorization", "key", "secret", "password"}

// Hidden stands where a secret was.
const Hidden = "•••"

// WithoutSecrets is s without what looks like a secret.
func WithoutSecrets(s string) string {
	lower := strings.ToLower(s)
	for _, p := range secrets {
		if slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			s = p.find.ReplaceAllString(s, p.with)
		}
	}
	return s
}
