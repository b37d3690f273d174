package tray

import (
	"fmt"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/i18n"

	"github.com/google/go-cmp/cmp"
)

// menuText returns a menu as readable text.
func menuText(entries []Entry) string {
	var lines []string
	for _, e := range entries {
		line := e.Label
		switch {
		case e.Do == "" && e.Label == "":
			line = "---"
		case e.Do == "":
			line = "(" + e.Label + ")"
		case e.Checked:
			line = "[x] " + e.Label
		case e.Check:
			line = "[ ] " + e.Label
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestMenu_MatchesDesign(t *testing.T) {
	got := Menu(State{
		Chats: []Chat{
			{ID: "c", Title: "Dark mode for invoices", Status: Running, Since: 1},
			{ID: "a", Title: "Rename billing webhooks", Status: NeedsYou, Since: 2},
			{ID: "b", Title: "Fix token refresh race", Status: Running, Since: 3},
		},
		Copilot: Connected, StartAtLogin: true,
	})
	want := `(2 running, 1 needs you)
Rename billing webhooks: needs you
Fix token refresh race: running
Dark mode for invoices: running
---
Quick prompt…
New chat
Open VoxPilot
---
(Copilot: Connected)
Reconnect Copilot
[ ] Mute notifications
[x] Start at login
---
Settings…
Quit VoxPilot`
	if diff := cmp.Diff(want, menuText(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[1].Do != OpenChat || got[1].ChatID != "a" {
		t.Errorf("the first chat is %+v", got[1])
	}
}

func TestMenu_HeadlineIconTooltipFollowState(t *testing.T) {
	chats := func(statuses ...Status) (chats []Chat) {
		for i, s := range statuses {
			chats = append(chats, Chat{ID: fmt.Sprint(i), Title: "a", Status: s})
		}
		return chats
	}
	for _, test := range []struct {
		state                    State
		headline, tooltip, shape string
	}{
		{State{}, "Nothing is running", "VoxPilot", "idle"},
		{State{Copilot: Connected}, "Nothing is running", "VoxPilot", "idle"},
		{State{Chats: chats(Running, Running)}, "2 running", "VoxPilot, 2 running", "running"},
		{State{Chats: chats(NeedsYou)}, "1 needs you", "VoxPilot, 1 chat needs you", "needs-you"},
		{State{Chats: chats(Running, NeedsYou, NeedsYou)}, "1 running, 2 need you", "VoxPilot, 2 chats need you", "needs-you"},
		{State{Copilot: SignInNeeded}, "Nothing is running", "VoxPilot, sign-in needed", "needs-you"},
		{State{Copilot: Offline, Chats: chats(Running)}, "1 running", "VoxPilot, offline", "offline"},
		{State{Copilot: Offline, Chats: chats(NeedsYou)}, "1 needs you", "VoxPilot, 1 chat needs you", "needs-you"},
		{State{Chats: chats(Failed, Running)}, "1 running, 1 failed", "VoxPilot, 1 chat failed", "failed"},
		{State{Chats: chats(Failed, Failed)}, "2 failed", "VoxPilot, 2 chats failed", "failed"},
		{State{Copilot: Stopped}, "Nothing is running", "VoxPilot, Copilot has stopped", "failed"},
		{State{Copilot: Reconnecting, Chats: chats(Running)}, "1 running", "VoxPilot, 1 running", "running"},
		{State{Chats: chats(Finished)}, "1 finished", "VoxPilot", "idle"},
	} {
		t.Run(test.headline+" "+test.tooltip, func(t *testing.T) {
			if got := Menu(test.state)[0].Label; got != test.headline {
				t.Errorf("the headline is %q, not %q", got, test.headline)
			}
			if got := Tooltip(test.state); got != test.tooltip {
				t.Errorf("the tooltip is %q, not %q", got, test.tooltip)
			}
			if got := Icon(test.state); string(got) != test.shape {
				t.Errorf("the icon is %q, not %q", got, test.shape)
			}
		})
	}
}

func TestMenu_ShowsCopilotStatus(t *testing.T) {
	for connection, want := range map[Connection]string{
		NotRunning: "Not running", Starting: "Starting…", Restoring: "Restoring…", Connected: "Connected",
		Reconnecting: "Reconnecting…", SignInNeeded: "Sign-in needed", Offline: "Offline", Stopped: "Stopped",
	} {
		if got := menuText(Menu(State{Copilot: connection})); !strings.Contains(got, "(Copilot: "+want+")") {
			t.Errorf("not %q:\n%s", want, got)
		}
	}
}

func TestMenu_WaitingChatsFirstAndBounded(t *testing.T) {
	var s State
	for i := range 20 {
		s.Chats = append(s.Chats, Chat{ID: fmt.Sprint(i), Title: fmt.Sprint("chat ", i), Status: Status(i % 4)})
	}
	menu := Menu(s)
	for i, e := range menu[1 : 1+MaxChats] {
		want := "needs you"
		if i > 4 {
			want = "running"
		}
		if e.Do != OpenChat || !strings.HasSuffix(e.Label, ": "+want) {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	if rest := menu[1+MaxChats]; rest != (Entry{Label: "and 14 more"}) {
		t.Errorf("the rest is %+v", rest)
	}
}

func TestMenu_TitleIsShortPlainLine(t *testing.T) {
	for title, want := range map[string]string{
		"":                       "New chat",
		" two\n lines ":          "two lines",
		"turned \u202earound":    "turned around",
		"a\u034fb\u2800\u3164c":  "ab c",
		"\u2800\u00a0\u115f":     "New chat",
		strings.Repeat("ü", 44):  strings.Repeat("ü", 44),
		strings.Repeat("ü", 400): strings.Repeat("ü", 43) + "…",
	} {
		if got := Menu(State{Chats: []Chat{{ID: "a", Title: title, Status: Running}}})[1].Label; got != want+": running" {
			t.Errorf("%q is shown as %q", title, got)
		}
	}
}

func TestMenu_EveryLanguageComplete(t *testing.T) {
	full := State{Copilot: Connected}
	for i := range MaxChats + 4 {
		full.Chats = append(full.Chats, Chat{ID: fmt.Sprint(i), Title: "a", Status: Status(i % 4)})
	}
	english := Menu(full)
	for _, language := range i18n.Languages {
		full.Language = language
		menu := Menu(full)
		if len(menu) != len(english) {
			t.Errorf("%s has %d entries", language, len(menu))
		}
		for i, e := range menu {
			if (e.Label == "") != (english[i].Label == "") {
				t.Errorf("%s has %q for %q", language, e.Label, english[i].Label)
			}
		}
		for c := NotRunning; c <= Stopped; c++ {
			if w := (messages{i18n.In(language)}); w.copilot(c) == "Copilot: " {
				t.Errorf("%s has no word for connection %d", language, c)
			}
		}
	}
	if got := Menu(State{Language: "xx"})[0].Label; got != "Nothing is running" {
		t.Errorf("a language that is not known says %q", got)
	}
}

func TestMenu_EntryIDsAreUnique(t *testing.T) {
	var full State
	for i := range MaxChats + 1 {
		full.Chats = append(full.Chats, Chat{ID: fmt.Sprint(i), Title: "a"})
	}
	made := map[string]int{} // initial slots
	for i, place := range entryKeys(Menu(full)) {
		if _, twice := made[place]; twice {
			t.Errorf("%q is two places", place)
		}
		made[place] = i
	}
	for n := range len(full.Chats) + 1 {
		last := -1
		for _, place := range entryKeys(Menu(State{Chats: full.Chats[:n]})) {
			at, ok := made[place]
			if !ok || at <= last {
				t.Errorf("with %d chats, %q is not in order", n, place)
			}
			last = at
		}
	}
}
