package notify

import (
	"encoding/xml"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeShell replaces PowerShell and stores the toasts.
type fakeShell struct {
	t       *testing.T
	links   map[string]func() // the valid ones
	created int
	actions []string
	toasts  map[string]parsedToast
	err     error
}

// parsedToast holds the attributes, texts and buttons parsed from a toast's XML.
type parsedToast struct {
	Activation string   `xml:"activationType,attr"`
	Launch     string   `xml:"launch,attr"`
	Duration   string   `xml:"duration,attr"`
	Text       []string `xml:"visual>binding>text"`
	Buttons    []struct {
		Label      string `xml:"content,attr"`
		Activation string `xml:"activationType,attr"`
		Link       string `xml:"arguments,attr"`
	} `xml:"actions>action"`
}

func newFakeShell(t *testing.T) (*fakeShell, *toasts) {
	s := &fakeShell{t: t, links: map[string]func(){}, toasts: map[string]parsedToast{}}
	return s, &toasts{
		buttons: true, run: s.run, readLimits: func() textLimits { return limitsAt(100) }, log: slog.New(slog.DiscardHandler), links: map[string]*toastAnswers{},
		callbacks: callbacks{
			acted: func(key string, _ int, action, _ string) { s.actions = append(s.actions, key+": "+action) },
			link:  s.link,
		},
	}
}

func (s *fakeShell) link(do func()) (string, func()) {
	s.created++
	link := "voxpilot://answer/" + strings.Repeat("S", s.created)
	s.links[link] = do
	return link, func() { delete(s.links, link) }
}

func (s *fakeShell) follow(link string) {
	if do := s.links[link]; do != nil {
		do()
	}
}

func (s *fakeShell) run(script string, env ...string) error {
	set := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		set[name] = value
	}
	switch {
	case s.err != nil:
		return s.err
	case script == scriptWithdraw:
		delete(s.toasts, set["VOXPILOT_TAG"])
		return nil
	}
	var r parsedToast
	if err := xml.Unmarshal([]byte(set["VOXPILOT_TOAST"]), &r); err != nil {
		s.t.Error(err)
	}
	s.toasts[set["VOXPILOT_TAG"]] = r
	return nil
}

// requestNotice returns the notice for a request, with buttons.
func requestNotice(id string) Notice {
	return Notice{
		Key: "chat c1", ChatID: "c1", Title: "Fix needs you", Body: "Run make", Open: "Open", IsPersistent: true,
		Actions: []Action{{actionAllow + id, "Allow once"}, {actionReject + id, "Reject"}},
	}
}

func TestToast_EscapesMarkup(t *testing.T) {
	s, system := newFakeShell(t)
	n := Notice{Key: "chat c1", ChatID: "c1", Title: `</text><actions>"`, Body: "a & b\nin <c>"}
	if err := system.show(n); err != nil {
		t.Fatal(err)
	}
	want := parsedToast{Activation: "protocol", Launch: "voxpilot://chat/c1", Text: []string{n.Title, n.Body}}
	if diff := cmp.Diff(want, s.toasts[tag(n.Key)]); diff != "" {
		t.Errorf("it is read as (-want +got):\n%s", diff)
	}
	if len(tag(n.Key)) != 16 || tag("a") == tag("b") {
		t.Errorf("tags: %s, %s", tag("a"), tag("b"))
	}
}

func TestToast_LinkAnswersOnce(t *testing.T) {
	s, system := newFakeShell(t)
	if err := system.show(requestNotice("a")); err != nil {
		t.Fatal(err)
	}
	r := s.toasts[tag("chat c1")]
	if len(r.Buttons) != 2 || r.Buttons[0].Label != "Allow once" || r.Buttons[1].Label != "Reject" || r.Buttons[0].Activation != "protocol" ||
		r.Buttons[0].Link == r.Buttons[1].Link || r.Duration != "long" || r.Launch != "voxpilot://chat/c1" {
		t.Fatalf("it is %+v", r)
	}
	s.follow(r.Buttons[1].Link)
	s.follow(r.Buttons[1].Link)
	s.follow(r.Buttons[0].Link)
	if diff := cmp.Diff([]string{"chat c1: reject a"}, s.actions); diff != "" {
		t.Error(diff)
	}
}

func TestToast_LateClickKeepsNextToast(t *testing.T) {
	s, system := newFakeShell(t)
	if err := system.show(requestNotice("a")); err != nil {
		t.Fatal(err)
	}
	late := s.links[s.toasts[tag("chat c1")].Buttons[0].Link] // clicked, but not handled yet
	if err := system.show(requestNotice("b")); err != nil {
		t.Fatal(err)
	}
	late()
	s.follow(s.toasts[tag("chat c1")].Buttons[1].Link)
	if diff := cmp.Diff([]string{"chat c1: " + actionAllow + "a", "chat c1: " + actionReject + "b"}, s.actions); diff != "" {
		t.Error(diff)
	}
	if len(s.links) != 0 {
		t.Errorf("%d links still work", len(s.links))
	}
}

func TestToast_LinksExpireWithIt(t *testing.T) {
	for name, end := range map[string]func(s *fakeShell, system *toasts){
		"it is withdrawn":             func(_ *fakeShell, system *toasts) { system.withdraw("chat c1") },
		"another one takes its place": func(_ *fakeShell, system *toasts) { _ = system.show(Notice{Key: "chat c1"}) },
		"it is not shown": func(s *fakeShell, system *toasts) {
			s.err = errors.New("no")
			n := requestNotice("b")
			n.Key = "chat c2"
			if err := system.show(n); err == nil {
				t.Error("it is said to be shown")
			}
			system.withdraw("chat c1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, system := newFakeShell(t)
			if err := system.show(requestNotice("a")); err != nil {
				t.Fatal(err)
			}
			if len(s.links) != 2 {
				t.Fatalf("it has the links %v", s.links)
			}
			end(s, system)
			if len(s.links) != 0 {
				t.Errorf("%d links still work", len(s.links))
			}
		})
	}
}

func TestToast_WithoutAnswerOpensChat(t *testing.T) {
	s, system := newFakeShell(t)
	n := requestNotice("a")
	n.Actions = nil
	if err := system.show(n); err != nil {
		t.Fatal(err)
	}
	r := s.toasts[tag(n.Key)]
	if len(r.Buttons) != 1 || r.Buttons[0].Label != "Open" || r.Buttons[0].Link != "voxpilot://chat/c1" {
		t.Errorf("it is %+v", r)
	}
	system.buttons = false // no program, or another one, opens the links
	if err := system.show(requestNotice("a")); err != nil {
		t.Fatal(err)
	}
	if r := s.toasts[tag(n.Key)]; len(r.Buttons) != 0 || len(s.links) != 0 {
		t.Errorf("it is %+v", r)
	}
}

func TestToast_ButtonsOnlyIfFullyDisplayed(t *testing.T) {
	for command, whole := range map[string]bool{
		"npm test": true,
		"go test -race ./backend/notify/... ./backend/instance": true,
		strings.Repeat("a ", 30):                                false,
		strings.Repeat("a ", 25):                                true,
		strings.Repeat("long ", 20):                             false,
		strings.Repeat("x", 61):                                 false, // one letter more than three lines, with Run
		strings.Repeat("x", 40):                                 true,
		"echo " + strings.Repeat("很", 31):                       false,
		"echo " + strings.Repeat("很", 10):                       true,
		"make && " + strings.Repeat("W", 80):                    false,
		"echo größe Ελ Пр 你ですか한글":                               true,
		"echo \U0001242b":                                       false, // a cuneiform character as wide as many letters
		"echo \ufdfd":                                           false, // a single character that contains a sentence
		"echo \u2e3b":                                           false, // a dash as wide as three letters
		"echo e" + strings.Repeat("\u0301", 9):                  false, // three lines high
		"echo \u0440\u0488":                                     false,
	} {
		w := newEnv(t)
		w.p.limits = limitsAt(100)
		e := requestEvent("a", "c1")
		e.Permission.Command, e.Permission.Commands = command, []string{command}
		w.publish(e)
		w.settle()
		n := w.p.notices()[0]
		if (len(n.Actions) == 2) != whole {
			t.Errorf("%q is answered in its notification by %v: %q", command, n.Actions, n.Body)
		}
	}
	if text := "Run go test -race ./...\nin ~/code/api"; !limitsAt(100).fits(text) || limitsAt(225).fits(text) || !limitsAt(0).fits(text) || !textLimits(0).fits(strings.Repeat(text, 9)) {
		t.Error("larger letters take no more room")
	}
}

func TestText_BoundedForAnyFontSize(t *testing.T) {
	for _, percent := range []uint64{2001, 1 << 63} {
		if r := limitsAt(percent); r < 1 || r.fits("Run npm test\nin ~") {
			t.Errorf("at %d %% it fits into %+v", percent, r)
		}
	}
}
