package commandline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// recordFocus starts recording the desktop's calls that bring the window to the front.
func (w *appEnv) recordFocus() *apptest.Recorder {
	r := &apptest.Recorder{}
	w.changeWindow(func(d *desktop.Window) {
		d.Token = func(token string) { r.Record("token " + token) }
		d.Show = func() { r.Record("show") }
	})
	return r
}

func TestNotificationLink_AnswersRequestOnce(t *testing.T) {
	file := t.TempDir() + "/a.txt"
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit(file, "", "new"), fakeagent.Say("done")}}})
	w := newAppEnv(t)
	raised := w.recordFocus()
	t.Setenv("XDG_ACTIVATION_TOKEN", "token")
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	once := p.Options[slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })].ID

	var failed error
	link, _ := w.desktop.Links.Make(func() { failed = w.App.Answer(p.ID, once, false) })
	if err := startSecond(t, link); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	decided := w.WaitFor("it is answered", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.ID == p.ID && e.Permission.State == backend.PermissionDecided
	}).Permission
	if decided.OptionID != once {
		t.Errorf("the answer is %q", decided.OptionID)
	}
	w.WaitForDone("it goes on", 1)
	if calls := raised.Take(); len(calls) > 0 {
		t.Errorf("the window was disturbed: %q", calls)
	}

	gone, void := w.desktop.Links.Make(func() { t.Error("a link that is void was followed") })
	void()
	messages := map[string]bool{}
	for _, link := range []string{link, gone, desktop.OnceLink + strings.Repeat("A", 26), desktop.OnceLink, desktop.OnceLink + p.ID, "voxpilot://answer", "voxpilot://answer/x/y?z=1"} {
		var refused *instance.RemoteError
		if err := startSecond(t, link); !errors.As(err, &refused) {
			t.Fatalf("%s: %v", link, err)
		}
		messages[refused.Message] = true
		if strings.Contains(refused.Message, "AAAA") {
			t.Error("it repeats the link")
		}
		if diff := cmp.Diff([]string{"token token", "show"}, raised.Take()); diff != "" {
			t.Errorf("%s: what the window does (-want +got):\n%s", link, diff)
		}
	}
	if len(messages) != 1 {
		t.Errorf("it can be told which link there was: %v", messages)
	}
}

func TestActivation_UsesCallersToken(t *testing.T) {
	w := newAppEnv(t)
	raised := w.recordFocus()
	for _, c := range []struct {
		activation string
		want       []string
	}{
		{"", []string{"show"}},
		{"kwin-17", []string{"token kwin-17", "show"}},
		{"panel/voxpilot/1-0-host_TIME99", []string{"token panel/voxpilot/1-0-host_TIME99", "show"}},
		{"with a space", []string{"show"}},
		{"ünlike", []string{"show"}},
		{strings.Repeat("x", 513), []string{"show"}},
	} {
		t.Setenv("XDG_ACTIVATION_TOKEN", c.activation)
		t.Setenv("DESKTOP_STARTUP_ID", "")
		if err := startSecond(t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, raised.Take()); diff != "" {
			t.Errorf("%.50q (-want +got):\n%s", c.activation, diff)
		}
	}
	t.Setenv("XDG_ACTIVATION_TOKEN", "unused")
	if err := startSecond(t, "--hidden"); err != nil || len(raised.Take()) > 0 {
		t.Errorf("a hidden start brings the window to the front, %v", err)
	}
}
