package hookconfig

import (
	"fmt"
	"strings"
	"testing"
)

// TestHooksIn_FollowsRulesOfGit checks that hooksIn finds the hooks that Git 2.55 lists for the same configuration.
func TestHooksIn_FollowsRulesOfGit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config []string
		want   string // events with their hooks, and the events without any
	}{
		"two events":        {[]string{"lint.command=a", "lint.event=pre-commit", "lint.event=pre-push"}, "pre-commit=lint pre-push=lint"},
		"order":             {[]string{"a.command=a", "b.command=b", "a.event=pre-commit", "b.event=pre-commit", "a.event=pre-commit"}, "pre-commit=b,a"},
		"reset":             {[]string{"a.command=a", "a.event=pre-commit", "a.event=", "a.event=pre-push"}, "pre-push=a"},
		"disabled":          {[]string{"a.command=a", "a.event=pre-commit", "a.enabled=off"}, ""},
		"enabled again":     {[]string{"a.enabled=false", "a.command=a", "a.event=pre-commit", "a.enabled=true"}, "pre-commit=a"},
		"without a command": {[]string{"a.event=pre-commit"}, ""},
		"without an event":  {[]string{"a.command=a"}, ""},
		"name with dots":    {[]string{"a.b=c.command=a", "a.b=c.event=commit-msg"}, "commit-msg=a.b=c"},
		"event off":         {[]string{"a.command=a", "a.event=pre-commit", "pre-commit.enabled=false"}, "pre-commit=a -pre-commit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var config strings.Builder
			for _, line := range c.config {
				dot := strings.LastIndex(line, ".")
				for _, variable := range []string{"command", "event", "enabled"} {
					if at := strings.Index(line, "."+variable+"="); at >= 0 {
						dot = at
					}
				}
				variable, value, _ := strings.Cut(line[dot:], "=")
				fmt.Fprintf(&config, "hook.%s%s\n%s\x00", line[:dot], variable, value)
			}
			hooks := hooksIn(config.String())
			var got []string
			for _, event := range []string{"pre-commit", "commit-msg", "pre-push"} {
				if names := hooks.ByEvent[event]; len(names) > 0 {
					got = append(got, event+"="+strings.Join(names, ","))
				}
				if hooks.Off[event] {
					got = append(got, "-"+event)
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestParse_DependsOnVersion(t *testing.T) {
	t.Parallel()
	const config = "hook.a.command\na\x00hook.a.event\npre-commit\x00hook.pre-commit.enabled\nfalse\x00"
	for version, want := range map[string][2]bool{"2.53.9": {}, "2.54.0": {true, false}, "2.55.0": {true, true}} {
		hooks := Parse(config, "git version "+version)
		if got := [2]bool{len(hooks.ByEvent["pre-commit"]) == 1, hooks.Off["pre-commit"]}; got != want {
			t.Errorf("%s: got %v, want %v", version, got, want)
		}
	}
}

func TestVersionIn_ReadsFirstNumbers(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][2]int{
		"git version 2.39.5 (Apple Git-154)": {2, 39},
		"git version 2.54.0.windows.1":       {2, 54},
		"git version 2.55.GIT":               {2, 55},
		"git version 3":                      {3, 0},
		"":                                   {},
	} {
		if got := versionIn(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}
