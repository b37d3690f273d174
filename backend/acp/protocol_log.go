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

// Limits of the protocol log. It keeps the newest messages and returns up to maxMessageBytes of each. Up to
// messageSlack more bytes of each message are stored, so that a secret at the limit is still complete when it
// is redacted.
const (
	maxMessages     = 5000
	maxLogBytes     = 8 << 20 // total of all messages
	maxMessageBytes = 64 << 10
	messageSlack    = 4 << 10
)

// ProtocolLog is the protocol log of an agent: the messages in both directions, in order, across all
// processes of the agent. Messages are copied when they are sent or received, but parsed and redacted
// only when they are read. The zero ProtocolLog is ready to use and safe for concurrent use.
type ProtocolLog struct {
	mu       sync.Mutex
	messages []loggedMessage // a ring buffer once the log is full
	last     uint64          // number of the newest message
	first    uint64          // number of the oldest message
	size     int             // total capacity of all bodies
	process  *loggedProcess  // the current process, or nil before Begin
	Trace    io.Writer       // receives each message as a JSON line when it is logged; may be nil
	ChatID   string          // the agent's chat, for the JSON lines of Trace and Write
}

// loggedMessage is a message in the log.
type loggedMessage struct {
	at      int64          // in milliseconds
	size    int            // size of the whole message in bytes
	out     bool           // the message was sent to the agent
	process *loggedProcess // the process that sent or received it
	body    []byte         // the message, possibly truncated
}

// loggedProcess is a process whose messages are logged. redact removes the process's secrets from a text,
// and may be nil. A nil loggedProcess redacts nothing.
type loggedProcess struct{ redact func(string) string }

// redacted returns s without the secrets of the process.
func (p *loggedProcess) redacted(s string) string {
	if p == nil || p.redact == nil {
		return s
	}
	return p.redact(s)
}

// Begin records that a new process of the agent is starting. redact removes the secrets that the process was
// launched with; if it is nil, only secrets that WithoutSecrets recognizes are redacted. The messages of
// earlier processes are redacted with the functions of both their own process and the current one.
func (l *ProtocolLog) Begin(redact func(string) string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.process = &loggedProcess{redact}
}

// current returns the current process.
func (l *ProtocolLog) current() *loggedProcess {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.process
}

// add logs a copy of line. out is true for a message to the process, and false for one from it.
func (l *ProtocolLog) add(process *loggedProcess, out bool, line []byte) {
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
	// Reuse the buffer of the overwritten message unless most of it would be wasted.
	l.size -= cap(f.body)
	if cap(f.body) > 4*len(kept)+1024 {
		f.body = nil
	}
	*f = loggedMessage{at: at, size: len(line), out: out, process: process, body: append(f.body[:0], kept...)}
	l.size += cap(f.body)
	for l.size > maxLogBytes && l.first < l.last {
		old := l.at(l.first)
		l.size -= cap(old.body)
		*old = loggedMessage{}
		l.first++
	}
	if l.Trace != nil {
		_ = writeLine(l.Trace, l.ChatID, f.public(l.last, l.process)) // for debugging only; a write error doesn't affect the agent
	}
}

func (l *ProtocolLog) at(seq uint64) *loggedMessage { return &l.messages[(seq-1)%maxMessages] }

// writeLine writes a message as one JSON line, in a single write.
func writeLine(w io.Writer, chatID string, f backend.ProtocolMessage) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		ChatID string `json:"chatId"`
		backend.ProtocolMessage
	}{chatID, f})
}

// message returns a copy of the message numbered seq. ok is false if the message is no longer in the log.
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

// public returns the message as a backend.ProtocolMessage, parsed and redacted. The process now is the agent's current
// one; its secrets are redacted, too. If the body is truncated or isn't valid JSON, some fields may be empty.
func (m loggedMessage) public(seq uint64, now *loggedProcess) backend.ProtocolMessage {
	root := gjson.ParseBytes(m.body)
	session := root.Get("params.sessionId").String()
	if session == "" {
		session = root.Get("result.sessionId").String()
	}
	body := strings.ToValidUTF8(string(m.body), "\uFFFD")
	body = m.process.redacted(body)
	if m.process != now {
		body = now.redacted(body)
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

// maxName is the maximum size in bytes of a displayed method, message ID or session ID.
const maxName = 200

// Read returns the messages that have a Seq greater than afterSeq and contain filter, ignoring case, from the
// oldest to the newest. If more than limit messages match, only the newest ones are returned. A limit of 0
// means no limit.
func (l *ProtocolLog) Read(afterSeq uint64, filter string, limit int) []backend.ProtocolMessage {
	filter = strings.ToLower(filter)
	l.mu.Lock()
	seq, now := l.last, l.process
	l.mu.Unlock()
	found := []backend.ProtocolMessage{}
	for ; seq > afterSeq; seq-- {
		f, ok := l.message(seq)
		if !ok {
			break
		}
		if filter != "" && !bytes.Contains(bytes.ToLower(f.body), []byte(filter)) {
			continue
		}
		found = append(found, f.public(seq, now))
		if len(found) == limit {
			break
		}
	}
	slices.Reverse(found)
	return found
}

// Write writes all logged messages to out as JSON lines, oldest first.
func (l *ProtocolLog) Write(out io.Writer) error {
	for _, f := range l.Read(0, "", 0) {
		if err := writeLine(out, l.ChatID, f); err != nil {
			return err
		}
	}
	return nil
}

// secrets lists patterns that match secrets in a message. The groups that a pattern captures are kept; the rest of the
// match is replaced. A message may contain JSON in strings, so quotes may be escaped with backslashes.
var secrets = []struct {
	hints []string // lowercase; find is used only if the text contains one of them
	find  *regexp.Regexp
	with  string
}{
	{
		[]string{"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		regexp.MustCompile(`\b(?:gh[opusr]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{10,})`), Hidden,
	},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}`), "${1}" + Hidden},
	{secretHints, regexp.MustCompile(`(?i)(` + SecretName + `\\*"\s*:\s*\\*")[^"\\]+`), "${1}" + Hidden},
	{ // an ACP header or environment variable
		secretHints,
		regexp.MustCompile(`(?i)(\\*"name\\*"\s*:\s*\\*"[a-z0-9_-]*` + SecretName + `\\*"\s*,\s*\\*"value\\*"\s*:\s*\\*")[^"\\]+`), "${1}" + Hidden,
	},
	{
		secretHints,
		regexp.MustCompile(`(?i)(\\*"value\\*"\s*:\s*\\*")[^"\\]+(\\*"\s*,\s*\\*"name\\*"\s*:\s*\\*"[a-z0-9_-]*` + SecretName + `\\*")`), "${1}" + Hidden + "${2}",
	},
}

// SecretName matches the end of names whose values are secret.
const SecretName = `(?:token|authorization|api[-_]?key|secret|password)`

var secretHints = []string{"token", "authorization", "key", "secret", "password"}

// Hidden is the text that replaces a secret.
const Hidden = "•••"

// WithoutSecrets returns s with everything that looks like a secret replaced by Hidden.
func WithoutSecrets(s string) string {
	lower := strings.ToLower(s)
	for _, p := range secrets {
		if slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			s = p.find.ReplaceAllString(s, p.with)
		}
	}
	return s
}
