package store_test

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestViewed_KeptUntilChatRemoved(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	want := func(files ...store.Viewed) {
		t.Helper()
		if got, err := s.Viewed(t.Context(), "chat", "working"); err != nil || !slices.Equal(got, files) {
			t.Errorf("viewed are %+v, %v, want %+v", got, err, files)
		}
	}
	set := func(chatID string, v store.Viewed) {
		t.Helper()
		if err := s.SetViewed(chatID, v); err != nil {
			t.Fatal(err)
		}
	}
	file := store.Viewed{Source: "working", Path: "a.go", Version: "1"}
	set("chat", file)
	set("chat", store.Viewed{Source: "base", Path: "b.go", Version: "1"})
	set("unknown", file)
	want(file)
	file.Version = "2"
	set("chat", file)
	want(file)
	set("chat", store.Viewed{Source: "working", Path: "a.go"})
	want()
	set("chat", file)
	apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}})
	want()
	if left := dump(t, dir)["viewed_files"]; len(left) != 0 {
		t.Errorf("after the chat was removed, %q is left", left)
	}
}
