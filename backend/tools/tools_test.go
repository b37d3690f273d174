package tools_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is a chat's folder with its tools, and a folder outside it.
type env struct {
	t               *testing.T
	folder, outside string
	path            string // the login shell's PATH
	requests        []backend.Permission
	answer          string // ID of the chosen option; "" closes the request
	refused         []string
	delegated       []string
	delegate        func(ctx context.Context) (backend.Block, error)
	registry        *tools.Registry
}

func newEnv(t *testing.T) *env {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	w := &env{t: t, folder: filepath.Join(top, "folder"), outside: filepath.Join(top, "beside"), path: os.Getenv("PATH")}
	for _, dir := range []string{w.folder, w.outside} {
		noErr(t, os.MkdirAll(dir, 0o700))
	}
	w.registry = tools.New(tools.Config{
		Folder: func(chatID string) (string, error) {
			if chatID != "chat" {
				return "", &backend.Error{Code: backend.CodeNotFound, Message: backend.Plain("There is no such chat.")}
			}
			return w.folder, nil
		},
		Ask: func(_ context.Context, p backend.Permission) (backend.Permission, bool) {
			w.requests = append(w.requests, p)
			p.OptionID, p.State = w.answer, backend.PermissionDecided
			return p, w.answer != ""
		},
		Delegate: func(ctx context.Context, c tools.Call, session, prompt string) (backend.Block, error) {
			w.delegated = append(w.delegated, c.ID+" "+session+": "+prompt)
			return w.delegate(ctx)
		},
		OnRejected: func(c tools.Call, session string, reason backend.Message) {
			w.refused = append(w.refused, c.TurnID+" "+session+": "+reason.String())
		},
		LoginPath: func() string { return w.path },
		Log:       slog.New(slog.DiscardHandler),
	})
	return w
}

// withoutPrograms hides ripgrep and git from the tools.
func (w *env) withoutPrograms() { w.path = "" }

func (w *env) call(name, arguments string) tools.Result {
	w.t.Helper()
	return w.registry.Run(w.t.Context(), tools.Call{ChatID: "chat", TurnID: "turn", ID: "call", Name: name, Arguments: json.RawMessage(arguments)})
}

// callText runs a call, which must succeed, and returns its text.
func (w *env) callText(name, arguments string) string {
	w.t.Helper()
	res := w.call(name, arguments)
	if res.IsError {
		w.t.Fatalf("%s %s: %s", name, arguments, res.Text)
	}
	return res.Text
}

// callError runs a call, which must fail, and returns its text.
func (w *env) callError(name, arguments string) string {
	w.t.Helper()
	res := w.call(name, arguments)
	if !res.IsError {
		w.t.Fatalf("%s %s works: %s", name, arguments, res.Text)
	}
	return res.Text
}

func (w *env) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.folder, filepath.FromSlash(name))
	noErr(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	noErr(w.t, os.WriteFile(path, []byte(text), 0o600))
}

// git runs the real git in the folder and returns its output.
func (w *env) git(args ...string) string {
	w.t.Helper()
	return w.gitWith("", args...)
}

func (w *env) gitWith(stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = w.folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file")
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a right that not every user has")
		}
		t.Fatal(err)
	}
}

// contains checks that text contains all strings in want.
func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, s := range want {
		if !strings.Contains(text, s) {
			t.Errorf("%q is missing in:\n%s", s, text)
		}
	}
}

func TestTools_DescribedAndMatchSchemas(t *testing.T) {
	w := newEnv(t)
	w.write("a.txt", "a\n")
	w.git("init")
	for _, tool := range w.registry.List() {
		var schema struct {
			Type       string
			Properties map[string]struct {
				Type, Description string
				Enum              []string
			}
			Required             []string
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(tool.Schema, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if len(tool.Description) < 80 || schema.Type != "object" || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		if tool.ReadOnly == (tool.Name == tools.Delegation) {
			t.Errorf("%s: read-only is %v", tool.Name, tool.ReadOnly)
		}
		// Exactly the arguments in the schema are accepted.
		known := w.callError(tool.Name, `{"made_up": 1}`)
		contains(t, known, `Unknown argument "made_up". The arguments are: `)
		_, list, _ := strings.Cut(strings.TrimSuffix(known, "."), "are: ")
		names := strings.Split(list, ", ")
		if len(names) != len(schema.Properties) {
			t.Errorf("%s takes %v, and its schema has %v", tool.Name, names, schema.Properties)
		}
		for _, name := range names {
			property, ok := schema.Properties[name]
			if !ok || property.Description == "" {
				t.Errorf("%s: %s is not in the schema, or not described", tool.Name, name)
			}
			bad := map[string]string{"string": `1`, "integer": `"1"`, "boolean": `1`, "array": `1`, "object": `1`}[property.Type]
			contains(t, w.callError(tool.Name, `{"`+name+`": `+bad+`}`), `The argument "`+name+`" must be `)
		}
		for _, name := range schema.Required {
			if len(schema.Required) == 1 {
				contains(t, w.callError(tool.Name, ""), `The argument "`+name+`" is required`)
			}
		}
		for _, no := range []string{`[]`, `"x"`, `{`, `{} {}`, `{"path": }`} {
			if text := w.callError(tool.Name, no); strings.Contains(text, "json:") || strings.Contains(text, "Args") {
				t.Errorf("%s %s: %s", tool.Name, no, text)
			}
		}
	}
}

func TestTools_OutOfRangeNumbersRefused(t *testing.T) {
	w := newEnv(t)
	w.write("a.txt", "a\n")
	for call, want := range map[[2]string]string{
		{"read_file", `{"path":"a.txt","line":-1}`}:            `"line" must be 1 or more`,
		{"read_file", `{"path":"a.txt","limit":5001}`}:         `"limit" must be between 1 and 5000`,
		{"read_file", `{"path":"a.txt","limit":1.5}`}:          `"limit" must be a whole number`,
		{"glob", `{"pattern":"*","limit":-1}`}:                 `"limit" must be between 1 and 1000`,
		{"glob", `{"pattern":"[a"}`}:                           `isn't a valid glob`,
		{"grep", `{"pattern":"a","glob":"[a"}`}:                `isn't a valid glob`,
		{"grep", `{"pattern":"a","context":21}`}:               `"context" must be between 1 and 20`,
		{"grep", `{"pattern":"a","output_mode":"all"}`}:        `must be content, files or count`,
		{"grep", `{"pattern":"a(b"}`}:                          `missing closing )`,
		{"grep", `{"pattern":"(?=a)"}`}:                        `isn't a valid RE2 regular expression`,
		{"git_log", `{"limit":201}`}:                           `"limit" must be between 1 and 200`,
		{"git_log", `{"rev":"--output=x"}`}:                    `"rev" must be a revision`,
		{"git_diff", `{"rev":"--output=x"}`}:                   `"rev" must be a revision`,
		{"git_diff", `{"rev":"HEAD --output=x"}`}:              `"rev" must be a revision`,
		{"git_diff", `{"context":101}`}:                        `"context" must be between 1 and 100`,
		{"read_file_external", `{"path":"a.txt"}`}:             `must be absolute`,
		{"no_such_tool", `{}`}:                                 `Unknown tool "no_such_tool". The tools are: read_file, list_directory, glob, grep, git_diff, git_log, read_file_external, copilot_agent, ask_user, present_plan.`,
		{"read_file", `{"path":"absent.txt"}`}:                 ` doesn't exist`,
		{"read_file", `{"path":"a.txt/b"}`}:                    `a.txt`,
		{"read_file", `{"path":"."}`}:                          `is a folder. Use list_directory to see its contents.`,
		{"list_directory", `{"path":"a.txt"}`}:                 `is a file, not a folder`,
		{"grep", `{"pattern":"a","path":"absent"}`}:            ` doesn't exist`,
		{"glob", `{"pattern":"*","path":"absent"}`}:            ` doesn't exist`,
		{"git_log", `{}`}:                                      `isn't in a Git repository`,
		{"git_diff", `{}`}:                                     `isn't in a Git repository`,
		{"copilot_agent", `{"prompt":"x"}`}:                    `"session_name" is required`,
		{"copilot_agent", `{"prompt":" ","session_name":"a"}`}: `"prompt" is required`,
	} {
		contains(t, w.callError(call[0], call[1]), want)
	}
	res := w.registry.Run(t.Context(), tools.Call{ChatID: "other", Name: "glob", Arguments: json.RawMessage(`{"pattern":"*"}`)})
	if !res.IsError || res.Text != "There is no such chat." {
		t.Errorf("another chat: %+v", res)
	}
}

func TestTools_StoppedCallReported(t *testing.T) {
	w := newEnv(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.write("a.txt", "a\n")
	for _, name := range []string{"grep", "glob"} {
		res := w.registry.Run(ctx, tools.Call{ChatID: "chat", Name: name, Arguments: json.RawMessage(`{"pattern":"a"}`)})
		if !res.IsError || res.Text != "The call was stopped before it finished." {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

func FuzzTools_ArgumentsNeverPanic(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a.txt","line":1,"limit":2}`, `{"pattern":"a","path":"."}`, `{"rev":"HEAD"}`, `{"prompt":"x","session_name":"y"}`,
		`{"path":"../beside/secret"}`, `{"path":"\u0000"}`, `{"pattern":"**/{a,b"}`, `{"pattern":"(((((a*)*)*)*)*)"}`, `{"rev":"-x"}`, `null`, `[[`, `{"path":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		w := newEnv(t)
		w.withoutPrograms()
		w.write("a.txt", "a\nb\n")
		noErr(t, os.WriteFile(filepath.Join(w.outside, "secret"), []byte("hunter2"), 0o600))
		w.delegate = func(context.Context) (backend.Block, error) { return backend.Block{}, nil }
		for _, tool := range w.registry.List() {
			res := w.call(tool.Name, arguments)
			if res.Text == "" || strings.Contains(res.Text, "hunter2") || strings.Contains(res.Text, "internal error") || len(res.Text) > 64<<10 {
				t.Errorf("%s %s: %+v", tool.Name, arguments, res)
			}
		}
	})
}
