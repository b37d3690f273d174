package sessionimport_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
)

// TestReader_ModelAndCostOfTurns checks the models and costs of turns: premium requests are counted only for messages
// of the user, AI credits for all model calls, and the models are known even if the log has no usage records.
func TestReader_ModelAndCostOfTurns(t *testing.T) {
	line := func(kind, data, more string) string {
		return fmt.Sprintf(`{"type":%q,"data":%s%s,"id":%q,"timestamp":"2026-11-30T10:00:00.000Z","parentId":null}`+"\n", kind, data, more, sessionfiles.NewID())
	}
	call := func(model, by string, cost, nano float64, more string) string {
		return line("session.usage_record", fmt.Sprintf(`{"usage":{"model":%q,"inputTokens":10,"outputTokens":1,"initiator":%q,"cost":%g,"copilotUsage":{"totalNanoAiu":%g}}}`, model, by, cost, nano), more)
	}
	user := func() string { return line("user.message", `{"content":"a"}`, "") }
	answer := line("assistant.message", `{"content":"b","messageId":"m","model":"old-model"}`, "")
	for name, c := range map[string]struct {
		log  string
		want []backend.Usage
	}{
		"records": {
			user() + call("gpt-5", "user", 1.5, 2e9, "") + call("gpt-5", "agent", 1.5, 1e9, "") + call("haiku", "sub-agent", 0.33, 5e8, `,"agentId":"x"`) + answer +
				user() + call("opus", "user", 10, 0, "") + answer,
			[]backend.Usage{
				{Input: 30, Output: 3, Model: "gpt-5", Premium: 1.5, NanoAIU: 3_500_000_000},
				{Input: 10, Output: 1, Model: "opus", Premium: 10},
			},
		},
		"events of older versions":   {user() + line("assistant.usage", `{"model":"m","inputTokens":1,"cost":1}`, "") + answer, []backend.Usage{{Input: 1, Model: "old-model", Premium: 1}}},
		"no usage":                   {user() + answer, []backend.Usage{{Model: "old-model"}}},
		"nonsense":                   {user() + call("m", "user", -1, 1e300, "") + line("session.usage_record", `{"usage":{"model":7,"cost":"x","copilotUsage":[]}}`, ""), []backend.Usage{{Input: 10, Output: 1, Model: "m"}}},
		"after the turn's last word": {user() + answer + line("assistant.turn_end", `{}`, "") + call("m", "agent", 1, 1e9, ""), []backend.Usage{{Input: 10, Output: 1, Model: "m", NanoAIU: 1e9}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRows()
			r := sessionimport.NewReader("", sessionimport.Target{ChatID: "chat", Name: "main", ACPID: "s"})
			if err := r.Read(t.Context(), openLog([]byte(c.log), len(c.log)), w.commit, func(int64, int64) {}); err != nil {
				t.Fatal(err)
			}
			got := map[backend.Usage]bool{}
			for _, turn := range w.turns {
				got[*turn.Usage] = true
			}
			want := map[backend.Usage]bool{}
			for _, u := range c.want {
				want[u] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
