package llm_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// newModel starts a server that passes each chat completion request to the next of the given handlers. It fails the
// test if a request is unexpected or missing.
func newModel(t *testing.T, answers ...http.HandlerFunc) *httptest.Server {
	t.Helper()
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || asked == len(answers) {
			t.Errorf("not expected: %s %s", r.Method, r.URL)
			return
		}
		asked++
		body, err := io.ReadAll(r.Body) // Otherwise the server doesn't notice that the client disconnects.
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answers[asked-1](w, r)
	}))
	t.Cleanup(func() {
		s.Close()
		if asked != len(answers) {
			t.Errorf("%d of %d answers were asked for", asked, len(answers))
		}
	})
	return s
}

// streamEvents serves a stream of the given raw events.
func streamEvents(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, line := range lines {
			fmt.Fprintf(w, "%s\n\n", line)
		}
	}
}

// streamText serves a stream of chunks that ends normally.
func streamText(chunks ...string) http.HandlerFunc {
	return streamEvents(append(dataLines(chunks...), "data: [DONE]")...)
}

func dataLines(chunks ...string) (lines []string) {
	for _, chunk := range chunks {
		lines = append(lines, "data: "+chunk)
	}
	return lines
}

func textDelta(s string) string {
	quoted, _ := json.Marshal(s)
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`, quoted)
}

func toolCallDelta(list string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[%s]}}]}`, list)
}

func finishDelta(reason string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

// streamed records the text that arrives while an answer streams.
type streamed struct{ text, reasoning []string }

func stream(t *testing.T, ctx context.Context, req llm.Request) (llm.Answer, streamed, *llm.Failure) {
	t.Helper()
	c := llm.NewClient()
	defer c.Close()
	var h streamed
	answer, failure := c.Stream(ctx, req, func(text, reasoning string) {
		if text != "" {
			h.text = append(h.text, text)
		}
		if reasoning != "" {
			h.reasoning = append(h.reasoning, reasoning)
		}
	})
	return answer, h, failure
}

func request(s *httptest.Server) llm.Request {
	return llm.Request{
		Provider: backend.Provider{Name: "Test AI", BaseURL: s.URL + "/v1", Model: "m-1"},
		Messages: []llm.Message{{Role: llm.RoleUser, Text: "Hi"}},
	}
}

func TestStream_DeliversTextAsItArrives(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   llm.Answer
		heard  streamed
	}{
		{
			"text, with an end and what it cost",
			streamText(textDelta("Good "), textDelta("day ☀"), finishDelta("stop"), `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}}`),
			llm.Answer{Text: "Good day ☀", Finish: "stop", Usage: &backend.Usage{Input: 7, Output: 3, CacheRead: 2, Thought: 1}},
			streamed{text: []string{"Good ", "day ☀"}},
		},
		{
			"reasoning_content, which some want back",
			streamText(`{"choices":[{"delta":{"reasoning_content":"Hm. "}}]}`, textDelta("A"), finishDelta("stop")),
			llm.Answer{Text: "A", Reasoning: "Hm. ", Finish: "stop"},
			streamed{text: []string{"A"}, reasoning: []string{"Hm. "}},
		},
		{
			"reasoning, which nobody does",
			streamText(`{"choices":[{"delta":{"reasoning":"Hm. ","reasoning_details":[{"text":"Hm. "}],"content":""}}]}`, textDelta("A"), finishDelta("stop")),
			llm.Answer{Text: "A", Finish: "stop"},
			streamed{text: []string{"A"}, reasoning: []string{"Hm. "}},
		},
		{
			"reasoning between marks that come in pieces",
			streamText(textDelta("\n<th"), textDelta("ink>I wonder </thi"), textDelta("s, </th"), textDelta("ink>\n\nYes <think> "), textDelta("No</think>"), finishDelta("stop")),
			llm.Answer{Text: "Yes <think> No</think>", Finish: "stop"},
			streamed{text: []string{"Yes <think> ", "No</think>"}, reasoning: []string{"I wonder ", "</this, "}},
		},
		{
			"a text that begins like a mark",
			streamText(textDelta("<th"), textDelta("ead>"), finishDelta("stop")),
			llm.Answer{Text: "<thead>", Finish: "stop"},
			streamed{text: []string{"<thead>"}},
		},
		{
			"a text that is the beginning of a mark", streamText(textDelta("<"), finishDelta("stop")),
			llm.Answer{Text: "<", Finish: "stop"},
			streamed{text: []string{"<"}},
		},
		{
			"parts instead of text",
			streamText(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"A"}]}}]}`, finishDelta("stop")),
			llm.Answer{Text: "A", Finish: "stop"},
			streamed{text: []string{"A"}, reasoning: []string{"Hm."}},
		},
		{
			"comments, empty events and an error that is none",
			streamEvents(": OPENROUTER PROCESSING", ": OPENROUTER PROCESSING", "data:", `data: {"error":null,"choices":[{"delta":{"content":"A"}}]}`, "data: "+finishDelta("stop"), "data: [DONE]"),
			llm.Answer{Text: "A", Finish: "stop"},
			streamed{text: []string{"A"}},
		},
		{
			"a byte order mark, and an empty error",
			streamEvents("\ufeff"+`data: {"error":"","choices":[{"delta":{"content":"A"}}]}`, "data: "+finishDelta("stop"), "data: [DONE]"),
			llm.Answer{Text: "A", Finish: "stop"},
			streamed{text: []string{"A"}},
		},
		{
			"no end mark, but a reason to end",
			streamEvents(dataLines(textDelta("A"), finishDelta("stop"))...),
			llm.Answer{Text: "A", Finish: "stop"},
			streamed{text: []string{"A"}},
		},
		{"an end mark, but no reason", streamText(textDelta("A")), llm.Answer{Text: "A"}, streamed{text: []string{"A"}}},
		{"cut at its length", streamText(textDelta("A"), finishDelta("length")), llm.Answer{Text: "A", Finish: "length"}, streamed{text: []string{"A"}}},
		{"nothing but thoughts, cut at its length", streamText(`{"choices":[{"delta":{"reasoning":"Hm"}}]}`, finishDelta("length")), llm.Answer{Finish: "length"}, streamed{reasoning: []string{"Hm"}}},
		{"filtered", streamText(`{"choices":[],"prompt_filter_results":[]}`, textDelta("A"), finishDelta("content_filter")), llm.Answer{Text: "A", Finish: "content_filter"}, streamed{text: []string{"A"}}},
		{"declined", streamText(`{"choices":[{"delta":{"refusal":"I cannot."}}]}`, finishDelta("stop")), llm.Answer{Text: "I cannot.", Finish: "stop"}, streamed{text: []string{"I cannot."}}},
		{
			"whole, by a service that does not stream",
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"A","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`)
			},
			llm.Answer{Text: "A", Finish: "tool_calls", Calls: []llm.Call{{ID: "1", Name: "f", Arguments: "{}"}}, Usage: &backend.Usage{Input: 1, Output: 2}},
			streamed{text: []string{"A"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, h, failure := stream(t, t.Context(), request(newModel(t, c.answer)))
			if failure != nil {
				t.Fatalf("failed: %+v", failure.Err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error("the answer (-want +got):\n", diff)
			}
			if diff := cmp.Diff(c.heard, h, cmp.AllowUnexported(streamed{})); diff != "" {
				t.Error("heard (-want +got):\n", diff)
			}
		})
	}
}

func TestStream_AnySplitGivesSameText(t *testing.T) {
	for whole, want := range map[string][2]string{
		"<think>Well </thin</think>\n\nYes <b>": {"Yes <b>", "Well </thin"},
		" \n<think></think>Yes":                 {"Yes", ""},
		"<think>Well":                           {"", "Well"},
		"<thinking> is no mark":                 {"<thinking> is no mark", ""},
		"Yes <think>":                           {"Yes <think>", ""},
	} {
		for i := range whole {
			for j := i; j < len(whole); j++ {
				s := newModel(t, streamText(textDelta(whole[:i]), textDelta(whole[i:j]), textDelta(whole[j:]), finishDelta("length")))
				got, h, failure := stream(t, t.Context(), request(s))
				if failure != nil || strings.TrimSpace(got.Text) != want[0] || strings.Join(h.reasoning, "") != want[1] || strings.Join(h.text, "") != got.Text {
					t.Fatalf("%q cut at %d and %d: %q, %q, %+v", whole, i, j, got.Text, h.reasoning, failure)
				}
			}
		}
	}
}

func TestStream_AssemblesToolCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks []string
		want   []llm.Call // "" stands for a generated ID
	}{
		{
			"two, in pieces that mix",
			[]string{
				toolCallDelta(`{"index":0,"id":"a","function":{"name":"read_file","arguments":""}}`), toolCallDelta(`{"index":1,"id":"b","function":{"name":"grep","arguments":"{\"q"}}`),
				toolCallDelta(`{"index":0,"function":{"arguments":"{\"path\":"}},{"index":1,"function":{"arguments":"\":1}"}}`), toolCallDelta(`{"index":0,"id":"a","function":{"arguments":"\"x\"}"}}`),
			},
			[]llm.Call{{"a", "read_file", `{"path":"x"}`}, {"b", "grep", `{"q":1}`}},
		},
		{
			"without index, arguments as an object, as Ollama once did",
			[]string{toolCallDelta(`{"id":"a","function":{"name":"f","arguments":{"path":"x"}}},{"id":"b","function":{"name":"f","arguments":{"path":"y"}}}`)},
			[]llm.Call{{"a", "f", `{"path":"x"}`}, {"b", "f", `{"path":"y"}`}},
		},
		{
			"the same index for all",
			[]string{toolCallDelta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), toolCallDelta(`{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`), toolCallDelta(`{"index":0,"function":{"arguments":" "}}`)},
			[]llm.Call{{"a", "f", "{}"}, {"b", "g", "{} "}},
		},
		{
			"without ids",
			[]string{toolCallDelta(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), toolCallDelta(`{"index":1,"function":{"name":"g","arguments":"{}"}}`)},
			[]llm.Call{{"", "f", "{}"}, {"", "g", "{}"}},
		},
		{
			"without ids or index, in pieces",
			[]string{toolCallDelta(`{"function":{"name":"f","arguments":"{"}}`), toolCallDelta(`{"function":{"arguments":"}"}}`), toolCallDelta(`{"function":{"name":"g"}}`)},
			[]llm.Call{{"", "f", "{}"}, {"", "g", ""}},
		},
		{
			"an id that comes twice",
			[]string{toolCallDelta(`{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"a","function":{"name":"g"}}`)},
			[]llm.Call{{"a", "f", ""}, {"", "g", ""}},
		},
		{"pieces of nothing", []string{textDelta("A"), toolCallDelta(`{"index":0}`)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, failure := stream(t, t.Context(), request(newModel(t, streamText(append(c.chunks, finishDelta("tool_calls"))...))))
			if failure != nil {
				t.Fatalf("failed: %+v", failure.Err)
			}
			seen := map[string]bool{}
			for i := range got.Calls {
				id := got.Calls[i].ID
				if id == "" || seen[id] {
					t.Errorf("the id %q is empty, or there twice", id)
				}
				seen[id] = true
				if i < len(c.want) && c.want[i].ID == "" {
					got.Calls[i].ID = ""
				}
			}
			if diff := cmp.Diff(c.want, got.Calls); diff != "" {
				t.Error("(-want +got):\n", diff)
			}
		})
	}
}

func TestStream_EmptyToolCallsIgnored(t *testing.T) {
	for name, list := range map[string]string{"null": "null", "none": "[]"} {
		s := newModel(t, streamText(`{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":`+list+`}}]}`, finishDelta("stop")))
		got, _, failure := stream(t, t.Context(), request(s))
		if failure == nil || failure.Kind != llm.KindEmpty || len(got.Calls) != 0 {
			t.Errorf("%s: %+v, %+v", name, got, failure)
		}
	}
}

func TestStream_EndlessAnswerAborted(t *testing.T) {
	for mime, line := range map[string]string{
		"text/event-stream": "data: " + strings.Repeat("x", 1<<20) + "\n",
		"application/json":  strings.Repeat(" ", 1<<20),
	} {
		s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mime)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, line)
			}
		})
		if _, _, failure := stream(t, t.Context(), request(s)); failure == nil || !strings.Contains(failure.Err.Detail, bufio.ErrTooLong.Error()) {
			t.Errorf("%s: %+v", mime, failure)
		}
	}
}

func TestStream_StopsAtOnce(t *testing.T) {
	for name, first := range map[string]http.HandlerFunc{
		"before it began":     func(http.ResponseWriter, *http.Request) {},
		"while it is thought": streamEvents(": wait"),
		"while it comes":      streamEvents(dataLines(textDelta("A"))...),
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan struct{})
			s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
				first(w, r)
				if name != "before it began" {
					_ = http.NewResponseController(w).Flush()
				}
				close(asked)
				<-r.Context().Done()
			})
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() { <-asked; cancel(errors.New("stopped")) }()
			if _, _, failure := stream(t, ctx, request(s)); failure == nil || failure.Kind != llm.KindEnded {
				t.Errorf("got %+v", failure)
			}
		})
	}
}

func TestRequest_RedirectNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("asked, with %v", r.Header)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 307, 308} {
		s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+"/v1/chat/completions", status)
		})
		req := request(s)
		req.Key = "sk-secret"
		_, _, failure := stream(t, t.Context(), req)
		if failure == nil || failure.Kind != llm.KindOther || !strings.Contains(failure.Err.Message.String(), elsewhere.URL) {
			t.Errorf("status %d: %+v", status, failure)
		}
	}
}

func TestRetryAfter_FromService(t *testing.T) {
	for _, c := range []struct {
		name      string
		header    map[string]string
		low, high time.Duration
	}{
		{"seconds", map[string]string{"Retry-After": "42"}, 42 * time.Second, 42 * time.Second},
		{"parts of a second", map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond, 500 * time.Millisecond},
		{"milliseconds", map[string]string{"Retry-After-Ms": "1500", "Retry-After": "2"}, 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"a date", map[string]string{"Retry-After": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}, 50 * time.Minute, time.Hour},
		{"a date that is over", map[string]string{"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, 0},
		{"longer than anybody waits", map[string]string{"Retry-After": "1e300"}, 24 * time.Hour, 24 * time.Hour},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0, 0},
		{"less than nothing", map[string]string{"Retry-After": "-5"}, 0, 0},
		{"nothing", nil, 0, 0},
	} {
		s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
			for name, value := range c.header {
				w.Header().Set(name, value)
			}
			respond(429, `{"error":{"message":"slow down"}}`)(w, r)
		})
		_, _, failure := stream(t, t.Context(), request(s))
		if failure == nil || failure.Kind != llm.KindRate || failure.RetryAfter < c.low || failure.RetryAfter > c.high {
			t.Errorf("%s: %+v", c.name, failure)
		}
	}
}
