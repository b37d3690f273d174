package llm_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestError_HasAdvice(t *testing.T) {
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		key     string
		kind    llm.FailureKind
		code    backend.Code
		message string
	}{
		{"no key", respond(401, `{"error":{"message":"no auth"}}`), "", llm.KindAuth, backend.CodeModel, "Test AI needs a key. Enter it in Settings"},
		{"a wrong key", respond(401, `{"error":{"message":"bad key"}}`), "k", llm.KindAuth, backend.CodeModel, "Test AI rejected the key. Enter it again"},
		{"a key that may not", respond(403, `{"error":{"message":"No access to m-1.","code":"denied"}}`), "k", llm.KindAuth, backend.CodeModel, "doesn't allow this key to use m-1: No access to m-1. Check the key"},
		{"moderation", respond(403, `{"error":{"code":403,"message":"requires moderation"}}`), "k", llm.KindOther, backend.CodeRefused, "declined this request"},
		{"Azure's filter", respond(400, `{"error":{"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}}`), "k", llm.KindOther, backend.CodeRefused, "declined this request"},
		{"an unknown model", respond(404, `{"error":{"message":"The model m-1 does not exist","code":"model_not_found"}}`), "k", llm.KindOther, backend.CodeModel, "doesn't have the model m-1"},
		{"an unknown deployment", respond(404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist."}}`), "k", llm.KindOther, backend.CodeModel, "doesn't have the model m-1"},
		{"a wrong address", respond(404, "404 page not found"), "", llm.KindOther, backend.CodeModel, "There's no model at http"},
		{"tools that cannot be used, Ollama", respond(400, `{"error":{"message":"library/m-1 does not support tools"}}`), "", llm.KindOther, backend.CodeModel, "m-1 doesn't support tools"},
		{"tools that cannot be used, OpenRouter", respond(404, `{"error":{"message":"No endpoints found that support tool use.","code":404}}`), "k", llm.KindOther, backend.CodeModel, "m-1 doesn't support tools"},
		{"no credit", respond(402, `{"error":{"message":"Insufficient credits"}}`), "k", llm.KindOther, backend.CodeModel, "out of credits"},
		{"no quota", respond(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), "k", llm.KindOther, backend.CodeModel, "out of credits"},
		{"too many requests", respond(429, `{"error":{"message":"Rate limit reached for tokens per min"}}`), "k", llm.KindRate, backend.CodeModel, "Test AI is rate-limiting requests"},
		{"time out", respond(408, ""), "", llm.KindServer, backend.CodeModel, "took too long"},
		{"time out of a gateway", respond(504, "<html>"), "", llm.KindServer, backend.CodeModel, "took too long"},
		{"a failure", respond(500, "oops\nmore"), "", llm.KindServer, backend.CodeModel, "returned an error: oops. Try again"},
		{"a failure without words", respond(503, "<html>"), "", llm.KindServer, backend.CodeModel, "returned an error (status 503)"},
		{"a list of errors", respond(400, `[{"error":{"code":400,"message":"Bad field."}}]`), "", llm.KindOther, backend.CodeModel, "rejected the request: Bad field. Choose"},
		{"an error as text", respond(400, `{"error":"bad field"}`), "", llm.KindOther, backend.CodeModel, "rejected the request: bad field."},
		{"a web page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!DOCTYPE html>")
		}, "", llm.KindOther, backend.CodeModel, "doesn't seem to be a model endpoint"},
		{"a stream of something else", streamEvents("data: hello"), "", llm.KindOther, backend.CodeModel, "doesn't seem to be a model endpoint"},
		{"JSON that is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"choices":[`)
		}, "", llm.KindOther, backend.CodeModel, "doesn't seem to be a model endpoint"},
		{"an empty answer", streamText(finishDelta("stop")), "", llm.KindEmpty, backend.CodeModel, "sent an empty answer"},
		{"an answer of thoughts only", streamText(`{"choices":[{"delta":{"reasoning":"Hm"}}]}`, finishDelta("stop")), "", llm.KindEmpty, backend.CodeModel, "sent an empty answer"},
		{"an end before the beginning", streamEvents(": hello"), "", llm.KindServer, backend.CodeModel, "closed the connection before it responded"},
		{"an error in the stream, at first", streamEvents(`data: {"error":{"message":"Provider returned error","code":502}}`), "", llm.KindServer, backend.CodeModel, "returned an error: Provider returned error"},
		{"a pause asked for in the stream", streamEvents(`data: {"error":{"message":"Slow down","code":429}}`), "", llm.KindRate, backend.CodeModel, "is rate-limiting requests"},
		{"too long, said in the stream", streamEvents(`data: {"error":"the request exceeds the available context size"}`), "", llm.KindContext, backend.CodeModel, "This chat is too long for m-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := request(newModel(t, c.answer))
			req.Key = c.key
			got, _, failure := stream(t, t.Context(), req)
			if failure == nil || failure.Kind != c.kind || failure.Err.Code != c.code || !strings.Contains(failure.Err.Message.String(), c.message) {
				t.Errorf("got %+v, %+v, want %s with %q", failure, got, c.kind, c.message)
			}
		})
	}
}

func TestError_ContextLengthRecognized(t *testing.T) {
	for _, c := range []struct {
		who    string
		status int
		body   string
		want   llm.FailureKind
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`, llm.KindContext},
		{"OpenAI, of one request", 429, `{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000","code":"rate_limit_exceeded"}}`, llm.KindContext},
		{"Anthropic", 400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.KindContext},
		{"Google", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed"}}]`, llm.KindContext},
		{"llama.cpp", 400, `{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}`, llm.KindContext},
		{"LM Studio", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. n_ctx is 4096"}`, llm.KindContext},
		{"Mistral", 400, `{"message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length"}`, llm.KindContext},
		{"a gateway", 413, "", llm.KindContext},
		{"too many requests", 429, `{"error":{"message":"This request would exceed your rate limit of 30,000 input tokens per minute. Reduce the length of the prompt."}}`, llm.KindRate},
		{"another field", 400, `{"error":{"message":"temperature must be below 2"}}`, llm.KindOther},
	} {
		_, _, failure := stream(t, t.Context(), request(newModel(t, respond(c.status, c.body))))
		if failure == nil || failure.Kind != c.want {
			t.Errorf("%s: got %+v, want %s", c.who, failure, c.want)
		}
	}
}

func TestStream_CutKeepsPartialAnswer(t *testing.T) {
	hangUp := func(w http.ResponseWriter, r *http.Request) {
		streamEvents(dataLines(textDelta("Half of"), toolCallDelta(`{"index":0,"id":"a","function":{"name":"f"}}`))...)(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	for name, answer := range map[string]http.HandlerFunc{
		"it ends":                       streamEvents(dataLines(textDelta("Half of"), toolCallDelta(`{"index":0,"id":"a","function":{"name":"f"}}`))...),
		"the connection breaks":         hangUp,
		"an error of the service's own": streamEvents(dataLines(textDelta("Half of"), toolCallDelta(`{"index":0,"id":"a","function":{"name":"f"}}`), `{"error":{"code":502,"message":"upstream"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`)...),
		"an error of the choice":        streamEvents(dataLines(textDelta("Half of"), toolCallDelta(`{"index":0,"id":"a","function":{"name":"f"}}`), `{"choices":[{"error":{"code":500,"message":"upstream"},"delta":{}}]}`)...),
	} {
		t.Run(name, func(t *testing.T) {
			got, _, failure := stream(t, t.Context(), request(newModel(t, answer)))
			if failure == nil || failure.Kind != llm.KindCut || failure.Err.Message.String() != "The answer stopped halfway. Test AI closed the connection. The partial answer above is saved." {
				t.Fatalf("got %+v", failure)
			}
			if got.Text != "Half of" {
				t.Errorf("kept %q", got.Text)
			}
		})
	}
}

func TestError_UnreachableReported(t *testing.T) {
	plain, secure, gone := httptest.NewServer(nil), newEndpoint(t, true, nil), httptest.NewServer(nil)
	gone.Close()
	defer plain.Close()
	for name, c := range map[string]struct{ url, message string }{
		"nobody there":   {gone.URL, "Can't connect to"},
		"no such host":   {"http://nobody.invalid", "Can't find the host nobody.invalid"},
		"no certificate": {secure.URL, "doesn't trust the certificate"},
		"no https":       {strings.Replace(plain.URL, "http:", "https:", 1), "doesn't support HTTPS"},
	} {
		req := llm.Request{Provider: backend.Provider{BaseURL: c.url, Model: "m"}}
		_, _, failure := stream(t, t.Context(), req)
		if failure == nil || failure.Kind != llm.KindNetwork || !strings.Contains(failure.Err.Message.String(), c.message) {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}

func TestError_HidesKeyAndHeaders(t *testing.T) {
	for _, status := range []int{200, 400, 401, 403, 404, 500} {
		s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
			body := fmt.Sprintf(`{"error":{"message":"key %s of %s"}}`, r.Header.Get("Authorization"), r.Header.Get("X-Gateway-Key"))
			if status == 200 {
				body = "data: " + body + "\n\n"
			}
			respond(status, body)(w, r)
		})
		req := request(s)
		req.Key, req.Provider.Headers = "sk-secret", map[string]string{"X-Gateway-Key": "gateway-secret"}
		_, _, failure := stream(t, t.Context(), req)
		if failure == nil {
			t.Fatalf("status %d: no failure", status)
		}
		if all := failure.Err.Message.String() + failure.Err.Detail + failure.Error(); strings.Contains(all, "secret") || !strings.Contains(all, "•••") {
			t.Errorf("status %d: %s", status, all)
		}
	}
}

func TestRequest_InvalidEndpointNotContacted(t *testing.T) {
	for name, req := range map[string]llm.Request{
		"no address":       {Provider: backend.Provider{Model: "m"}},
		"a key of letters": {Provider: backend.Provider{BaseURL: "http://127.0.0.1:1", Model: "m"}, Key: "k\ney"},
	} {
		_, _, failure := stream(t, t.Context(), req)
		if failure == nil || failure.Kind != llm.KindOther || failure.Err.Code != backend.CodeInvalid {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}
