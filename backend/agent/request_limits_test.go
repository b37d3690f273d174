package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestRequest_CountsFurtherFiles(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, 203)
	for i := range 203 {
		names = append(names, fmt.Sprintf(`{"path":"f%d"}`, i))
	}
	for name, c := range map[string]struct {
		places []string
		more   int
	}{
		"as many as are listed":    {names[:200], 0},
		"one more":                 {names[:201], 1},
		"three more, called twice": {slices.Concat(names, names), 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(
				`"toolCallId":"1","title":"T","kind":"read","locations":[` + strings.Join(c.places, ",") + `]`,
			)}}}), nil)
			p := requestFrom(t, w)
			equal(t, "files that are not listed", p.Files[len(p.Files)-1].More, c.more)
			equal(t, "files besides the one it is called by", p.Others(), 199+c.more)
		})
	}
}

func TestRequest_TooManyFilesTruncatedAndAsks(t *testing.T) {
	t.Parallel()
	var places, changes, parts []string
	for i := range 1000 {
		places = append(places, fmt.Sprintf(`{"path":"f%d"}`, i))
		changes = append(changes, fmt.Sprintf(`{"type":"diff","path":"f%d","oldText":"1","newText":"2"}`, i))
		parts = append(parts, fmt.Sprintf(`diff --git a/f%d b/f%d\n@@ -1 +1 @@\n-1\n+2\n`, i, i))
	}
	for name, rest := range map[string]string{
		"names":   `"locations":[` + strings.Join(places, ",") + `]`,
		"changes": `"content":[` + strings.Join(changes, ",") + `]`,
		"a diff":  `"rawInput":{"diff":"` + strings.Join(parts, "") + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit",` + rest)}}}), nil)
			p := requestFrom(t, w)
			equal(t, "files, and one entry for all others", len(p.Files), 201)
			more := p.Files[200]
			equal(t, "files that are not listed", more.More, 800)
			names := strings.Split(strings.TrimSuffix(string(w.content(t, p.ItemID, more.ContentID).Body), "\n"), "\n")
			equal(t, "names of them", len(names), 800)
			for i, name := range names {
				equal(t, "a name", name, w.path(fmt.Sprintf("f%d", i+200)))
			}
			equal(t, "outside", p.Outside, true)
			equal(t, "a rule can be made of it", p.Scope != nil, false)
		})
	}
}

// TestRequest_ReportsTooManyChangesInOneFile checks that a request lists only 200 changes to a file and reports how
// many others there are.
func TestRequest_ReportsTooManyChangesInOneFile(t *testing.T) {
	t.Parallel()
	changes := make([]string, 0, 201)
	for i := range 201 {
		changes = append(changes, fmt.Sprintf(`{"type":"diff","path":"a.go","oldText":"1","newText":"2%d"}`, i))
	}
	const call = `"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.go"}]`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		updateLine("tool_call", call+`,"status":"pending","content":[`+strings.Join(changes, ",")+`]`), request(call),
	}}}), nil)
	p := requestFrom(t, w)
	if len(p.Files) != 201 {
		t.Fatalf("there are %d entries, and not 200 and one for the others", len(p.Files))
	}
	equal(t, "files with others", p.Files[200].More, 1)
	equal(t, "which", string(w.content(t, p.ItemID, p.Files[200].ContentID).Body), w.path("a.go")+"\n")
}

func TestRequest_FileListIsItsOwn(t *testing.T) {
	t.Parallel()
	places := func(from, to int) string {
		var out []string
		for i := from; i < to; i++ {
			out = append(out, fmt.Sprintf(`{"path":"f%d"}`, i))
		}
		return `"toolCallId":"1","title":"T","kind":"read","locations":[` + strings.Join(out, ",") + `]`
	}
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(places(0, 201)), request(places(300, 501))}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	first := w.nextRequest()
	first.answer <- "reject_once"
	second := w.nextRequest()
	second.answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	for file, p := range map[string]backend.Permission{"f200": first.permission, "f500": second.permission} {
		c := w.content(t, p.ItemID, p.Files[200].ContentID)
		equal(t, "names", string(c.Body), w.path(file)+"\n")
		equal(t, "type", c.Type, backend.ContentNames)
	}
}
