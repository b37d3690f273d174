package agent_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestSecrets_RedactedInAgentOutput(t *testing.T) {
	t.Parallel()
	secret, short := "github"+"_pat_0123456789abcdef", "word"
	script := fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Say("It is " + secret + secret + ", a " + short + "."),
		fakeagent.Run("echo TOKEN=" + secret),
	}}}
	w := newEnv(t, func(w *env) agent.Launch {
		l := fake(script)(w)
		l.Secrets = []string{secret, short, ""}
		return l
	}, nil)
	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	w.mu.Lock()
	all, err := json.Marshal(w.events)
	for _, e := range w.events {
		if e.Content != nil {
			all = append(all, e.Content.Body...)
		}
	}
	w.mu.Unlock()
	noErr(t, err)
	var protocol bytes.Buffer
	noErr(t, w.agent.WriteProtocol(&protocol))
	stars := strings.Repeat("*", len(secret))
	for what, text := range map[string]string{"what is shown": string(all), "the protocol": protocol.String()} {
		if strings.Contains(text, secret) {
			t.Errorf("%s has the secret", what)
		}
		for _, want := range []string{"It is " + stars + stars + ", a word.", "TOKEN=" + stars} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not have %q", what, want)
			}
		}
	}
}
