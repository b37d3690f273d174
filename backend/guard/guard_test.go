package guard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/internal/localsocket"
)

// waitVar is the environment variable that sets the time after which a hook started by these tests denies a call.
const waitVar = "VOXPILOT_TEST_HOOK_WAIT"

func TestMain(m *testing.M) {
	if wait, err := time.ParseDuration(os.Getenv(waitVar)); err == nil {
		guard.SetWaitTime(wait)
	}
	guard.RunIfRequested()
	goleak.VerifyTestMain(m)
}

// hookCommand returns the command with which the CLI would run the folder's hook for the event.
func hookCommand(t *testing.T, folder string, event guard.Event) *exec.Cmd {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "hooks", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hooks map[guard.Event][]struct {
			Bash       string
			TimeoutSec int
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	hooks := file.Hooks[event]
	if len(hooks) != 1 || hooks[0].TimeoutSec != 86400 {
		t.Fatalf("got %+v, want one hook that may take a day", hooks)
	}
	return exec.CommandContext(t.Context(), "bash", "-c", hooks[0].Bash)
}

// runHook runs the hook with the input and returns its output and exit code.
func runHook(t *testing.T, folder string, event guard.Event, input string) (out string, code int) {
	t.Helper()
	cmd := hookCommand(t, folder, event)
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Logf("exit code %d: %s", code, stderr.String())
	}
	return stdout.String(), cmd.ProcessState.ExitCode()
}

// newServer starts a server whose folder has a space and a quote in its name.
func newServer(t *testing.T, decide func(ctx context.Context, chatID string, call guard.Call) guard.Answer) *guard.Server {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the CLI runs hooks with PowerShell on Windows")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := guard.New(guard.Config{Dir: filepath.Join(t.TempDir(), "it's here"), Program: func() (string, error) { return self, nil }, Decide: decide, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func plugin(t *testing.T, s *guard.Server, chatID string) string {
	t.Helper()
	folder, err := s.Plugin(chatID)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestPlugin_PowerShellDeniesByDefault checks that a hook on Windows denies the call if its program can't be started.
func TestPlugin_PowerShellDeniesByDefault(t *testing.T) {
	s := newServer(t, nil)
	var all struct {
		Hooks map[guard.Event][]struct{ PowerShell string }
	}
	text, err := os.ReadFile(filepath.Join(plugin(t, s, "chat"), "hooks", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	line := all.Hooks[guard.ToolCall][0].PowerShell
	if !strings.HasPrefix(line, "$global:LASTEXITCODE = 2; try { & '") || !strings.HasSuffix(line, "' } catch { exit 2 }; exit $LASTEXITCODE") {
		t.Errorf("got %q", line)
	}
}

const bashCall = `{"sessionId":"s1","timestamp":1,"cwd":"/x","toolName":"bash","toolArgs":{"command":"make","description":"d"}}`

func TestHook_ReturnsDecision(t *testing.T) {
	for name, c := range map[string]struct {
		answer guard.Answer
		want   string
	}{
		"allow":   {guard.Answer{Decision: guard.Allowed}, `{"permissionDecision":"allow"}`},
		"deny":    {guard.Answer{Decision: guard.Denied, Reason: `No "x".`}, `{"permissionDecision":"deny","permissionDecisionReason":"No \"x\"."}`},
		"neither": {guard.Answer{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got guard.Call
			var chat string
			s := newServer(t, func(_ context.Context, chatID string, call guard.Call) guard.Answer {
				chat, got = chatID, call
				return c.answer
			})
			plugin(t, s, "other")
			out, code := runHook(t, plugin(t, s, "one"), guard.ToolCall, bashCall)
			if out != c.want || code != 0 {
				t.Errorf("got %q, %d, want %q", out, code, c.want)
			}
			if chat != "one" || got.Event != guard.ToolCall || got.SessionID != "s1" || got.Tool != "bash" || string(got.Args) != `{"command":"make","description":"d"}` {
				t.Errorf("got %q, %+v", chat, got)
			}
		})
	}
}

func TestHook_SubagentBelongsToRootSession(t *testing.T) {
	var got []string
	s := newServer(t, func(_ context.Context, _ string, call guard.Call) guard.Answer {
		got = append(got, call.SessionID)
		return guard.Answer{}
	})
	folder := plugin(t, s, "one")
	for _, input := range []string{
		`{"sessionId":"a","agentId":"a","parentAgentId":"root"}`,
		`{"sessionId":"b","agentId":"b","parentAgentId":"a","toolName":"bash","toolArgs":{}}`,
		`{"sessionId":"root","toolName":"bash","toolArgs":{}}`,
		`{"sessionId":"x","agentId":"x","parentAgentId":"y"}`,
		`{"sessionId":"y","agentId":"y","parentAgentId":"x"}`,
	} {
		if _, code := runHook(t, folder, guard.ToolCall, input); code != 0 {
			t.Errorf("%s: exit code %d", input, code)
		}
	}
	if len(got) != 5 || got[0] != "root" || got[1] != "root" || got[2] != "root" {
		t.Errorf("got %v", got)
	}
}

func TestHook_ArgumentsOfEarlierVersion(t *testing.T) {
	var got []string
	s := newServer(t, func(_ context.Context, _ string, call guard.Call) guard.Answer {
		got = append(got, string(call.Args))
		return guard.Answer{}
	})
	folder := plugin(t, s, "one")
	for _, args := range []string{`"{\"command\":\"a \\u003e b\"}"`, `"*** Begin Patch"`, `{"b":1}`} {
		runHook(t, folder, guard.ToolCall, `{"sessionId":"s1","toolName":"bash","toolArgs":`+args+`}`)
	}
	want := []string{`{"command":"a \u003e b"}`, `"*** Begin Patch"`, `{"b":1}`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHook_FailsWithoutAnswer checks that the hook exits with an error in all error cases, so that the CLI denies the
// call.
func TestHook_FailsWithoutAnswer(t *testing.T) {
	allow := func(context.Context, string, guard.Call) guard.Answer { return guard.Answer{Decision: guard.Allowed} }
	for name, spoil := range map[string]func(t *testing.T, s *guard.Server, folder string) (input string){
		"closed server": func(_ *testing.T, s *guard.Server, _ string) string {
			s.Close()
			return bashCall
		},
		"forgotten chat": func(t *testing.T, s *guard.Server, folder string) string {
			key, err := os.ReadFile(filepath.Join(folder, "key.json"))
			if err != nil {
				t.Fatal(err)
			}
			hooks, err := os.ReadFile(filepath.Join(folder, "hooks", "hooks.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Forget("one"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder remains: %v", err)
			}
			_ = os.MkdirAll(filepath.Join(folder, "hooks"), 0o700)
			_ = os.WriteFile(filepath.Join(folder, "hooks", "hooks.json"), hooks, 0o600)
			_ = os.WriteFile(filepath.Join(folder, "key.json"), key, 0o600)
			return bashCall
		},
		"no key file": func(_ *testing.T, _ *guard.Server, folder string) string {
			_ = os.Remove(filepath.Join(folder, "key.json"))
			return bashCall
		},
		"wrong key": func(t *testing.T, _ *guard.Server, folder string) string {
			replaceKey(t, folder, "key", "guess")
			return bashCall
		},
		"no session":    func(*testing.T, *guard.Server, string) string { return `{"toolName":"bash"}` },
		"no JSON":       func(*testing.T, *guard.Server, string) string { return `make` },
		"half the JSON": func(*testing.T, *guard.Server, string) string { return bashCall[:40] },
		"nothing":       func(*testing.T, *guard.Server, string) string { return "" },
		"malformed answer": func(t *testing.T, _ *guard.Server, folder string) string {
			replaceKey(t, folder, "address", impostor(t, `{"output":{"permissionDecision":"allow"}}`))
			return bashCall
		},
		"half an answer": func(t *testing.T, _ *guard.Server, folder string) string {
			replaceKey(t, folder, "address", impostor(t, `{"answered":true,"output":{"permissionDec`))
			return bashCall
		},
		"hang-up": func(t *testing.T, _ *guard.Server, folder string) string {
			replaceKey(t, folder, "address", impostor(t, ``))
			return bashCall
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, allow)
			folder := plugin(t, s, "one")
			out, code := runHook(t, folder, guard.ToolCall, spoil(t, s, folder))
			if out != "" || code != 2 {
				t.Errorf("got %q, exit code %d, want 2", out, code)
			}
		})
	}
}

func replaceKey(t *testing.T, folder, name, value string) {
	t.Helper()
	path := filepath.Join(folder, "key.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var key map[string]string
	if err := json.Unmarshal(data, &key); err != nil {
		t.Fatal(err)
	}
	if key[name] == "" {
		t.Fatalf("no %s in %s", name, data)
	}
	key[name] = value
	data, _ = json.Marshal(key)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// impostor starts a server that answers each connection with the given text. It returns the server's address.
func impostor(t *testing.T, text string) (address string) {
	t.Helper()
	l, err := localsocket.Listen(t.TempDir(), "x")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answerWith(conn, text)
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-ended })
	return l.Addr().String()
}

func answerWith(conn net.Conn, text string) {
	var r json.RawMessage
	_ = json.NewDecoder(conn).Decode(&r)
	_, _ = conn.Write([]byte(text))
	_ = conn.Close()
}

// TestServer_CloseDeniesWaitingCalls checks that a hook waits for the user's decision, and that closing the server
// denies the calls that are waiting.
func TestServer_CloseDeniesWaitingCalls(t *testing.T) {
	waiting := make(chan struct{})
	s := newServer(t, func(ctx context.Context, _ string, _ guard.Call) guard.Answer {
		close(waiting)
		<-ctx.Done()
		return guard.Answer{Decision: guard.Allowed}
	})
	cmd := hookCommand(t, plugin(t, s, "one"), guard.ToolCall)
	cmd.Stdin = strings.NewReader(bashCall)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-waiting
	s.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 2 || out.Len() > 0 {
		t.Errorf("got %v, %q", err, out.String())
	}
}

// TestHook_DeniesBeforeTimeout checks that a hook denies a call before the CLI's time limit for hooks has passed,
// because the CLI would then run the tool.
func TestHook_DeniesBeforeTimeout(t *testing.T) {
	s := newServer(t, func(ctx context.Context, _ string, _ guard.Call) guard.Answer {
		<-ctx.Done()
		return guard.Answer{}
	})
	folder := plugin(t, s, "one")
	t.Setenv(waitVar, "50ms")
	if out, code := runHook(t, folder, guard.ToolCall, bashCall); code != 2 || out != "" {
		t.Errorf("got %q and exit code %d", out, code)
	}
	if guard.WaitTime >= guard.HookTimeout {
		t.Errorf("the hook waits for %v, the CLI only for %v", guard.WaitTime, guard.HookTimeout)
	}
}

// TestServer_CancelsDecisionOfEndedHook checks that a decision is canceled if the CLI ends its hook, for example
// because the CLI exits.
func TestServer_CancelsDecisionOfEndedHook(t *testing.T) {
	waiting, cancelled := make(chan struct{}), make(chan struct{})
	s := newServer(t, func(ctx context.Context, _ string, _ guard.Call) guard.Answer {
		close(waiting)
		<-ctx.Done()
		close(cancelled)
		return guard.Answer{}
	})
	cmd := hookCommand(t, plugin(t, s, "one"), guard.ToolCall)
	cmd.Stdin = strings.NewReader(bashCall)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-waiting
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	select {
	case <-cancelled:
	case <-time.After(time.Minute):
		t.Error("the decision goes on")
	}
}

func TestPlugin_OnlyForUser(t *testing.T) {
	s := newServer(t, func(context.Context, string, guard.Call) guard.Answer { return guard.Answer{} })
	folder := plugin(t, s, "one")
	if again := plugin(t, s, "one"); again != folder {
		t.Errorf("got %s, then %s", folder, again)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "hooks": 0o700, "plugin.json": 0o600, "hooks/hooks.json": 0o600, "key.json": 0o600} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v", name, info, err)
		}
	}
	hooks, err := os.ReadFile(filepath.Join(folder, "hooks", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(folder, "key.json"))
	if err != nil {
		t.Fatal(err)
	}
	var k struct{ Key string }
	if err := json.Unmarshal(key, &k); err != nil || k.Key == "" || bytes.Contains(hooks, []byte(k.Key)) {
		t.Errorf("the key is in the command line, which other users can read: %v", err)
	}
}
