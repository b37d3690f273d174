package copilot

import "testing"

func TestHost_IsUsersGitHub(t *testing.T) {
	for _, c := range []struct{ own, all, want string }{
		{"", "", ""},
		{"", "github.com", ""},
		{"", "example.ghe.com", "https://example.ghe.com"},
		{"github.com", "example.ghe.com", ""},
		{"https://example.ghe.com", "", "https://example.ghe.com"},
	} {
		env := map[string]string{"COPILOT_GH_HOST": c.own, "GH_HOST": c.all}
		if got := Host(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("with %v the host is %q", env, got)
		}
	}
}
