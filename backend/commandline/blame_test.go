package commandline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestArgs_BlameTakesOneFile(t *testing.T) {
	for _, args := range [][]string{{"blame"}, {"blame", "a", "b"}, {"blame", "--text", "a"}, {"blame", "--json"}} {
		if out, errs, code := runCLI(t, args...); code != 2 || out != "" || !strings.Contains(errs, "voxpilot blame FILE") {
			t.Errorf("%q: %d %q %q", args, code, out, errs)
		}
	}
	if r, err := parseBlame([]string{"--json", "--", "--json"}); err != nil || !r.JSON || r.Target != "--json" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestBlame_PrintsMessageOfEachLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Run(`printf 'two \033[31m\nthree\n' >> a:1.txt`)}}})
	w := newAppEnv(t)
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile(filepath.Join(folder, "a:1.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err == nil {
		err = w.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "\n Add lines.\nPlease")
	turn := w.WaitFor("the end of the turn", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone }).Turn.ID

	out, errs, code := runCLI(t, "blame", "a:1.txt")
	lines := strings.Split(out, "\n")
	if code != 0 || errs != "" || len(lines) != 4 || !strings.Contains(lines[0], "Before VoxPilot tracked changes") || !strings.HasSuffix(lines[0], " 1) one") ||
		!strings.Contains(lines[1], "  Add lines. ") || !strings.HasSuffix(lines[1], " 2) two [31m") {
		t.Errorf("%d %q\n%s", code, errs, out)
	}
	if out, errs, code := runCLI(t, "blame", "a:1.txt:3"); code != 0 || errs != "" || strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, " 3) three\n") {
		t.Errorf("a line: %d %q %q", code, out, errs)
	}
	var found []struct {
		Line    int
		Text    string
		Certain bool
		By      []struct{ Kind, Time, ChatID, TurnID, Prompt string }
	}
	out, errs, code = runCLI(t, "blame", "--json", "a:1.txt:2")
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 0 || errs != "" || len(found) != 1 {
		t.Fatalf("%v %d %q\n%s", err, code, errs, out)
	}
	if l := found[0]; l.Line != 2 || l.Text != "two \x1b[31m" || !l.Certain || len(l.By) != 1 ||
		l.By[0].Kind != "turn" || l.By[0].TurnID != turn || l.By[0].ChatID != chat.ID || l.By[0].Time == "" || l.By[0].Prompt != "Add lines." {
		t.Errorf("got %+v", l)
	}
	for target, want := range map[string]string{"a:1.txt:4": "The file has no line 4.", "none": "none", "/etc/passwd": "isn't in any chat's folder."} {
		if out, errs, code := runCLI(t, "blame", target); code != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %q %q", target, code, out, errs)
		}
	}
}
