package rescue

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// TestConversation_MissingAndOthers checks which parts of a conversation count as missing from a log, and how many
// messages of the log aren't in the transcript.
func TestConversation_MissingAndOthers(t *testing.T) {
	event := func(kind string, data any) sessionfiles.Event {
		raw, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		return sessionfiles.Event{Type: kind, Data: raw}
	}
	type fields = map[string]any
	user := func(text string) sessionfiles.Event { return event(sessionfiles.EventUser, fields{"content": text}) }
	answer := func(text string, calls ...string) sessionfiles.Event {
		var requests []any
		for _, id := range calls {
			requests = append(requests, fields{"toolCallId": id})
		}
		return event(sessionfiles.EventAssistant, fields{"content": text, "toolRequests": requests})
	}
	result := func(id string) sessionfiles.Event {
		return event(sessionfiles.EventToolComplete, fields{"toolCallId": id, "success": true})
	}
	subagent := user("look at it")
	subagent.Agent = "sub"
	long := strings.Repeat("a long prompt ", 2000)
	for name, c := range map[string]struct {
		prompts, answers, calls []string
		log                     []sessionfiles.Event
		missing                 string
		others                  int
	}{
		"everything":      {[]string{"go", "more"}, []string{"done", "really"}, []string{"1"}, []sessionfiles.Event{user("go"), answer("done", "1"), result("1"), user("more"), answer("really")}, "", 0},
		"spaces":          {[]string{"go on now"}, nil, nil, []sessionfiles.Event{user("go\n on\u00a0now")}, "", 0},
		"a recap before":  {[]string{"please continue"}, nil, nil, []sessionfiles.Event{user("a recap\n\nplease continue")}, "", 0},
		"a long prompt":   {[]string{long}, nil, nil, []sessionfiles.Event{user("a recap" + long + "shot.png")}, "", 0},
		"a short prompt":  {[]string{"go"}, nil, nil, []sessionfiles.Event{user("good")}, "missing 1 messages, 0 tool results and 0 tool calls", 1},
		"a prompt":        {[]string{"one one one one", "two two two two"}, nil, nil, []sessionfiles.Event{user("two two two two")}, "missing 1 messages, 0 tool results and 0 tool calls", 0},
		"the last prompt": {[]string{"one", "two"}, nil, nil, []sessionfiles.Event{user("one")}, "missing 1 messages, 0 tool results and 0 tool calls", 0},
		"an answer":       {nil, []string{"one", "two"}, nil, []sessionfiles.Event{answer("two")}, "missing 1 messages, 0 tool results and 0 tool calls", 0},
		"parts":           {nil, []string{"one and two", "three"}, nil, []sessionfiles.Event{answer("one"), answer(" and two"), answer("three")}, "", 0},
		"a result":        {nil, nil, []string{"1", "2"}, []sessionfiles.Event{answer("", "1", "2"), result("2")}, "missing 0 messages, 1 tool results and 0 tool calls", 0},
		"a call":          {nil, nil, []string{"1"}, []sessionfiles.Event{result("1")}, "missing 0 messages, 0 tool results and 1 tool calls", 0},
		"from a terminal": {[]string{"one"}, nil, nil, []sessionfiles.Event{user("one"), user("two"), subagent}, "", 1},
	} {
		want := &conversation{calls: map[string]bool{}, started: map[string]bool{}}
		for _, p := range c.prompts {
			want.prompts = append(want.prompts, cut(withoutSpace(p)))
		}
		for _, a := range c.answers {
			want.answers = append(want.answers, cut(withoutSpace(a)))
		}
		for _, id := range c.calls {
			want.calls[id] = true
		}
		for _, e := range c.log {
			want.observe(e)
		}
		if got := want.lacksEnd(); got != (name == "a short prompt" || name == "the last prompt") {
			t.Errorf("%s: the end is missing: %t", name, got)
		}
		if got := want.missing(); got != c.missing || want.others != c.others {
			t.Errorf("%s: got %q and %d others, want %q and %d", name, got, want.others, c.missing, c.others)
		}
	}
}

// TestExcerptWriter_KeepsStartAndEnd checks that a long result is cut in the middle, and never within a character.
func TestExcerptWriter_KeepsStartAndEnd(t *testing.T) {
	for _, c := range []struct {
		limit int
		parts []string
		want  string
	}{
		{100, nil, ""},
		{100, []string{"one"}, "one"},
		{8, []string{"0123", "4567"}, "01234567"},
		{8, []string{"0123456789abcdef"}, "012345\n[8 bytes left out]\nef"},
		{8, []string{"01", "23456789abc", "def"}, "012345\n[8 bytes left out]\nef"},
		{8, []string{"ééééééé"}, "ééé\n[6 bytes left out]\né"},
		{8, []string{"0é1é2é3é"}, "0é1é\n[4 bytes left out]\né"},
	} {
		w := &excerptWriter{limit: c.limit}
		for _, p := range c.parts {
			_, _ = w.Write([]byte(p))
		}
		if got := w.String(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.parts, got, c.want)
		}
	}
}
