package snapshot_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

func TestSnapshot_RoundTripsEveryKind(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "a\r\nb\n")
	f.write("empty", "")
	f.write("deep/er/x", "x")
	f.write("weird \xff\n name", "y")
	f.write("lfs.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n")
	f.write("big", randomText(10<<20))
	f.noErr(os.Chmod(f.path("a.txt"), 0o755))
	f.noErr(os.Symlink("/nowhere", f.path("link")))
	f.noErr(os.Mkdir(f.path("hollow"), 0o755))
	want := readTree(t, f.dir)
	before := f.snapshot()
	if again := f.snapshot(); again.ID != before.ID || again.Files != 7 {
		t.Errorf("an unchanged folder: got %+v, want %+v", again, before)
	}
	entries, err := os.ReadDir(f.dir)
	f.noErr(err)
	for _, e := range entries {
		f.remove(e.Name())
	}
	f.write("a.txt/now/a/folder", "1")
	f.write("new/file", "2")
	after := f.snapshot()
	if res := f.undo(before.ID, after.ID, nil); len(res.Skipped) > 0 {
		t.Errorf("skipped: %+v", res.Skipped)
	}
	assertTree(t, readTree(t, f.dir), want)
	undone := f.snapshot()
	if undone.ID != before.ID {
		t.Error("the snapshot after the undo differs from the one before the change")
	}
	f.undo(after.ID, undone.ID, nil)
	if redone := f.snapshot(); redone.ID != after.ID {
		t.Error("the snapshot after the redo differs from the one after the change")
	}
}

func TestSnapshot_StoresRawBytes(t *testing.T) {
	f := newFixture(t)
	f.git("init", "-q")
	f.git("config", "core.autocrlf", "true")
	f.git("config", "filter.evil.clean", "touch ran; cat")
	f.git("config", "filter.evil.smudge", "touch ran; cat")
	f.write(".gitattributes", "* text=auto eol=crlf\n*.id ident\n*.evil filter=evil\n*.u16 working-tree-encoding=UTF-16\n")
	content := map[string]string{"a.txt": "1\n2\r\n", "b.id": "$Id$ \n", "c.evil": "x\n", "d.u16": "\xff\xfea\x00"}
	for name, text := range content {
		f.write(name, text)
	}
	f.assertGitUntouched(func() {
		before := f.snapshot()
		for name, text := range content {
			_, got, err := f.store.Read(before.ID, name)
			f.noErr(err)
			if string(got) != text {
				t.Errorf("%s: got %q, want %q", name, got, text)
			}
			f.write(name, "changed")
		}
		f.undo(before.ID, f.snapshot().ID, nil)
	})
	for name, text := range content {
		if got, err := os.ReadFile(f.path(name)); err != nil || string(got) != text {
			t.Errorf("%s after the undo: got %q, want %q (%v)", name, got, text, err)
		}
	}
	if _, err := os.Lstat(f.path("ran")); err == nil {
		t.Error("a filter has run")
	}
}

func TestSnapshot_SurvivesGCAndRemoval(t *testing.T) {
	f := newFixture(t)
	f.git("init", "-q")
	f.write("a", "first")
	f.git("add", "-A")
	f.git("commit", "-qm", "1")
	before := f.snapshot()
	f.write("a", "second")
	f.git("commit", "-qa", "--amend", "-m", "2")
	f.git("reflog", "expire", "--expire=now", "--all")
	f.git("gc", "-q", "--prune=now")
	after := f.snapshot()
	f.remove(".git")
	f.undo(before.ID, after.ID, nil)
	if got, err := os.ReadFile(f.path("a")); err != nil || string(got) != "first" {
		t.Errorf("got %q (%v), want %q", got, err, "first")
	}
}

func TestSnapshot_SeesEveryEdit(t *testing.T) {
	f := newFixture(t)
	last := f.snapshot().ID
	for i := range 200 { // the files have the same size, and often the same time
		f.write("a", string([]byte{'a' + byte(i%26), 'a' + byte(i/26)}))
		next := f.snapshot().ID
		if next == last {
			t.Fatalf("edit %d isn't in the snapshot", i)
		}
		last = next
	}
	was, err := os.Stat(f.path("a"))
	f.noErr(err)
	f.write("a", "zz")
	f.noErr(os.Chtimes(f.path("a"), was.ModTime(), was.ModTime()))
	if f.snapshot().ID == last {
		t.Error("an edit with a restored time isn't in the snapshot")
	}
}

func TestSnapshot_CacheAfterRestart(t *testing.T) {
	f := newFixture(t)
	f.write("a", "1")
	f.write("d/b", "2")
	f.write(".gitignore", "*.log\n")
	f.write("x.log", "3")
	want := f.snapshot()
	f.noErr(f.stores.Close())
	f.open()
	if got := f.snapshot(); got.ID != want.ID || got.Files != want.Files || got.Bytes != want.Bytes {
		t.Errorf("with the cache: got %+v, want %+v", got, want)
	}
	cache := filepath.Join(f.cfg.Data, "snapshots", "chat", "cache")
	content, err := os.ReadFile(cache)
	f.noErr(err)
	content[len(content)/2]++
	f.noErr(os.WriteFile(cache, content, 0o600))
	f.open()
	if got := f.snapshot(); got.ID != want.ID {
		t.Errorf("with a damaged cache: got %+v, want %+v", got, want)
	}
}

func TestSnapshot_ReportsOmissions(t *testing.T) {
	f := newFixture(t, func(c *snapshot.Config) { c.MaxFile = 1000 })
	f.write("small", "1")
	f.write("d/large", strings.Repeat("x", 1001))
	f.noErr(os.MkdirAll(f.path("bare.git/objects"), 0o755))
	f.noErr(os.MkdirAll(f.path("bare.git/refs"), 0o755))
	f.write("bare.git/HEAD", "ref: refs/heads/main\n")
	snap := f.snapshot()
	want := []snapshot.Omission{{Path: "bare.git", Reason: snapshot.GitDir}, {Path: "d/large", Reason: snapshot.TooLarge, Size: 1001}}
	if !slices.Equal(snap.Omitted, want) || snap.OmittedCount != 2 || snap.Files != 1 {
		t.Errorf("got %+v, want %+v", snap, want)
	}
	f.write("d/large", "2")
	plan := f.plan(snap.ID, f.snapshot().ID)
	if it := item(t, plan, "d/large"); it.State != snapshot.Omitted || it.Reason != snapshot.TooLarge {
		t.Errorf("a file that was too large: got %+v", it)
	}
	f.undo(snap.ID, plan.After, nil)
	if got, err := os.ReadFile(f.path("d/large")); err != nil || string(got) != "2" {
		t.Errorf("a file that was too large: got %q (%v), want it left alone", got, err)
	}
}

func TestSnapshot_RefusesGitDirectory(t *testing.T) {
	f := newFixture(t)
	f.git("init", "-q", "--bare")
	if _, err := f.store.Snapshot(t.Context()); err == nil {
		t.Error("a bare repository has a snapshot")
	}
}

func TestSnapshot_LeavesOwnDataOut(t *testing.T) {
	f := newFixture(t)
	f.cfg.Data = f.path("data")
	f.open()
	f.write("a", "1")
	if first, second := f.snapshot(), f.snapshot(); first.ID != second.ID || first.Files != 1 {
		t.Errorf("got %+v and %+v, want one file", first, second)
	}
}

func TestSnapshot_DamageIsFound(t *testing.T) {
	f := newFixture(t)
	f.write("a", strings.Repeat("first content ", 100))
	before := f.snapshot()
	f.write("a", "second")
	after := f.snapshot()
	segments, err := filepath.Glob(filepath.Join(f.cfg.Data, "snapshots", "chat", "segments", "*"))
	f.noErr(err)
	content, err := os.ReadFile(segments[0])
	f.noErr(err)
	_, _, err = f.store.Read(before.ID, "a")
	f.noErr(err)
	at := bytes.Index(content, []byte("first"))
	content[max(at, 5)]++
	f.noErr(os.WriteFile(segments[0], content, 0o600))
	res := f.undo(before.ID, after.ID, nil)
	if len(res.Skipped) != 1 || res.Skipped[0].Reason != snapshot.NotStored {
		t.Errorf("got %+v, want it skipped", res)
	}
	if got, err := os.ReadFile(f.path("a")); err != nil || string(got) != "second" {
		t.Errorf("got %q (%v), want the file untouched", got, err)
	}
}

func TestStore_OnlyOwnerReads(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", ".env\n")
	f.write(".env", "1")
	f.write("a", "1")
	before := f.snapshot()
	f.noErr(f.store.Keep(".env"))
	f.write("a", "2")
	f.undo(before.ID, f.snapshot().ID, nil)
	_, err := f.store.Add([]byte("3"))
	f.noErr(err)
	_, err = f.stores.Sweep(t.Context(), snapshot.Limits{Age: hours(1), Bytes: 1 << 30})
	f.noErr(err)
	f.noErr(f.stores.Close()) // writes the cache
	found := map[string]bool{}
	chat := filepath.Join(f.cfg.Data, "snapshots", "chat")
	f.noErr(filepath.WalkDir(chat, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if runtime.GOOS != "windows" && err == nil && info.Mode().Perm() != want {
			t.Errorf("%s: got mode %v, want %v", path, info.Mode(), want)
		}
		rel, _ := filepath.Rel(chat, path)
		found[strings.Split(filepath.ToSlash(rel), "/")[0]] = true
		return err
	}))
	for _, name := range []string{".", "kept", "cache", "segments", "private", "snapshots"} {
		if !found[name] {
			t.Errorf("there is no %s in %v", name, found)
		}
	}
	if _, err := f.stores.Open("../evil", f.dir); err == nil {
		t.Error("a chat ID with a path is accepted")
	}
}

// TestPlan_NamesChangedFilesThatAreLeftOut checks that a plan names a file that was changed in place, even if snapshots
// leave the file out and its content isn't stored. A restart or a change to another file doesn't count as a change to
// the file.
func TestPlan_NamesChangedFilesThatAreLeftOut(t *testing.T) {
	f := newFixture(t, func(c *snapshot.Config) { c.MaxFile = 10 })
	f.write("sub/large", "more than ten bytes")
	f.write("a", "1")
	before := f.snapshot()
	f.noErr(f.stores.Close())
	f.open()
	f.write("a", "2")
	same := f.snapshot()
	if plan := f.plan(before.ID, same.ID); len(plan.Items) != 1 {
		t.Errorf("got %+v, want only a", plan.Items)
	}
	f.write("sub/large", "more than ten bytes, and more")
	grown := f.snapshot()
	later := time.Now().Add(time.Minute)
	f.noErr(os.Chtimes(f.path("sub/large"), later, later)) // as if the file had been written with other bytes
	touched := f.snapshot()
	for _, ids := range [][2]snapshot.ID{{same.ID, grown.ID}, {grown.ID, touched.ID}, {before.ID, touched.ID}} {
		it := item(t, f.plan(ids[0], ids[1]), "sub/large")
		if it.State != snapshot.Omitted || it.Reason != snapshot.TooLarge {
			t.Errorf("got %+v, want it named as too large", it)
		}
	}
	f.undo(before.ID, touched.ID, nil)
	if got, err := os.ReadFile(f.path("sub/large")); err != nil || string(got) != "more than ten bytes, and more" {
		t.Errorf("got %q (%v), want it left alone", got, err)
	}
}

func TestHasIgnored_FindsIgnoredFiles(t *testing.T) {
	f := newFixture(t)
	f.git("init", "-q")
	f.write(".gitignore", "*.log\nout/\n")
	f.write("a/b/c", "1")
	none := f.snapshot()
	f.write("a/b/build.log", "1")
	file := f.snapshot()
	f.remove("a/b/build.log")
	f.write("out/x", "1")
	folder := f.snapshot()
	for id, want := range map[snapshot.ID]bool{none.ID: false, file.ID: true, folder.ID: true} {
		if got, err := f.store.HasIgnored(id); err != nil || got != want {
			t.Errorf("got %v (%v), want %v", got, err, want)
		}
	}
}
