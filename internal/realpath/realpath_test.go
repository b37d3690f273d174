package realpath

import (
	"testing"
)

func TestJoin_DoesNotClean(t *testing.T) {
	for _, c := range []struct {
		folder, path, want string
		windows            bool
	}{
		{"/p", "a/../b", "/p/a/../b", false},
		{"/p", "/q/../b", "/q/../b", false},
		{"/", "a", "/a", false},
		{"/p", "", "/p", false},
		{"/p", `\a`, `/p/\a`, false},
		{`C:\p`, `a\..\b`, `C:\p\a\..\b`, true},
		{`C:\p`, `\a`, `C:\a`, true},
		{`C:\p`, `/a`, `C:/a`, true},
		{`C:\p`, `D:\a`, `D:\a`, true},
		{`C:\p`, `D:a`, `C:\p\D:a`, true}, // rejected later because of its colon: it depends on the drive's current folder
		{`C:\p`, `\\host\share\a`, `\\host\share\a`, true},
		{`\\host\share\p`, `\a`, `\\host\share\a`, true},
		{`\\host\share`, `\a`, `\\host\share\a`, true},
		{`C:\`, `a`, `C:\a`, true},
	} {
		if got := join(c.folder, c.path, c.windows); got != c.want {
			t.Errorf("join(%q, %q): got %q, want %q", c.folder, c.path, got, c.want)
		}
	}
}
