package snapshot_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

func TestPlan_StatesAndReasons(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", "*.log\n")
	for _, name := range []string{"back", "edited", "removed", "moved", "same", "mode", "folder", "gone"} {
		f.write(name, "before "+name)
	}
	before := f.snapshot()
	for _, name := range []string{"back", "edited", "removed", "same", "mode", "folder"} {
		f.write(name, "after")
	}
	f.noErr(os.Rename(f.path("moved"), f.path("moved2")))
	f.remove("gone")
	f.write("new", "1")
	f.write("x.log", "1")
	after := f.snapshot()
	f.write("edited", "mine")
	f.remove("removed")
	f.write("same", "before same")
	f.noErr(os.Chmod(f.path("mode"), 0o755))
	f.remove("folder")
	f.write("folder/mine", "1")
	f.write("gone", "mine")
	plan := f.plan(before.ID, after.ID)
	type state struct {
		state  snapshot.State
		reason snapshot.Reason
	}
	for path, want := range map[string]state{
		"back": {snapshot.GoesBack, ""}, "edited": {snapshot.Conflict, snapshot.Edited},
		"removed": {snapshot.Conflict, snapshot.Removed}, "moved": {snapshot.GoesBack, ""},
		"moved2": {snapshot.GoesBack, ""}, "same": {snapshot.Same, ""},
		"mode": {snapshot.Conflict, snapshot.ModeChanged}, "folder": {snapshot.Conflict, snapshot.FolderInWay},
		"gone": {snapshot.Conflict, snapshot.Created}, "new": {snapshot.GoesBack, ""},
		"x.log": {snapshot.Omitted, snapshot.Ignored},
	} {
		if it := item(t, plan, path); it.State != want.state || it.Reason != want.reason {
			t.Errorf("%s: got %s %s, want %v", path, it.State, it.Reason, want)
		}
	}
	if it := item(t, plan, "moved"); it.MovesFrom != "moved2" {
		t.Errorf("moved: got from %q, want moved2", it.MovesFrom)
	}
	kept := readTree(t, f.dir)
	res, err := f.store.Apply(t.Context(), plan, map[string]snapshot.Choice{"edited": {}, "back": {Keep: true}})
	f.noErr(err)
	if len(res.Skipped) > 0 {
		t.Errorf("skipped: %+v", res.Skipped)
	}
	want := kept
	want["edited"] = strings.Replace(want["edited"], "mine", "before edited", 1)
	want["moved"] = want["moved2"]
	delete(want, "moved2")
	delete(want, "new")
	assertTree(t, readTree(t, f.dir), want)
}

func TestPlan_OnlyGivenPaths(t *testing.T) {
	f := newFixture(t)
	f.write("d/a", "1")
	f.write("e/b", "1")
	before := f.snapshot()
	f.remove("d")
	f.write("e/b", "2")
	after := f.snapshot()
	plan := f.plan(before.ID, after.ID, "d/a")
	if _, err := f.store.Apply(t.Context(), plan, nil); err != nil || len(plan.Items) != 1 {
		t.Fatalf("got %+v, %v", plan.Items, err)
	}
	for path, want := range map[string]string{"d/a": "1", "e/b": "2"} {
		if got, err := os.ReadFile(f.path(path)); err != nil || string(got) != want {
			t.Errorf("%s: got %q (%v), want %q", path, got, err, want)
		}
	}
}

func TestApply_MergesAndTakesContent(t *testing.T) {
	f := newFixture(t)
	lines := "1\n2\n3\n4\n5\n6\n7\n8\n"
	f.write("a", lines)
	f.write("b", lines)
	f.write("c", lines)
	before := f.snapshot()
	for _, name := range []string{"a", "b", "c"} {
		f.write(name, strings.Replace(lines, "2\n", "agent\n", 1))
	}
	after := f.snapshot()
	f.write("a", strings.Replace(lines, "2\n", "agent\n", 1)+"mine\n")
	f.write("b", strings.Replace(lines, "2\n", "agent and mine\n", 1))
	plan := f.plan(before.ID, after.ID)
	if a, b := item(t, plan, "a"), item(t, plan, "b"); !a.Mergeable || b.Mergeable {
		t.Errorf("mergeable: got %v and %v, want true and false", a.Mergeable, b.Mergeable)
	}
	_, err := f.store.Apply(t.Context(), plan, map[string]snapshot.Choice{"a": {Merge: true}, "c": {Content: []byte("part\n")}})
	f.noErr(err)
	for path, want := range map[string]string{"a": lines + "mine\n", "b": strings.Replace(lines, "2\n", "agent and mine\n", 1), "c": "part\n"} {
		if got, err := os.ReadFile(f.path(path)); err != nil || string(got) != want {
			t.Errorf("%s: got %q (%v), want %q", path, got, err, want)
		}
	}
	if _, err := f.store.Apply(t.Context(), f.plan(before.ID, after.ID), map[string]snapshot.Choice{"b": {Merge: true}}); err == nil {
		t.Error("a merge with a conflict is accepted")
	}
}

func TestApply_LeavesLaterEditsAlone(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"edit", "remove", "create", "fine"} {
		f.write(name, "1")
	}
	f.remove("create")
	before := f.snapshot()
	f.write("edit", "2")
	f.write("create", "2")
	f.write("fine", "2")
	f.remove("remove")
	after := f.snapshot()
	plan := f.plan(before.ID, after.ID)
	for _, name := range []string{"edit", "remove", "create"} { // after the plan was made
		f.write(name, "mine")
	}
	want := readTree(t, f.dir)
	want["fine"] = strings.Replace(want["fine"], "2", "1", 1)
	res, err := f.store.Apply(t.Context(), plan, nil)
	f.noErr(err)
	if len(res.Skipped) != 3 || res.Skipped[0].Reason != snapshot.Meanwhile {
		t.Errorf("got %+v, want 3 skipped", res)
	}
	assertTree(t, readTree(t, f.dir), want)
}

func TestApply_FileAndFolderSwap(t *testing.T) {
	f := newFixture(t)
	f.write("file", "1")
	f.write("dir/a/b", "2")
	f.noErr(os.Symlink("dir", f.path("link")))
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.remove("file")
	f.remove("dir")
	f.remove("link")
	f.write("file/x/y", "3")
	f.write("dir", "4")
	f.write("link/z", "5")
	after := f.snapshot()
	f.undo(before.ID, after.ID, nil)
	assertTree(t, readTree(t, f.dir), want)
	f.undo(after.ID, before.ID, nil)
	f.write("file/x/mine", "6") // the folder must stay now
	res := f.undo(before.ID, after.ID, nil)
	if len(res.Skipped) != 1 || res.Skipped[0].Path != "file" || res.Skipped[0].Reason != snapshot.FolderInWay {
		t.Errorf("got %+v, want the file skipped", res)
	}
	if got, err := os.ReadFile(f.path("file/x/mine")); err != nil || string(got) != "6" {
		t.Errorf("got %q (%v), want the user's file", got, err)
	}
	f.remove("file")
	f.write("file/x/y", "3")
	f.noErr(os.Mkdir(f.path("file/mine"), 0o755)) // a folder that was created meanwhile stays, even if it is empty
	if res := f.undo(before.ID, after.ID, nil); len(res.Skipped) != 1 || res.Skipped[0].Reason != snapshot.FolderInWay {
		t.Errorf("got %+v, want the file skipped because of the folder", res)
	}
}

func TestSweep_WhileSnapshotsAreTaken(t *testing.T) {
	f := newFixture(t)
	done := make(chan error, 1)
	go func() {
		var err error
		for range 30 {
			_, e := f.stores.Sweep(t.Context(), snapshot.Limits{})
			err = errors.Join(err, e)
		}
		done <- err
	}()
	for i := range 60 {
		f.write("d/a", strings.Repeat(fmt.Sprintf("%02d", i%5), 500))
		snap := f.snapshot()
		if _, content, err := f.store.Read(snap.ID, "d/a"); err != nil || string(content[:2]) != fmt.Sprintf("%02d", i%5) {
			t.Errorf("got %.5q (%v)", content, err)
		}
	}
	f.noErr(<-done)
}

func TestKeep_IgnoredFileGoesBack(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", ".env\nsecret/\n")
	f.write(".env", "1")
	f.write("secret/a/b", "1")
	f.write("secret/other", "1")
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.noErr(f.store.Keep(".env", f.path("secret/a/b"), "secret/new", ".git/config", "../outside", "/outside"))
	f.write(".env", "2")
	f.write("secret/a/b", "2")
	f.write("secret/new", "2")
	f.write("secret/other", "2") // a file that a command wrote
	after := f.snapshot()
	f.noErr(f.stores.Close())
	f.open()
	plan := f.plan(before.ID, after.ID)
	if len(plan.Items) != 3 {
		t.Errorf("got %+v, want 3 items", plan.Items)
	}
	_, err := f.store.Apply(t.Context(), plan, nil)
	f.noErr(err)
	want["secret/other"] = strings.Replace(want["secret/other"], "1", "2", 1)
	assertTree(t, readTree(t, f.dir), want)
	f.undo(after.ID, before.ID, nil)
	if got, err := os.ReadFile(f.path(".env")); err != nil || string(got) != "2" {
		t.Errorf("after the redo: got %q (%v), want 2", got, err)
	}
}

func TestKeep_RemovedFileComesBack(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", "secret/\n")
	f.write("secret/a/b", "1")
	f.write("sticky/c", "1")
	f.write("sticky/d/e", "1")
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.noErr(f.store.Keep("secret/a/b"))
	f.write(".gitignore", "secret/\nsticky/\n")
	f.snapshot()
	f.remove("secret/a/b")
	f.remove("sticky/c")
	f.remove("sticky/d")
	after := f.snapshot()
	f.undo(before.ID, after.ID, nil)
	assertTree(t, readTree(t, f.dir), want)
	f.undo(after.ID, before.ID, nil)
	if f.snapshot().ID != after.ID {
		t.Error("the redo differs")
	}
}

// TestPlan_ChangedRulesLoseNothing checks that a file doesn't disappear if the ignore rules change during a turn.
func TestPlan_ChangedRulesLoseNothing(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", "dist/\n")
	f.write("dist/precious", "1")
	f.write("notes", "1")
	before := f.snapshot()
	f.write(".gitignore", "notes\n") // dist is no longer ignored, and notes is
	f.write("notes", "2")
	after := f.snapshot()
	f.undo(before.ID, after.ID, nil)
	for path, want := range map[string]string{"dist/precious": "1", "notes": "1", ".gitignore": "dist/\n"} {
		if got, err := os.ReadFile(f.path(path)); err != nil || string(got) != want {
			t.Errorf("%s: got %q (%v), want %q", path, got, err, want)
		}
	}
}

func TestSweep_AgeAndSize(t *testing.T) {
	f := newFixture(t)
	var ids []snapshot.ID
	for i := range 40 {
		f.write("a", strings.Repeat(fmt.Sprintf("%02d", i), 500))
		ids = append(ids, f.snapshot().ID)
	}
	marks := filepath.Join(f.cfg.Data, "snapshots", "chat", "snapshots")
	for _, id := range ids[:10] {
		old := timeAgo(48)
		f.noErr(os.Chtimes(filepath.Join(marks, string(id)), old, old))
	}
	res, err := f.stores.Sweep(t.Context(), snapshot.Limits{Age: hours(24), Bytes: 1 << 30, Keep: ids[:1]})
	f.noErr(err)
	if res.Removed != 9 {
		t.Errorf("got %d removed, want 9", res.Removed)
	}
	for i, id := range ids {
		_, content, err := f.store.Read(id, "a")
		if want := i == 0 || i >= 10; (err == nil) != want || want && string(content[:2]) != fmt.Sprintf("%02d", i) {
			t.Errorf("snapshot %d: got %.5q, %v", i, content, err)
		}
	}
	segments, err := filepath.Glob(filepath.Join(f.cfg.Data, "snapshots", "chat", "segments", "*"))
	f.noErr(err)
	if len(segments) > 33 {
		t.Errorf("got %d segments, want them merged", len(segments))
	}
	if res, err = f.stores.Sweep(t.Context(), snapshot.Limits{Age: hours(24), Bytes: 0}); err != nil || res.Removed != 30 {
		t.Errorf("got %+v (%v), want 30 removed", res, err)
	}
	f.write("a", strings.Repeat("01", 500)) // content that was removed by Sweep is stored again
	if _, content, err := f.store.Read(f.snapshot().ID, "a"); err != nil || string(content[:2]) != "01" {
		t.Errorf("got %.5q (%v)", content, err)
	}
	f.noErr(f.stores.Delete("chat"))
	if left := readTree(t, filepath.Join(f.cfg.Data, "snapshots")); len(left) != 1 {
		t.Errorf("left after Delete: %v", left)
	}
}
