// Package replay compares what an agent replays of a session that it loads with what
// the transcript has of it.
package replay

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
)

// Exchange is one turn as the transcript has it.
type Exchange struct {
	Prompt string
	Answer string // all messages of the turn, one after the other
	State  backend.TurnState
}

// What is kept of a replay: the end of it, and of each message its end. That is
// where agents and transcripts come apart, and it is the same work and memory
// for each of a million updates.
const (
	replayMessages = 64
	replayBytes    = 16 << 10
)

// Replay is what an agent replays of a session when it loads it, to be compared
// with the transcript. It is filled by the reader of the process and compared
// when the load was answered.
//
// It is not expected to be the whole: the Copilot CLI replays no thoughts, no
// plans, no slash commands, nothing of an answer that was cut off. What it
// continues by itself it replays as empty messages of the user's. A recap that
// went in front of a message is part of that message.
type Replay struct {
	Prompts         [][]byte // how lines begin that the agent says by itself, and that the transcript has as notes
	replayedPrompts [][]byte // the ends of the user's last messages, oldest first
	open            bool     // more of the last one may come
	half            rune     // of a character, that ended the piece before
	answers         int      // of the agent, to the last one
	actions         int      // other things it did, for the last one
	answer          []byte   // the last piece of its answer, as the inside of a JSON string
	hasAny          bool     // it said or did something at all
	dropped         bool     // asked had more
}

// User takes a piece of a message of the user's; raw is the inside of a JSON string.
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

// Message takes a piece of the agent's answer; raw is the inside of a JSON string.
// One that says nothing is no answer.
func (r *Replay) Message(raw []byte) {
	r.open, r.hasAny = false, true
	if isBlank(raw) {
		return
	}
	r.answers++
	r.answer = append(r.answer[:0], raw...)
}

// isBlank says whether the inside of a JSON string stands for spaces and line
// breaks only.
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

// Other takes an update of any other kind that belongs to a turn.
func (r *Replay) Other() {
	r.open, r.hasAny = false, true
	r.actions++
}

// lastText is at most the last n bytes of s.
func lastText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}

// needle is how much of a text is looked for.
const needle = 8 << 10

// withoutSpace is text without its spaces, and the end of it only where it is long:
// texts are compared so, since agents do as they like with spaces.
func withoutSpace(text string, n int) string {
	text = lastText(text, n)
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// Compare says for a person how what the agent replayed differs from the
// transcript, "" where it does not. Only what stands behind the last message
// that both have counts: what was different before was told before, or lies
// before the session was begun. In doubt it is the same.
func (r *Replay) Compare(history []Exchange) backend.Message {
	want := withText(history[max(0, len(history)-replayMessages):])
	older := len(history) > replayMessages || r.dropped // that are not compared
	if len(r.replayedPrompts) == 0 && r.hasAny {
		return backend.Message{} // an agent that does not replay what it was asked
	}
	prompts, asked := make([]string, len(want)), make([]string, len(r.replayedPrompts))
	for i, e := range want {
		prompts[i] = withoutSpace(e.Prompt, needle)
	}
	for j, text := range r.replayedPrompts {
		asked[j] = withoutSpace(string(text), replayBytes)
	}
	both := func(i, j int) bool { return strings.Contains(asked[j], prompts[i]) }
	missing, extra, last := r.nearest(want, both)
	switch {
	case missing > 0 && missing == required(want) && last < 0 && len(r.replayedPrompts) == 0:
		return backend.Say("Copilot's history has none of this chat's messages.")
	case missing > 0 && last < 0 && older: // no number of messages is known
		return backend.Say("None of this chat's last %d messages is among the last %d in Copilot's history, and VoxPilot doesn't compare older ones.", replayMessages, replayMessages)
	case missing > 0 && extra > 0:
		return backend.Say("Copilot's history is missing %s and has %s.", lastMessages(missing), moreMessages(extra))
	case missing > 0:
		return backend.Say("Copilot's history is missing %s.", lastMessages(missing))
	case extra > 0:
		return backend.Say("Copilot's history has %s.", moreMessages(extra))
	case last >= 0 && r.answerMissing(want[last]):
		return backend.Say("Copilot's history is missing its last answer.")
	}
	return backend.Message{}
}

// withText are the exchanges that began with words, since an image is not told from
// another. What was answered to one without belongs to the one before, as in a
// replay; where it was cut off, nobody knows how that ends.
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

// nearest finds the pair of the same message that is nearest to the end of
// both. missing is how many messages of the transcript are behind it that the
// agent must have, extra how many of the agent's; last is the one of the
// transcript, -1 where they have none in common or more came.
func (r *Replay) nearest(want []Exchange, both func(i, j int) bool) (missing, extra, last int) {
	missing, extra, last = required(want), len(r.replayedPrompts), -1
	if missing == 0 {
		extra = 0 // nothing to hold it against, such as in a session that was forked
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
			if both(i, j) {
				missing, extra, last = m, x, i
				break
			}
		}
	}
	return missing, extra, last
}

// required is how many of the messages an agent that lost nothing remembers for
// certain. What was stopped, refused or cut off may have come to it or not.
func required(list []Exchange) (n int) {
	for _, e := range list {
		if e.State == backend.TurnDone && !strings.HasPrefix(strings.TrimSpace(e.Prompt), "/") {
			n++
		}
	}
	return n
}

// answerMissing says whether the agent remembers nothing, or something entirely
// else, of what it answered last.
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
			return false // a line of the CLI's own
		}
	}
	return !strings.Contains(withoutSpace(e.Answer, len(e.Answer)), withoutSpace(string(text), needle))
}

// lastMessages counts the last messages of the transcript.
func lastMessages(n int) backend.Message {
	if n == 1 {
		return backend.Say("the last message")
	}
	return backend.Say("the last %d messages", n)
}

// moreMessages counts messages that the agent has besides.
func moreMessages(n int) backend.Message {
	if n == 1 {
		return backend.Say("1 message that isn't in this chat")
	}
	return backend.Say("%d messages that aren't in this chat", n)
}
