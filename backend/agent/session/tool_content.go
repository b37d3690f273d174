package session

import (
	"encoding/base64"
	"encoding/json"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// slot is one content item of a tool call. The item's ID stays the same when its body is replaced.
type slot struct {
	content backend.Content    // without the body
	sum     uint64             // hash of the body, with sumSeed
	refused bool               // part of a request that was rejected or closed
	steps   []diff.Replacement // for a diff, while the call is open
}

// Keys of the slots that VoxPilot adds, or prefixes of such keys. The slot of an element of the call's content has the
// element's index as its key.
const (
	slotCommand = "command" // the whole command
	slotOutput  = "output"  // rawOutput; followed by a terminal ID: output of that terminal
	slotChange  = "change"  // diff of a change that the agent requested; may be followed by the file's path
	slotMore    = "more"    // followed by a permission ID: names of files beyond request.MaxFiles
	slotText    = "text"    // followed by a permission ID: the agent's description of the request
)

var sumSeed = maphash.MakeSeed()

// contents puts the tool call's content items into its slots and returns the events to publish. content is the complete
// list of these items, and out is the call's rawOutput.
func (s *Session) contents(t *toolItem, content, out gjson.Result) (events []backend.Event) {
	all := content.Array()
	taken := map[string]bool{}
	for i, c := range all {
		key := strconv.Itoa(i)
		switch c.Get("type").String() {
		case "diff":
			d := diff.Of(request.Abs(s.Folder, c.Get("path").String()), c.Get("oldText").String(), c.Get("newText").String())
			if len(all) == 1 {
				// The CLI's own diff includes context and line numbers.
				if own, ok := diff.OfGit(d.Path, out.Get("detailedContent").String()); ok {
					d = own
				}
			}
			if known := t.changeSlot(d.Path); known != "" && !taken[known] {
				key, taken[known] = known, true // replaces VoxPilot's diff
			}
			events = s.put(events, t, key, d.Content(), d.Body)
			if sl := t.slots[key]; sl != nil {
				sl.steps = d.Replacements
			}
			if !t.diskChecked && t.item.Tool.Kind == backend.ToolEdit && d.Path == t.item.Tool.Path {
				t.item.Tool.Creates = len(all) == 1 && c.Get("oldText").String() == "" && d.Removed == 0
			}
		case "content":
			events = s.putBlock(events, t, key, c.Get("content"))
		case "terminal":
			events = s.showTerminal(events, t, key, c.Get("terminalId").String())
		default:
			events = s.put(events, t, key, backend.Content{Type: backend.ContentRaw}, []byte(c.Raw))
		}
	}
	return events
}

func (s *Session) putBlock(events []backend.Event, t *toolItem, key string, block gjson.Result) []backend.Event {
	switch block.Get("type").String() {
	case "text":
		return s.putText(events, t, key, block.Get("text").String())
	case "image":
		body, err := base64.StdEncoding.DecodeString(block.Get("data").String())
		if err != nil {
			break
		}
		return s.put(events, t, key, backend.Content{Type: backend.ContentImage, Mime: block.Get("mimeType").String()}, body)
	case "resource":
		if v := block.Get("resource.text"); v.Exists() {
			return s.putText(events, t, key, v.String())
		}
	case "resource_link":
		return s.putText(events, t, key, block.Get("uri").String())
	}
	return s.put(events, t, key, backend.Content{Type: backend.ContentRaw}, []byte(block.Raw))
}

// output puts a rawOutput that arrives without content into its slot and returns the events to publish.
func (s *Session) output(t *toolItem, out gjson.Result) []backend.Event {
	if out.Type == gjson.String {
		return s.putText(nil, t, slotOutput, out.Str)
	}
	for _, key := range []string{"content", "message", "output", "stdout", "text"} {
		if v := out.Get(key); v.Type == gjson.String {
			return s.putText(nil, t, slotOutput, v.Str)
		}
	}
	return s.put(nil, t, slotOutput, backend.Content{Type: backend.ContentRaw}, []byte(out.Raw))
}

// putText puts text into the slot with the given key. If the call runs a command, the text is terminal output, from
// which putText removes the CLI's line about the exit code.
func (s *Session) putText(events []backend.Event, t *toolItem, key, text string) []backend.Event {
	kind := backend.ContentText
	if t.item.Tool.Kind == backend.ToolExecute {
		kind = backend.ContentTerminal
		rest, code := result.ExitCode(text)
		if code != nil {
			t.item.Tool.ExitCode, text = code, rest
		}
	}
	return s.put(events, t, key, backend.Content{Type: kind}, []byte(strings.ToValidUTF8(text, "\uFFFD")))
}

// put sets the body of the tool call's slot with the given key. If the body has changed, put appends
// the event for it to events.
func (s *Session) put(events []backend.Event, t *toolItem, key string, c backend.Content, body []byte) []backend.Event {
	old := t.slots[key]
	if old == nil && len(body) == 0 {
		return events
	}
	if t.hidden {
		return events
	}
	sum := maphash.Bytes(sumSeed, body)
	if old != nil && old.sum == sum && old.content.Type == c.Type && old.content.Size == int64(len(body)) {
		return events
	}
	c.ID, c.Version = backend.NewID(), 1
	if old != nil {
		c.ID, c.Version = old.content.ID, old.content.Version+1
	}
	c.ItemID, c.ChatID, c.Size = t.item.ID, s.chatID, int64(len(body))
	if c.Type != backend.ContentImage {
		c.Lines = diff.LineCount(body)
	}
	t.slots[key] = &slot{content: c, sum: sum}
	c.Body = body
	return append(events, backend.Event{Content: &c})
}

// quoteInside returns s escaped as the content of a JSON string, without the quotes.
func quoteInside(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return b[1 : len(b)-1]
}
