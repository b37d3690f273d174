package acp

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/internal/jsontext"
)

// message is one line of the stream, split into its JSON-RPC members.
type message struct {
	method string
	id     string // raw JSON, or "" if absent
	params gjson.Result
	result string // raw JSON
	failed string // the error member, raw JSON
}

// parse parses a line. It returns false if VoxPilot doesn't accept the line as a JSON-RPC message: if it is invalid
// JSON, is nested too deeply, isn't a single object, or has neither a method nor an ID.
func parse(line []byte) (message, bool) {
	if !jsontext.Valid(line) {
		return message{}, false
	}
	root := gjson.ParseBytes(line)
	if !root.IsObject() {
		return message{}, false
	}
	var m message
	root.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "method":
			m.method = value.String()
		case "id":
			if value.Type != gjson.Null {
				m.id = value.Raw
			}
		case "params":
			m.params = value
		case "result":
			m.result = value.Raw
		case "error":
			if value.Type != gjson.Null {
				m.failed = value.Raw
			}
		}
		return true
	})
	return m, m.method != "" || m.id != ""
}

// Chunk is a piece of text from a session/update notification. Nearly all lines that an agent writes during a
// turn contain a chunk.
type Chunk struct {
	Session []byte
	Kind    ChunkKind
	Text    []byte // the content of the JSON string, with its escape sequences
}

// ChunkKind is the kind of text in a chunk.
type ChunkKind byte

// The kinds of chunks.
const (
	MessageChunk ChunkKind = iota
	ThoughtChunk
)

// The fixed parts of a chunk line, as written by the Copilot CLI and all agents based
// on the reference libraries.
var (
	chunkHead    = []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"`)
	chunkMessage = []byte(`","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`)
	chunkThought = []byte(`","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"`)
	chunkTail    = []byte(`"}}}}`)
)

// parseChunk parses a line that has exactly the form of a chunk line. It returns false for a line with the same content
// in another form; such a line is parsed like other messages. The Chunk's slices point into line.
func parseChunk(line []byte) (c Chunk, ok bool) {
	rest, ok := bytes.CutPrefix(line, chunkHead)
	if !ok {
		return c, false
	}
	i := bytes.IndexByte(rest, '"')
	if i < 0 || bytes.IndexByte(rest[:i], '\\') >= 0 {
		return c, false
	}
	c.Session, rest = rest[:i], rest[i:]
	if after, is := bytes.CutPrefix(rest, chunkMessage); is {
		rest = after
	} else if after, is := bytes.CutPrefix(rest, chunkThought); is {
		rest, c.Kind = after, ThoughtChunk
	} else {
		return c, false
	}
	c.Text, ok = bytes.CutSuffix(rest, chunkTail)
	return c, ok && plainString(c.Text) && plainString(c.Session)
}

// plainString reports whether s is the complete content of a JSON string, so that s between quotes is valid JSON. It
// doesn't check whether s is valid UTF-8.
func plainString(s []byte) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '"' || b < 0x20:
			return false
		case b == '\\':
			i++
			if i == len(s) {
				return false
			}
			switch s[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := hex4(s[i+1:]); !ok {
					return false
				}
				i += 4
			default:
				return false
			}
		}
	}
	return true
}

func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, b := range s[:4] {
		switch {
		case '0' <= b && b <= '9':
			r = r<<4 | rune(b-'0')
		case 'a' <= b && b <= 'f':
			r = r<<4 | rune(b-'a'+10)
		case 'A' <= b && b <= 'F':
			r = r<<4 | rune(b-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// AppendUnescaped replaces the escape sequences in s, the content of a valid JSON string, and appends the result to dst
// as valid UTF-8.
//
// Agents written in JavaScript may split a surrogate pair between two chunks. half is the high surrogate at the end of
// the previous chunk, or 0. If s ends with a high surrogate, AppendUnescaped returns it as the half for the next chunk;
// otherwise it returns 0.
func AppendUnescaped(dst, s []byte, half rune) ([]byte, rune) {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i != 0 {
			if half != 0 {
				dst, half = utf8.AppendRune(dst, utf8.RuneError), 0
			}
			if i < 0 {
				i = len(s)
			}
			dst = appendValid(dst, s[:i])
			s = s[i:]
			continue
		}
		r := rune(s[1])
		n := 2
		switch s[1] {
		case 'b':
			r = '\b'
		case 'f':
			r = '\f'
		case 'n':
			r = '\n'
		case 'r':
			r = '\r'
		case 't':
			r = '\t'
		case 'u':
			r, _ = hex4(s[2:])
			n = 6
		}
		s = s[n:]
		if half != 0 {
			if whole := utf16.DecodeRune(half, r); whole != utf8.RuneError {
				dst, half = utf8.AppendRune(dst, whole), 0
				continue
			}
			dst, half = utf8.AppendRune(dst, utf8.RuneError), 0
		}
		if 0xD800 <= r && r < 0xDC00 {
			half = r
			continue
		}
		dst = utf8.AppendRune(dst, r) // a lone low surrogate becomes U+FFFD
	}
	return dst, half
}

func appendValid(dst, s []byte) []byte {
	if utf8.Valid(s) {
		return append(dst, s...)
	}
	return append(dst, bytes.ToValidUTF8(s, []byte("\uFFFD"))...)
}
