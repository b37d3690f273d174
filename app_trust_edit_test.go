package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// line is the line of a hook that says a word.
func line(word string) string { return `{"type":"command","bash":"echo ` + word + `"}` + "\n" }

var (
	hookOne = "{\"hooks\":{\"sessionStart\":[\n" + line("one") + "]}}\n"
	hookTwo = "{\"hooks\":{\"sessionStart\":[\n" + line("two") + "]}}\n"
)

// isTrust is the event that asks for trust.
func isTrust(e backend.Event) bool { return e.Trust != nil }

// answered waits for the nth request and allows it.
func (w *window) answered(n int, always bool) {
	w.t.Helper()
	seen := map[string]bool{}
	p := w.until("it asks", func(e backend.Event) bool {
		if e.Permission != nil {
			seen[e.Permission.ID] = true
		}
		return len(seen) == n
	}).Permission
	if p.State != backend.PermissionOpen {
		w.t.Fatalf("got %+v, want an open request", p)
	}
	if err := w.app.Answer(p.ID, map[bool]string{false: allowOf(p)}[always], always); err != nil {
		w.t.Fatal(err)
	}
}

func allowOf(p *backend.Permission) string {
	for _, o := range p.Options {
		if o.Kind == backend.OptionAllowOnce {
			return o.ID
		}
	}
	return ""
}

// TestTrust_AllowedEditStartsWithoutAsking has an agent write a hook twice. What the
// user allowed is trusted after a restart; what a rule allowed is asked for.
func TestTrust_AllowedEditStartsWithoutAsking(t *testing.T) {
	for name, rule := range map[string]bool{"by the user": false, "by a rule": true} {
		t.Run(name, func(t *testing.T) {
			folder, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, ".github", "hooks", "e.json")
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			playing(t, fakeagent.Script{Turns: []fakeagent.Turn{
				{fakeagent.Edit(file, "", hookOne), fakeagent.Edit(file, line("one"), line("two")), fakeagent.Say("done")},
			}, Rest: fakeagent.Turn{fakeagent.Say("more")}})
			dir := t.TempDir()
			w := openWindow(t, dir)
			chat, err := w.app.CreateChat(folder, backend.ProviderCopilot)
			if err != nil {
				t.Fatal(err)
			}
			w.send(chat, "write it")
			w.answered(1, rule)
			w.until("the first hook is trusted", func(e backend.Event) bool { return e.Trusted != nil && e.Trusted.Entries == 1 })
			if !rule {
				w.answered(2, false)
				w.until("the second hook is trusted", func(e backend.Event) bool { return e.Trusted != nil && e.Trusted.Entries == 2 })
			}
			w.done("both are written", 1)
			if text, err := os.ReadFile(file); err != nil || string(text) != hookTwo {
				t.Fatalf("the file is %q, %v", text, err)
			}
			w.close()

			w = openWindow(t, dir)
			w.send(chat, "go on")
			if !rule {
				w.done("it goes on", 1)
				for _, e := range w.events() {
					if isTrust(e) {
						t.Errorf("got %+v, want no question", e.Trust)
					}
				}
				return
			}
			r := w.until("it asks for trust", isTrust).Trust
			if len(r.Runs) != 1 || r.Runs[0].Before != "echo one" || r.Runs[0].Value != "echo two" || !r.Changed {
				t.Errorf("got %+v, want the change that a rule allowed", r)
			}
		})
	}
}

// TestTrust_FolderIsAskedForAndForgotten goes the user's way: the message waits, the
// file is viewed, the folder trusted, listed and forgotten.
func TestTrust_FolderIsAskedForAndForgotten(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, ".github", "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, ".github", "hooks", "e.json")
	if err := os.WriteFile(file, []byte(hookOne), 0o600); err != nil {
		t.Fatal(err)
	}
	playing(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello")}})
	dir := t.TempDir()
	w := openWindow(t, dir)
	chat, err := w.app.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	w.send(chat, "hello")
	r := w.until("it asks for trust", isTrust).Trust
	var text trust.Text
	view := "/data/trust?id=" + r.ID + "&file="
	if code := w.get(view+url.QueryEscape(r.Runs[0].File), &text); code != http.StatusOK || text.Text != hookOne || text.Cut {
		t.Errorf("got %d, %+v", code, text)
	}
	if code := w.get(view+"..%2Fx", new(string)); code != http.StatusNotFound {
		t.Errorf("got %d for a file that is not listed", code)
	}
	if err := w.app.TrustFolder("other"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v", err)
	}
	if err := w.app.TrustFolder(r.ID); err != nil {
		t.Fatal(err)
	}
	w.done("the message goes out", 1)
	w.close()

	w = openWindow(t, dir)
	var listed *backend.TrustedFolder
	for _, e := range w.snapshot("/data/app").Events {
		if e.Trusted != nil {
			listed = e.Trusted
		}
		if isTrust(e) {
			t.Errorf("got %+v after the answer", e.Trust)
		}
	}
	if listed == nil || listed.Key != folder || listed.Folder != folder || listed.Entries != 1 || listed.TrustedAt == 0 {
		t.Fatalf("got the folder %+v", listed)
	}
	if err := w.app.ForgetFolder(listed.Key); err != nil {
		t.Fatal(err)
	}
	w.send(chat, "again")
	w.until("it asks again", isTrust)
	held := strings.Join(w.held(), " ")
	if held != folder {
		t.Errorf("a page that opens late gets %q", held)
	}
}

// held are the keys of the requests that a page gets that opens now.
func (w *window) held() (keys []string) {
	for _, e := range w.snapshot("/data/app").Events {
		if isTrust(e) {
			keys = append(keys, e.Trust.Key)
		}
	}
	return keys
}
