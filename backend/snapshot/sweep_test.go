package snapshot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// stored reports whether a segment of a chat contains the given text, which must be too short to be compressed.
func (f *fixture) stored(chat, text string) bool {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.cfg.Data, "snapshots", chat, "*", "*.seg"))
	f.noErr(err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		f.noErr(err)
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// size returns the total size in bytes of the segments of the chat "chat".
func (f *fixture) size() (n int64, err error) {
	files, err := filepath.Glob(filepath.Join(f.cfg.Data, "snapshots", "chat", "*", "*.seg"))
	for _, file := range files {
		info, failed := os.Stat(file)
		if failed != nil {
			return n, failed
		}
		n += info.Size()
	}
	return n, err
}

// TestSweep_ForgetsIgnoredFiles checks that the content that Keep recorded is removed together with the snapshots that
// need it, even if other content in the same segment stays. Later snapshots must still contain the file.
func TestSweep_ForgetsIgnoredFiles(t *testing.T) {
	for name, limits := range map[string]snapshot.Limits{
		"age":  {Age: -hours(1), Bytes: 1 << 30},
		"size": {Age: hours(24), Bytes: 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.write(".gitignore", ".env\nsecret/\n")
			f.write("a", "1")
			f.write(".env", "KEY=old-1")
			f.write("secret/deep/b", "KEY=old-2")
			before := f.snapshot()
			f.noErr(f.store.Keep(".env", "secret/deep/b", "secret/new"))
			f.write(".env", "KEY=new-1")
			f.write("secret/deep/b", "KEY=new-2")
			for i := range 40 { // more small segments than a sweep leaves, so that it merges them
				f.write("many/"+string(rune('a'+i)), strings.Repeat("x", i+1))
				f.snapshot()
			}
			after := f.snapshot()
			_, err := f.stores.Sweep(t.Context(), snapshot.Limits{Age: hours(24), Bytes: 1 << 30, Keep: []snapshot.ID{before.ID}})
			f.noErr(err)
			if !f.stored("chat", "KEY=old-1") || !f.stored("chat", "KEY=old-2") {
				t.Error("the content is gone although a snapshot needs it")
			}
			limits := limits
			limits.Keep = []snapshot.ID{before.ID}
			_, err = f.stores.Sweep(t.Context(), limits)
			f.noErr(err)
			if item(t, f.plan(before.ID, after.ID), ".env").State != snapshot.GoesBack {
				t.Error("the file doesn't go back although its snapshots are stored")
			}
			limits.Keep = nil
			_, err = f.stores.Sweep(t.Context(), limits)
			f.noErr(err)
			if f.stored("chat", "KEY=old-1") || f.stored("chat", "KEY=old-2") {
				t.Error("the content is still stored")
			}
			f.noErr(f.stores.Close())
			f.open()
			before = f.snapshot()
			f.write(".env", "KEY=newer")
			f.write("secret/new", "1")
			f.remove("secret/deep/b")
			f.undoAndRedo(before.ID, f.snapshot().ID, readTreeWith(t, f.dir, map[string]string{".env": "KEY=new-1", "secret/deep/b": "KEY=new-2"}, "secret/new"))
		})
	}
}

// TestSweep_ForgetsLaterIgnoredContent checks that each recorded content of an ignored file is removed together with
// the last snapshot that contains it, even after a restart. Later snapshots and other files must keep their content.
func TestSweep_ForgetsLaterIgnoredContent(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", ".env\nsecret/\n")
	f.write(".env", "KEY=1")
	f.write("secret/key", "KEY=a")
	f.snapshot()
	f.noErr(f.store.Keep(".env", "secret/key"))
	for _, n := range []string{"2", "3"} {
		f.write(".env", "KEY="+n)
		f.write("secret/key", "other KEY="+n)
		f.write("large"+n, randomText(20_000)) // in the same snapshot, and still needed later
		f.snapshot()
	}
	f.write(".env", "KEY=4")
	f.snapshot()
	f.noErr(f.stores.Close())
	f.open()
	f.write(".env", "KEY=5")
	f.noErr(f.store.WarmUp(t.Context()))
	last := f.snapshot()
	_, err := f.stores.Sweep(t.Context(), snapshot.Limits{Age: -hours(1), Bytes: 1 << 30})
	f.noErr(err)
	for _, text := range []string{"KEY=1", "KEY=a", "KEY=2", "KEY=4", "other KEY=2"} {
		if f.stored("chat", text) {
			t.Errorf("%s is still stored", text)
		}
	}
	for path, want := range map[string]string{".env": "KEY=5", "secret/key": "other KEY=3"} {
		if _, content, err := f.store.Read(last.ID, path); err != nil || string(content) != want {
			t.Errorf("%s is %q, %v, want %q", path, content, err, want)
		}
	}
}

// readTreeWith returns the content of a folder, with the contents of some files replaced and one file left out.
func readTreeWith(t *testing.T, dir string, contents map[string]string, without string) map[string]string {
	t.Helper()
	tree := readTree(t, dir)
	for name, content := range contents {
		tree[name] = "-rw-r--r-- " + content
	}
	delete(tree, without)
	return tree
}

// TestSweep_ContinuesIfStoreFails checks that Sweep still sweeps the other two stores if one of three is damaged.
func TestSweep_ContinuesIfStoreFails(t *testing.T) {
	f := newFixture(t)
	chats := map[string]snapshot.ID{"1": "", "2": "", "3": ""}
	for chat := range chats {
		store, err := f.stores.Open(chat, f.dir)
		f.noErr(err)
		f.write("a", "content-of-"+chat)
		snap, err := store.Snapshot(t.Context())
		f.noErr(err)
		chats[chat] = snap.ID
	}
	f.noErr(f.stores.Close())
	f.noErr(os.Mkdir(filepath.Join(f.cfg.Data, "snapshots", "2", "kept"), 0o700))
	f.stores = snapshot.New(f.cfg)
	res, err := f.stores.Sweep(t.Context(), snapshot.Limits{Age: -hours(1), Bytes: 1 << 30})
	if err == nil || !strings.Contains(err.Error(), filepath.Join("snapshots", "2")) {
		t.Errorf("got %v, want the error of the store", err)
	}
	if res.Removed != 3 {
		t.Errorf("got %d removed, want 3", res.Removed)
	}
	for _, chat := range []string{"1", "3"} {
		if f.stored(chat, "content-of-"+chat) {
			t.Errorf("the content of chat %s is still stored", chat)
		}
	}
}

// TestStores_CountAddedBytes checks that Added counts the bytes that snapshots add, but not those that a sweep
// rewrites, and that stores can be used after Unload.
func TestStores_CountAddedBytes(t *testing.T) {
	f := newFixture(t)
	f.write("a", randomText(10_000))
	snap := f.snapshot()
	first := f.stores.Added()
	if first < 10_000 || first > 11_000 {
		t.Errorf("got %d bytes", first)
	}
	if f.snapshot(); f.stores.Added() != first {
		t.Errorf("got %d bytes after a snapshot of the same files", f.stores.Added())
	}
	f.noErr(f.stores.Close())
	f.stores = snapshot.New(f.cfg)
	past, err := f.stores.History("chat")
	f.noErr(err)
	f.stores.Unload()
	if _, err := past.Entry(snap.ID, "a"); err != nil {
		t.Error(err)
	}
	f.open()
	for i := range 40 { // a sweep merges so many small segments
		f.write("a", randomText(i))
		f.snapshot()
	}
	if f.stores.Added() == 0 {
		t.Error("got 0 bytes")
	}
	_, err = f.stores.Sweep(t.Context(), snapshot.Limits{Age: hours(24), Bytes: 1 << 30})
	f.noErr(err)
	if f.stores.Added() != 0 {
		t.Errorf("got %d bytes after a sweep", f.stores.Added())
	}
	f.noErr(f.stores.Delete("chat"))
	if _, err := past.Entry(snap.ID, "a"); err == nil {
		t.Error("a deleted chat can be read")
	}
}
