package snapshot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestTraps_UndoRestoresAndGitUntouched checks that undo and redo restore the files and leave .git unchanged, for
// repositories in unusual states such as a dirty tree, a detached HEAD or a merge in progress.
func TestTraps_UndoRestoresAndGitUntouched(t *testing.T) {
	traps := map[string]func(f *fixture){
		"clean": func(*fixture) {},
		"dirty tree": func(f *fixture) {
			f.write("tracked", "staged")
			f.git("add", "tracked")
			f.write("tracked", "unstaged")
			f.write("untracked", "1")
		},
		"detached HEAD": func(f *fixture) { f.git("checkout", "-q", "--detach") },
		"unborn branch": func(f *fixture) { f.git("checkout", "-q", "--orphan", "new") },
		"merge in progress": func(f *fixture) {
			f.git("checkout", "-qb", "side")
			f.write("tracked", "side")
			f.git("commit", "-qam", "side")
			f.git("checkout", "-q", "main")
			f.write("tracked", "main")
			f.git("commit", "-qam", "main")
			if _, err := tryGit(f.t, f.dir, "merge", "side"); err == nil {
				f.t.Fatal("the merge has no conflict")
			}
		},
		"submodule": func(f *fixture) {
			other := f.t.TempDir()
			gitIn(f.t, other, "init", "-q")
			f.noErr(os.WriteFile(filepath.Join(other, "inner"), []byte("1"), 0o600))
			gitIn(f.t, other, "add", "-A")
			gitIn(f.t, other, "commit", "-qm", "1")
			f.git("rm", "-rq", "nested")
			f.git("submodule", "--quiet", "add", other, "nested")
			f.write("nested/other", "1")
			f.git("commit", "-qm", "submodule")
		},
		"nested repository": func(f *fixture) {
			f.write("nested/inner", "1")
			gitIn(f.t, f.path("nested"), "init", "-q")
		},
		"sparse checkout": func(f *fixture) {
			f.write("out/side", "1")
			f.git("add", "-A")
			f.git("commit", "-qm", "2")
			f.git("sparse-checkout", "set", "nested")
		},
		"split index": func(f *fixture) { f.git("update-index", "--split-index") },
		"separate git directory": func(f *fixture) {
			f.git("init", "-q", "--separate-git-dir", filepath.Join(f.t.TempDir(), "elsewhere"))
		},
		// The repository contains a pointer to a large file, and the folder contains the file itself. If the LFS filter
		// ran, it would create a file.
		"LFS": func(f *fixture) {
			f.write(".gitattributes", "tracked filter=lfs diff=lfs merge=lfs -text\n")
			f.git("config", "filter.lfs.clean", "cat >/dev/null; echo version https://git-lfs.github.com/spec/v1")
			f.git("add", "-A")
			f.git("commit", "-qm", "lfs")
			for _, filter := range []string{"clean", "smudge", "process"} {
				f.git("config", "filter.lfs."+filter, "touch filter-ran; cat")
			}
			f.git("config", "filter.lfs.required", "true")
		},
		"line ends": func(f *fixture) {
			f.git("config", "core.autocrlf", "true")
			f.write(".gitattributes", "* text=auto eol=crlf\n")
			f.write("tracked", "one\ntwo\r\n")
		},
		"no git": func(f *fixture) { f.remove(".git") },
		"no git program": func(f *fixture) {
			f.cfg.LoginPath = func() string { return f.t.TempDir() }
			f.open()
		},
		"10 MB binary": func(f *fixture) { f.write("tracked", randomText(10<<20)) },
	}
	chaos.Row(t, "Repositories in unusual states", len(traps))("all files went back; HEAD, index, config and objects unchanged")
	for name, prepare := range traps {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.git("init", "-q")
			f.write("tracked", "first")
			f.write("nested/other", "1")
			f.git("add", "-A")
			f.git("commit", "-qm", "1")
			prepare(f)
			want := readTree(t, f.dir)
			before := f.snapshot()
			f.write("tracked", "agent"+randomText(1<<10))
			f.write("nested/inner", "agent")
			f.write("nested/new/file", "agent")
			f.noErr(os.Rename(f.path("nested/other"), f.path("moved")))
			f.undoAndRedo(before.ID, f.snapshot().ID, want) // also compares .git
		})
	}
}

func TestTraps_LinkedWorktree(t *testing.T) {
	chaos.Row(t, "Linked worktrees, also of a bare repository", 2)("all files went back; the repository unchanged")
	for _, bare := range []bool{false, true} {
		f := newFixture(t)
		f.git("init", "-q")
		f.write("a", "1")
		f.git("add", "-A")
		f.git("commit", "-qm", "1")
		tree := f.path("tree")
		if bare {
			f.git("clone", "-q", "--bare", ".", f.path("bare.git"))
			gitIn(t, f.path("bare.git"), "worktree", "add", "-q", tree)
		} else {
			f.git("worktree", "add", "-q", tree)
		}
		main := f.dir
		whole := readTree(t, main)
		f.dir = tree
		f.open()
		want := readTree(t, tree)
		before := f.snapshot()
		f.write("a", "2")
		f.undoAndRedo(before.ID, f.snapshot().ID, want)
		f.write("a", "1")
		assertTree(t, readTree(t, main), whole)
		if before.Files != 1 {
			t.Errorf("got %d files, want 1", before.Files)
		}
	}
}

// TestTraps_BareRepository checks that Snapshot refuses a bare repository and leaves it unchanged.
func TestTraps_BareRepository(t *testing.T) {
	chaos.Row(t, "A bare repository", 1)("refused; unchanged")
	f := newFixture(t)
	f.git("init", "-q", "--bare")
	want := readTree(t, f.dir)
	if _, err := f.store.Snapshot(t.Context()); !errors.Is(err, snapshot.ErrGitDirectory) {
		t.Errorf("got %v, want that it is a Git directory", err)
	}
	assertTree(t, readTree(t, f.dir), want)
}

func TestTraps_UnreadablePipeSocket(t *testing.T) {
	chaos.Row(t, "A file and a folder without permission, a pipe and a socket", 4)("named and left as they are")
	if rerunAsNobody(t) {
		return
	}
	f := newFixture(t)
	f.write("secret", "1")
	f.write("closed/file", "1")
	makePipe(t, f.path("pipe"))
	makeSocket(t, f.path("socket"))
	f.noErr(os.Chmod(f.path("secret"), 0))
	f.noErr(os.Chmod(f.path("closed"), 0))
	t.Cleanup(func() { _ = os.Chmod(f.path("closed"), 0o700) }) //nolint:gosec // a folder
	before := f.snapshot()
	omitted := map[string]snapshot.Reason{}
	for _, o := range before.Omitted {
		omitted[o.Path] = o.Reason
	}
	want := map[string]snapshot.Reason{
		"pipe": snapshot.Special, "socket": snapshot.Special, "secret": snapshot.Unreadable, "closed": snapshot.Unreadable,
	}
	if !maps.Equal(omitted, want) {
		t.Errorf("got %v, want %v", omitted, want)
	}
	f.remove("pipe")
	f.write("pipe", "a file now")
	f.noErr(os.Chmod(f.path("secret"), 0o600))
	f.write("secret", "changed")
	f.noErr(os.Chmod(f.path("secret"), 0))
	after := f.snapshot()
	if it := item(t, f.plan(before.ID, after.ID), "secret"); it.State != snapshot.Omitted || it.Reason != snapshot.Unreadable {
		t.Errorf("got %+v, want the changed file named as unreadable", it)
	}
	f.undo(before.ID, after.ID, nil)
	if got, err := os.ReadFile(f.path("pipe")); err != nil || string(got) != "a file now" {
		t.Errorf("got %q (%v), want the file left alone", got, err)
	}
}

func TestTraps_ReadOnlyFolderIsSkipped(t *testing.T) {
	chaos.Row(t, "A read-only folder", 1)("its file skipped and named, the other one went back; both went back once it was writable")
	if rerunAsNobody(t) {
		return
	}
	f := newFixture(t)
	f.write("locked/a", "1")
	f.write("b", "1")
	before := f.snapshot()
	f.write("locked/a", "2")
	f.write("b", "2")
	after := f.snapshot()
	f.noErr(os.Chmod(f.path("locked"), 0o500))
	t.Cleanup(func() { _ = os.Chmod(f.path("locked"), 0o700) }) //nolint:gosec // a folder
	res := f.undo(before.ID, after.ID, nil)
	if len(res.Skipped) != 1 || res.Skipped[0].Reason != snapshot.NotWritable || !slices.Equal(res.Done, []string{"b"}) {
		t.Errorf("got %+v", res)
	}
	f.noErr(os.Chmod(f.path("locked"), 0o700)) //nolint:gosec // a folder
	left := f.snapshot()
	if res := f.undo(before.ID, after.ID, nil); !slices.Equal(res.Done, []string{"locked/a"}) {
		t.Errorf("when it is writable again: got %+v", res)
	}
	f.undo(left.ID, f.snapshot().ID, nil)
	if f.snapshot().ID != left.ID {
		t.Error("the redo differs")
	}
}

func TestTraps_ReadOnlyFileGoesBack(t *testing.T) {
	chaos.Row(t, "A read-only file", 1)("went back with its permissions")
	f := newFixture(t)
	f.write("a", "1")
	f.noErr(os.Chmod(f.path("a"), 0o444))
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.remove("a")
	f.write("a", "2")
	f.noErr(os.Chmod(f.path("a"), 0o400))
	f.undoAndRedo(before.ID, f.snapshot().ID, want)
}

func TestTraps_LinkIsNeverFollowed(t *testing.T) {
	chaos.Row(t, "A folder that became a link out of the chat's folder", 1)("nothing outside changed; the folder came back")
	f := newFixture(t)
	outside := t.TempDir()
	f.noErr(os.WriteFile(filepath.Join(outside, "a"), []byte("2"), 0o600))
	f.write("d/a", "1")
	before := f.snapshot()
	f.write("d/a", "2")
	after := f.snapshot()
	plan := f.plan(before.ID, after.ID)
	f.remove("d")
	f.noErr(os.Symlink(outside, f.path("d"))) // after the plan was made
	res, err := f.store.Apply(t.Context(), plan, nil)
	f.noErr(err)
	if len(res.Skipped) != 1 || res.Skipped[0].Reason != snapshot.NotFolder {
		t.Errorf("got %+v, want it skipped", res)
	}
	if got, err := os.ReadFile(filepath.Join(outside, "a")); err != nil || string(got) != "2" {
		t.Errorf("a file outside the folder: got %q (%v), want it untouched", got, err)
	}
	// A link that existed at the end of the turn is removed, and the folder is restored.
	linked := f.snapshot()
	f.undo(before.ID, linked.ID, nil)
	if got, err := os.ReadFile(f.path("d/a")); err != nil || string(got) != "1" {
		t.Errorf("got %q (%v), want the folder back", got, err)
	}
}

func TestTraps_CaseOnlyRename(t *testing.T) {
	chaos.Row(t, "A file and a folder whose names changed only in case", 2)("moved back")
	f := newFixture(t)
	f.write("Src/ReadMe", "1")
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.noErr(os.Rename(f.path("Src/ReadMe"), f.path("Src/README")))
	f.noErr(os.Rename(f.path("Src"), f.path("src")))
	f.undoAndRedo(before.ID, f.snapshot().ID, want)
}

func TestTraps_ManyFiles(t *testing.T) {
	f := newFixture(t)
	files := chaos.Runs(20_000, 200_000)
	result := chaos.Row(t, "Files in a folder", files)
	for i := range files {
		if i%1000 == 0 {
			f.noErr(os.MkdirAll(f.path(fmt.Sprint(i/1000)), 0o755))
		}
		f.noErr(os.WriteFile(f.path(fmt.Sprintf("%d/%d", i/1000, i)), []byte(fmt.Sprint(i)), 0o600))
	}
	before := f.snapshot()
	f.remove("0")
	f.write("1/1000", "changed")
	res := f.undo(before.ID, f.snapshot().ID, nil)
	if before.Files != files || len(res.Done) != 1001 || f.snapshot().ID != before.ID {
		t.Errorf("got %d files, %d done, %d skipped", before.Files, len(res.Done), len(res.Skipped))
	}
	result("all were recorded, and the %d that had changed went back", len(res.Done))
	f.cfg.MaxFiles = 100
	f.open()
	if _, err := f.store.Snapshot(t.Context()); err == nil {
		t.Error("more files than the limit have a snapshot")
	}
}

// TestSnapshot_IgnoresAsGitDoes checks that a snapshot of a random repository contains exactly the files that git
// lists.
func TestSnapshot_IgnoresAsGitDoes(t *testing.T) {
	seed, rounds, files := chaos.Seed(t), chaos.Runs(15, 500), 0
	result := chaos.Row(t, "Random repositories with random ignore rules", rounds)
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		f := newFixture(t)
		names := []string{"a", "b.log", "c.o", "build", "x y", "#h", "!n", "d", "é"}
		rules := []string{"*.log", "build/", "/a", "!b.log", "d/*", "**/c.o", "d/**/a", "#x", "\\#h", "\\!n", "x y", "[ab]", "*", "!d/", "a/", "!*.o", "/d/build", "build", "é"}
		random := func(list []string) string { return list[r.IntN(len(list))] }
		text := func() (b string) {
			for range r.IntN(4) {
				b += random(rules) + "\n"
			}
			return b
		}
		var all []string
		for range 40 {
			parts := []string{}
			for range 1 + r.IntN(3) {
				parts = append(parts, random(names))
			}
			name := strings.Join(parts, "/")
			if os.MkdirAll(filepath.Dir(f.path(name)), 0o755) == nil && os.WriteFile(f.path(name), []byte(name), 0o600) == nil {
				all = append(all, name)
			}
		}
		f.git("init", "-q")
		for range r.IntN(4) {
			f.git("add", "-f", "--", ":(literal)"+random(all))
		}
		for _, dir := range []string{"", "d/", "a/", "d/a/"} {
			if info, err := os.Stat(f.path(dir)); err == nil && info.IsDir() {
				f.write(dir+".gitignore", text())
			}
		}
		f.write(".git/info/exclude", text())
		f.noErr(os.MkdirAll(os.Getenv("XDG_CONFIG_HOME")+"/git", 0o700))
		f.noErr(os.WriteFile(os.Getenv("XDG_CONFIG_HOME")+"/git/ignore", []byte(text()), 0o600))
		want := strings.Split(strings.TrimSuffix(f.git("ls-files", "-z", "-c", "-o", "--exclude-standard"), "\x00"), "\x00")
		slices.Sort(want)
		want = slices.DeleteFunc(slices.Compact(want), func(name string) bool { return name == "" })
		snap := f.snapshot()
		var got []string
		f.noErr(filepath.WalkDir(f.dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				if e != nil && e.Name() == ".git" {
					return fs.SkipDir
				}
				return err
			}
			rel, err := filepath.Rel(f.dir, path)
			if err != nil {
				return err
			}
			entry, _, err := f.store.Read(snap.ID, filepath.ToSlash(rel))
			if entry.Kind == snapshot.File {
				got = append(got, filepath.ToSlash(rel))
			}
			return err
		}))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: got %q, want %q", round, got, want)
		}
		files += len(got)
	}
	result("the %d recorded files were exactly those that git lists", files)
}
