package engine_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// hookLine returns the line that defines a hook in a hooks file. The hook prints the given word.
func hookLine(word string) string { return `{"type":"command","bash":"echo ` + word + `"}` + "\n" }

var (
	hookOne = "{\"hooks\":{\"sessionStart\":[\n" + hookLine("one") + "]}}\n"
	hookTwo = "{\"hooks\":{\"sessionStart\":[\n" + hookLine("two") + "]}}\n"
)

// isTrust reports whether an event is a trust request.
func isTrust(e backend.Event) bool { return e.TrustRequest != nil }

// waitAndAllow waits for the nth permission request and allows it. If always is true, it also creates a rule.
func (w *appEnv) waitAndAllow(n int, always bool) {
	w.T.Helper()
	seen := map[string]bool{}
	p := w.WaitFor("it asks", func(e backend.Event) bool {
		if e.Permission != nil {
			seen[e.Permission.ID] = true
		}
		return len(seen) == n
	}).Permission
	if p.State != backend.PermissionOpen {
		w.T.Fatalf("got %+v, want an open request", p)
	}
	if err := w.App.Answer(p.ID, map[bool]string{false: allowOf(p)}[always], always); err != nil {
		w.T.Fatal(err)
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

// TestTrust_AllowedEditStartsWithoutAsking checks that an edited hook is trusted after a restart if the user allowed
// the edit, but not if a rule allowed it.
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
			apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
				{fakeagent.Edit(file, "", hookOne), fakeagent.Edit(file, hookLine("one"), hookLine("two")), fakeagent.Say("done")},
			}, Rest: fakeagent.Turn{fakeagent.Say("more")}})
			dir := t.TempDir()
			w := newAppEnv(t, dir)
			chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
			if err != nil {
				t.Fatal(err)
			}
			w.Send(chat, "write it")
			w.waitAndAllow(1, rule)
			w.WaitFor("the first hook is trusted", func(e backend.Event) bool { return e.TrustedFolder != nil && e.TrustedFolder.Entries == 1 })
			if !rule {
				w.waitAndAllow(2, false)
				w.WaitFor("the second hook is trusted", func(e backend.Event) bool { return e.TrustedFolder != nil && e.TrustedFolder.Entries == 2 })
			}
			w.WaitForDone("both are written", 1)
			if text, err := os.ReadFile(file); err != nil || string(text) != hookTwo {
				t.Fatalf("the file is %q, %v", text, err)
			}
			w.Close()

			w = newAppEnv(t, dir)
			w.Send(chat, "go on")
			if !rule {
				w.WaitForDone("it goes on", 1)
				for _, e := range w.Events() {
					if isTrust(e) {
						t.Errorf("got %+v, want no question", e.TrustRequest)
					}
				}
				return
			}
			r := w.WaitFor("it asks for trust", isTrust).TrustRequest
			if len(r.Runs) != 1 || r.Runs[0].Before != "echo one" || r.Runs[0].Value != "echo two" || !r.Changed {
				t.Errorf("got %+v, want the change that a rule allowed", r)
			}
		})
	}
}

// TestTrust_FolderTrustedListedForgotten checks that a message waits until the user trusts the folder, and that the
// user can view the files that need trust, find the folder in the list of trusted folders, and remove it from the list.
func TestTrust_FolderTrustedListedForgotten(t *testing.T) {
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
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello")}})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "hello")
	r := w.WaitFor("it asks for trust", isTrust).TrustRequest
	var text trust.Text
	view := "/data/trust?id=" + r.ID + "&file="
	if code := w.Get(view+url.QueryEscape(r.Runs[0].File), &text); code != http.StatusOK || text.Text != hookOne || text.Cut {
		t.Errorf("got %d, %+v", code, text)
	}
	if code := w.Get(view+"..%2Fx", new(string)); code != http.StatusNotFound {
		t.Errorf("got %d for a file that is not listed", code)
	}
	if err := w.App.TrustFolder("other"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("got %v", err)
	}
	if err := w.App.TrustFolder(r.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the message goes out", 1)
	w.Close()

	w = newAppEnv(t, dir)
	var listed *backend.TrustedFolder
	for _, e := range w.Snapshot("/data/app").Events {
		if e.TrustedFolder != nil {
			listed = e.TrustedFolder
		}
		if isTrust(e) {
			t.Errorf("got %+v after the answer", e.TrustRequest)
		}
	}
	if listed == nil || listed.Key != folder || listed.Folder != folder || listed.Entries != 1 || listed.TrustedAt == 0 {
		t.Fatalf("got the folder %+v", listed)
	}
	if err := w.App.ForgetFolder(listed.Key); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "again")
	w.WaitFor("it asks again", isTrust)
	held := strings.Join(w.openTrustKeys(), " ")
	if held != folder {
		t.Errorf("a page that opens late gets %q", held)
	}
}

// openTrustKeys opens a new page and returns the keys of the trust requests that it receives.
func (w *appEnv) openTrustKeys() (keys []string) {
	for _, e := range w.Snapshot("/data/app").Events {
		if isTrust(e) {
			keys = append(keys, e.TrustRequest.Key)
		}
	}
	return keys
}
