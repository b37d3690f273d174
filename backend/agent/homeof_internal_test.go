package agent

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestHomeOf_IsThatOfTheEnvironment(t *testing.T) {
	t.Parallel()
	user := "HOME=/u"
	if runtime.GOOS == "windows" {
		user = "USERPROFILE=/u"
	}
	for name, c := range map[string]struct {
		launch Launch
		want   string
	}{
		"the default":   {Launch{Env: []string{user}}, filepath.Join("/u", ".copilot")},
		"the last":      {Launch{Env: []string{"COPILOT_HOME=/a", user, "COPILOT_HOME=/b"}}, "/b"},
		"unknown":       {Launch{}, ""},
		"not started":   {Launch{Address: "localhost:1", Home: "/c"}, "/c"},
		"an empty name": {Launch{Env: []string{user, "COPILOT_HOME="}}, filepath.Join("/u", ".copilot")},
	} {
		if got := homeOf(c.launch); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
