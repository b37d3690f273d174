package notify

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // not every system has time zone data

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// env is a policy with nine chats and a window in the background, at 6 p.m.
type env struct {
	t *testing.T
	p *policy
	// at is the current time.
	at time.Time
}

func newEnv(t *testing.T) *env {
	w := &env{t: t, p: newPolicy(func(turn backend.Turn, in Language) string { return "what came of " + turn.ID }), at: time.Date(2026, 3, 1, 18, 0, 0, 0, time.Local)}
	chats := map[string]backend.Chat{}
	for i := range 9 {
		id := fmt.Sprintf("c%d", i)
		chats[id] = backend.Chat{ID: id, Title: "Chat " + fmt.Sprint(i), Folder: "/code/api"}
	}
	w.p.begin(chats, nil, backend.DefaultSettings())
	return w
}

func (w *env) publish(events ...backend.Event) {
	for _, e := range events {
		w.p.observe(e, w.at)
	}
}

// settle advances the time until nothing is pending.
func (w *env) settle() {
	for {
		next, waits := w.p.settle(w.at)
		if !waits {
			return
		}
		w.at = next
	}
}

// titles returns the titles of the shown notices, once everything has settled.
func (w *env) titles() []string {
	w.settle()
	titles := []string{}
	for _, n := range w.p.notices() {
		titles = append(titles, n.Title)
	}
	return titles
}

func (w *env) expectTitles(want ...string) {
	w.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, w.titles()); diff != "" {
		w.t.Errorf("what is said (-want +got):\n%s", diff)
	}
}

func requestEvent(id, chat string) backend.Event {
	return backend.Event{Permission: &backend.Permission{
		ID: id, ChatID: chat, State: backend.PermissionOpen, Kind: backend.ToolExecute, Folder: "/code/api",
		Command: "npm test " + id, Commands: []string{"npm test " + id},
		Options: []backend.Option{{ID: "yes-" + id, Kind: backend.OptionAllowOnce}, {ID: "no-" + id, Kind: backend.OptionRejectOnce}},
	}}
}

func answeredEvent(id, chat string) backend.Event {
	return backend.Event{Permission: &backend.Permission{ID: id, ChatID: chat, State: backend.PermissionDecided}}
}

func turnEvent(id, chat string, state backend.TurnState, err *backend.Error) backend.Event {
	return backend.Event{Turn: &backend.Turn{ID: id, ChatID: chat, Session: backend.SessionMain, State: state, Error: err}}
}

func doneEvent(id, chat string) backend.Event { return turnEvent(id, chat, backend.TurnDone, nil) }

func connectionEvent(chat string, state backend.ConnectionState) backend.Event {
	return backend.Event{Connection: &backend.Connection{ChatID: chat, State: state}}
}

func settingsEvent(change func(*backend.Settings)) backend.Event {
	s := backend.DefaultSettings()
	change(&s)
	return backend.Event{Settings: &s}
}

func TestNotify_OnlyIfWindowIsInBackground(t *testing.T) {
	broken := &backend.Error{Code: backend.CodeModel, Message: backend.Plain("The model failed.")}
	expired := &backend.Error{Code: backend.CodeAuth, Message: backend.Plain("Sign in.")}
	for name, c := range map[string]struct {
		events []backend.Event
		want   []string
	}{
		"a request":                        {[]backend.Event{requestEvent("a", "c1")}, []string{"Chat 1 needs you"}},
		"a request that is answered":       {[]backend.Event{requestEvent("a", "c1"), answeredEvent("a", "c1")}, nil},
		"a second request":                 {[]backend.Event{requestEvent("a", "c1"), requestEvent("b", "c1")}, []string{"Chat 1 needs you"}},
		"an end":                           {[]backend.Event{doneEvent("t", "c1")}, []string{"Chat 1 is finished"}},
		"an end after a request":           {[]backend.Event{requestEvent("a", "c1"), answeredEvent("a", "c1"), doneEvent("t", "c1")}, []string{"Chat 1 is finished"}},
		"an end that goes on":              {[]backend.Event{doneEvent("t", "c1"), turnEvent("u", "c1", backend.TurnRunning, nil)}, nil},
		"an end that is told twice":        {[]backend.Event{doneEvent("t", "c1"), doneEvent("t", "c1")}, []string{"Chat 1 is finished"}},
		"a failure":                        {[]backend.Event{turnEvent("t", "c1", backend.TurnFailed, broken)}, []string{"Chat 1 failed"}},
		"an interruption":                  {[]backend.Event{turnEvent("t", "c1", backend.TurnInterrupted, nil)}, []string{"Chat 1 failed"}},
		"a stop by the user":               {[]backend.Event{turnEvent("t", "c1", backend.TurnStopped, nil)}, nil},
		"a stop at a limit":                {[]backend.Event{turnEvent("t", "c1", backend.TurnStopped, broken)}, []string{"Chat 1 failed"}},
		"a sign-in that is needed":         {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsLogin), turnEvent("t", "c1", backend.TurnFailed, expired)}, []string{"Sign in to GitHub"}},
		"a sign-in that two wait for":      {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsLogin), connectionEvent("c2", backend.ConnectionNeedsLogin)}, []string{"Sign in to GitHub"}},
		"a sign-in that is over":           {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsLogin), connectionEvent("c1", backend.ConnectionReady)}, nil},
		"a folder to review":               {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsTrust)}, []string{"Review a folder"}},
		"a folder that is looked at again": {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsTrust), connectionEvent("c1", backend.ConnectionChecking), connectionEvent("c1", backend.ConnectionNeedsTrust)}, []string{"Review a folder"}},
		"a folder that is trusted":         {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsTrust), connectionEvent("c1", backend.ConnectionChecking), connectionEvent("c1", backend.ConnectionStarting)}, nil},
		"a folder of a chat that is gone":  {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsTrust), {ChatDeleted: &backend.Deleted{ID: "c1"}}}, nil},
		"a folder beside a sign-in":        {[]backend.Event{connectionEvent("c1", backend.ConnectionNeedsTrust), connectionEvent("c2", backend.ConnectionNeedsLogin)}, []string{"Review a folder", "Sign in to GitHub"}},
		"the work of a session":            {[]backend.Event{{Turn: &backend.Turn{ID: "t", ChatID: "c1", Session: "tests", BlockID: "b", State: backend.TurnDone}}}, nil},
		"a chat that is deleted":           {[]backend.Event{doneEvent("t", "c1"), {Chat: &backend.Chat{ID: "c1", DeletedAt: 1}}}, nil},
		"a chat that is gone":              {[]backend.Event{requestEvent("a", "c1"), {ChatDeleted: &backend.Deleted{ID: "c1"}}}, nil},
		"two chats":                        {[]backend.Event{doneEvent("t", "c1"), requestEvent("a", "c2")}, []string{"Chat 1 is finished", "Chat 2 needs you"}},
		"sessions that are still at work":  {[]backend.Event{{Chat: &backend.Chat{ID: "c1", TurnState: backend.TurnRunning}}, doneEvent("t", "c1")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			w.publish(c.events...)
			w.expectTitles(c.want...)
			w = newEnv(t)
			w.p.setFocus(true, "c9", "en")
			w.publish(c.events...)
			w.expectTitles()
		})
	}
}

func TestNotify_FinishedAfterAllSessions(t *testing.T) {
	w := newEnv(t)
	w.publish(backend.Event{Chat: &backend.Chat{ID: "c1", Title: "Chat 1", TurnState: backend.TurnRunning}}, doneEvent("t", "c1"))
	w.expectTitles()
	w.publish(backend.Event{Chat: &backend.Chat{ID: "c1", Title: "Chat 1", TurnState: backend.TurnDone}})
	w.expectTitles("Chat 1 is finished")
}

func TestNotify_EachKindAndAllCanBeMuted(t *testing.T) {
	all := []backend.Event{requestEvent("a", "c1"), doneEvent("t", "c2"), turnEvent("u", "c3", backend.TurnFailed, nil), connectionEvent("c4", backend.ConnectionNeedsLogin)}
	for name, c := range map[string]struct {
		change func(*backend.Notify)
		want   []string
	}{
		"needs you": {func(n *backend.Notify) { n.NeedsYou = false }, []string{"Chat 2 is finished", "Chat 3 failed", "Sign in to GitHub"}},
		"finished":  {func(n *backend.Notify) { n.Finished = false }, []string{"Chat 1 needs you", "Chat 3 failed", "Sign in to GitHub"}},
		"failed":    {func(n *backend.Notify) { n.Failed = false }, []string{"Chat 1 needs you", "Chat 2 is finished", "Sign in to GitHub"}},
		"sign-in":   {func(n *backend.Notify) { n.SignIn = false }, []string{"Chat 1 needs you", "Chat 2 is finished", "Chat 3 failed"}},
		"all":       {func(n *backend.Notify) { n.Muted = true }, nil},
		"quiet":     {func(n *backend.Notify) { n.QuietFrom, n.QuietTo = "17:00", "08:00" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			off := settingsEvent(func(s *backend.Settings) { c.change(&s.Notify) })
			before, after := newEnv(t), newEnv(t)
			before.publish(off)
			before.publish(all...)
			before.expectTitles(c.want...)
			after.publish(all...)
			after.settle()
			after.publish(off)
			after.expectTitles(c.want...)
		})
	}
}

func TestNotify_ManyAtOnceCombined(t *testing.T) {
	w := newEnv(t)
	for i := range 4 {
		w.publish(doneEvent(fmt.Sprint("t", i), fmt.Sprint("c", i)))
	}
	w.expectTitles("4 chats are finished")
	if body := w.p.notices()[0].Body; body != "Chat 0, Chat 1, Chat 2, …" {
		t.Errorf("it says of which: %q", body)
	}
	w.publish(requestEvent("a", "c0"))
	w.expectTitles("3 chats are finished", "Chat 0 needs you")
	w.p.setFocus(true, "c7", "en")
	w.expectTitles("Chat 0 needs you")
	w.p.setFocus(false, "", "en")
	w.publish(doneEvent("v", "c5"))
	w.expectTitles("Chat 0 needs you", "Chat 5 is finished")
}

func TestNotify_ViewedChatWithdrawn(t *testing.T) {
	w := newEnv(t)
	w.publish(doneEvent("t", "c1"), requestEvent("a", "c2"), connectionEvent("c3", backend.ConnectionNeedsLogin))
	w.settle()
	w.p.setFocus(true, "c1", "en")
	w.expectTitles("Chat 2 needs you")
	w.p.setFocus(true, "c2", "en")
	w.expectTitles()
}

func TestNotify_NextRequestReplacesAnswered(t *testing.T) {
	w := newEnv(t)
	w.publish(requestEvent("a", "c1"), requestEvent("b", "c1"))
	w.settle()
	if body := w.p.notices()[0].Body; !strings.Contains(body, "npm test b") {
		t.Errorf("the newest request is shown, not %q", body)
	}
	w.publish(answeredEvent("b", "c1"))
	w.expectTitles("Chat 1 needs you")
	if body := w.p.notices()[0].Body; !strings.Contains(body, "npm test a") {
		t.Errorf("the other request is shown then, not %q", body)
	}
}

func TestButton_AnswersItsRequestOnly(t *testing.T) {
	w := newEnv(t)
	w.publish(requestEvent("a", "c1"), requestEvent("b", "c1"))
	w.settle()
	for _, c := range []struct{ action, ask, option string }{
		{"allow a", "a", "yes-a"},
		{"reject a", "a", "no-a"},
		{"allow b", "b", "yes-b"},
		{"allow c", "", ""},
		{"default", "", ""},
		{"open", "", ""},
		{"allow ", "", ""},
		{"", "", ""},
		{"always a", "", ""},
	} {
		ask, option, ok := w.p.answerOf(c.action)
		if ask.ID != c.ask || option != c.option || ok != (c.ask != "") {
			t.Errorf("%q answers %q with %q (%v); want %q with %q", c.action, ask.ID, option, ok, c.ask, c.option)
		}
	}
	w.publish(answeredEvent("a", "c1"))
	if ask, _, ok := w.p.answerOf("allow a"); ok {
		t.Errorf("a request that is not open any more is answered: %v", ask)
	}
}

func TestButton_OnlyIfFullyDisplayed(t *testing.T) {
	options := []backend.Option{{ID: "y", Kind: backend.OptionAllowOnce}, {ID: "n", Kind: backend.OptionRejectOnce}}
	run := func(commands ...string) backend.Permission {
		return backend.Permission{Kind: backend.ToolExecute, Command: strings.SplitN(commands[0], "\n", 2)[0], Commands: commands}
	}
	for name, c := range map[string]struct {
		ask   backend.Permission
		body  string
		whole bool
	}{
		"a command":               {run("npm test"), "Run npm test\nin /code/api", true},
		"a command of two lines":  {run("npm test\nrm -rf /"), "Run npm test", false},
		"two commands":            {run("npm test", "rm -rf /"), "Run npm test", false},
		"no command that is told": {backend.Permission{Kind: backend.ToolExecute, Command: "npm test"}, "Run npm test", false},
		"a long command":          {run("npm test " + strings.Repeat("a", 200)), "Run npm test " + strings.Repeat("a", 146) + "…", false},
		"a hidden character":      {run("echo \u202eabc"), "Run echo [U+202E]abc", false},
		"a blank that is hidden":  {run("echo a\u00a0b\u200b"), "Run echo a\u00a0b[U+200B]", false},
		"a tab":                   {run("echo\ta"), "Run echo a", false},
		"an edit":                 {backend.Permission{Kind: backend.ToolEdit, Path: "/code/api/src/refresh.go"}, "Edit src/refresh.go\nin /code/api", true},
		"an edit of two files": {backend.Permission{
			Kind: backend.ToolEdit, Path: "/code/api/a.go", Files: []backend.PermissionFile{{Path: "/code/api/a.go"}, {Path: "/code/api/b.go"}},
		}, "Change 2 files", false},
		"a new file":       {backend.Permission{Kind: backend.ToolEdit, Path: "/code/api/a.go", Creates: true}, "Create a.go\nin /code/api", true},
		"a marked command": {backend.Permission{Kind: backend.ToolExecute, Command: "rm -rf x", Commands: []string{"rm -rf x"}, Marks: []backend.Mark{{Kind: backend.MarkDelete}}}, "Run rm -rf x", false},
		"an edit of more files than are listed": {backend.Permission{
			Kind: backend.ToolEdit, Path: "/code/api/a.go", Files: []backend.PermissionFile{{Path: "/code/api/a.go"}, {Path: "/code/api/b.go"}, {More: 799}},
		}, "Change 801 files", false},
		"two changes of a file": {backend.Permission{
			Kind: backend.ToolEdit, Path: "/code/api/a.go", Files: []backend.PermissionFile{{Path: "/code/api/a.go"}, {Path: "/code/api/a.go"}},
		}, "Edit a.go", false},
		"a move of three files": {backend.Permission{
			Kind: backend.ToolMove, Path: "/code/api/a", To: "/code/api/b",
			Files: []backend.PermissionFile{{Path: "/code/api/a"}, {Path: "/code/api/b"}, {Path: "/etc/hosts"}, {Path: "/etc/motd"}},
		}, "Change 4 files", false},
		"an edit elsewhere":     {backend.Permission{Kind: backend.ToolEdit, Path: "/etc/hosts"}, "Edit /etc/hosts\nin /code/api", true},
		"a name that is turned": {backend.Permission{Kind: backend.ToolEdit, Path: "/code/api/a\u202egpj.exe"}, "Edit a[U+202E]gpj.exe", false},
		"a name of two lines":   {backend.Permission{Kind: backend.ToolEdit, Path: "/code/api/a\nb"}, "Edit a b", false},
		"a deletion":            {backend.Permission{Kind: backend.ToolDelete, Path: "/code/api/a.go"}, "Delete a.go", false},
		"a move":                {backend.Permission{Kind: backend.ToolMove, Path: "/code/api/a", To: "/code/api/b"}, "Move a to b\nin /code/api", true},
		"an address":            {backend.Permission{Kind: backend.ToolFetch, Command: "example.com", Commands: []string{"https://example.com/secret"}}, "Open example.com", false},
		"a tool":                {backend.Permission{Kind: backend.ToolOther, Title: "Use search"}, "Use search", false},
		"a command in the sandbox": {backend.Permission{
			Kind: backend.ToolExecute, Command: "npm test", Commands: []string{"npm test"}, Sandbox: backend.SandboxInside,
		}, "Run npm test\nin /code/api", true},
		"a command that leaves the sandbox": {backend.Permission{
			Kind: backend.ToolExecute, Command: "npm test", Commands: []string{"npm test"}, Sandbox: backend.SandboxLeaves,
		}, "Run npm test outside the sandbox", false},
		"a site": {backend.Permission{
			Kind: backend.ToolFetch, Title: "Reach example.com", Command: "example.com", Sandbox: backend.SandboxAsksSite,
		}, "Blocked connection to example.com", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			c.ask.ID, c.ask.ChatID, c.ask.State, c.ask.Options, c.ask.Folder = "a", "c1", backend.PermissionOpen, options, "/code/api"
			w.publish(backend.Event{Permission: &c.ask})
			w.settle()
			n := w.p.notices()[0]
			want := []Action(nil)
			if c.whole {
				want = []Action{{"allow a", "Allow once"}, {"reject a", "Reject"}}
			}
			if diff := cmp.Diff(want, n.Actions); diff != "" || n.Body != c.body {
				t.Errorf("it says %q, want %q; buttons (-want +got):\n%s", n.Body, c.body, diff)
			}
		})
	}
}

func TestButton_OnlyForOfferedOptions(t *testing.T) {
	w := newEnv(t)
	e := requestEvent("a", "c1")
	e.Permission.Options = e.Permission.Options[:1]
	w.publish(e)
	w.settle()
	if diff := cmp.Diff([]Action{{"allow a", "Allow once"}}, w.p.notices()[0].Actions); diff != "" {
		t.Error(diff)
	}
}

func TestNotify_NamesEscapedAndBounded(t *testing.T) {
	w := newEnv(t)
	w.publish(backend.Event{Chat: &backend.Chat{ID: "c1", Title: "a\u202eb\n" + strings.Repeat("x", 100)}}, doneEvent("t", "c1"), backend.Event{Chat: &backend.Chat{ID: "c2"}}, doneEvent("u", "c2"))
	w.expectTitles("a[U+202E]b "+strings.Repeat("x", 48)+"… is finished", "New chat is finished")
}

func TestNotify_UsesWindowLanguage(t *testing.T) {
	w := newEnv(t)
	w.p.setFocus(false, "", "de")
	w.publish(doneEvent("t", "c1"))
	w.expectTitles("Chat 1 ist fertig")
	w.publish(settingsEvent(func(s *backend.Settings) { s.Language = "zh" }))
	w.expectTitles("Chat 1 已完成")
	for language, want := range map[Language]string{"en": "+48 −12 in 3 files", "de": "+48 −12 in 3 Dateien", "zh": "+48 −12，3 个文件", "": "+48 −12 in 3 files"} {
		if got := Changed(48, 12, 3, language); got != want {
			t.Errorf("%q: %q, want %q", language, got, want)
		}
	}
}

func TestNotify_AppMessageUnlessMuted(t *testing.T) {
	w := newEnv(t)
	w.p.setFocus(true, "c1", "en") // a window that is just being hidden
	w.p.addMessage("VoxPilot goes on", "In the tray.", w.at)
	w.expectTitles("VoxPilot goes on")
	w.publish(settingsEvent(func(s *backend.Settings) { s.Notify.Muted = true }))
	w.expectTitles()
	w.p.addMessage("VoxPilot goes on", "In the tray.", w.at)
	w.expectTitles()
}

func TestQuietHours_FollowLocalTime(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, berlin)
	}
	for _, c := range []struct {
		at       time.Time
		from, to string
		want     bool
	}{
		{day(6, 1, 21, 59), "22:00", "07:00", false},
		{day(6, 1, 22, 0), "22:00", "07:00", true},
		{day(6, 2, 0, 0), "22:00", "07:00", true},
		{day(6, 2, 6, 59), "22:00", "07:00", true},
		{day(6, 2, 7, 0), "22:00", "07:00", false},
		{day(6, 2, 12, 30), "12:00", "13:00", true},
		{day(6, 2, 13, 0), "12:00", "13:00", false},
		{day(6, 2, 12, 0), "", "", false},
		{day(6, 2, 12, 0), "12:00", "", false},
		// Nights with a clock change: from 2:00 to 3:00, and back.
		{day(3, 29, 1, 59).Add(time.Minute), "02:30", "03:30", true}, // it is 3:00
		{day(3, 29, 1, 59).Add(31 * time.Minute), "02:30", "03:30", false},
		{day(10, 25, 1, 59).Add(time.Minute), "02:00", "03:00", true},
		{day(10, 25, 1, 59).Add(61 * time.Minute), "02:00", "03:00", true}, // 2:00 again
		{day(10, 25, 1, 59).Add(121 * time.Minute), "02:00", "03:00", false},
	} {
		if got := quiet(c.at, c.from, c.to); got != c.want {
			t.Errorf("%v is quiet from %s to %s: %v", c.at, c.from, c.to, got)
		}
	}
}

func TestQuietHours_InvalidRefused(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{{"", "", true}, {"22:00", "07:00", true}, {"00:00", "23:59", true}, {"22:00", "", false}, {"", "07:00", false}, {"22:00", "22:00", false}, {"24:00", "07:00", false}, {"9:00", "10:00", false}, {"22:00:00", "07:00", false}, {"x", "y", false}} {
		if err := Check(backend.Notify{QuietFrom: c.from, QuietTo: c.to}); (err == nil) != c.ok {
			t.Errorf("%q to %q: %v", c.from, c.to, err)
		}
	}
}
