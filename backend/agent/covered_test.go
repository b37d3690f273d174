package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// requestWithoutDetails returns a turn with a permission request for a call that has no kind and no input. Only the
// call's content, a text or a change, shows what the agent intends.
func requestWithoutDetails(title, content string) fakeagent.Turn {
	return fakeagent.Turn{
		fakeagent.Update(fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"k1","title":%q,"status":"in_progress"}`, title)),
		request(fmt.Sprintf(`"toolCallId":"k1","title":%q,"content":[%s]`, title, content)),
	}
}

func textBlock(text string) string {
	return fmt.Sprintf(`{"type":"content","content":{"type":"text","text":%q}}`, text)
}

func TestRequest_ShowsContentText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("all that it wants ", 5_000)
	for _, c := range []struct{ name, content, want string }{
		{"one text", textBlock("Send the report to the team."), "Send the report to the team."},
		{"several contents", textBlock("First.") + "," + textBlock("Then.") + `,{"type":"content","content":{"type":"resource_link","uri":"file:///x","name":"x"}}`, "First.\n\nThen.\n\nfile:///x"},
		{"any size", textBlock(long), strings.TrimSpace(long)},
		{"an image", `{"type":"content","content":{"type":"image","mimeType":"image/png","data":"AA=="}}`, "image/png"},
		{"an unknown content", `{"type":"chart","of":"sales"}`, `{"type":"chart","of":"sales"}`},
		{"characters that cannot be seen", `{"type":"content","content":{"type":"text","text":"a\u202eb\u001b[31m"}}`, "a\u202eb\x1b[31m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{requestWithoutDetails("Report", c.content)}}), nil)
			p := requestFrom(t, w)
			if p.TextID == "" {
				t.Fatal("the request shows no text")
			}
			shown := w.content(t, p.ItemID, p.TextID)
			equal(t, "type", shown.Type, backend.ContentRequest)
			equal(t, "text", string(shown.Body), c.want)
		})
	}
}

// requestAndActions runs an agent that requests permission with the given content and then performs the steps. All its
// requests are allowed. It returns the requests and the env.
func requestAndActions(t *testing.T, content string, then ...fakeagent.Step) (asked []backend.Permission, w *env) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the script are those of a Unix")
	}
	w = newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{append(requestWithoutDetails("WriteFile", content), then...)}}), nil)
	w.write("a.txt", "one\ntwo\n")
	w.decide(func(p backend.Permission) string {
		asked = append(asked, p)
		return "allow_once"
	})
	w.promptAndExpect("go", backend.TurnDone)
	return asked, w
}

func TestRequest_DecisionCoversItsCall(t *testing.T) {
	t.Parallel()
	diff := func(old, text string) string {
		return fmt.Sprintf(`{"type":"diff","path":"$CWD/a.txt","oldText":%q,"newText":%q}`, old, text)
	}
	for _, c := range []struct {
		name, content string
		then          []fakeagent.Step
		asked         int
	}{
		{"a write whose path the words name", textBlock("Requesting approval to perform: Write file `$CWD/a.txt`"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n")}, 1},
		{"a write by a path from the folder on", textBlock("Edit file `a.txt`"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n")}, 1},
		{"a command that the words name", textBlock("Requesting approval to perform: Run command `echo hi`"), []fakeagent.Step{createTerminal("echo hi", "")}, 1},
		{"a write whose change is shown", diff("one\ntwo\n", "one\nthree\n"), []fakeagent.Step{writeFile("$CWD/a.txt", "one\nthree\n")}, 1},
		{"a write whose change is shown in part", diff("two", "three"), []fakeagent.Step{writeFile("$CWD/a.txt", "one\nthree\n")}, 1},
		{"a write whose text before was left out", diff("", "new\n"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n")}, 1},

		{"a second write", textBlock("Write file `$CWD/a.txt`"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n"), writeFile("$CWD/a.txt", "newer\n")}, 2},
		{"a second run", textBlock("Run command `echo hi`"), []fakeagent.Step{createTerminal("echo hi", ""), createTerminal("echo hi", "")}, 2},
		{"another file", textBlock("Write file `$CWD/a.txt`"), []fakeagent.Step{writeFile("$CWD/b.txt", "new\n")}, 2},
		{"another command", textBlock("Run command `echo hi`"), []fakeagent.Step{createTerminal("echo ho", "")}, 2},
		{"more than is shown", diff("one\ntwo\n", "one\nthree\n"), []fakeagent.Step{writeFile("$CWD/a.txt", "one\nthree\nfour\n")}, 2},
		{"another change than is shown", diff("two", "three"), []fakeagent.Step{writeFile("$CWD/a.txt", "ONE\nthree\n")}, 2},
		{"words that name two commands", textBlock("Do not run `rm -r x`, run `ls`"), []fakeagent.Step{createTerminal("rm -r x", "")}, 2},
		{"a file of the name of a command", textBlock("Write file `make`"), []fakeagent.Step{createTerminal("make", "")}, 2},
		{"a command of the name of a file", textBlock("Run command `$CWD/a.txt`"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n")}, 2},
		{"words that name nothing", textBlock("I write the file now"), []fakeagent.Step{writeFile("$CWD/a.txt", "new\n")}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked, _ := requestAndActions(t, c.content, c.then...)
			equal(t, "requests", len(asked), c.asked)
		})
	}
}

// TestRequest_CoversOnlyDisplayedContent checks that an allowed request covers a write only if the
// request displayed exactly that content when it was allowed.
func TestRequest_CoversOnlyDisplayedContent(t *testing.T) {
	t.Parallel()
	call := func(more string) string { return `"toolCallId":"k2","title":"Edit","kind":"edit"` + more }
	diff := func(text string) string {
		return fmt.Sprintf(`,"content":[{"type":"diff","path":"b.txt","oldText":null,"newText":%q}]`, text)
	}
	announced := func(more string) fakeagent.Step {
		return fakeagent.Update(`{"sessionUpdate":"tool_call",` + call(more) + `}`)
	}
	ended := fakeagent.Update(`{"sessionUpdate":"tool_call_update","toolCallId":"k2","status":"failed"}`)
	for _, c := range []struct {
		name  string
		then  []fakeagent.Step
		asked int // number of further requests
	}{
		{"the change of the call", []fakeagent.Step{announced(diff("one\n")), request(call("")), writeFile("$CWD/b.txt", "one\n")}, 1},
		{"another change", []fakeagent.Step{announced(diff("one\n")), request(call("")), writeFile("$CWD/b.txt", "two\n")}, 2},
		{"a call that has ended", []fakeagent.Step{announced(diff("one\n")), ended, request(call("")), writeFile("$CWD/b.txt", "two\n")}, 2},
		{"the change of an earlier request", []fakeagent.Step{
			announced(""), request(call(diff("one\n"))), request(call("")), writeFile("$CWD/b.txt", "two\n"),
		}, 3},
		{"a change that replaced that of the call", []fakeagent.Step{
			announced(diff("one\n")), request(call(diff("two\n"))), request(call("")), writeFile("$CWD/b.txt", "one\n"),
		}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked, _ := requestAndActions(t, textBlock("I edit a file"), c.then...)
			equal(t, "requests", len(asked)-1, c.asked)
		})
	}
}

// TestRequest_TextMatchedLikeInput checks that a command or file named only in a
// request's text is treated like one in its input.
func TestRequest_TextMatchedLikeInput(t *testing.T) {
	t.Parallel()
	asked, _ := requestAndActions(t, textBlock("Run command `git push`"))
	equal(t, "kind", asked[0].Kind, backend.ToolExecute)
	equalDeep(t, "commands", asked[0].Commands, []string{"git push"})

	asked, w := requestAndActions(t, textBlock("Write file `../x.txt`"))
	equal(t, "kind", asked[0].Kind, backend.ToolEdit)
	equal(t, "outside", asked[0].Outside, true)
	equal(t, "path", asked[0].Path, filepath.Join(filepath.Dir(w.folder), "x.txt"))
}

// TestRequest_CommandWithChangeIsNotEdit checks that a request for a command isn't treated as an edit
// merely because it also shows a change.
func TestRequest_CommandWithChangeIsNotEdit(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		request(`"toolCallId":"1","title":"T","rawInput":{"command":"rm -rf x"},"content":[{"type":"diff","path":"a.txt","oldText":"one","newText":"two"}]`),
	}}}), nil)
	p := requestFrom(t, w)
	if p.Kind == backend.ToolEdit || p.Scope != nil {
		t.Errorf("got a request of the kind %q, of which the rule %+v can be made", p.Kind, p.Scope)
	}
}

func TestRequest_ShowsOverwrittenText(t *testing.T) {
	t.Parallel()
	content := `{"type":"diff","path":"$CWD/a.txt","oldText":null,"newText":"one\nthree\n"}`
	asked, w := requestAndActions(t, content)
	preview := w.content(t, asked[0].ItemID, asked[0].ContentID)
	if !strings.Contains(string(preview.Body), "\n-two\n+three\n") {
		t.Errorf("got\n%s, want the line that goes", preview.Body)
	}
	if _, err := os.Stat(w.path("a.txt")); err != nil {
		t.Error(err)
	}
}

func TestDeletion_ShowsRemovedContent(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{request(`"toolCallId":"1","title":"T","kind":"delete","locations":[{"path":"a.txt"}]`)},
		{request(`"toolCallId":"2","title":"T","kind":"delete","locations":[{"path":"a.txt"},{"path":"b.txt"},{"path":"binary"}]`)},
		{request(`"toolCallId":"3","title":"T","kind":"edit","rawInput":{"fileName":"a.txt","diff":"diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n"}`)},
		{request(`"toolCallId":"4","title":"T","kind":"delete","locations":[{"path":"large"}]`)},
	}}), nil)
	w.write("a.txt", "one\ntwo\n")
	w.write("b.txt", "three\n")
	w.write("binary", "a\x00b")
	w.write("large", strings.Repeat("x", 2<<20))
	body := func(p backend.Permission, id string) string {
		if id == "" {
			return ""
		}
		return string(w.content(t, p.ItemID, id).Body)
	}
	p := requestFrom(t, w)
	equal(t, "kind", p.Kind, backend.ToolDelete)
	if got := body(p, p.ContentID); !strings.Contains(got, "-one\n-two\n") {
		t.Errorf("got %q, want the lines that go", got)
	}
	p = requestFrom(t, w)
	if len(p.Files) != 3 || !strings.Contains(body(p, p.Files[1].ContentID), "-three\n") || p.Files[2].ContentID != "" {
		t.Errorf("got %+v, want what goes of the two texts", p.Files)
	}
	p = requestFrom(t, w)
	equal(t, "kind of a patch that deletes", p.Kind, backend.ToolDelete)
	if got := body(p, p.ContentID); !strings.Contains(got, "-one\n-two\n") {
		t.Errorf("got %q, want the lines that go", got)
	}
	p = requestFrom(t, w)
	equal(t, "content of a large file", p.ContentID, "")
}

func TestEdit_NewFileIsCreation(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t,
		request(`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"new.txt"}]`),
		request(`"toolCallId":"2","title":"T","kind":"edit","locations":[{"path":"a.txt"}]`),
		request(`"toolCallId":"3","title":"T","kind":"edit","locations":[{"path":"a.txt"},{"path":"new.txt"}]`),
		writeFile("$CWD/sub/new.txt", "x"),
		writeFile("$CWD/a.txt", "x"),
	)
	w.write("a.txt", "one\n")
	for _, want := range []bool{true, false} {
		p := requestFrom(t, w)
		equal(t, "creates "+p.Path, p.Creates, want)
	}
	p := requestFrom(t, w)
	if len(p.Files) != 2 || p.Files[0].Creates || !p.Files[1].Creates {
		t.Errorf("got %+v, want the second to be new", p.Files)
	}
	for _, want := range []bool{true, false} {
		tu := w.start(backend.SessionMain, "go")
		asked := w.nextRequest()
		equal(t, "creates "+asked.permission.Path, asked.permission.Creates, want)
		asked.answer <- "allow_once"
		w.expectEnd(tu, backend.TurnDone)
		equal(t, "the row", w.tools(tu)[0].Tool.Creates, want)
	}
}
