package sessionindex_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/sessionindex"
)

// TestCache_NothingIsReadTwice checks that after a restart, the app reads no unchanged file again, and only the new
// part of a log that grew.
func TestCache_NothingIsReadTwice(t *testing.T) {
	w := newFixture(t)
	ids := make([]string, 30)
	for i := range ids {
		ids[i] = w.session("/gone", userSays(fmt.Sprint("first ", i)), strings.Repeat(agentSays("Hi"), 500), userSays("last"))
	}
	before := w.list(sessionindex.Query{})
	if w.Index.BytesRead() == 0 {
		t.Fatal("nothing was read")
	}
	w.restart()
	if info, err := os.Stat(w.cache); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("got %v, %v", info, err)
	}
	after := w.list(sessionindex.Query{})
	if diff := cmp.Diff(before.Sessions, after.Sessions); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if n := w.Index.BytesRead(); n != 0 {
		t.Errorf("%d bytes were read after the restart", n)
	}
	if after.Revision <= before.Revision {
		t.Errorf("revision %d after %d", after.Revision, before.Revision)
	}

	w.restart()
	w.appendTo(ids[0], userSays("new"))
	if s := w.list(sessionindex.Query{}).Sessions[0]; s.ID != ids[0] || s.Last != "new" || s.Messages != 503 {
		t.Errorf("got %+v", s)
	}
	// The head (4 KB) and the end (8 KB) are described again; the scan checks 4 KB, reads what is new, and hashes 4 KB.
	if n := w.Index.BytesRead(); n > 21<<10 {
		t.Errorf("%d bytes were read for a new message", n)
	}
}

// TestCache_DamagedIsIgnored checks that all sessions are read again if the cache can't be used.
func TestCache_DamagedIsIgnored(t *testing.T) {
	w := newFixture(t)
	w.session("/gone", userSays("one"), agentSays("Hi"))
	want := w.list(sessionindex.Query{}).Sessions
	w.Index.Close()
	whole, err := os.ReadFile(w.cache)
	w.check(err)
	for name, text := range map[string]string{
		"cut off":         string(whole[:len(whole)/2]),
		"empty":           "",
		"another version": strings.Replace(string(whole), `"version":1`, `"version":999`, 1),
		"other types":     `{"version":1,"homes":[1]}`,
		"null":            "null",
		"no sessions":     `{"version":1,"homes":null}`,
	} {
		w.check(os.WriteFile(w.cache, []byte(text), 0o600))
		w.start()
		if diff := cmp.Diff(want, w.list(sessionindex.Query{}).Sessions); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if w.Index.BytesRead() == 0 {
			t.Errorf("%s: the cache was used", name)
		}
		w.Index.Close()
		if now, err := os.ReadFile(w.cache); err != nil || !strings.Contains(string(now), `"version":1`) {
			t.Errorf("%s: the cache wasn't replaced: %v", name, err)
		}
	}
	w.check(os.Remove(w.cache))
	w.check(os.Mkdir(w.cache, 0o700)) // can't be written
	w.start()
	if got := w.list(sessionindex.Query{}).Sessions; len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

// TestCache_KeepsPartOfLog checks that reading a long log continues after a restart.
func TestCache_KeepsPartOfLog(t *testing.T) {
	w := newFixture(t)
	long := agentSays(strings.Repeat("x", 100_000))
	id := w.session("/gone", userSays("one"), strings.Repeat(long, 200))
	if _, err := w.Index.List(t.Context(), sessionindex.Query{}); err != nil {
		t.Fatal(err)
	}
	for w.Index.BytesRead() < 2<<20 { // the background work reads a megabyte in a few milliseconds
		runtime.Gosched()
	}
	w.Index.Close()
	read := w.Index.BytesRead()
	w.start()
	if s := w.list(sessionindex.Query{}).Sessions[0]; s.ID != id || s.Messages != 201 {
		t.Errorf("got %+v", s)
	}
	size := int64(200 * len(long))
	if again := w.Index.BytesRead(); read >= size || read+again > size+size/10 {
		t.Errorf("%d and %d bytes of %d were read", read, again, size)
	}
}

// TestIndex_LogGrowsWhileItIsRead checks that no message is missed or counted twice while a program writes to the log.
func TestIndex_LogGrowsWhileItIsRead(t *testing.T) {
	w := newFixture(t)
	id := w.session("/gone", userSays("one"), strings.Repeat(agentSays(strings.Repeat("x", 20_000)), 200))
	done, messages := make(chan struct{}), 201
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		for n := 0; n < 300 && ctx.Err() == nil; n++ {
			line := agentSays(fmt.Sprint("more ", n))
			w.appendTo(id, line[:len(line)/2])
			w.appendTo(id, line[len(line)/2:])
			messages++
		}
	}()
	defer stop()
	seen := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		s := w.now(sessionindex.Query{}).Sessions
		if len(s) != 1 || s[0].Damage != "" || s[0].Messages < seen && s[0].Messages != -1 {
			t.Fatalf("got %+v after %d messages", s, seen)
		}
		seen = max(seen, s[0].Messages)
	}
	if s := w.list(sessionindex.Query{}).Sessions[0]; s.Messages != messages || s.Last != "one" {
		t.Errorf("got %+v, want %d messages", s, messages)
	}
}
