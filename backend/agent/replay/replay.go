// Package replay compares an agent's replay of a loaded session with the transcript.
package replay

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
)

// Exchange is a turn in the transcript: the user's prompt and the agent's answer.
type Exchange struct {
	Prompt string
	Answer string // all messages of the turn, concatenated
	State  backend.TurnState
}

// Limits on the part of a replay that is stored: at least the last replayBytes bytes of each of the last replayMessages
// user messages. That is enough, because an agent's history can differ from the transcript only at the end.
const (
	replayMessages = 64
	replayBytes    = 16 << 10
)

// Replay collects an agent's replay of a loaded session for comparison with the transcript. The process's
// reader goroutine fills it; it is compared once the agent has answered the load request.
//
// The replay isn't expected to be complete: the Copilot CLI replays no thoughts, plans, slash commands or
// interrupted answers. At a point where the CLI continued a turn on its own, it replays an empty user
// message. If VoxPilot sent a recap with a message, the recap is part of the replayed message.
type Replay struct {
	Prompts         [][]byte // beginnings of lines that the CLI itself writes into answers
	replayedPrompts [][]byte // the ends of the last user messages, oldest first
	open            bool     // the next chunk may continue the last message
	half            rune     // high surrogate at the end of the previous chunk
	answers         int      // number of chunks of the answer to the last message
	actions         int      // number of other updates after the last message
	answer          []byte   // last chunk of the answer, as JSON string content
	hasAny          bool     // the agent replayed any output
	dropped         bool     // the oldest elements of replayedPrompts were discarded
}

// User adds a chunk of a user message; raw is the content of a JSON string.
func (r *Replay) User(raw []byte) {
	if !r.open {
		r.half = 0
	}
	text, half := acp.AppendUnescaped(nil, raw, r.half)
	if !r.open {
		if half == 0 && len(bytes.TrimSpace(text)) == 0 {
			return
		}
		if len(r.replayedPrompts) == replayMessages {
			r.dropped = true
			copy(r.replayedPrompts, r.replayedPrompts[1:])
			r.replayedPrompts = r.replayedPrompts[:replayMessages-1]
		}
		r.replayedPrompts = append(r.replayedPrompts, nil)
		r.open, r.answers, r.actions, r.answer = true, 0, 0, r.answer[:0]
	}
	r.half = half
	last := &r.replayedPrompts[len(r.replayedPrompts)-1]
	*last = append(*last, text...)
	if over := len(*last) - replayBytes; over > replayBytes {
		*last = append((*last)[:0], (*last)[over:]...)
	}
}

// Message adds a chunk of the agent's answer; raw is the content of a JSON string. A
// blank chunk doesn't count as an answer.
func (r *Replay) Message(raw []byte) {
	r.open, r.hasAny = false, true
	if isBlank(raw) {
		return
	}
	r.answers++
	r.answer = append(r.answer[:0], raw...)
}

// isBlank reports whether raw, the content of a JSON string, consists only of spaces,
// tabs and line breaks.
func isBlank(raw []byte) bool {
	for len(raw) > 0 {
		switch {
		case raw[0] == ' ':
			raw = raw[1:]
		case raw[0] == '\\' && len(raw) > 1 && strings.IndexByte("nrt", raw[1]) >= 0:
			raw = raw[2:]
		default:
			return false
		}
	}
	return true
}

// Other records an update that belongs to a turn and is neither a user message nor part of the agent's answer.
func (r *Replay) Other() {
	r.open, r.hasAny = false, true
	r.actions++
}

// lastText returns the last n bytes of s, or s if it is shorter.
func lastText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}

// needle is the maximum size in bytes of a text that Compare searches for in another text.
const needle = 8 << 10

// withoutSpace returns the last n bytes of text, with whitespace and invalid characters removed. Messages are
// compared in this form, because agents may change their whitespace.
func withoutSpace(text string, n int) string {
	text = lastText(text, n)
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// Difference is the difference between an agent's history of a session and the transcript.
type Difference struct {
	Text backend.Message // user-facing description; zero if there is no difference
	// Lacks means that the agent's history lacks a part of the transcript.
	Lacks bool
}

// Compare returns the difference between the replay and the transcript, which history holds. It returns the zero
// Difference if there is none, or if a difference isn't certain. Only messages after the last one that the two have in
// common are compared: earlier differences were already reported or are older than the session.
func (r *Replay) Compare(history []Exchange) Difference {
	want := withText(history[max(0, len(history)-replayMessages):])
	older := len(history) > replayMessages || r.dropped // some older messages aren't compared
	if len(r.replayedPrompts) == 0 && r.hasAny {
		return Difference{} // the agent doesn't replay user messages
	}
	prompts, asked := make([]string, len(want)), make([]string, len(r.replayedPrompts))
	for i, e := range want {
		prompts[i] = withoutSpace(e.Prompt, needle)
	}
	for j, text := range r.replayedPrompts {
		asked[j] = withoutSpace(string(text), replayBytes)
	}
	match := func(i, j int) bool { return strings.Contains(asked[j], prompts[i]) }
	missing, extra, last := r.nearest(want, match)
	switch {
	case missing > 0 && missing == required(want) && last < 0 && len(r.replayedPrompts) == 0:
		return Difference{backend.Say("Copilot's history contains none of this chat's messages."), true}
	case missing > 0 && last < 0 && older: // the number of messages is unknown
		return Difference{Lacks: true, Text: backend.Say("VoxPilot compared this chat's last %d messages with the last %d in Copilot's history and found no match.", replayMessages, replayMessages)}
	case missing > 0 && extra > 0:
		return Difference{Lacks: true, Text: backend.Say("Copilot's history is missing %s and has %s.", lastMessages(missing), moreMessages(extra))}
	case missing > 0:
		return Difference{backend.Say("Copilot's history is missing %s.", lastMessages(missing)), true}
	case extra > 0:
		return Difference{Text: backend.Say("Copilot's history has %s.", moreMessages(extra))}
	case last >= 0 && r.answerMissing(want[last]):
		return Difference{backend.Say("Copilot's history is missing the last answer."), true}
	}
	return Difference{}
}

// withText returns the exchanges whose prompt contains text. Prompts that consist only of images can't be
// recognized in a replay, so the answer to such a prompt is appended to the previous exchange, as in the
// replay. If the turn of such a prompt wasn't completed, the answer of the previous exchange becomes "",
// which means unknown.
func withText(history []Exchange) (list []Exchange) {
	for _, e := range history {
		switch last := len(list) - 1; {
		case strings.TrimSpace(e.Prompt) != "":
			list = append(list, e)
		case last < 0:
		case e.State != backend.TurnDone:
			list[last].Answer = ""
		case list[last].Answer != "":
			list[last].Answer += e.Answer
		}
	}
	return list
}

// nearest looks for a message of the transcript that is also in the replay, as close to the end of both as possible.
// want holds the messages of the transcript. match reports whether message i of want and message j of the replay are
// the same. missing is the number of later messages in want that the agent should have, and extra is the number of
// later messages in the replay. last is the index in want of the message found. It is -1 if no message matches or each
// match would increase the sum of missing and extra.
func (r *Replay) nearest(want []Exchange, match func(i, j int) bool) (missing, extra, last int) {
	missing, extra, last = required(want), len(r.replayedPrompts), -1
	if missing == 0 {
		extra = 0 // nothing to compare with, as in a forked session
	}
	for i := len(want) - 1; i >= 0; i-- {
		m := required(want[i+1:])
		if m > missing+extra {
			break
		}
		for j := len(r.replayedPrompts) - 1; j >= 0; j-- {
			x := len(r.replayedPrompts) - 1 - j
			if m+x > missing+extra || m+x == missing+extra && last >= 0 {
				break
			}
			if match(i, j) {
				missing, extra, last = m, x, i
				break
			}
		}
	}
	return missing, extra, last
}

// required returns the number of messages in list that a complete history of the agent contains. Messages whose turn
// wasn't completed don't count, because they may not have reached the agent. Slash commands don't count either, because
// the agent doesn't replay them.
func required(list []Exchange) (n int) {
	for _, e := range list {
		if e.State == backend.TurnDone && !strings.HasPrefix(strings.TrimSpace(e.Prompt), "/") {
			n++
		}
	}
	return n
}

// answerMissing reports whether the replay lacks the answer to e, the last exchange: nothing follows the user's
// message, or the last chunk isn't part of e.Answer. If that isn't certain, it returns false.
func (r *Replay) answerMissing(e Exchange) bool {
	if e.State != backend.TurnDone || strings.TrimSpace(e.Answer) == "" {
		return false
	}
	if r.answers == 0 {
		return r.actions == 0
	}
	text, _ := acp.AppendUnescaped(nil, r.answer, 0)
	for _, own := range r.Prompts {
		if bytes.HasPrefix(text, own) {
			return false // a line of the CLI itself
		}
	}
	return !strings.Contains(withoutSpace(e.Answer, len(e.Answer)), withoutSpace(string(text), needle))
}

// lastMessages returns a phrase such as "the last 2 messages", with n as the number.
func lastMessages(n int) backend.Message {
	if n == 1 {
		return backend.Say("the last message")
	}
	return backend.Say("the last %d messages", n)
}

// moreMessages returns a phrase such as "2 messages that aren't in this chat", with n as the number.
func moreMessages(n int) backend.Message {
	if n == 1 {
		return backend.Say("1 message that isn't in this chat")
	}
	return backend.Say("%d messages that aren't in this chat", n)
}
