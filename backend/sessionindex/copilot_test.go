package sessionindex_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestIndex_RealCLI checks the list and the preview of sessions that the real Copilot CLI wrote.
func TestIndex_RealCLI(t *testing.T) {
	program := copilottest.Path(t)
	w := newFixture(t)
	server, err := practice.New(practice.Guide())
	w.check(err)
	defer server.Close()
	folder := t.TempDir()
	w.check(practice.Folder(folder))
	w.check(exec.CommandContext(t.Context(), "git", "init", "-q", "-b", "topic", folder).Run())
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, append(args, "--allow-all-tools", "--no-auto-update")...)
		cmd.Dir = folder
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "COPILOT_") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		cmd.Env = append(cmd.Env, server.Env(w.home)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	run("-p", "Please fix the greeting\nsecond line")
	list := w.list(sessionindex.Query{})
	if len(list.Sessions) != 1 {
		t.Fatalf("got %+v", list)
	}
	id := list.Sessions[0].ID
	run("--resume", id, "-p", "Run the script")

	list = w.list(sessionindex.Query{})
	if got, want := titles(list), []string{"Please fix the greeting"}; !cmp.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	s := list.Sessions[0]
	if s.ID != id || s.Folder != folder || s.Branch != "topic" || s.Model != practice.Model || s.Last != "Run the script" || s.Damage != "" || s.Holder != nil ||
		s.CreatedAt == 0 || s.UpdatedAt <= s.CreatedAt || s.UpdatedAt > backend.Now() {
		t.Errorf("got %+v", s)
	}
	p, err := w.Index.Preview(t.Context(), "", id)
	w.check(err)
	if p.First != "Please fix the greeting\nsecond line" || p.Last != "Run the script" || !strings.Contains(p.Answer, "exited with code 0") {
		t.Errorf("got %q, %q, %q", p.First, p.Last, p.Answer)
	}
	if got, want := []int{p.Commands, p.Files, p.Added, p.Removed}, []int{1, 1, 1, 1}; !cmp.Equal(got, want) || p.Report != nil {
		t.Errorf("commands, files and lines: got %v, want %v", got, want)
	}
	text, err := os.ReadFile(w.log(id))
	w.check(err)
	if got, want := s.Messages, strings.Count(string(text), `{"type":"user.message"`)+strings.Count(string(text), `{"type":"assistant.message"`); got != want {
		t.Errorf("got %d messages, want %d", got, want)
	}

	// The real log, cut in the middle of a line that isn't the last one.
	at := strings.LastIndex(string(text), `{"type":"user.message"`) + 45
	w.check(os.WriteFile(w.log(id), []byte(string(text[:at])+"\n"+string(text[:100])+"\n"), 0o600))
	w.Index.Expire()
	p, err = w.Index.Preview(t.Context(), "", id)
	w.check(err)
	if p.Session.Damage != backend.DamageInvalid || p.Report == nil || p.Report.Invalid != 1 || p.Report.CutOff != 101 || p.Report.FileChanges != 1 ||
		p.Report.Line != strings.Count(string(text[:at]), "\n")+1 || !strings.HasPrefix(p.Report.Part, `{"type":"user.message"`) {
		t.Errorf("got %+v, %+v", p.Session, p.Report)
	}
}
