package agent_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// methods returns the methods of the messages, as "> method" for messages to the agent and "< method" for messages
// from the agent. The method of a response is "".
func methods(frames []backend.ProtocolMessage) (out []string) {
	for _, f := range frames {
		to := "< "
		if f.Out {
			to = "> "
		}
		out = append(out, to+f.Method)
	}
	return out
}

func TestProtocolLog_BothDirectionsInOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Edit("a.txt", "", "new")}}}), nil)
	w.setPolicy("allow_once")
	equalDeep(t, "frames before the start", w.agent.Protocol(0, "", 0), []backend.ProtocolMessage{})
	w.promptAndExpect("What is new?", backend.TurnDone)
	frames := w.agent.Protocol(0, "", 0)
	equalDeep(t, "messages", methods(frames), []string{
		"> initialize", "< ",
		"> session/new", "< session/update", "< ",
		"> session/prompt", "< session/update", "< session/request_permission", "> ", "< session/update", "< ",
	})
	for i, f := range frames {
		equal(t, "number", f.Seq, uint64(i+1))
		if f.At == 0 || f.Size != len(f.Body) || !json.Valid([]byte(f.Body)) || f.Error {
			t.Errorf("the message says too little: %+v", f)
		}
	}
	id := w.session().ACPID
	equal(t, "session of the prompt", frames[5].Session, id)
	equal(t, "session of the answer to new", frames[4].Session, id)
	equal(t, "the answer's id", frames[10].ID, frames[5].ID)
	equal(t, "the request's id", frames[7].ID, "0")

	equalDeep(t, "after", w.agent.Protocol(9, "", 0), frames[9:])
	equalDeep(t, "the newest two", w.agent.Protocol(0, "", 2), frames[9:])
	equalDeep(t, "by method", methods(w.agent.Protocol(0, "SESSION/PROMPT", 0)), []string{"> session/prompt"})
	equalDeep(t, "by text", methods(w.agent.Protocol(0, "what is new?", 0)), []string{"> session/prompt"})
	equal(t, "by session", len(w.agent.Protocol(0, strings.ToLower(id), 0)), 6)
	equalDeep(t, "by what is nowhere", w.agent.Protocol(0, "no such thing", 0), []backend.ProtocolMessage{})
}

func TestProtocolLog_ContinuesAcrossRestart(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	kill(t, w.agent.Connection().PID)
	w.waitForBanner(backend.BannerRestored)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "starts", len(w.agent.Protocol(0, `"method":"initialize"`, 0)), 2)
	for i, f := range w.agent.Protocol(0, "", 0) {
		equal(t, "number", f.Seq, uint64(i+1))
	}
}

func TestProtocolLog_HasNoSecrets(t *testing.T) {
	t.Parallel()
	secrets := []string{
		"ghp_0123456789abcdefghij", "gho_0123456789abcdefghij", "ghu_0123456789abcdefghij", "github_pat_0123456789_abcdefghij",
		"tok-1111", "tok-2222", "tok-3333", "tok-4444", "tok-5555", "tok-6666", "tok-7777", "sesame",
	}
	var trace syncBuffer
	w := newEnv(t, func(w *env) agent.Launch {
		l := fake(fakeagent.Script{Turns: []fakeagent.Turn{{
			fakeagent.Say("ghp_0123456789abcdefghij gho_0123456789abcdefghij ghu_0123456789abcdefghij github_pat_0123456789_abcdefghij open sesame"),
			fakeagent.Update(`{"sessionUpdate":"x","authToken":"tok-1111","headers":{"Authorization":"tok-2222"},"api_key":"tok-3333","clientSecret" : "tok-4444"}`),
			fakeagent.Update(`{"sessionUpdate":"x","env":[{"name":"GITHUB_TOKEN","value":"tok-5555"},{"value":"tok-6666","name":"Authorization"}]}`),
			fakeagent.Say(`{\"password\":\"tok-7777\"} Bearer abcdefghijkl`),
		}}})(w)
		l.Redact = func(s string) string { return strings.ReplaceAll(s, "sesame", "•••") }
		return l
	}, func(_ *env, cfg *agent.Config) { cfg.Trace = &trace })
	w.promptAndExpect(`my key is {"password":"tok-7777"} github_pat_0123456789_abcdefghij`, backend.TurnDone)
	var saved bytes.Buffer
	noErr(t, w.agent.WriteProtocol(&saved))
	for name, text := range map[string]string{"the log": saved.String(), "the trace": trace.String()} {
		if strings.Count(text, "•••") < 10 {
			t.Errorf("%s has no secrets taken out: %s", name, text)
		}
		for _, s := range append(secrets, "abcdefghijkl") {
			if strings.Contains(text, s) {
				t.Errorf("%s has the secret %s", name, s)
			}
		}
	}
	equal(t, "by a secret", len(w.agent.Protocol(0, "tok-1111", 0)), 1) // found, but not shown
}

func TestProtocolLog_SavedAndTracedByLine(t *testing.T) {
	t.Parallel()
	var trace syncBuffer
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("line one\nline <two>")}}}), func(_ *env, cfg *agent.Config) { cfg.Trace = &trace })
	w.promptAndExpect("go", backend.TurnDone)
	var saved bytes.Buffer
	noErr(t, w.agent.WriteProtocol(&saved))
	equal(t, "the trace", trace.String(), saved.String())
	lines := strings.Split(strings.TrimSuffix(saved.String(), "\n"), "\n")
	equal(t, "lines", len(lines), len(w.agent.Protocol(0, "", 0)))
	for _, line := range lines {
		if !json.Valid([]byte(line)) || gjson.Get(line, "chatId").String() != "chat" || gjson.Get(line, "body").String() == "" {
			t.Errorf("not a message: %s", line)
		}
	}
}

func TestProtocolLog_IsBounded(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Long("tool", 20<<20)},
		{fakeagent.Chunks(20_000, "x", 0)},
		{fakeagent.Chunks(1000, strings.Repeat("0123456789", 4000), 0)},
	}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	var long backend.ProtocolMessage
	for _, f := range w.agent.Protocol(0, "", 0) {
		if f.Size > 1<<20 {
			long = f
		}
	}
	if long.Size < 20<<20 || len(long.Body) != 64<<10 || long.Method != "session/update" || long.Session != w.session().ACPID {
		t.Errorf("of a long message there are %d of %d bytes (%s)", len(long.Body), long.Size, long.Method)
	}

	w.promptAndExpect("go", backend.TurnDone)
	frames := w.agent.Protocol(0, "", 0)
	equal(t, "messages", len(frames), 5000)
	if last := frames[4999]; last.Seq < 20_000 || last.Method != "" || frames[0].Seq != last.Seq-4999 {
		t.Errorf("they are from %d to %d", frames[0].Seq, last.Seq)
	}

	w.promptAndExpect("go", backend.TurnDone)
	size := 0
	frames = w.agent.Protocol(0, "", 0)
	for _, f := range frames {
		size += len(f.Body)
	}
	if size > 8<<20 || size < 4<<20 || len(frames) > 250 {
		t.Errorf("there are %d messages of %d bytes", len(frames), size)
	}
}

func TestProtocolLog_IncludesInvalidLines(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Raw("Debugger listening \xff"), fakeagent.Fail(-32603, "no luck")}}}), nil)
	w.promptAndExpect("go", backend.TurnFailed)
	found := w.agent.Protocol(0, "debugger", 0)
	if len(found) != 1 || found[0].Body != "Debugger listening \uFFFD" || found[0].Method != "" {
		t.Errorf("found %+v", found)
	}
	found = w.agent.Protocol(0, "no luck", 0)
	if len(found) != 1 || !found[0].Error {
		t.Errorf("found %+v", found)
	}
}

// syncBuffer is a buffer that is safe for concurrent use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
