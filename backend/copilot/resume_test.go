package copilot

import "testing"

func TestResumeCommand_SetsHome(t *testing.T) {
	for _, test := range []struct{ goos, home, want string }{
		{"linux", "", "copilot --resume=id"},
		{"windows", "", "copilot --resume=id"},
		{"linux", "/home/ada/it's mine", `COPILOT_HOME='/home/ada/it'\''s mine' copilot --resume=id`},
		{"windows", `C:\Users\ada\it's $mine`, `$env:COPILOT_HOME='C:\Users\ada\it''s $mine'; copilot --resume=id`},
	} {
		if got := ResumeCommand(test.goos, test.home, "id"); got != test.want {
			t.Errorf("%s, home %q: %s, want %s", test.goos, test.home, got, test.want)
		}
	}
}
