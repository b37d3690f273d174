package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Message is text shown to the user. VoxPilot's own messages have a key, which is the English format, and
// arguments, so that the page can translate them. Text from other sources (an agent, a server, the system) has no
// key. In JSON, a message without a key is a string; any other message is an object with text, key, args and about.
// Two messages are equal if they have the same text, key, arguments and agent (see About).
type Message struct {
	text    string
	encoded string // {"key":…,"args":[…]}; "" without a key
}

// messageKey holds the key and arguments of a message. An argument is a string, another message, or a number, which
// the page formats.
type messageKey struct {
	Key   string            `json:"key"`
	Args  []json.RawMessage `json:"args,omitempty"`
	About string            `json:"about,omitempty"` // agent that replaces Copilot in the text
}

// Say returns the message for a format, which must be a literal because the catalogs of backend/i18n translate it. An
// argument that is a Message, or an error with one, is translated too. A number for %f, with or without a precision,
// stays a number, which the page formats. Other arguments become text formatted by fmt; for %q, without the quotes.
func Say(format string, args ...any) Message {
	return newMessage(format, fmt.Sprintf(format, args...), args)
}

// Plain returns a message without a key, for text that isn't VoxPilot's own.
func Plain(text string) Message { return Message{text: text} }

// Count returns one of two texts as a message: singular if n is 1, and otherwise plural. In plural, the number n
// replaces %d, with commas between thousands.
func Count(n int, singular, plural string) Message {
	if n == 1 {
		return Message{text: singular, encoded: encodeKey(singular, nil)}
	}
	return Message{text: strings.Replace(plural, "%d", GroupDigits(n), 1), encoded: encodeKey(plural, []json.RawMessage{[]byte(strconv.Itoa(n))})}
}

// Sentences joins messages with spaces. Empty messages are left out.
func Sentences(messages ...Message) Message { return join(messages, "%s %s") }

// And joins messages into a list such as "a, b and c". Empty messages are left out.
func And(messages ...Message) Message {
	start, last := splitList(messages)
	return join([]Message{start, last}, "%s and %s")
}

// Or joins messages into a list such as "a, b or c". Empty messages are left out.
func Or(messages ...Message) Message {
	start, last := splitList(messages)
	return join([]Message{start, last}, "%s or %s")
}

// Problem is like fmt.Errorf, but returns an error for which MessageOf returns a translatable message.
func Problem(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return problem{err, newMessage(strings.ReplaceAll(format, "%w", "%s"), err.Error(), args)}
}

type problem struct {
	error
	message Message
}

func (p problem) Unwrap() error    { return p.error }
func (p problem) Message() Message { return p.message }

// MessageOf returns the user-facing message of err: its Message or, if it has none, its text. Errors that err
// wraps are ignored.
func MessageOf(err error) Message {
	if e, ok := err.(*Error); ok { //nolint:errorlint // an error that wraps one has its own text
		return e.Message
	}
	if e, ok := err.(interface{ Message() Message }); ok {
		return e.Message()
	}
	return Plain(err.Error())
}

// String returns the message in English.
func (m Message) String() string { return m.text }

// IsZero reports whether m is empty.
func (m Message) IsZero() bool { return m == Message{} }

// Equal reports whether the messages are equal, as defined by Message.
func (m Message) Equal(other Message) bool { return m == other }

// Key returns the English format, or "" if m has no key.
func (m Message) Key() string { return m.parts().Key }

// Args returns the arguments: strings, numbers (json.Number) and messages.
func (m Message) Args() []any {
	var args []any
	for _, raw := range m.parts().Args {
		args = append(args, argOf(raw))
	}
	return args
}

// Map returns a copy of the message in which f was applied to the text and to the text of each argument.
func (m Message) Map(f func(string) string) Message {
	if m.encoded == "" {
		return Plain(f(m.text))
	}
	parts := m.parts()
	for i, raw := range parts.Args {
		switch arg := argOf(raw).(type) {
		case string:
			parts.Args[i] = encode(f(arg))
		case Message:
			parts.Args[i] = encode(arg.Map(f))
		}
	}
	return Message{text: f(m.text), encoded: parts.json()}
}

// About returns the message in its form for an agent other than Copilot. In that form, the name passed as agent
// replaces "Copilot".
func (m Message) About(agent string) Message {
	about := Message{text: strings.ReplaceAll(m.text, "Copilot", agent)}
	if m.encoded != "" {
		parts := m.parts()
		parts.About = agent
		about.encoded = parts.json()
	}
	return about
}

// Agent returns the agent that the message is about, or "" for Copilot.
func (m Message) Agent() string { return m.parts().About }

// separator separates the text and the key of a stored message. If the text itself contains separators, Stored
// removes them.
const separator = "\x1e"

// Stored returns the message as stored in the database: its text, followed by a separator and its encoded
// key and arguments. A message without a key is stored as plain text or, if certain is true, with a
// separator at the end, which marks it as text from another source.
func (m Message) Stored(certain bool) string {
	text := strings.ReplaceAll(m.text, separator, "")
	if m.encoded == "" && !certain {
		return text
	}
	return text + separator + m.encoded
}

// Restored parses the result of Stored. bare is true if the stored text has no separator, as in rows written before
// messages had keys. In that case, the text may be VoxPilot's own even though it has no key.
func Restored(stored string) (m Message, bare bool) {
	text, said, certain := strings.Cut(stored, separator)
	m.text = text
	var parts messageKey
	if json.Unmarshal([]byte(said), &parts) == nil && parts.Key != "" {
		m.encoded = parts.json()
	}
	return m, !certain
}

// MarshalJSON encodes a message without a key as a string, and any other as an object.
func (m Message) MarshalJSON() ([]byte, error) {
	text := encode(m.text)
	if m.encoded == "" {
		return text, nil
	}
	return []byte(`{"text":` + string(text) + "," + m.encoded[1:]), nil
}

// UnmarshalJSON decodes a message encoded by MarshalJSON.
func (m *Message) UnmarshalJSON(raw []byte) error {
	*m = Message{}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &m.text)
	}
	var said struct {
		Text string `json:"text"`
		messageKey
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return err
	}
	if m.text = said.Text; said.Key != "" {
		m.encoded = said.json()
	}
	return nil
}

func (m Message) parts() (said messageKey) {
	if m.encoded != "" {
		_ = json.Unmarshal([]byte(m.encoded), &said) // always valid
	}
	return said
}

func argOf(raw json.RawMessage) any {
	var m Message
	switch {
	case json.Unmarshal(raw, &m) != nil:
		return json.Number(raw)
	case m.encoded == "":
		return m.text
	}
	return m
}

// verb matches a verb of package fmt in a format, such as %s. It also matches %%.
var verb = regexp.MustCompile(`%(?:\.\d+)?[a-zA-Z%]`)

func newMessage(format, text string, args []any) Message {
	var raw []json.RawMessage
	for _, v := range verb.FindAllString(format, -1) {
		if v == "%%" || len(raw) >= len(args) {
			continue
		}
		raw = append(raw, encodeArg(v, args[len(raw)]))
	}
	return Message{text: text, encoded: encodeKey(format, raw)}
}

func encodeArg(verb string, arg any) json.RawMessage {
	switch of := arg.(type) {
	case Message:
		return encode(of)
	case interface{ Message() Message }:
		return encode(of.Message())
	case error:
		return encode(MessageOf(of))
	}
	text := fmt.Sprintf(verb, arg)
	switch {
	case strings.HasSuffix(verb, "f") && json.Valid([]byte(text)):
		return json.RawMessage(text)
	case strings.HasSuffix(verb, "q"):
		text = text[1 : len(text)-1]
	}
	return encode(text)
}

func encodeKey(key string, args []json.RawMessage) string {
	return messageKey{Key: key, Args: args}.json()
}

func (k messageKey) json() string { return string(encode(k)) }

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(errors.Join(errors.New("an argument of a message has no JSON"), err))
	}
	return raw
}

func join(messages []Message, format string) (all Message) {
	for _, m := range messages {
		switch {
		case m.IsZero():
		case all.IsZero():
			all = m
		default:
			all = newMessage(format, fmt.Sprintf(format, all, m), []any{all, m})
		}
	}
	return all
}

// splitList drops empty messages. It returns the last of the remaining messages, and a message that joins the ones
// before it with commas.
func splitList(messages []Message) (start, last Message) {
	messages = slices.DeleteFunc(slices.Clone(messages), Message.IsZero)
	if len(messages) == 0 {
		return start, last
	}
	end := len(messages) - 1
	return join(messages[:end], "%s, %s"), messages[end]
}

// GroupDigits formats n with commas between thousands.
func GroupDigits(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
