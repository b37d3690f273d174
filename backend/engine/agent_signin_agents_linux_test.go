package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestAgentSignIn_RealAgents checks that two real agents without a sign-in show their methods, and refuse as they should.
func TestAgentSignIn_RealAgents(t *testing.T) {
	need.Sample(t)
	node := need.Programs(t, "node")
	packages, err := filepath.Abs(filepath.Join("..", "..", "build", "agents", "node_modules"))
	noErr(t, err)
	add := func(w *appEnv, name string, args ...string) backend.CustomAgent {
		args[0] = filepath.Join(packages, args[0])
		if _, err := filepath.EvalSymlinks(args[0]); err != nil {
			need.Agent(t, "%s is not installed: %v", name, err)
		}
		profile, err := w.App.SaveProfile(backend.CustomAgent{Name: name, Command: node, Args: args}, nil)
		noErr(t, err)
		return profile
	}
	t.Setenv("HOME", t.TempDir())

	t.Run("Qwen Code", func(t *testing.T) {
		w := newAppEnv(t, t.TempDir())
		profile := add(w, "Qwen Code", "@qwen-code/qwen-code/cli.js", "--acp")
		chat := w.Chat(profile.ID)
		w.Send(chat, "go")
		s := w.waitForAgentSignIn("it is needed", inState(backend.AgentSignInNeeded))
		expectEqual(t, "methods", methodNames(s), []string{"agent: Use OpenAI API key", "agent: Qwen OAuth"})
		noErr(t, w.App.SignInAgent(profile.ID, s.Methods[0].ID, nil))
		failed := w.waitForAgentSignIn("it fails", func(s backend.AgentSignIn) bool {
			return s.State == backend.AgentSignInFailed || s.State == backend.AgentSignInDone
		})
		if message := failed.Message.String(); failed.State != backend.AgentSignInFailed || !strings.HasPrefix(message, "The agent answered: ") {
			t.Errorf("without a key it is %s: %s", failed.State, message)
		}
	})
	t.Run("Claude Agent", func(t *testing.T) {
		w := newAppEnv(t, t.TempDir())
		profile := add(w, "Claude Agent", "@agentclientprotocol/claude-agent-acp/dist/index.js")
		noErr(t, w.App.CheckAgentSignIn(profile.ID))
		s := w.waitForAgentSignIn("the methods", func(s backend.AgentSignIn) bool { return len(s.Methods) > 0 })
		expectEqual(t, "methods", methodNames(s), []string{"terminal: Claude Subscription", "terminal: Anthropic Console"})
		want := append([]string{node}, profile.Args...)
		expectEqual(t, "command", append([]string{s.Methods[0].Program}, s.Methods[0].Args...), append(want, "--cli", "auth", "login", "--claudeai"))
		// The package's native program isn't installed here, so its sign-in fails, and says so in the terminal.
		noErr(t, w.App.SignInAgent(profile.ID, s.Methods[0].ID, nil))
		w.waitForTerminal("native binary not found")
		failed := w.waitForAgentSignIn("it fails", inState(backend.AgentSignInFailed))
		if message := failed.Message.String(); !strings.Contains(message, "exit code 1") {
			t.Errorf("the reason is %q", message)
		}
	})
}

// methodNames returns the kinds and names of an agent's sign-in methods.
func methodNames(s backend.AgentSignIn) (names []string) {
	for _, m := range s.Methods {
		names = append(names, string(m.Kind)+": "+m.Name)
	}
	return names
}
