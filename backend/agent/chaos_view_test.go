package agent_test

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// chatView is the state of a chat as displayed in the window.
type chatView struct {
	turns             map[string]backend.Turn
	ended             int // number of ended turns
	waiting           int // number of queued messages
	banners           []backend.BannerKind
	sessions          []backend.Session // every change of the main session
	requestOpen       bool              // a permission request is open
	textBytes         int               // total bytes of text
	pid               int               // PID of the newest process
	commandRuns       bool              // a command is running
	changesBeforeExit int               // number of session changes before the agent's first exit
	states            []backend.ConnectionState
}

func viewOf(events []backend.Event) chatView {
	s := chatView{turns: map[string]backend.Turn{}, changesBeforeExit: -1}
	queued := map[string]bool{}
	open := map[string]bool{}
	for _, e := range events {
		switch {
		case e.Turn != nil:
			if e.Turn.State != backend.TurnRunning {
				s.ended++
			}
			s.turns[e.Turn.ID] = *e.Turn
		case e.Queued != nil:
			queued[e.Queued.ID] = true
		case e.QueuedDeleted != nil:
			delete(queued, e.QueuedDeleted.ID)
		case e.Item != nil && e.Item.Banner != nil:
			s.banners = append(s.banners, e.Item.Banner.Kind)
		case e.Item != nil && e.Item.Tool != nil:
			s.commandRuns = e.Item.Tool.Status == backend.ToolInProgress
		case e.Text != nil:
			s.textBytes += len(e.Text.Text)
		case e.Permission != nil:
			if e.Permission.State == backend.PermissionOpen {
				open[e.Permission.ID] = true
			} else {
				delete(open, e.Permission.ID)
			}
		case e.Session != nil && e.Session.Name == backend.SessionMain:
			s.sessions = append(s.sessions, *e.Session)
		case e.Connection != nil:
			s.pid = e.Connection.PID
			s.states = append(s.states, e.Connection.State)
			if e.Connection.State == backend.ConnectionWaiting && s.changesBeforeExit < 0 {
				s.changesBeforeExit = len(s.sessions)
			}
		}
	}
	s.waiting, s.requestOpen = len(queued), len(open) > 0
	return s
}

// ids returns the ACP IDs that the main session has had.
func (s chatView) ids() (ids []string) {
	for _, row := range s.sessions {
		if !slices.Contains(ids, row.ACPID) {
			ids = append(ids, row.ACPID)
		}
	}
	return ids
}

// page returns the chat as a newly opened window shows it, loaded from the database.
func (a *app) page(t *testing.T, chatID string) (items []*item, turns map[string]backend.Turn) {
	t.Helper()
	// Published events are in the database before a snapshot starts.
	var view *store.ReadTx
	if err := a.bus.Snapshot(t.Context(), func(uint64) (err error) {
		view, err = a.store.BeginRead(t.Context())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	events, _, err := view.ChatEvents(t.Context(), chatID, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	turns = map[string]backend.Turn{}
	for _, e := range events {
		if e.Turn != nil {
			turns[e.Turn.ID] = *e.Turn
		}
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen {
			t.Errorf("a request is open: %+v", p)
		}
		if e.Queued != nil {
			t.Errorf("a message waits: %+v", e.Queued)
		}
	}
	return reduce(t, events), turns
}
