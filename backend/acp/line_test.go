package acp

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// decoded is a chunk as decoded by encoding/json.
type decoded struct {
	Method string
	Params struct {
		SessionID string `json:"sessionId"`
		Update    struct {
			Kind    string `json:"sessionUpdate"`
			Content struct{ Type, Text string }
		}
	}
}

func FuzzText_ChunksDecodeAsJSON(f *testing.F) {
	for _, text := range []string{`Hello`, `a\nb\t\"\\\/\b\f\r`, `\u00e4\ud83d\ude00`, `ä👋`, `\ud83d`, `\ude00\ud83d\ud83d\ude00x`, `\`, `\x`, `\u12`, `"`, "\x01", "\xff", `\u0000`, ``} {
		f.Add(string(chunkHead) + "id" + string(chunkMessage) + text + string(chunkTail))
		f.Add(string(chunkHead) + "id" + string(chunkThought) + text + string(chunkTail))
	}
	f.Add(string(chunkHead) + `i\u0064` + string(chunkMessage) + "x" + string(chunkTail))
	f.Add(string(chunkHead) + "id" + string(chunkMessage) + `x","y":"z` + string(chunkTail))
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := parseChunk([]byte(line))
		if !ok {
			return
		}
		if !json.Valid([]byte(line)) {
			t.Fatalf("taken, but no JSON: %q", line)
		}
		var d decoded
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		got, half := AppendUnescaped(nil, c.Text, 0)
		if half != 0 {
			got = utf8.AppendRune(got, utf8.RuneError)
		}
		// encoding/json replaces each invalid byte separately; AppendUnescaped replaces each run of invalid bytes once.
		want := d.Params.Update.Content.Text
		if utf8.ValidString(line) && string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !utf8.Valid(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		if utf8.ValidString(line) && string(c.Session) != d.Params.SessionID {
			t.Errorf("session %q, want %q", c.Session, d.Params.SessionID)
		}
		if kind := map[ChunkKind]string{MessageChunk: "agent_message_chunk", ThoughtChunk: "agent_thought_chunk"}[c.Kind]; kind != d.Params.Update.Kind {
			t.Errorf("kind %q, want %q", kind, d.Params.Update.Kind)
		}
	})
}

func FuzzLine_MessageOrNot(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"x","params":{"a":1}}`, `{"id":"s","result":null}`, `{"id":1,"error":{"code":-1}}`,
		`{"id":null,"method":"x"}`, `{}`, `[]`, `1`, `{"method":7}`, `{"method":"a","method":"b"}`, "\x00", `{"id":1`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		m, ok := parse([]byte(line))
		if !ok {
			return
		}
		var o map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("taken, but no JSON object: %q", line)
		}
		if m.id == "" && m.method == "" {
			t.Errorf("neither a request nor an answer: %q", line)
		}
	})
}

func TestText_SplitCharacterCarriedOver(t *testing.T) {
	var got []byte
	var half rune
	for _, piece := range []string{`x\ud83d`, ``, `\ude00y`, `\ud83d`, `z`, `\ude00`, `\ud83d\ud83d`, `\ude00`} {
		got, half = AppendUnescaped(got, []byte(piece), half)
	}
	if want := "x😀y\uFFFDz\uFFFD\uFFFD😀"; string(got) != want || half != 0 {
		t.Errorf("got %q, want %q", got, want)
	}
}
