package auth_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

func TestAvatar_FetchedOnceWithoutToken(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		w.start()
		body, mime := w.manager.Avatar()
		if mime != "image/png" || !bytes.HasPrefix(body, []byte("\x89PNG")) || w.currentAccount().Avatar == "" {
			t.Errorf("%q of %d bytes, version %q", mime, len(body), w.currentAccount().Avatar)
		}
		version := w.currentAccount().Avatar
		w.mustCheck()
		synctest.Wait()
		if n := len(w.github.Requests("/avatars/octocat")); n != 1 || w.currentAccount().Avatar != version {
			t.Errorf("fetched %d times, version %q", n, w.currentAccount().Avatar)
		}
		w.signIn(fakegithub.Approval{User: fakegithub.User{Login: "hubot", Picture: []byte("GIF89a of another")}})
		if body, mime := w.manager.Avatar(); mime != "image/gif" || string(body) != "GIF89a of another" || w.currentAccount().Avatar == version {
			t.Errorf("of another account: %q, version %q", mime, w.currentAccount().Avatar)
		}
		// The fake server fails the test if a token is sent to the avatar URL.
	})
}

func TestAvatar_FailedFetchRetried(t *testing.T) {
	inFakeTime(t, func(w *env) {
		setTokenVariable(w)
		for _, trouble := range []fakegithub.Trouble{fakegithub.Cut, fakegithub.Broken, fakegithub.None} {
			w.github.Set(trouble, "/avatars/octocat")
			if w.manager == nil {
				w.open()
			}
			w.mustCheck()
			synctest.Wait()
			if _, mime := w.manager.Avatar(); (mime != "") != (trouble == fakegithub.None) {
				t.Errorf("%q: the picture is %q", trouble, mime)
			}
		}
	})
}

func TestAvatar_AfterSignOutDiscarded(t *testing.T) {
	inFakeTime(t, func(w *env) {
		hold := w.github.Hold("/avatars/octocat")
		w.start()
		w.github.Grant(pasted, octocat)
		if err := w.manager.UseToken(context.Background(), pasted); err != nil {
			t.Fatal(err)
		}
		<-hold.Arrived
		if err := w.manager.SignOut(context.Background()); err != nil {
			t.Fatal(err)
		}
		hold.Release()
		synctest.Wait()
		if body, mime := w.manager.Avatar(); body != nil || mime != "" || w.currentAccount().Avatar != "" {
			t.Errorf("%q of %d bytes, version %q", mime, len(body), w.currentAccount().Avatar)
		}
	})
}

func TestAvatar_NonImageIgnored(t *testing.T) {
	for name, picture := range map[string][]byte{
		"a page":     []byte("<!doctype html><script>alert(1)</script>"),
		"an SVG":     []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"too long":   append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 1<<20)...),
		"nothing":    {},
		"plain text": []byte("a picture"),
	} {
		t.Run(name, func(t *testing.T) {
			inFakeTime(t, func(w *env) {
				w.github.Grant(envToken, fakegithub.User{Login: "octocat", Picture: picture})
				w.env["GH_TOKEN"] = envToken
				w.start()
				if len(w.github.Requests("/avatars/octocat")) != 1 {
					t.Error("it was not fetched")
				}
				if body, mime := w.manager.Avatar(); body != nil || mime != "" || w.currentAccount().Avatar != "" {
					t.Errorf("%q of %d bytes", mime, len(body))
				}
			})
		})
	}
}

// cannedAccount is a transport that answers every request with the same account and records the URLs of the requests.
type cannedAccount struct {
	avatar string
	recordingTransport
}

func (c *cannedAccount) RoundTrip(req *http.Request) (*http.Response, error) {
	c.base = roundTripFunc(func(*http.Request) (*http.Response, error) {
		body := `{"login":"octocat","avatar_url":"` + c.avatar + `"}`
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	return c.recordingTransport.RoundTrip(req)
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAvatar_HTTPSOnly(t *testing.T) {
	for avatar, fetched := range map[string]bool{
		"https://avatars.githubusercontent.com/u/1?v=4": true,
		"http://avatars.githubusercontent.com/u/1?v=4":  false,
		"file:///etc/passwd":                            false,
		"https://user:pw@example.com/u/1":               false,
		"//example.com/u/1":                             false,
		"":                                              false,
	} {
		inFakeTime(t, func(w *env) {
			way := &cannedAccount{avatar: avatar}
			w.env["GH_TOKEN"] = envToken
			w.open(func(c *auth.Config) { c.Base, c.Client = nil, &http.Client{Transport: way} })
			if _, refusal := w.manager.Check(context.Background()); refusal != nil {
				t.Fatal(refusal)
			}
			synctest.Wait()
			way.mu.Lock()
			defer way.mu.Unlock()
			if got := len(way.addresses) == 2 && way.addresses[1] == avatar; got != fetched {
				t.Errorf("asked for %q", way.addresses)
			}
		})
	}
}
