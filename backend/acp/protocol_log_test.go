package acp

import (
	"strings"
	"testing"
)

func TestProtocolLog_HidesSecretsOfEarlierProcesses(t *testing.T) {
	t.Parallel()
	without := func(secret string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, secret, Hidden) }
	}
	var trace, saved strings.Builder
	l := ProtocolLog{Trace: &trace}
	l.Begin(without("old-key"))
	l.add(l.current(), false, []byte(`{"method":"first","params":"old-key"}`))
	first := l.current()
	l.Begin(nil)
	l.add(l.current(), true, []byte(`{"method":"second","params":"typed by the user: new-key"}`))
	trace.Reset() // VoxPilot didn't know yet that the new key is a secret
	l.Begin(without("new-key"))
	l.add(first, true, []byte(`{"method":"late","params":"old-key"}`)) // of the first process
	l.add(l.current(), false, []byte(`{"method":"third","params":"new-key"}`))
	if err := l.Write(&saved); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"the log": saved.String(), "the trace": trace.String()} {
		if strings.Contains(text, "old-key") || strings.Contains(text, "new-key") || !strings.Contains(text, Hidden) {
			t.Errorf("%s shows a secret: %s", name, text)
		}
	}
	if n := strings.Count(saved.String(), Hidden); n != 4 {
		t.Errorf("%d secrets are hidden, want 4: %s", n, saved.String())
	}
}
