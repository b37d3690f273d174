package engine_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestTurnLimit_CanBeExtended(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("half"), fakeagent.Hang()}})
	w := newAppEnv(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.StopAfterMinutes = 600
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	e.SetLimit(time.Minute, 600*time.Minute) // warns at once
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	note := func(what string, kind backend.BannerKind, open bool) backend.Item {
		t.Helper()
		return *w.WaitFor(what, func(e backend.Event) bool {
			return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == kind && e.Item.Open == open
		}).Item
	}
	soon := note("the end is told", backend.BannerTimeLimitNear, true)
	if soon.Banner.Detail.String() != "600" || soon.Banner.NextTryAt < soon.CreatedAt || soon.TurnID == "" {
		t.Errorf("the note is %+v with %+v", soon, soon.Banner)
	}
	if err := w.App.ExtendTurn(chat.ID, soon.TurnID); err != nil {
		t.Fatal(err)
	}
	if put := note("it was put off", backend.BannerTimeLimitExtended, false); put.ID != soon.ID || put.Banner.Detail.String() != "600" {
		t.Errorf("the note is %+v with %+v", put, put.Banner)
	}
	if err := w.App.Stop(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	if err := w.App.ExtendTurn(chat.ID, soon.TurnID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a turn that has ended: %v", err)
	}
}

func TestTurnLimit_ReasonReported(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("half"), fakeagent.Hang()}})
	w := newAppEnv(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.StopAfterMinutes = 1441
	if err := w.App.SaveSettings(settings); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("more than a day: %v", err)
	}
	settings.StopAfterMinutes = 1
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	e.SetLimit(time.Millisecond, time.Minute)
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	turn := w.WaitFor("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning }).Turn
	if turn.State != backend.TurnStopped || turn.Error == nil || turn.Error.Code != backend.CodeLimit || !strings.Contains(turn.Error.Message.String(), "after 1 minute") {
		t.Errorf("the turn is %+v", turn)
	}
	if notes := w.Text(chat.ID, backend.ItemNote); len(notes) != 1 || notes[0] != turn.Error.Message.String() {
		t.Errorf("the notes are %q", notes)
	}
}

func TestRestore_RecapDisabledInSettings(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls, Refuse: map[string]int{"session/load": -32002}})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	settings := backend.DefaultSettings()
	settings.IfLost = "shrug"
	if err := w.App.SaveSettings(settings); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("no such choice: %v", err)
	}
	settings.IfLost = backend.IfLostFresh
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "the first request")
	w.WaitForDone("the turn", 1)
	w.Close()

	w = newAppEnv(t, dir)
	w.Send(chat, "go on")
	banner := w.WaitFor("it is said", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerSessionLost
	}).Item.Banner
	w.WaitForDone("the turn", 1)
	if got := promptTexts(t, calls); len(got) != 2 || len(got[1]) != 1 || got[1][0] != "go on" || banner.Recap != "" {
		t.Errorf("the agent got %q, and the user is told %q", got, banner.Recap)
	}
}
