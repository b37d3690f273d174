package update

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestFeed_UnsignedIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	good := bytes.Clone(p.feed)
	other, otherKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := Feed{Version: "9.0.0", Date: time.Now()}.Sign(otherKey)
	if err != nil {
		t.Fatal(err)
	}
	line, body, _ := bytes.Cut(good, []byte("\n"))
	sign := func(body string) []byte {
		return fmt.Appendf(nil, "%s%s\n%s", signedBy, base64.StdEncoding.EncodeToString(ed25519.Sign(p.key, []byte(body))), body)
	}
	for name, feed := range map[string][]byte{
		"nothing":                    nil,
		"a page":                     []byte("<!doctype html><title>Sign in to the network</title>"),
		"the wrong key":              foreign,
		"one byte changed":           bytes.Replace(good, []byte(`"1.2.0"`), []byte(`"1.2.1"`), 1),
		"one byte more":              append(bytes.Clone(good), '\n'),
		"cut short":                  good[:len(good)-1],
		"no signature":               body,
		"an empty signature":         append([]byte(signedBy+"\n"), body...),
		"another line end":           append(append(bytes.Clone(line), "\r\n"...), body...),
		"the signature of another":   append(append(bytes.Clone(foreign[:bytes.IndexByte(foreign, '\n')]), '\n'), body...),
		"signed, but no JSON":        sign("nonsense"),
		"signed, of a later format":  sign(`{"format": 2, "version": "9.0.0"}`),
		"signed, of another program": sign(`{"format": 1, "program": "x", "version": "9.0.0", "date": "2026-01-01T00:00:00Z"}`),
		"signed, without a date":     sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0"}`),
		"signed, a path as version":  sign(`{"format": 1, "program": "` + feedProgram + `", "version": "../../9", "date": "2026-01-01T00:00:00Z"}`),
		"signed, a path as form":     sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0", "date": "2026-01-01T00:00:00Z", "assets": [{"system": "linux", "form": "../x", "url": "https://x", "size": 1, "sha256": "` + strings.Repeat("0", 64) + `"}]}`),
		"signed, far too large":      sign(`{"format": 1, "program": "` + feedProgram + `", "version": "9.0.0", "date": "2026-01-01T00:00:00Z", "notes": "` + strings.Repeat("x", maxFeed) + `"}`),
	} {
		p.setFeed(feed)
		in := p.install()
		if now := in.check(); now.State != backend.UpdateFailed || now.Version != "" || now.CheckedAt != 0 || now.Message.IsZero() {
			t.Errorf("%s: %+v", name, now)
		}
		in.Close()
	}
	p.assertNoFiles()

	// Either of two keys suffices, which allows key rotation.
	p.setFeed(foreign)
	both := p.install(func(c *Config) { c.Keys += ", " + base64.StdEncoding.EncodeToString(other) })
	if now := both.check(); now.Version != "9.0.0" {
		t.Errorf("signed with the second key: %+v", now)
	}
}

func TestFeed_OlderThanSeenIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.publish("1.2.0", time.Now().Add(-time.Hour))
	old := p.feed
	in := p.install()
	in.check()
	p.publish("1.3.0", time.Now())
	if now := in.check(); now.Version != "1.3.0" {
		t.Fatalf("the newer feed: %+v", now)
	}
	p.setFeed(old)
	for range 2 {
		if now := in.check(); now.State != backend.UpdateFailed || now.Version != "1.3.0" || !strings.Contains(now.Message.String(), "older than a previous one") {
			t.Errorf("the old feed: %+v", now)
		}
		in.Close()
		in = p.install()
	}
	// A newer feed can withdraw a version.
	p.publish("1.2.0", time.Now().Add(time.Hour))
	if now := in.check(); now.State != backend.UpdateAvailable || now.Version != "1.2.0" {
		t.Errorf("the version that was withdrawn: %+v", now)
	}
}

func TestFeed_ExpiredIgnored(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	in := p.install()
	p.publish("1.2.0", time.Now().Add(-validFor-time.Hour))
	expired := p.feed
	if now := in.check(); now.State != backend.UpdateFailed || now.Version != "" || !strings.Contains(now.Message.String(), "has expired") {
		t.Errorf("got %+v, want it refused", now)
	}
	renewed, err := Renew(expired, p.key, time.Now())
	noErr(t, err)
	p.setFeed(renewed)
	if now := in.check(); now.State != backend.UpdateAvailable || now.Version != "1.2.0" || now.Notes == "" {
		t.Errorf("got %+v, want the version of the renewed list", now)
	}
	_, other, err := ed25519.GenerateKey(rand.Reader)
	noErr(t, err)
	if _, err := Renew(expired, other, time.Now()); err == nil {
		t.Error("a list of another key is renewed")
	}
	for _, end := range []time.Time{time.Now().Add(-time.Hour), time.Now().Add(3 * validFor)} {
		if _, err := (Feed{Version: "1.2.0", Date: time.Now(), Expires: end}).Sign(p.key); err == nil {
			t.Errorf("a list that expires %s is signed", end)
		}
	}
}

// TestFeed_OtherBuildIgnored checks that a build with a source repository rejects
// signed feeds that don't describe a build of that repository.
func TestFeed_OtherBuildIgnored(t *testing.T) {
	const repository = "https://example.org/voxpilot/voxpilot"
	good := Source{Repository: repository, Commit: strings.Repeat("a1", 20), Workflow: repository + "/actions/runs/7"}
	for name, c := range map[string]struct {
		change func(*Source)
		want   backend.UpdateState
	}{
		"that build":         {func(*Source) {}, backend.UpdateAvailable},
		"no source":          {func(s *Source) { *s = Source{} }, backend.UpdateFailed},
		"another repository": {func(s *Source) { s.Repository = "https://example.org/evil/voxpilot" }, backend.UpdateFailed},
		"no commit":          {func(s *Source) { s.Commit = "main" }, backend.UpdateFailed},
		"another workflow":   {func(s *Source) { s.Workflow = "https://example.org/evil/voxpilot/actions/runs/7" }, backend.UpdateFailed},
	} {
		p := newPublisher(t, httptest.NewServer)
		in := p.install(func(c *Config) { c.Source = repository })
		source := good
		c.change(&source)
		p.publish("1.2.0", time.Now(), func(f *Feed) { f.Source = source })
		if now := in.check(); now.State != c.want {
			t.Errorf("%s: got %s, %s, want %s", name, now.State, now.Message, c.want)
		}
	}
}

func TestNotes_CutAtLineEnd(t *testing.T) {
	p := newPublisher(t, httptest.NewServer)
	p.publish("1.2.0", time.Now(), func(f *Feed) { f.Notes = strings.Repeat("- größer und schöner\n", 10_000) })
	now := p.install().check()
	if len(now.Notes) > maxNotes+10 || !strings.HasSuffix(now.Notes, "schöner\n\n…") || now.State != backend.UpdateAvailable {
		t.Errorf("%d bytes that end in %q", len(now.Notes), now.Notes[max(0, len(now.Notes)-40):])
	}
}
