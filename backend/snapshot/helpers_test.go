package snapshot_test

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// fixture is a chat's folder with its store.
type fixture struct {
	t      testing.TB
	dir    string // the folder
	cfg    snapshot.Config
	stores *snapshot.Stores
	store  *snapshot.Store
}

func newFixture(t testing.TB, change ...func(*snapshot.Config)) *fixture {
	t.Helper()
	isolateGit(t)
	f := &fixture{t: t, dir: t.TempDir(), cfg: snapshot.Config{
		Data:      t.TempDir(),
		LoginPath: func() string { return os.Getenv("PATH") },
	}}
	for _, c := range change {
		c(&f.cfg)
	}
	f.open()
	return f
}

// isolateGit makes git ignore the configuration of the user who runs the tests.
func isolateGit(t testing.TB) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
}

// open opens the store again, as after a restart of the app.
func (f *fixture) open() {
	f.t.Helper()
	f.stores = snapshot.New(f.cfg)
	store, err := f.stores.Open("chat", f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	f.store = store
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *fixture) write(name, content string) {
	f.t.Helper()
	f.noErr(os.MkdirAll(filepath.Dir(f.path(name)), 0o755))
	f.noErr(os.WriteFile(f.path(name), []byte(content), 0o644))
}

func (f *fixture) read(name string) string {
	f.t.Helper()
	content, err := os.ReadFile(f.path(name))
	f.noErr(err)
	return string(content)
}

func (f *fixture) remove(name string) {
	f.t.Helper()
	f.noErr(os.RemoveAll(f.path(name)))
}

func (f *fixture) noErr(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// git runs git in the folder.
func (f *fixture) git(args ...string) string {
	f.t.Helper()
	return gitIn(f.t, f.dir, args...)
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(t, dir, args...)
	if err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
	return out
}

func tryGit(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	options := []string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "gc.auto=0"}
	cmd := exec.CommandContext(t.Context(), "git", slices.Concat(options, args)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (f *fixture) snapshot() snapshot.Snapshot {
	f.t.Helper()
	snap, err := f.store.Snapshot(f.t.Context())
	f.noErr(err)
	return snap
}

func (f *fixture) plan(before, after snapshot.ID, paths ...string) *snapshot.Plan {
	f.t.Helper()
	plan, err := f.store.Plan(f.t.Context(), before, after, f.snapshot().ID, paths...)
	f.noErr(err)
	return plan
}

// undo reverts the changes between two snapshots.
func (f *fixture) undo(before, after snapshot.ID, choices map[string]snapshot.Choice) snapshot.Result {
	f.t.Helper()
	res, err := f.store.Apply(f.t.Context(), f.plan(before, after), choices)
	f.noErr(err)
	return res
}

// undoAndRedo reverts the changes between two snapshots and redoes them. The test fails unless the folder has the
// content in want after the undo, and its original content after the redo.
func (f *fixture) undoAndRedo(before, after snapshot.ID, want map[string]string) {
	f.t.Helper()
	last, start := readTree(f.t, f.dir), f.snapshot().ID
	f.undo(before, after, nil)
	assertTree(f.t, readTree(f.t, f.dir), want)
	if f.t.Failed() {
		f.t.Fatal("after the undo")
	}
	f.undo(start, f.snapshot().ID, nil)
	assertTree(f.t, readTree(f.t, f.dir), last)
	if f.t.Failed() {
		f.t.Fatal("after the redo")
	}
}

// item returns the plan's item for a path.
func item(t testing.TB, plan *snapshot.Plan, path string) snapshot.Item {
	t.Helper()
	for _, it := range plan.Items {
		if it.Path == path {
			return it
		}
	}
	t.Fatalf("no item of %s in %+v", path, plan.Items)
	return snapshot.Item{}
}

// readTree returns the mode and content of everything in a folder, by path.
func readTree(t testing.TB, dir string, skip ...string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if slices.Contains(skip, rel) {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String() + " "
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += target
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += string(content)
		}
		tree[rel] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func assertTree(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if text, ok := got[path]; !ok {
			t.Errorf("%s is missing", path)
		} else if text != want[path] {
			t.Errorf("%s: got %.100q, want %.100q", path, text, want[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[path]; !ok {
			t.Errorf("%s is left over: %.100q", path, got[path])
		}
	}
}

// assertGitUntouched runs the given function. It fails the test if a byte or a time in the folder's .git changes
// meanwhile.
func (f *fixture) assertGitUntouched(call func()) {
	f.t.Helper()
	before, times := readTree(f.t, f.path(".git")), gitTimes(f.t, f.path(".git"))
	call()
	assertTree(f.t, readTree(f.t, f.path(".git")), before)
	if after := gitTimes(f.t, f.path(".git")); after != times {
		f.t.Errorf("times in .git: got\n%s\nwant\n%s", after, times)
	}
}

func gitTimes(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.ModTime().String() + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func hours(n int) time.Duration { return time.Duration(n) * time.Hour }

func timeAgo(h int) time.Time { return time.Now().Add(-hours(h)) }

// randomText returns n random bytes, which can't be compressed.
func randomText(n int) string {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // reproducible
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}
