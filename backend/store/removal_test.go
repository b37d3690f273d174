package store_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestRemove_LeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	apply(t, s,
		backend.Event{QueuedDeleted: &backend.Deleted{ID: "queued"}},
		backend.Event{RuleDeleted: &backend.Deleted{ID: "rule"}},
		backend.Event{ProviderDeleted: &backend.Deleted{ID: "provider"}},
		backend.Event{CustomAgentDeleted: &backend.Deleted{ID: "profile"}},
		backend.Event{LoginDeleted: &backend.Deleted{ID: "login"}},
		backend.Event{TrustedFolderDeleted: &backend.Deleted{ID: "key"}},
	)
	left := dump(t, dir)
	for _, table := range []string{"queued", "permission_rules", "providers", "profiles", "trusted_folders", "trusted_entries"} {
		if len(left[table]) != 0 {
			t.Errorf("%s still has %q", table, left[table])
		}
	}
	apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}})
	for table, rows := range dump(t, dir) {
		if table != "settings" && len(rows) != 0 {
			t.Errorf("%s still has %q", table, rows)
		}
	}
}

func TestApply_IgnoresEventsOfRemovedChat(t *testing.T) {
	gone := backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}}
	ofChat := func() (events []backend.Event) {
		for _, e := range allEvents() {
			if e.Settings == nil && e.Provider == nil && e.CustomAgent == nil && e.Login == nil && e.TrustedFolder == nil && e.Rule == nil && e.Chat == nil {
				events = append(events, e)
			}
		}
		return events
	}
	for name, late := range map[string]func(t *testing.T, s *store.Store) []backend.Event{
		"in the same transaction": func(t *testing.T, s *store.Store) []backend.Event {
			waiting := backend.Event{Text: &backend.Text{ItemID: "item", ChatID: "chat", Offset: 7, Text: "more"}}
			events := append([]backend.Event{waiting, gone}, ofChat()...)
			apply(t, s, events...)
			return events[2:]
		},
		"in a later one": func(t *testing.T, s *store.Store) []backend.Event {
			apply(t, s, gone)
			events := ofChat()
			apply(t, s, events...)
			return events
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir)
			apply(t, s, allEvents()...)
			for _, e := range late(t, s) {
				if e != (backend.Event{}) {
					t.Errorf("an event was not emptied:%s", cmp.Diff(backend.Event{}, e))
				}
			}
			for table, rows := range dump(t, dir) {
				if len(rows) != 0 && table != "settings" && table != "providers" && table != "profiles" && table != "logins" && table != "permission_rules" && !strings.HasPrefix(table, "trusted_") {
					t.Errorf("%s has %q", table, rows)
				}
			}
		})
	}
}
