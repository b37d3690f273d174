package update

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestRequest_SendsNothingElse(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.setFile(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		_, _ = w.Write(p.file)
	})
	in := p.install()
	in.check()
	if now := in.download(); now.State != backend.UpdateReady {
		t.Fatalf("%+v", now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.requests) != 3 {
		t.Fatalf("%d requests", len(p.requests))
	}
	for _, r := range p.requests {
		if r.Method != http.MethodGet || r.UserAgent() != "VoxPilot/1.1.0" || len(r.Header) != 1 || r.URL.RawQuery != "" {
			t.Errorf("it sent %s %s %v", r.Method, r.URL, r.Header)
		}
	}
}

func TestRequest_OnlySafeAddresses(t *testing.T) {
	p := newPublisher(t, httptest.NewTLSServer)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("it was asked without TLS")
		_, _ = w.Write(p.file)
	}))
	defer plain.Close()
	for name, change := range map[string]func(*Feed){
		"http":       func(f *Feed) { f.Assets[0].URL = plain.URL + "/file" },
		"a file":     func(f *Feed) { f.Assets[0].URL = "file:///etc/passwd" },
		"no address": func(f *Feed) { f.Assets[0].URL = "file" },
	} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.publish("1.2.0", time.Now(), change)
		in := p.install()
		in.check()
		if now := in.download(); now.State != backend.UpdateFailed {
			t.Errorf("%s: %+v", name, now)
		}
	}
	p.publish("1.2.0", time.Now())
	for name, to := range map[string]string{"to http": plain.URL, "in a circle": "/file"} {
		p.dir = filepath.Join(t.TempDir(), "updates")
		p.setFile(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		in := p.install()
		in.check()
		if now := in.download(); now.State != backend.UpdateFailed {
			t.Errorf("led %s: %+v", name, now)
		}
	}
	// Redirects aren't interrupted connections, so they aren't retried.
	if asked := p.requestCount("/file"); asked != 1+1+maxRedirects {
		t.Errorf("they were followed %d times", asked)
	}
	// An untrusted server receives no requests.
	in := p.install(func(c *Config) { c.Roots = x509.NewCertPool() })
	if now := in.check(); now.State != backend.UpdateFailed {
		t.Errorf("a certificate of nobody: %+v", now)
	}
	// http is allowed only to this computer, and only if the feed is on it.
	far := p.install(func(c *Config) { c.Feed = "http://example.com/feed" })
	if now := far.check(); now.State != backend.UpdateFailed {
		t.Errorf("http to another computer: %+v", now)
	}
}

func TestRequest_UsesConfiguredTransport(t *testing.T) {
	p := newPublisher(t, httptest.NewTLSServer)
	through := make(chan string, 10)
	in := p.install(func(c *Config) {
		c.Feed = "https://example.com/feed" // matches the test certificate
		c.WrapTransport = func(t *http.Transport) http.RoundTripper {
			t.Proxy = func(r *http.Request) (*url.URL, error) {
				through <- r.URL.Host
				return nil, fmt.Errorf("the proxy is closed")
			}
			return t
		}
	})
	if now := in.check(); now.State != backend.UpdateFailed || <-through != "example.com" {
		t.Errorf("%+v", now)
	}
}
