package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func trustIn(key string, at backend.Millis, digests ...string) backend.Event {
	f := &backend.TrustedFolder{Key: key, Folder: "/work" + key, TrustedAt: at}
	for _, d := range digests {
		f.Add = append(f.Add, backend.TrustedEntry{File: ".mcp.json", Key: "mcpServers.a", Digest: d, Value: "run " + d})
	}
	return backend.Event{TrustedFolder: f}
}

func TestTrusted_AccumulatesUntilForgotten(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, t.TempDir())
	events := []backend.Event{trustIn("/a", 1, "one", "two"), trustIn("/b", 2, "one"), trustIn("/a", 3, "two", "three")}
	apply(t, s, events...)
	for i, want := range []int{2, 1, 3} {
		if got := events[i].TrustedFolder.Entries; got != want {
			t.Errorf("event %d: got %d entries, want %d", i, got, want)
		}
	}
	got, known, err := s.Trusted(ctx, "/a")
	var want []backend.TrustedEntry
	for _, d := range []string{"two", "three", "one"} { // newest first
		want = append(want, backend.TrustedEntry{File: ".mcp.json", Key: "mcpServers.a", Digest: d, Value: "run " + d})
	}
	if diff := cmp.Diff(want, got); diff != "" || !known || err != nil {
		t.Errorf("got %t, %v (-want +got):\n%s", known, err, diff)
	}
	apply(t, s, backend.Event{TrustedFolderDeleted: &backend.Deleted{ID: "/a"}})
	if got, known, err := s.Trusted(ctx, "/a"); len(got) > 0 || known || err != nil {
		t.Errorf("got %v, %t, %v of what is forgotten", got, known, err)
	}
	if got, known, err := s.Trusted(ctx, "/b"); len(got) != 1 || !known || err != nil {
		t.Errorf("got %v, %t, %v of the other folder", got, known, err)
	}
}

// TestTrusted_DamageTrustsNoMore destroys pages of each table in turn, and checks that only entries that can still be
// read stay trusted.
func TestTrusted_DamageTrustsNoMore(t *testing.T) {
	for _, table := range []string{"trusted_folders", "trusted_entries"} {
		t.Run(table, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir)
			var events []backend.Event
			for i := range 300 {
				events = append(events, trustIn(fmt.Sprintf("/folder/%03d", i), backend.Millis(i), "one", "two"))
			}
			apply(t, s, events...)
			closeStore(t, s)
			lost := damage(t, dir, table, func(page, _ int) bool { return page == 1 })
			markDamaged(t, dir)
			s, _ = openSalvaged(t, dir)
			trusted, rows := 0, 0
			for _, e := range events {
				entries, known, err := s.Trusted(context.Background(), e.TrustedFolder.Key)
				if err != nil || !known && len(entries) > 0 {
					t.Fatalf("got %v, %t, %v", entries, known, err)
				}
				if known {
					trusted++
				}
				rows += len(entries)
			}
			for _, e := range appEvents(t, s) {
				if e.TrustedFolder == nil {
					continue
				}
				if entries, _, _ := s.Trusted(context.Background(), e.TrustedFolder.Key); len(entries) != e.TrustedFolder.Entries {
					t.Errorf("%s: got %d entries listed, want %d", e.TrustedFolder.Key, e.TrustedFolder.Entries, len(entries))
				}
			}
			switch table {
			case "trusted_folders":
				if trusted != 300-lost || rows != 2*trusted {
					t.Errorf("got %d folders and %d entries after %d folders were lost", trusted, rows, lost)
				}
			default:
				if trusted != 300 || rows != 600-lost {
					t.Errorf("got %d folders and %d entries after %d entries were lost", trusted, rows, lost)
				}
			}
		})
	}
}

func TestTrusted_KeepsNewest(t *testing.T) {
	s := openStore(t, t.TempDir())
	var digests []string
	for i := range 20_001 {
		digests = append(digests, fmt.Sprint(i))
	}
	apply(t, s, trustIn("/a", 1, digests...), trustIn("/b", 1, "one"))
	last := trustIn("/a", 2, "last")
	apply(t, s, last)
	got, _, err := s.Trusted(context.Background(), "/a")
	if err != nil || len(got) != 20_000 || got[0].Digest != "last" || last.TrustedFolder.Entries != 20_000 {
		t.Errorf("got %d entries, %v", len(got), err)
	}
	if got, _, err := s.Trusted(context.Background(), "/b"); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v of the other folder", got, err)
	}
}
