package otherprograms_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

const editDiff = `"--- /home/ada/shop/a.txt\n+++ /home/ada/shop/a.txt\n@@ -1,1 +1,1 @@\n-hello\n+hello world\n"`

// conversations lists the entries of the conversations in testdata, without the usage.
var conversations = map[backend.OtherProgram][]string{
	backend.ProgramClaudeCode: {
		"prompt: The first prompt, please", "thought: Look at it.", "answer: Let me look.",
		`call execute "Print lines" path= command="printf \"one\\ntwo\\n\"; cat a.txt"`, `result completed "one\ntwo\nhello"`,
		`call read "Read a.txt" path=/home/ada/shop/a.txt command=""`, `result completed "1\thello\n2\t"`,
		`call edit "Edit a.txt" path=/home/ada/shop/a.txt command=""`, `call edit "Write b.txt" path=/home/ada/shop/b.txt command=""`,
		`result completed "The file /home/ada/shop/a.txt has been updated successfully. (file state is current in your context — no need to Read it back)" diff ` + editDiff,
		`result completed "File created successfully at: /home/ada/shop/b.txt (file state is current in your context — no need to Read it back)" diff "--- /dev/null\n+++ /home/ada/shop/b.txt\n@@ -0,0 +1 @@\n+new\n"`,
		`call execute "Fail" path= command="echo oops >&2; exit 3"`, `result failed "oops" exit=3`,
		"plan: [{Look completed} {Edit in_progress}]", `call other "TodoWrite" path= command=""`,
		`result failed "<tool_use_error>Error: No such tool available: TodoWrite. TodoWrite exists but is not enabled in this context. Use one of the available tools instead.</tool_use_error>"`,
		`call search "Search hello" path=/home/ada/shop command="hello"`,
		"result failed \"<tool_use_error>Error: No such tool available: Grep. Grep is not available in this session — search file contents with `grep` via the Bash tool instead.</tool_use_error>\"",
		"answer: I changed a.txt. 😀", "prompt: The second prompt with a picture [image image/png 75]", "answer: Second answer.",
	},
	backend.ProgramCodex: {
		"prompt: The first prompt, please", "thought: Look at it.", "answer: Let me look.",
		`call execute "printf \"one\\ntwo\\n\"; cat a.txt" path= command="printf \"one\\ntwo\\n\"; cat a.txt"`, `result  "one\ntwo\nhello\n" exit=0`, `result completed "one\ntwo\nhello\n" exit=0`,
		`call edit "Edit a.txt" path=/home/ada/shop/a.txt command=""`, `result failed "unsupported custom tool call: apply_patch"`,
		`call execute "echo oops >&2; exit 3" path= command="echo oops >&2; exit 3"`, `result  "oops\n" exit=3`, `result failed "oops\n" exit=3`,
		`call read "Read pic.png" path=/home/ada/shop/pic.png command=""`, `result completed "" [image/png 75]`,
		"plan: [{Look completed} {Edit in_progress}]", `call other "update_plan" path= command=""`, `result failed "unsupported call: update_plan"`,
		"answer: I changed a.txt. 😀", "prompt: The second prompt with a picture [image image/png 75]", "answer: Second answer.",
	},
	backend.ProgramOpencode: {
		`prompt: "The first prompt, please"`, "thought: Look at it.", "answer: Let me look.",
		`call execute "Print lines" path= command="printf \"one\\ntwo\\n\"; cat a.txt"`, `result completed "one\ntwo\nhello\n" exit=0`,
		`call read "Read a.txt" path=/home/ada/shop/a.txt command=""`, `result completed "<path>/home/ada/shop/a.txt</path>\n<type>file</type>\n<content>\n1: hello\n\n(End of file - total 1 lines)\n</content>"`,
		`call edit "Edit a.txt" path=/home/ada/shop/a.txt command=""`, `result completed "Edit applied successfully." diff ` + editDiff,
		`call edit "Write b.txt" path=/home/ada/shop/b.txt command=""`, `result completed "Wrote file successfully."`,
		`call execute "Fail" path= command="echo oops >&2; exit 3"`, `result failed "oops\n" exit=3`,
		"plan: [{Look completed} {Edit in_progress}]", `call other "todowrite" path= command=""`,
		`result completed "[\n  {\n    \"content\": \"Look\",\n    \"status\": \"completed\",\n    \"priority\": \"high\"\n  },\n  {\n    \"content\": \"Edit\",\n    \"status\": \"in_progress\",\n    \"priority\": \"low\"\n  }\n]"`,
		`call search "Search hello" path=/home/ada/shop command="hello"`, `result completed "Found 1 matches\n/home/ada/shop/a.txt:\n  Line 1: hello world\n"`,
		"answer: I changed a.txt. 😀", `prompt: "The second prompt with a picture" [pic.png image/png 75]`, "answer: Second answer.",
	},
	backend.ProgramVSCode: {
		"prompt: The first prompt, please [pic.png image/png 75] [file /home/ada/shop/a.txt]", "thought: Look at it.", "answer: Let me look at `a.txt`.",
		`call read "Read a.txt" path= command=""`, `result completed ""`,
		`call execute "echo oops >&2; exit 3" path= command="echo oops >&2; exit 3"`, `result failed "oops\n" exit=3`,
		`call edit "Edit a.txt" path=/home/ada/shop/a.txt command=""`, `result completed "hello world\n"`,
		`call search "Searching" path= command="{\"query\":\"hello\"}"`, `result completed "found it"`,
		`call other "Deleting" path= command=""`, `result cancelled ""`,
		"answer: I changed a.txt. 😀", "prompt: The second prompt", "answer: Half an ans", "note: Canceled", "end stopped",
	},
}

// withoutUsage separates the lines about the usage from the others.
func withoutUsage(lines []string) (rest, usage []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "usage ") {
			usage = append(usage, line)
		} else {
			rest = append(rest, line)
		}
	}
	return rest, usage
}

// TestRead_RealConversations checks the list and the entries of each program's conversations. It also checks that the
// files don't change.
func TestRead_RealConversations(t *testing.T) {
	home := newHome(t)
	before := treeOf(t, home)
	usage := map[backend.OtherProgram]string{backend.ProgramClaudeCode: "usage 770 140 49", backend.ProgramCodex: "usage 600 120 30", backend.ProgramOpencode: "usage 700 140 0"}
	titles := map[backend.OtherProgram]string{backend.ProgramOpencode: "Title of it", backend.ProgramVSCode: "Edit a text"}
	for program, want := range conversations {
		t.Run(string(program), func(t *testing.T) {
			all := list(t, home, program)
			if n := map[bool]int{true: 2, false: 1}[program == backend.ProgramVSCode]; len(all) != n {
				t.Fatalf("%d conversations, want %d: %+v", len(all), n, all)
			}
			for _, c := range all {
				title := titles[program]
				if title == "" {
					title = "The first prompt, please"
				}
				if c.Title != title || c.Folder != "/home/ada/shop" || c.CreatedAt == 0 || c.UpdatedAt == 0 || c.ID == "" {
					t.Errorf("the list has %+v", c)
				}
				s := read(t, home, c)
				got, used := withoutUsage(s.lines)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.ID, diff)
				}
				if u := usage[program]; u != "" && !strings.Contains(strings.Join(used, "\n"), u) {
					t.Errorf("usage %q, want %q in it", used, u)
				}
				if unknown := map[bool]int{true: 1, false: 0}[program == backend.ProgramVSCode]; s.unknown != unknown || s.damaged != 0 {
					t.Errorf("%d unknown and %d damaged records, want %d and 0", s.unknown, s.damaged, unknown)
				}
			}
		})
	}
	if diff := cmp.Diff(before, treeOf(t, home)); diff != "" {
		t.Errorf("files changed (-before +after):\n%s", diff)
	}
}

// treeOf returns the contents of all files in a folder, by path.
func treeOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	noErr(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			all[path] = string(data)
			return err
		}
		return err
	}))
	return all
}

// TestOpencode_FilesOfOldVersions checks that a conversation in the files that versions before 1.2 wrote is read like
// the same conversation in the database.
func TestOpencode_FilesOfOldVersions(t *testing.T) {
	home := newHome(t)
	dir := filepath.Join(home, ".local", "share", "opencode")
	db, err := sql.Open("sqlite", filepath.Join(dir, "opencode.db"))
	noErr(t, err)
	write := func(query, path string) {
		rows, err := db.QueryContext(t.Context(), query)
		noErr(t, err)
		defer rows.Close()
		for rows.Next() {
			var id, of, data string
			noErr(t, rows.Scan(&id, &of, &data))
			file := filepath.Join(dir, "storage", fmt.Sprintf(path, of, id))
			noErr(t, os.MkdirAll(filepath.Dir(file), 0o700))
			noErr(t, os.WriteFile(file, []byte(data), 0o600))
		}
		noErr(t, rows.Err())
	}
	write(`SELECT id, project_id, json_object('id', id, 'directory', directory, 'title', title, 'time', json_object('created', time_created, 'updated', time_updated)) FROM session`, "session/%s/%s.json")
	write(`SELECT id, session_id, data FROM message`, "message/%s/%s.json")
	write(`SELECT id, message_id, data FROM part`, "part/%s/%s.json")
	noErr(t, db.Close())
	if all := list(t, home, backend.ProgramOpencode); len(all) != 1 {
		t.Errorf("with the database, there are %d conversations: %+v", len(all), all)
	}
	noErr(t, os.Remove(filepath.Join(dir, "opencode.db")))
	all := list(t, home, backend.ProgramOpencode)
	if len(all) != 1 || all[0].Title != "Title of it" {
		t.Fatalf("got %+v", all)
	}
	got, _ := withoutUsage(read(t, home, all[0]).lines)
	if diff := cmp.Diff(conversations[backend.ProgramOpencode], got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOpencode_OpenDatabase checks that a conversation that opencode has just written is read from its write-ahead log,
// while opencode has the database open and after it was killed, and that none of its files change.
func TestOpencode_OpenDatabase(t *testing.T) {
	home := newHome(t)
	opencode := exec.CommandContext(t.Context(), os.Args[0])
	opencode.Env = append(os.Environ(), writerVar+"="+filepath.Join(home, ".local", "share", "opencode", "opencode.db"))
	input, err := opencode.StdinPipe()
	noErr(t, err)
	output, err := opencode.StdoutPipe()
	noErr(t, err)
	noErr(t, opencode.Start())
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "<nil>\n" {
		t.Fatalf("the program says %q: %v", line, err)
	}
	before := treeOf(t, home)
	for _, when := range []string{"open", "killed"} {
		if when == "killed" {
			noErr(t, opencode.Process.Kill())
			_ = opencode.Wait()
			_ = input.Close()
		}
		if all := list(t, home, backend.ProgramOpencode); len(all) != 1 || all[0].Title != "just now" {
			t.Errorf("%s: got %+v", when, all)
		} else if got, _ := withoutUsage(read(t, home, all[0]).lines); len(got) != len(conversations[backend.ProgramOpencode]) {
			t.Errorf("%s: got %q", when, got)
		}
		if diff := cmp.Diff(before, treeOf(t, home)); diff != "" {
			t.Errorf("%s: files changed (-before +after):\n%s", when, diff)
		}
	}
}

// logOf writes a conversation of Claude Code or Codex CLI with the given records, and returns its entries.
func logOf(t *testing.T, program backend.OtherProgram, records ...string) *recorder {
	t.Helper()
	home := t.TempDir()
	name := filepath.Join(home, ".claude", "projects", "p", "id.jsonl")
	if program == backend.ProgramCodex {
		name = filepath.Join(home, ".codex", "sessions", "2025", "08", "09", "rollout-id.jsonl")
	}
	noErr(t, os.MkdirAll(filepath.Dir(name), 0o700))
	noErr(t, os.WriteFile(name, []byte(strings.Join(records, "\n")+"\n"), 0o600))
	all := list(t, home, program)
	if len(all) != 1 {
		t.Fatalf("%d conversations, want 1", len(all))
	}
	return read(t, home, all[0])
}

// TestClaude_SpecialRecords checks slash commands, stops, summaries, and messages that the user set aside by going back.
func TestClaude_SpecialRecords(t *testing.T) {
	n := 0
	user := func(parent int, text, more string) string {
		n++
		return fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":"u%d","cwd":"/x","timestamp":"2025-01-01T00:00:0%d.000Z","message":{"role":"user","content":%q}%s}`, n, parent, n%10, text, more)
	}
	answer := func(parent int, text string) string {
		n++
		return fmt.Sprintf(`{"type":"assistant","uuid":"u%d","parentUuid":"u%d","message":{"role":"assistant","content":[{"type":"text","text":%q}]}}`, n, parent, text)
	}
	s := logOf(t, backend.ProgramClaudeCode,
		`{"type":"summary","summary":"A summary","leafUuid":"x"}`,
		user(0, "first <system-reminder>hidden</system-reminder>", ""), answer(1, "one"),
		user(2, "set aside", ""), answer(3, "aside too"),
		user(2, "second", ""), answer(5, "two"),
		user(6, "<command-name>/model</command-name><command-args>opus</command-args>", ""), user(7, "<local-command-stdout>Set model</local-command-stdout>", ""),
		user(8, "<command-name>/review</command-name><command-args>42</command-args>", ""), user(9, "long instructions", `,"isMeta":true`), answer(10, "reviewed"),
		user(11, "stop this", ""), user(12, "[Request interrupted by user]", ""),
		user(13, "A long summary.", `,"isCompactSummary":true`), user(14, "last", ""),
		`{"type":"assistant","isSidechain":true,"uuid":"s","message":{"content":[{"type":"text","text":"of a subagent"}]}}`,
		`{"type":"assistant","uuid":"e","parentUuid":"u15","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 500"}]}}`,
	)
	want := []string{
		"prompt: first", "answer: one", "prompt: second", "answer: two", "note: /model opus\nSet model", "prompt: /review 42", "answer: reviewed",
		"prompt: stop this", "end stopped", "note: Claude Code summarized the conversation so far.", "prompt: last", "note: API Error: 500", "end failed",
	}
	if diff := cmp.Diff(want, s.lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCodex_OldVersions checks the records of versions from 2025, which have no payload, and patches.
func TestCodex_OldVersions(t *testing.T) {
	patch := `*** Begin Patch\n*** Update File: a.go\n@@ func a\n context\n-old\n+new\n*** Add File: b.go\n+one\n+two\n*** Delete File: c.go\n*** End Patch`
	s := logOf(t, backend.ProgramCodex,
		`{"id":"i","timestamp":"2025-08-09T10:00:00Z","instructions":null}`, `{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}`,
		`{"type":"function_call","name":"shell","call_id":"1","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}"}`,
		`{"type":"function_call_output","call_id":"1","output":"{\"output\":\"a.go\\n\",\"metadata\":{\"exit_code\":2}}"}`,
		`{"timestamp":"2025-08-09T10:00:01Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"2","input":"`+patch+`"}}`,
		`{"type":"event_msg","payload":{"type":"patch_apply_end","call_id":"2","success":true,"changes":{"a.go":{"type":"update","unified_diff":"@@ -7 +7 @@\n-old\n+new\n"}}}}`,
		`{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"2","output":"{\"output\":\"Success\",\"metadata\":{\"exit_code\":0}}"}}`,
		`{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`, `{"type":"new_kind","payload":{}}`,
	)
	want := []string{
		"prompt: do it", `call execute "ls" path= command="ls"`, `result failed "a.go\n" exit=2`, `call edit "Edit a.go" path=a.go command=""`,
		`result  "" diff "--- a.go\n+++ a.go\n@@ -7 +7 @@\n-old\n+new\n"`, `result completed "Success" exit=0`, "end stopped",
	}
	if diff := cmp.Diff(want, s.lines); diff != "" || s.unknown != 1 {
		t.Errorf("%d unknown (-want +got):\n%s", s.unknown, diff)
	}
	if !gjson.Valid(`"` + patch + `"`) {
		t.Error("the patch isn't valid JSON")
	}
}
