package rescue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// conversation lists the parts of a conversation that haven't been found in the log of its session yet.
type conversation struct {
	prompts []string        // messages of the user, oldest first
	answers []string        // messages of the agent, oldest first
	calls   map[string]bool // IDs of the tool calls that have a result
	lost    int             // number of messages that are missing from the log
	others  int             // messages of the user in the log that aren't in the transcript

	started  map[string]bool // IDs of the tool calls that have started in the log
	orphaned int             // results in the log whose calls aren't in it
}

// maxText is the number of bytes of a message that are compared.
const maxText = 8 << 10

// expected returns the conversation that a complete log of the session contains.
func (r *Rescuer) expected(ctx context.Context, row backend.Session) (*conversation, error) {
	want := &conversation{calls: map[string]bool{}, started: map[string]bool{}}
	err := r.each(ctx, row, false, func(s step) error {
		if s.turn.State != backend.TurnDone {
			return nil // the prompt, the answer or a result may not have reached the log
		}
		tool := s.item.Tool
		switch {
		case s.isPrompt || s.item.Kind == backend.ItemMessage && !s.item.HasError:
			text, err := s.text()
			text = cut(withoutSpace(text))
			switch {
			case err != nil || text == "":
				return err
			case !s.isPrompt:
				want.answers = append(want.answers, text)
			case !strings.HasPrefix(text, "/"): // the log doesn't contain slash commands
				want.prompts = append(want.prompts, text)
			}
		case tool != nil && (tool.Status == backend.ToolCompleted || tool.Status == backend.ToolFailed):
			want.calls[tool.CallID] = true
		}
		return nil
	})
	return want, err
}

// observe removes the parts of the conversation that the event contains.
func (c *conversation) observe(e sessionfiles.Event) {
	switch data := gjson.ParseBytes(e.Data); e.Type {
	case sessionfiles.EventUser:
		text := withoutSpace(data.Get("content").String())
		if e.Agent == "" && text != "" && !c.find(&c.prompts, func(want string) bool { return isPrompt(text, want) }) {
			c.others++
		}
	case sessionfiles.EventAssistant:
		if text := cut(withoutSpace(data.Get("content").String())); text != "" {
			c.find(&c.answers, func(want string) bool { return strings.HasPrefix(want, text) || strings.HasPrefix(text, want) })
		}
		data.Get("toolRequests").ForEach(func(_, call gjson.Result) bool {
			c.started[call.Get("toolCallId").String()] = true
			return true
		})
	case sessionfiles.EventToolComplete:
		id := data.Get("toolCallId").String()
		delete(c.calls, id)
		if e.Agent == "" && !c.started[id] {
			c.orphaned++
		}
	}
}

// find reports whether list contains a text that satisfies the given function. It removes the first such text and all
// texts before it, and counts the latter as lost, because the log contains the texts in the same order.
func (c *conversation) find(list *[]string, is func(string) bool) bool {
	i := slices.IndexFunc(*list, is)
	if i >= 0 {
		c.lost += i
		*list = (*list)[i+1:]
	}
	return i >= 0
}

// isPrompt reports whether text, a message in the log, is the given prompt. Text from VoxPilot, such as a recap, may
// precede a prompt, and names of attachments may follow it. Both are accepted only if the prompt is long enough to be
// recognized between them. Both arguments are without whitespace.
func isPrompt(text, prompt string) bool {
	const recognizable = 12 // bytes
	return cut(text) == prompt || len(prompt) >= recognizable && strings.Contains(text, prompt)
}

// missing describes the parts that the log lacks. It returns "" if the log is complete.
func (c *conversation) missing() string {
	messages := c.lost + len(c.prompts) + len(c.answers)
	if messages+len(c.calls)+c.orphaned == 0 {
		return ""
	}
	return fmt.Sprintf("missing %d messages, %d tool results and %d tool calls", messages, len(c.calls), c.orphaned)
}

// lacksEnd reports whether the log lacks the last messages. Messages that are missing before one in the log don't
// count: the agent may show messages that it never writes to the log.
func (c *conversation) lacksEnd() bool { return len(c.prompts)+len(c.answers) > 0 }

// withoutSpace returns text without whitespace and invalid characters, because agents may change these.
func withoutSpace(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// cut returns the first maxText bytes of text.
func cut(text string) string { return text[:min(len(text), maxText)] }
