package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// FailureKind classifies failures by how they can be fixed.
type FailureKind string

// The kinds of failures.
const (
	KindAuth    FailureKind = "auth"    // the key is missing, invalid or lacks permissions
	KindRate    FailureKind = "rate"    // too many requests; see RetryAfter
	KindServer  FailureKind = "server"  // the service failed or timed out
	KindNetwork FailureKind = "network" // the service is unreachable
	KindEmpty   FailureKind = "empty"   // the answer is empty
	KindCut     FailureKind = "cut"     // the answer is incomplete
	KindContext FailureKind = "context" // the conversation is too long for the model
	KindImages  FailureKind = "images"  // the model doesn't accept images
	KindEnded   FailureKind = "ended"   // ctx ended
	KindOther   FailureKind = "other"   // a retry would fail too
)

// Failure describes why an answer is missing or incomplete.
type Failure struct {
	Kind FailureKind
	// Err is the error to show the user. It never contains the key.
	Err *backend.Error
	// RetryAfter is the pause that the service requested, or 0.
	RetryAfter time.Duration
}

func (f *Failure) Error() string { return f.Err.Message.String() }

// apiError is a response with a status other than 200, or an error within a stream.
type apiError struct {
	status  int // 0 if missing
	header  http.Header
	body    string
	code    string // the service's error code
	message string // the service's error message
}

func (e *apiError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.body) }

const maxErrorBody = 64 << 10

// readAPIError returns the error for an unsuccessful response.
func readAPIError(res *http.Response) *apiError {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // a partial body is sufficient
	r := &apiError{status: res.StatusCode, header: res.Header, body: string(body)}
	if gjson.Valid(r.body) {
		r.read(gjson.Parse(r.body))
	} else if !strings.Contains(r.body, "<") { // not a web page
		r.message = r.body
	}
	return r
}

// read parses an error from the service: OpenAI's {"error":{…}}, a list of such objects, or one of the simpler forms
// that other services send.
func (e *apiError) read(v gjson.Result) {
	if v.IsArray() {
		v = v.Get("0")
	}
	body := v.Get("error")
	if body.Type == gjson.String {
		e.message = body.Str
	}
	for _, at := range []gjson.Result{body.Get("message"), v.Get("message"), v.Get("detail"), body.Get("metadata.raw")} {
		if e.message == "" && at.Type == gjson.String {
			e.message = at.Str
		}
	}
	for _, at := range []gjson.Result{body.Get("code"), body.Get("type"), v.Get("code")} {
		switch {
		case at.Type == gjson.Number && e.status == 0:
			e.status = int(at.Int())
		case at.Type == gjson.String && e.code == "":
			e.code = at.Str
		}
	}
}

// names reports whether the error's code, message or body contains one of the words, ignoring case.
// The words must be in lower case.
func (e *apiError) names(words ...string) bool {
	text := strings.ToLower(e.code + " " + e.message + " " + e.body)
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// tooLongPhrases are phrases in the errors that services return if a conversation is too long for the model.
var tooLongPhrases = []string{
	"context_length", "context length", "context window", "context size", "exceed_context", "maximum context", "model's context",
	"prompt is too long", "input is too long", "input length", "too many tokens", "input token count", "prompt tokens",
	"reduce the length", "request too large", "token limit", "tokens exceed", "string_above_max_length", "n_ctx",
}

// noImagesPhrases are phrases in the errors that services return if the model or the service doesn't support
// images. They are only looked for after requests with images.
var noImagesPhrases = []string{
	"image input", "image_url", "input_image", "support image", "support vision", "support multimodal", "not a multimodal", "not multimodal",
	"images are not supported", "image is not supported", "vision is not", "no vision", "0 image", "mmproj", "unknown part type",
	"must be a string", "does not accept image", "unable to process image", "unable to process input image",
}

// requestFailure returns the failure for a request that got no successful response.
func (m *requestMeta) requestFailure(ctx context.Context, err error) *Failure {
	var r *apiError
	switch {
	case ctx.Err() != nil:
		return m.endedFailure(ctx)
	case errors.As(err, &r):
		return m.apiFailure(r)
	}
	return m.failure(KindNetwork, backend.CodeUnavailable, err.Error(), "%s", unreachable(m.base, err))
}

// apiFailure returns the failure for an error that the service returned.
func (m *requestMeta) apiFailure(r *apiError) *Failure {
	detail := fmt.Sprintf("POST %s: status %d\n%.2000s", m.base.JoinPath("chat/completions"), r.status, r.body)
	fail := func(kind FailureKind, format string, args ...any) *Failure {
		return m.failure(kind, backend.CodeModel, detail, format, args...)
	}
	name, model := m.name(), m.provider.Model
	settings := backend.Say("Choose another model, or check this model's settings.")
	switch status := r.status; {
	case status == http.StatusUnauthorized && m.key == "":
		return fail(KindAuth, "%s needs a key. Enter it in Settings, then try again. Your message is saved.", name)
	case status == http.StatusUnauthorized:
		return fail(KindAuth, "%s rejected the key. Enter it again in Settings, then try again. Your message is saved.", name)
	case status == http.StatusPaymentRequired, r.code == "insufficient_quota":
		return fail(KindOther, "Your %s account is out of credits. Add credits, or choose another model. Your message is saved.", name)
	case status == http.StatusRequestEntityTooLarge, status == http.StatusTooManyRequests && r.names("request too large"),
		status != http.StatusNotFound && status != http.StatusTooManyRequests && r.names(tooLongPhrases...):
		return fail(KindContext, "This chat is too long for %s. Choose a model with a larger context, or continue in a new chat. This chat stays as it is.", model)
	case m.images && status != http.StatusTooManyRequests && r.names(noImagesPhrases...):
		return fail(KindImages, "%s doesn't accept images. Choose another model, or send the message without the image.", model)
	case status == http.StatusTooManyRequests:
		f := fail(KindRate, "%s is rate-limiting requests. Try again in a few minutes. Your message is saved.", name)
		f.RetryAfter = retryAfter(r.header)
		return f
	case (status == http.StatusBadRequest || status == http.StatusForbidden) && r.names("content_filter", "content management policy", "moderation"):
		return m.failure(KindOther, backend.CodeRefused, detail, "%s declined this request.", name)
	case status == http.StatusForbidden:
		return fail(KindAuth, "%s doesn't allow this key to use %s%s. Check the key's permissions, or choose another model.", name, model, r.quote(m.hide))
	case r.names("support tool", "support function", "tools is not supported", "tool use is not supported", "tool choice requires"):
		return fail(KindOther, "%s doesn't support tools, which the main AI needs. Choose another model.", model)
	case status == http.StatusNotFound && m.kind == backend.KindOllama && r.names("pull"):
		return fail(KindOther, "Ollama doesn't have the model %s. Run `ollama pull %s` in a terminal, or choose another model.", model, model)
	case status == http.StatusNotFound && r.names("model", "deployment"):
		return fail(KindOther, "%s doesn't have the model %s. %s", name, model, settings)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return fail(KindOther, "There's no model at %s. Addresses often end in /v1. Fix the address in Settings.", m.base)
	case status >= 300 && status < 400:
		return fail(KindOther, "%s redirects to %.200s. If you trust that address, enter it in Settings.", name, redact(r.header.Get("Location"), m.hide))
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout, status == 524:
		return fail(KindServer, "%s took too long to respond. Try again.", name)
	case status >= 500, status == 0:
		f := fail(KindServer, "%s returned an error%s. Try again, or choose another model.", name, r.quote(m.hide))
		f.RetryAfter = retryAfter(r.header)
		return f
	}
	return fail(KindOther, "%s rejected the request%s. %s", name, r.quote(m.hide), settings)
}

// quote returns the first line of the service's message, in a form that can be appended to a sentence. If there is
// no message, it returns the status instead, or "" if the status is missing too. The values in hide are redacted.
func (e *apiError) quote(hide []string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(redact(e.message, hide)), "\n")
	if line == "" {
		if e.status == 0 {
			return ""
		}
		return fmt.Sprintf(" (status %d)", e.status)
	}
	if letters := []rune(line); len(letters) > 200 {
		line = string(letters[:200]) + "…"
	}
	return ": " + strings.TrimRight(line, ". ")
}

// streamFailure returns the failure for v, an error that the service sent within the stream. partial is true if part of
// the answer has arrived.
func (m *requestMeta) streamFailure(v gjson.Result, partial bool) *Failure {
	r := &apiError{body: v.Raw}
	r.read(v)
	f := m.apiFailure(r)
	if partial && (f.Kind == KindServer || f.Kind == KindRate) {
		cut := m.cutFailure(nil, true)
		cut.Err.Detail = f.Err.Detail
		return cut
	}
	return f
}

// cutFailure returns the failure for a stream that ended before the answer was complete. err is the error with which it
// ended, or nil if only the end marker is missing. partial is true if part of the answer has arrived.
func (m *requestMeta) cutFailure(err error, partial bool) *Failure {
	detail := "The stream ended without an end marker."
	if err != nil {
		detail = err.Error()
	}
	if !partial {
		return m.failure(KindServer, backend.CodeModel, detail, "%s closed the connection before it responded. Try again.", m.name())
	}
	return m.failure(KindCut, backend.CodeModel, detail, "The answer stopped halfway. %s closed the connection. The partial answer above is saved.", m.name())
}

func (m *requestMeta) endedFailure(ctx context.Context) *Failure {
	return m.failure(KindEnded, backend.CodeUnavailable, context.Cause(ctx).Error(), "The answer was stopped.")
}

func (m *requestMeta) emptyFailure() *Failure {
	return m.failure(KindEmpty, backend.CodeModel, "", "%s sent an empty answer. Try again, or choose another model.", m.name())
}

func (m *requestMeta) notAModel(detail string) *Failure {
	return m.failure(KindOther, backend.CodeModel, detail,
		"%s responded, but it doesn't seem to be a model endpoint. Check the address in Settings. Addresses often end in /v1.", m.name())
}

func (m *requestMeta) failure(kind FailureKind, code backend.Code, detail, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Err: &backend.Error{
		Code: code, Message: backend.Say(format, args...), Detail: redact(detail, m.hide),
	}}
}

// name returns the name that the user gave the service or, if there is none, the service's host.
func (m *requestMeta) name() string {
	if m.provider.Name != "" {
		return m.provider.Name
	}
	return m.base.Host
}

// maxWait is the longest pause accepted from a service; longer pauses are shortened to maxWait.
const maxWait = 24 * time.Hour

// retryAfter returns the pause that a service requests in its headers, or 0 if it requests none. Services send the
// pause in milliseconds or seconds, or the time at which it ends. Milliseconds are the most precise and take
// precedence.
func retryAfter(h http.Header) time.Duration {
	after := h.Get("Retry-After")
	for _, given := range []struct {
		value string
		unit  time.Duration
	}{{h.Get("Retry-After-Ms"), time.Millisecond}, {after, time.Second}} {
		if n, err := strconv.ParseFloat(given.value, 64); err == nil && n >= 0 {
			return time.Duration(min(n*float64(given.unit), float64(maxWait)))
		}
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(0, time.Until(at)), maxWait)
	}
	return 0
}
