package guard_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/guard"
)

// TestHook_ReportsLaterPlugin checks that the hook for the start of a session reports a plugin whose hooks run after
// those of the guard.
func TestHook_ReportsLaterPlugin(t *testing.T) {
	for name, c := range map[string]struct {
		args []string // the CLI's arguments; $guard stands for the guard's plugin folder
		want string
	}{
		"none":             {[]string{"--acp", "--plugin-dir", "$guard"}, ""},
		"before":           {[]string{"--plugin-dir", "/before", "--plugin-dir=/too", "--plugin-dir", "$guard", "--stdio"}, ""},
		"after":            {[]string{"--plugin-dir", "$guard", "--plugin-dir", "/after"}, "/after"},
		"after, one word":  {[]string{"--plugin-dir=$guard", "--stdio", "--plugin-dir=/after"}, "/after"},
		"between the same": {[]string{"--plugin-dir", "$guard", "--plugin-dir", "/after", "--plugin-dir", "$guard"}, "/after"},
		"another option":   {[]string{"--plugin-dir", "$guard", "--add-dir", "/after"}, ""},
		"no value":         {[]string{"--plugin-dir", "$guard", "--plugin-dir"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var calls []guard.Call
			s := newServer(t, func(_ context.Context, _ string, call guard.Call) guard.Answer {
				calls = append(calls, call)
				return guard.Answer{}
			})
			folder := plugin(t, s, "one")
			for _, event := range []guard.Event{guard.SessionStart, guard.ToolCall} {
				args := []string{"-c", "(" + hookCommand(t, folder, event).Args[2] + "); exit $?", "copilot"}
				for _, arg := range c.args {
					args = append(args, strings.ReplaceAll(arg, "$guard", folder))
				}
				cli := exec.CommandContext(t.Context(), "bash", args...)
				cli.Env, cli.Stdin = os.Environ(), strings.NewReader(bashCall)
				if out, err := cli.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			if len(calls) != 2 || calls[0].Overridden != c.want || calls[1].Overridden != "" {
				t.Errorf("got %+v, want %q first", calls, c.want)
			}
		})
	}
}
