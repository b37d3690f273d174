package agent_test

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestImitation_ReusedCallIDAsks checks that a call that reuses the ID of a VoxPilot tool call doesn't inherit that
// call's permission.
func TestImitation_ReusedCallIDAsks(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("voxpilot of the chat chat"))
	ours := "voxpilot_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:8])
	delegation := fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"x","kind":"other","title":"` + ours + `-copilot_agent","rawInput":{"session_name":"a","prompt":"p"}}`)
	reading := fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"x","kind":"other","title":"` + ours + `-read_file","rawInput":{"path":"a.txt"}}`)
	for name, c := range map[string]struct {
		steps fakeagent.Turn
		title string
		kind  backend.ToolKind
	}{
		"a command after work": {fakeagent.Turn{
			delegation,
			fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"x","kind":"execute","title":"Clean up","rawInput":{"command":"rm -rf ."}}`),
			request(`"toolCallId":"x","kind":"execute","title":"Clean up","rawInput":{"command":"rm -rf ."}`),
		}, "Clean up", backend.ToolExecute},
		"a command that is only asked for": {fakeagent.Turn{
			delegation, request(`"toolCallId":"x","kind":"execute","title":"copilot_agent","rawInput":{"command":"rm -rf ."}`),
		}, "copilot_agent", backend.ToolExecute},
		"an edit by the name of a tool of ours": {fakeagent.Turn{
			reading, request(`"toolCallId":"x","kind":"edit","title":"read_file","rawInput":{"path":"b.txt"}`),
		}, "read_file", backend.ToolEdit},
		"a tool of another server": {fakeagent.Turn{
			reading,
			fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"x","kind":"other","title":"files-read_file","rawInput":{"path":"/etc/shadow"}}`),
			request(`"toolCallId":"x","kind":"other","title":"read_file","rawInput":{"path":"/etc/shadow"}`),
		}, "files-read_file", backend.ToolOther},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t, fake(fakeagent.Script{Capabilities: httpCaps, Turns: []fakeagent.Turn{c.steps}}), withChatServer)
			tu := w.start(backend.SessionMain, "go")
			a := w.nextRequest()
			equal(t, "title", a.permission.Title, c.title)
			equal(t, "kind", a.permission.Kind, c.kind)
			shown := false
			w.mu.Lock()
			for _, it := range reduce(t, w.events) {
				shown = shown || it.ID == a.permission.ItemID && it.Tool != nil
			}
			w.mu.Unlock()
			equal(t, "has a row", shown, true)
			a.answer <- "reject_once"
			tu.result()
		})
	}
}
