// Package llm is a client for the user's OpenAI-compatible model endpoints. It validates and checks
// their configuration, lists their models, streams answers, and configures the Copilot CLI for them.
package llm

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

const (
	checkTime = 10 * time.Second
	maxList   = 4 << 20 // bytes; the longest lists of public endpoints are about 1 MB
	maxModels = 2000
)

// Check requests an endpoint's list of models, which verifies that the endpoint is reachable and accepts the key. An
// endpoint without a list is also valid: the returned list is then empty, and the user enters the model's name. Check
// also returns the context size of p's model in tokens, or 0 if the model isn't set yet or the list doesn't include the
// size.
func (c *Client) Check(ctx context.Context, p backend.Provider, key string) (models []string, fits int64, err *backend.Error) {
	base, err := validateEndpoint(p, key != "")
	if err != nil {
		return nil, 0, err
	}
	if err := validateKey(key); err != nil {
		return nil, 0, err
	}
	ask := newChecker(c.http, p, key, base)
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, errTooSlow)
	defer cancel()

	found, err := ask.list(ctx, base)
	if err == errNoList && strings.Trim(base.Path, "/") == "" {
		// Most servers have the API below /v1, and leaving that out is the most common mistake.
		v1 := base.JoinPath("v1")
		if _, err := ask.list(ctx, v1); err == nil {
			return nil, 0, backend.Invalid("The API for %s is at %s. Enter that address instead.", base.Host, v1)
		}
	}
	if err != nil && err != errNoList {
		return nil, 0, err
	}
	for _, m := range found {
		models = append(models, m.ID)
		if m.ID == p.Model {
			fits = m.contextSize()
		}
	}
	return models, fits, nil
}

var (
	errTooSlow = backend.Problem("the server took too long")
	// errNoList is returned by list if the endpoint responds but doesn't list its models.
	errNoList = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The server doesn't list its models.")}
)

// checker requests one endpoint's list of models.
type checker struct {
	client  *http.Client
	header  http.Header
	version string // Azure's api-version
	hasKey  bool
	hide    []string // secrets to redact in errors
}

func newChecker(client *http.Client, p backend.Provider, key string, base *url.URL) *checker {
	c := &checker{client: client, hide: secrets(p, key)}
	c.header, c.version = headers(p, KindOf(p), key, base)
	c.hasKey = key != "" || c.header.Get("Authorization") != "" || c.header.Get("Api-Key") != ""
	for name, value := range map[string]string{"Accept": "application/json", "User-Agent": userAgent} {
		if c.header.Get(name) == "" {
			c.header.Set(name, value)
		}
	}
	return c
}

// list requests the endpoint's list of models at base/models and parses the response.
// It returns errNoList if the endpoint has no such list.
func (c *checker) list(ctx context.Context, base *url.URL) ([]listedModel, *backend.Error) {
	address := base.JoinPath("models")
	if c.version != "" {
		address.RawQuery = url.Values{"api-version": {c.version}}.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, backend.Invalid("The address %s isn't valid.", base)
	}
	req.Header = c.header
	res, err := c.client.Do(req)
	if err != nil {
		return nil, c.unreachable(ctx, base, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxList+1))
	if err != nil {
		return nil, c.unreachable(ctx, base, err)
	}
	detail := func() string {
		return c.redact(fmt.Sprintf("GET %s: %s\n%.600s", req.URL, res.Status, body))
	}
	switch code := res.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		what := backend.Say("the key")
		if !c.hasKey {
			what = backend.Say("the request, which had no key")
		}
		return nil, &backend.Error{
			Code: backend.CodeInvalid, Detail: detail(),
			Message: backend.Say("%s rejected %s (status %d). Enter a valid key, then try again.", base.Host, what, code),
		}
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed, code == http.StatusNotImplemented:
		return nil, errNoList
	case code >= 300 && code < 400:
		return nil, &backend.Error{
			Code: backend.CodeInvalid, Detail: detail(),
			Message: backend.Say("%s redirects to %.200s. If you trust that address, enter it instead.", base.Host, c.redact(res.Header.Get("Location"))),
		}
	case code == http.StatusTooManyRequests:
		return nil, &backend.Error{
			Code: backend.CodeUnavailable, Detail: detail(),
			Message: backend.Say("%s received too many requests. Wait a moment and check again.", base.Host),
		}
	case code != http.StatusOK:
		return nil, &backend.Error{
			Code: backend.CodeUnavailable, Detail: detail(),
			Message: backend.Say("%s returned an error (status %d). Check the address, or try again later.", base.Host, code),
		}
	case len(body) > maxList:
		return nil, &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("The response from %s is larger than %d MB, so it can't be a list of models. Check the address.", base.Host, maxList>>20),
		}
	}
	models, ok := parseList(body)
	if !ok {
		return nil, &backend.Error{
			Code: backend.CodeInvalid, Detail: detail(),
			Message: backend.Say("%s responded, but it doesn't seem to be a model endpoint. Check the address. Addresses often end in /v1.", base.Host),
		}
	}
	return models, nil
}

// listedModel is a model in an endpoint's list. Endpoints use different names for the field with the model's
// context size, if they send it at all.
type listedModel struct {
	ID            string
	Context       number `json:"context_length"`     // OpenRouter, Together
	ContextWindow number `json:"context_window"`     // Groq
	MaxContext    number `json:"max_context_length"` // Mistral
	MaxModelLen   number `json:"max_model_len"`      // vLLM
}

// number is a context size in tokens, decoded from JSON. It is 0 if the JSON value isn't a plausible size.
type number int64

// UnmarshalJSON decodes a context size. It never fails, so that a model is listed even if its context size is invalid.
func (n *number) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil || v < minContext || v > maxContext {
		v = 0
	}
	*n = number(v)
	return nil
}

func (l listedModel) contextSize() int64 {
	return int64(cmp.Or(l.Context, l.ContextWindow, l.MaxContext, l.MaxModelLen))
}

// parseList parses a list of models: OpenAI's {"data":[…]}, or the bare array that some endpoints send. The
// result is sorted by ID and has no duplicates, no invalid IDs and at most maxModels models.
func parseList(body []byte) (models []listedModel, ok bool) {
	var list struct{ Data *[]listedModel }
	var bare []listedModel
	switch {
	case json.Unmarshal(body, &list) == nil && list.Data != nil:
		bare = *list.Data
	case json.Unmarshal(body, &bare) == nil && bare != nil:
	default:
		return nil, false
	}
	for _, m := range bare {
		if m.ID != "" && len(m.ID) <= maxName && printable(m.ID) {
			models = append(models, m)
		}
	}
	slices.SortFunc(models, func(a, b listedModel) int { return strings.Compare(a.ID, b.ID) })
	models = slices.CompactFunc(models, func(a, b listedModel) bool { return a.ID == b.ID })
	return models[:min(len(models), maxModels)], true
}

// unreachable returns the error to show if an endpoint didn't respond.
func (c *checker) unreachable(ctx context.Context, base *url.URL, err error) *backend.Error {
	message := unreachable(base, err)
	switch {
	case errors.Is(context.Cause(ctx), errTooSlow):
		message = backend.Say("%s didn't respond within %v. Make sure it's running, then check again.", base.Host, checkTime)
	case ctx.Err() != nil:
		message = backend.Say("The check was stopped before it finished.")
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: message, Detail: c.redact(err.Error())}
}

func unreachable(base *url.URL, err error) backend.Message {
	var (
		dns     *net.DNSError
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		cert    x509.CertificateInvalidError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return backend.Say("Can't connect to %s. Start the server, or check the port.", base.Host)
	case errors.As(err, &dns):
		return backend.Say("Can't find the host %s. Check the address and your network.", base.Hostname())
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &cert):
		return backend.Say("This computer doesn't trust the certificate of %s. Check the address, or install the certificate.", base.Host)
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return backend.Say("%s doesn't support HTTPS. Use http:// if it's on this computer or your local network.", base.Host)
	default:
		return backend.Say("Can't reach %s. Check the address and your network.", base.Host)
	}
}

func (c *checker) redact(s string) string { return redact(s, c.hide) }
