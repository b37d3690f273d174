package repository_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func TestContents_DescribesSelectedChanges(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "one\ntwo\n")
	f.write("b.txt", "b\n")
	f.write("gone.txt", "gone\n")
	f.git("add", ".")
	f.git("commit", "--quiet", "-m", "files: add three\n\nWith a body.")
	f.git("commit", "--quiet", "--allow-empty", "-m", "files: add nothing")
	f.write("a.txt", "one\n2\n")
	f.write("b.txt", "B\n")
	f.git("add", "b.txt")
	f.write("new.txt", "new line\n")
	f.noErr(os.Remove(filepath.Join(f.dir, "gone.txt")))

	get := func(q backend.MessageDraftRequest) (files string, diff string) {
		t.Helper()
		c, err := f.m.Contents(t.Context(), "c", q)
		f.noErr(err)
		if got := cmp.Diff([]string{"files: add nothing", "files: add three"}, c.Subjects); got != "" || c.Branch != "main" {
			t.Errorf("the subjects on %q differ: %s", c.Branch, got)
		}
		return strings.Join(c.Files, ", "), c.Diff
	}
	files, diff := get(backend.MessageDraftRequest{Files: backend.CommitAll})
	if want := "M a.txt, M b.txt, D gone.txt, A new.txt"; files != want {
		t.Errorf("got %q, want %q", files, want)
	}
	for _, line := range []string{"\n-two\n+2\n", "\n-b\n+B\n", "\n-gone\n", "\n+new line\n"} {
		if !strings.Contains(diff, line) {
			t.Errorf("%q isn't in %s", line, diff)
		}
	}
	files, diff = get(backend.MessageDraftRequest{Files: backend.CommitStaged})
	if files != "M b.txt" || !strings.Contains(diff, "+B\n") || strings.Contains(diff, "+2") {
		t.Errorf("of staged files, got %q and %s", files, diff)
	}
	files, diff = get(backend.MessageDraftRequest{Files: backend.CommitChosen, Paths: []string{"new.txt"}})
	if files != "A new.txt" || !strings.Contains(diff, "+new line") || strings.Contains(diff, "+B") {
		t.Errorf("of chosen files, got %q and %s", files, diff)
	}
}

func TestContents_AmendedCommit(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.git("add", ".")
	f.git("commit", "--quiet", "-m", "Add a\n\nBecause.")
	c, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll, Amend: true})
	f.noErr(err)
	if c.Message != "Add a\n\nBecause." || !strings.Contains(c.Before, "\n+a\n") || c.Diff != "" || c.IsEmpty() {
		t.Errorf("got %+v", c)
	}
	if c, err = f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll}); err != nil || !c.IsEmpty() {
		t.Errorf("without changes, got %+v, %v", c, err)
	}
}

func TestContents_WithoutCommits(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "a\n")
	c, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll, Amend: true})
	f.noErr(err)
	if len(c.Subjects) != 0 || c.Message != "" || !strings.Contains(c.Diff, "\n+a\n") {
		t.Errorf("got %+v", c)
	}
}

func TestContents_SizeIsLimited(t *testing.T) {
	f := newFixture(t)
	f.write("small.txt", "one\n")
	f.write("large.txt", "one\n")
	f.git("add", ".")
	f.git("commit", "--quiet", "-m", "Add both")
	f.write("small.txt", "two\n")
	f.write("large.txt", strings.Repeat("a line that is added\n", 100_000))
	f.write("long.js", "var x = '"+strings.Repeat("ä", 200_000)+"';\n")
	f.write("binary", "a\x00b")
	f.write("huge.txt", strings.Repeat("x\n", 1_000_000))
	for i := range 500 {
		f.write("many/"+strings.Repeat("n", 40)+string(rune('a'+i%26))+strings.Repeat("i", i/26+1), "x\n")
	}
	c, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll})
	f.noErr(err)
	if len(c.Diff) > 64<<10 || !utf8.ValidString(c.Diff) || len(c.Files) != 300 || c.More != 205 {
		t.Errorf("got %d bytes, valid %v, %d files and %d more", len(c.Diff), utf8.ValidString(c.Diff), len(c.Files), c.More)
	}
	for _, part := range []string{"-one\n+two\n", "+a line that is added\n", "(the rest of this file's changes isn't shown)", "(a binary file of 3 bytes)", "(2000000 bytes)", "ä…\n"} {
		if !strings.Contains(c.Diff, part) {
			t.Errorf("%q isn't in the diff", part)
		}
	}
}

// TestContents_HostileRepository checks that no program specified by the repository runs, and that no file outside the
// repository is read.
func TestContents_HostileRepository(t *testing.T) {
	f := newFixture(t)
	outside := filepath.Join(t.TempDir(), "secret")
	f.noErr(os.WriteFile(outside, []byte("the secret\n"), 0o600))
	f.write(".gitattributes", "*.txt diff=evil filter=evil\n")
	f.write("a.txt", "one\n")
	f.git("add", ".")
	f.git("commit", "--quiet", "-m", "Add a")
	ran := filepath.Join(t.TempDir(), "ran")
	for _, setting := range []string{"diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "core.pager"} {
		f.git("config", setting, "touch "+ran+"; cat")
	}
	f.write("a.txt", "two\n")
	if err := os.Symlink(outside, filepath.Join(f.dir, "link.txt")); err != nil {
		t.Skip(err)
	}
	f.noErr(os.Symlink(filepath.Dir(outside), filepath.Join(f.dir, "folder")))
	f.write(":(glob)**", "odd\n")
	c, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll})
	f.noErr(err)
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program that the repository names ran")
	}
	if strings.Contains(c.Diff, "the secret") || !strings.Contains(c.Diff, "+two") || !strings.Contains(c.Diff, "+odd") {
		t.Errorf("got %s", c.Diff)
	}
	if _, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitChosen, Paths: []string{"../secret"}}); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a path outside of the folder: got %v", err)
	}
	f.trusted.Store(false)
	if _, err := f.m.Contents(t.Context(), "c", backend.MessageDraftRequest{Files: backend.CommitAll}); backend.CodeOf(err) != backend.CodeUntrusted {
		t.Errorf("in an untrusted folder: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.trusted.Store(true)
	if _, err := f.m.Contents(ctx, "c", backend.MessageDraftRequest{Files: backend.CommitAll}); ctx.Err() == nil || err == nil {
		t.Errorf("a canceled call: got %v", err)
	}
}
