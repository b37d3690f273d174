package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/process"
)

// updatesInRound is the number of updates that each call of script.hundred adds.
const updatesInRound = 100

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	environment.PrintIfRequested()
	serveScriptIfRequested()
	os.Exit(m.Run())
}

func TestAgent_SendsSDKFormat(t *testing.T) {
	for name, s := range map[string]*script{"turn": turn(3 * updatesInRound), "chunks": chunks(50)} {
		var text int64
		tools := map[acp.ToolCallId]bool{}
		for _, line := range s.lines {
			var m struct{ Params acp.SessionNotification }
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatalf("%s: %v in %s", name, err, line)
			}
			text += textIn(m.Params.Update)
			if u := m.Params.Update.ToolCallUpdate; u != nil && u.Status != nil && *u.Status == acp.ToolCallStatusCompleted {
				tools[u.ToolCallId] = true
			}
		}
		if text != int64(len(s.text)) || len(tools) != s.tools {
			t.Errorf("%s has %d bytes of text and %d tool calls, and says it has %d and %d", name, text, len(tools), len(s.text), s.tools)
		}
	}
}

func TestClients_ReceiveEverything(t *testing.T) {
	for _, script := range []string{flood, paced} {
		ours, bare := promptSides(script, 2*updatesInRound, func(took time.Duration) float64 { return took.Seconds() })
		for name, side := range map[string]side{"VoxPilot": ours, "the driver": bare} {
			if took, err := side(t.Context()); err != nil || took <= 0 {
				t.Errorf("%s, on %s: %v, %v", name, script, took, err)
			}
		}
	}
}

func TestSessions_ParallelStayIsolated(t *testing.T) {
	var after ends
	two, one, err := beginDelegate(t.Context(), &after)
	if err != nil {
		t.Fatal(err)
	}
	for name, side := range map[string]side{"two": two, "one": one} {
		if took, err := side(t.Context()); err != nil || took <= 0 {
			t.Errorf("%s: %v, %v", name, took, err)
		}
	}
	if err := after.end(); err != nil {
		t.Error(err)
	}
	if _, err := delegating(agent.Launch{}, 1, "x")(t.Context()); err == nil {
		t.Error("sessions of no agent did all that they said")
	}
}

func TestClients_ReceiveWholeModelAnswer(t *testing.T) {
	var after ends
	ours, bare, err := beginModel(t.Context(), &after)
	if err != nil {
		t.Fatal(err)
	}
	for name, side := range map[string]side{"VoxPilot": ours, "the client": bare} {
		if took, err := side(t.Context()); err != nil || took <= 0 {
			t.Errorf("%s: %v, %v", name, took, err)
		}
	}
	if err := after.end(); err != nil {
		t.Error(err)
	}
}

func TestLoss_IsDetected(t *testing.T) {
	w, err := startWhole(t.Context(), flood+"100")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := w.prompt(t.Context(), "measure"); err != nil {
		t.Fatal(err)
	}
	if err := w.holds(t.Context(), turn(100), "measure"); err != nil {
		t.Error(err)
	}
	more := turn(100)
	more.chunk("agent_message_chunk")
	if w.holds(t.Context(), more, "measure") == nil {
		t.Error("it is not noticed that the last piece of text is missing")
	}
}

func TestRounds_AlternateAndSkipFirst(t *testing.T) {
	var order []string
	side := func(name string, values ...float64) side {
		return func(context.Context) (float64, error) {
			order = append(order, name)
			n := values[0]
			values = values[1:]
			return n, nil
		}
	}
	value, baseline, err := alternate(t.Context(), 3, side("ours", 100, 5, 1, 3), side("bare", 900, 20, 40, 30))
	if err != nil || value != 3 || baseline != 30 {
		t.Errorf("the medians are %v and %v, %v", value, baseline, err)
	}
	if want := []string{"ours", "bare", "bare", "ours", "ours", "bare", "bare", "ours"}; !slices.Equal(order, want) {
		t.Errorf("the sides ran as %v", order)
	}
	broken := errors.New("broken")
	fails := func(context.Context) (float64, error) { return 0, broken }
	if _, _, err := alternate(t.Context(), 3, side("ours", 1), fails); !errors.Is(err, broken) {
		t.Errorf("a side that fails gave %v", err)
	}
}

func TestSeed_HasRequestedChatsAndRows(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := seed(t.Context(), data, filepath.Join(dir, "work"), 30, 3000); err != nil {
		t.Fatal(err)
	}
	db, _, err := store.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	chats, items := 0, 0
	err = db.Read(t.Context(), func(v *store.ReadTx) error {
		events, err := v.AppEvents(t.Context())
		for _, e := range events {
			if e.Chat == nil {
				continue
			}
			chats++
			page, _, err := v.Items(t.Context(), e.Chat.ID, 0, 1000)
			if err != nil {
				return err
			}
			for _, e := range page {
				if e.Item != nil {
					items++
				}
			}
		}
		return err
	})
	if err != nil || chats != 30 {
		t.Fatalf("there are %d chats, %v", chats, err)
	}
	// A turn has sixteen rows, six of them items; the settings are at least one row.
	if rows := 1 + chats*2 + items/6*16; rows < 3000 {
		t.Errorf("there are %d rows", rows)
	}
}

func TestArgs_UnknownNameRefused(t *testing.T) {
	if err := run(t.Context(), []string{"agent.ingest", "nonesuch"}, "", nil); err == nil {
		t.Error("it was measured")
	}
}
