package practice_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/practice"
)

func TestGuide_RecognizesRequests(t *testing.T) {
	view, run, list := `call view: `, `call bash: {"command":"sh hello.sh"`, `call bash: {"command":"ls -la"`
	if runtime.GOOS == "windows" {
		run = `call bash: {"command":"sh hello.cmd"`
	}
	intro, unknown, story, review := "Welcome to **practice**", "I can't answer that", "The first flight", "choose *Send to Copilot*"
	for _, c := range []struct{ said, want string }{
		{"Hi", intro},
		{"hello there!", intro},
		{"Help", intro},
		{"Who are you?", intro},
		{"What can you do?", intro},
		{"fix the greeting", view},
		{"Please EDIT greeting.txt and run it", view},
		{"Could you change something?", view},
		{`add "run the tests"`, view},
		{"Run the script", run},
		{"test", run},
		{"run it and then fix it", run},
		{"execute a command", run},
		{"list the files", list},
		{"ls", list},
		{"Tell me a long story", story},
		{"stream something", story},
		{"make a plan to fix it", view},
		{"[[PLAN]] whatever", unknown},
		{"What do you remember?", "This is your message number 2"},
		{"What is the capital of France?", unknown},
		{"prefixes and truncated lists", unknown}, // parts of words don't match
		{"Korrigiere die Begrüßung", view},
		{"Ändere etwas", view},
		{"Führe das Skript aus", run},
		{"Zeige die Dateien", list},
		{"Erzähle mir eine lange Geschichte", story},
		{"Woran erinnerst du dich?", "This is your message number 2"},
		{"Ask me a question", "doesn't give me a tool for asking"},
		{"Ask me before you run it", "doesn't give me a tool for asking"},
		{"Frag mich etwas", "doesn't give me a tool for asking"},
		{"问我一个问题", "doesn't give me a tool for asking"},
		{"Hallo!", intro},
		{"How do I review the change?", review},
		{"Wie kann ich die Änderung überprüfen?", review},
		{"怎么审查更改？", review},
		{"Verändere nichts", unknown},
		{"修正问候语", view},
		{"运行脚本", run},
		{"列出文件", list},
		{"给我讲一个长故事", story},
		{"你好", intro},
		{"日本語", unknown},
		{"", unknown},
	} {
		if got := reply(t, requestWith("Hi"), requestWith(c.said)); !strings.Contains(got, c.want) {
			t.Errorf("%q: got\n%s\nwant %q in it", c.said, got, c.want)
		}
	}
}

func TestGuide_ReviewsChangesAndReadsComments(t *testing.T) {
	for prompt, want := range map[string]string{
		"Review the changes below as a long story. ### path/to/file:1\n\n## `greeting.txt` (edited)\n\n```\n       -Helo\n     1 +Hello\n```\n": "### greeting.txt:1\n```\nHello\n```\nThis is a practice comment.",
		"Review the changes below as a reader.\n\n## `a` (removed)\n\n```\n       -x\n```\n":                                                    "No comments.",
		"Review the changes below as a reader. There are none.":                                                                                 "No comments.",
		"Review the changes below as a reader.\n\n## `a` (removed)\n\n```\n       -x\n```\n\n## `b` (edited)\n\n```\n     1 +x\n```\n":          "No comments.",
		"Review comments:\n\n1. `greeting.txt`, line 1:\n\n```txt\nHello\n```\n\nadd \"some words\"\n":                                          "call view: ",
	} {
		if got := reply(t, requestWith(prompt)); !strings.Contains(got, want) {
			t.Errorf("the answer to %q is %q, want %q", prompt, got, want)
		}
	}
}

func TestGuide_IntroducesItselfOnce(t *testing.T) {
	got := reply(t, requestWith("What is the capital of France?"))
	for _, want := range []string{"not an AI", "Fix the greeting", "review the change", "Run the script", "long story"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}

func TestGuide_UsesOfferedShell(t *testing.T) {
	req := requestWith("list the files")
	req.Tools = []string{"powershell"}
	if got := reply(t, req); !strings.Contains(got, `call powershell: {"command":"Get-ChildItem"`) {
		t.Errorf("with powershell: %s", got)
	}
	req.Tools = []string{"view"}
	if got := reply(t, req); strings.Contains(got, "call ") || !strings.Contains(got, "doesn't give me a tool") {
		t.Errorf("without a shell: %s", got)
	}
}

func TestGuide_AsksAndRepeatsAnswer(t *testing.T) {
	req := requestWith("ask me a question")
	req.Tools = append(req.Tools, "voxpilot_abcd-ask_user")
	if got := reply(t, req); !strings.Contains(got, `call voxpilot_abcd-ask_user: {"choices":[{"label":"Have a good day."`) {
		t.Errorf("got\n%s", got)
	}
	for result, want := range map[string]string{
		`{"outcome":"answered","answer":"Mine"}`:  `your answer: **Mine**`,
		`{"outcome":"skipped","note":"n"}`:        "you skipped the question",
		`{"outcome":"away","note":"The user is"}`: "The user is",
		"not JSON": "not JSON",
	} {
		if got := reply(t, withToolResult(req, "voxpilot_abcd-ask_user", result)); !strings.Contains(got, want) {
			t.Errorf("after %s: got\n%s", result, got)
		}
	}
}

func TestGuide_EditsFileItRead(t *testing.T) {
	fresh := "Helo from the practice folder!\nThis file is yours to play with.\n"
	for _, c := range []struct{ name, said, content, want string }{
		{"the error is there", "fix it", fresh, `"new_str":"Hello ","old_str":"Helo "`},
		{"the error is gone", "fix it", "Hello!\nBye.\n", `"new_str":"Bye.\nThis line was added in practice.","old_str":"Bye."`},
		{"words were given", `add "what I say"`, fresh, `play with.\nwhat I say","old_str":"This file`},
		{"words were given in other marks", "add „was ich sage“", "Hello\n", `"new_str":"Hello\nwas ich sage"`},
		{"the last line is there twice", "add one", "a\nsame\nb\nsame\n", `"old_str":"b\nsame"`},
		{"all lines are the same", "add one", "x\nx\n", `"old_str":"x\nx"`},
		{"lines are numbered", "fix it", "1. Helo you\n2. Bye.\n", `"old_str":"Helo "`},
		{"lines are numbered and right", "fix it", "1. Hello you\n2. Bye.\n", `"old_str":"Bye."`},
		{"the file is gone", "fix it", "Path /p/greeting.txt does not exist. Please provide a valid path.", "call create: "},
		{"the file is empty", "fix it", "\n", "is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := reply(t, withToolResult(requestWith(c.said), "view", c.content))
			if !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant %s in it", got, c.want)
			}
		})
	}
}

func TestGuide_ReportsAgentResult(t *testing.T) {
	for _, c := range []struct{ name, said, tool, result, want, not string }{
		{"an edit", "fix it", "edit", "File /a updated with changes.", "updated with changes", "nothing was changed"},
		{"an edit to review", "fix it", "edit", "File /a updated with changes.", "choose **Review** below", ""},
		{"a file made", "fix it", "create", "Created file /a with 3 characters", "Created file", "nothing was changed"},
		{"an edit that failed", "fix it", "edit", "No match found: old_str", "nothing was changed", "If you had rejected"},
		{"a command", "run it", "bash", "out\n<shellId: 0 completed with exit code 0>", "exited with code 0", "shellId"},
		{"a command of older versions", "run it", "bash", "out\n<exited with exit code 7>", "exited with code 7", "<exited"},
		{"a command that failed", "run it", "powershell", "no\n<shellId: 0 completed with exit code 3>", "exited with code 3", "shellId"},
		{"a command without output", "run it", "bash", "\n<shellId: 0 completed with exit code 0>", "It printed nothing", "```"},
		{"a command without an end", "run it", "bash", "out", "It finished", "exited with"},
		{"a long output", "run it", "bash", strings.Repeat("line\n", 40), "… and 28 more", ""},
		{"an output with a fence", "run it", "bash", "```\nx\n```", "````text", ""},
		{"a plan", "plan it", "view", "Helo you", "fix the greeting", "call edit"},
		{"a plan of what is right", "plan it", "view", "Hello you", "any words you like", "fix the greeting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := reply(t, withToolResult(requestWith(c.said), c.tool, c.result))
			if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("got\n%s\nwant %q in it and not %q", got, c.want, c.not)
			}
		})
	}
}

func TestGuide_RecognizesRejection(t *testing.T) {
	rejected := withToolResult(requestWith("fix it"), "edit", "The user rejected this tool call.")
	if got := reply(t, rejected, requestWith("Hi")); !strings.Contains(got, "You rejected") {
		t.Errorf("got\n%s", got)
	}
	if got := reply(t, rejected, requestWith("Hi"), requestWith("Hi")); strings.Contains(got, "You rejected") {
		t.Errorf("it is said again:\n%s", got)
	}
}

func TestGuide_RemembersConversation(t *testing.T) {
	got := reply(t, requestWith("one"), requestWith("two"), requestWith("What did I say before?"))
	for _, want := range []string{"message number 3", "1. one\n", "2. two\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if got := reply(t, requestWith("What do you remember?")); !strings.Contains(got, "first message") {
		t.Errorf("got\n%s", got)
	}
}

func TestGuide_SideRequestsGetShortReplies(t *testing.T) {
	req := requestWith("fix it")
	req.Header = map[string][]string{"X-Interaction-Type": {"conversation-compaction"}}
	if got := reply(t, req); strings.Contains(got, "call ") {
		t.Errorf("got\n%s", got)
	}
}

func TestFolder_FilledKeepsUserChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "Übung 1")
	if err := practice.Folder(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Fatalf("the folder has %v, %v", entries, err)
	}
	greeting, readme := filepath.Join(dir, "greeting.txt"), filepath.Join(dir, "README.md")
	if err := os.WriteFile(greeting, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(readme); err != nil {
		t.Fatal(err)
	}
	if err := practice.Folder(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(greeting); err != nil || string(got) != "mine" {
		t.Errorf("the user's file is %q, %v", got, err)
	}
	if got, err := os.ReadFile(readme); err != nil || !strings.Contains(string(got), "practice folder") {
		t.Errorf("the deleted file is %q, %v", got, err)
	}
}

func TestFolder_UncreatableReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := practice.Folder(file); err == nil || !strings.Contains(err.Error(), "practice folder") {
		t.Errorf("got %v", err)
	}
}

// requestWith returns a request that ends with the given user message.
func requestWith(said string) practice.Request {
	return practice.Request{
		Tools: []string{"bash", "view", "create", "edit"},
		Messages: []practice.Message{
			{Role: "user", Text: "<current_datetime>now</current_datetime>\n\n" + said},
		},
	}
}

// withToolResult returns req with a tool call and its result added.
func withToolResult(req practice.Request, tool, result string) practice.Request {
	req.Messages = append(req.Messages,
		practice.Message{Role: "assistant", Calls: []practice.Call{{ID: "c1", Name: tool, Args: json.RawMessage("{}")}}},
		practice.Message{Role: "tool", ToolCallID: "c1", Text: result})
	return req
}

// reply returns the guide's answer to the last of the given turns. The turns together form one conversation.
func reply(t *testing.T, turns ...practice.Request) string {
	t.Helper()
	req := turns[len(turns)-1]
	req.Messages = []practice.Message{{Role: "system", Text: "* Current working directory: /p\n"}}
	for i, turn := range turns {
		req.Messages = append(req.Messages, turn.Messages...)
		if i < len(turns)-1 && req.Last().Role == "user" {
			req.Messages = append(req.Messages, practice.Message{Role: "assistant", Text: "an answer"})
		}
	}
	out, err := practice.Guide().Reply(req)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
