package otherprograms_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
)

// writerVar names the database that the test binary writes to and then keeps open until its input ends, as opencode does.
const writerVar = "VOXPILOT_TEST_DATABASE"

func TestMain(m *testing.M) {
	if name := os.Getenv(writerVar); name != "" {
		writeDatabase(name)
		return
	}
	goleak.VerifyTestMain(m)
}

func writeDatabase(name string) {
	db, err := sql.Open("sqlite", name)
	if err == nil {
		db.SetMaxOpenConns(1)
		_, err = db.ExecContext(context.Background(), `PRAGMA wal_autocheckpoint=0; UPDATE session SET title = 'just now'`)
	}
	fmt.Println(err)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func noErr(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newHome returns a home directory with the conversations in testdata: those of Claude Code 2.1, Codex CLI 0.171 and
// opencode 1.18 were written by these programs, with a scripted model; those of VS Code follow its published source.
func newHome(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	noErr(t, os.CopyFS(filepath.Join(home, ".claude", "projects"), os.DirFS("testdata/claude")))
	noErr(t, os.CopyFS(filepath.Join(home, ".codex", "sessions"), os.DirFS("testdata/codex")))
	noErr(t, os.CopyFS(filepath.Join(vscodeUser(home), "workspaceStorage"), os.DirFS("testdata/vscode")))
	dir := filepath.Join(home, ".local", "share", "opencode")
	noErr(t, os.MkdirAll(dir, 0o700))
	script, err := os.ReadFile("testdata/opencode/opencode.sql")
	noErr(t, err)
	db, err := sql.Open("sqlite", filepath.Join(dir, "opencode.db"))
	noErr(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "PRAGMA journal_mode=WAL;"+string(script))
	noErr(t, err)
	return home
}

func vscodeUser(home string) string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "Code", "User")
	case "windows":
		return filepath.Join(home, "AppData", "Roaming", "Code", "User")
	}
	return filepath.Join(home, ".config", "Code", "User")
}

func programs(home string) map[backend.OtherProgram]otherprograms.Program {
	return otherprograms.Programs(home, func(string) string { return "" })
}

// list lists the conversations of a program.
func list(t testing.TB, home string, id backend.OtherProgram) []otherprograms.Conversation {
	t.Helper()
	all, err := programs(home)[id].List(t.Context())
	noErr(t, err)
	return all
}

// recorder is a Sink that notes each entry as a line.
type recorder struct {
	lines            []string
	unknown, damaged int
}

func (s *recorder) Skip(damaged bool) {
	if damaged {
		s.damaged++
	} else {
		s.unknown++
	}
}

func (s *recorder) Progress(int64) {}

func (s *recorder) Add(e otherprograms.Entry) error {
	add := func(format string, args ...any) { s.lines = append(s.lines, fmt.Sprintf(format, args...)) }
	switch e.Kind {
	case otherprograms.EntryPrompt:
		line := "prompt: " + e.Text
		for _, i := range e.Images {
			line += fmt.Sprintf(" [%s %s %d]", i.Name, i.Mime, len(i.Data))
		}
		for _, f := range e.Files {
			line += " [file " + filepath.ToSlash(f) + "]"
		}
		add("%s", line)
	case otherprograms.EntryAnswer:
		add("answer: %s", e.Text)
	case otherprograms.EntryThought:
		add("thought: %s", e.Text)
	case otherprograms.EntryNote:
		add("note: %s", e.Text)
	case otherprograms.EntryCall:
		add("call %s %q path=%s command=%q", e.Call.Kind, e.Call.Title, filepath.ToSlash(e.Call.Path), e.Call.Command)
	case otherprograms.EntryResult:
		line := fmt.Sprintf("result %s %q", e.Result.Status, e.Result.Text)
		if e.Result.ExitCode != nil {
			line += fmt.Sprintf(" exit=%d", *e.Result.ExitCode)
		}
		for _, d := range e.Result.Diffs {
			line += fmt.Sprintf(" diff %q", d.Body)
		}
		for _, i := range e.Result.Images {
			line += fmt.Sprintf(" [%s %d]", i.Mime, len(i.Data))
		}
		add("%s", line)
	case otherprograms.EntryPlan:
		add("plan: %v", e.Plan)
	case otherprograms.EntryUsage:
		if n := len(s.lines) - 1; n >= 0 && strings.HasPrefix(s.lines[n], "usage") {
			s.lines = s.lines[:n]
		}
		add("usage %d %d %d", e.Usage.Input, e.Usage.Output, e.Usage.CacheRead)
	case otherprograms.EntryEnd:
		add("end %s", e.State)
	}
	return nil
}

func read(t testing.TB, home string, c otherprograms.Conversation) *recorder {
	t.Helper()
	var s recorder
	noErr(t, programs(home)[c.Program].Read(context.Background(), c, &s))
	return &s
}
