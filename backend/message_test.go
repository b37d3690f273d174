package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestMessage_JSON(t *testing.T) {
	reason := Problem("exit code %d", 7)
	for _, c := range []struct {
		of   Message
		text string
		want string
	}{
		{Message{}, "", `""`},
		{Plain("{}"), "{}", `"{}"`},
		{Say("Finished."), "Finished.", `{"text":"Finished.","key":"Finished."}`},
		{Say("%s at %d, %q", "x", 8080, `a"b`), `x at 8080, "a\"b"`, `{"text":"x at 8080, \"a\\\"b\"","key":"%s at %d, %q","args":["x","8080","a\\\"b"]}`},
		{Say("%.1f s", 12.0), "12.0 s", `{"text":"12.0 s","key":"%.1f s","args":[12.0]}`},
		{Count(1, "1 file", "%d files"), "1 file", `{"text":"1 file","key":"1 file"}`},
		{Count(12345, "1 file", "%d files"), "12,345 files", `{"text":"12,345 files","key":"%d files","args":[12345]}`},
		{Say("It ended (%s).", reason), "It ended (exit code 7).", `{"text":"It ended (exit code 7).","key":"It ended (%s).","args":[{"text":"exit code 7","key":"exit code %d","args":["7"]}]}`},
		{Say("It ended (%s).", fmt.Errorf("x: %w", reason)), "It ended (x: exit code 7).", `{"text":"It ended (x: exit code 7).","key":"It ended (%s).","args":["x: exit code 7"]}`},
		{Say("Copilot ended.").About("Qwen"), "Qwen ended.", `{"text":"Qwen ended.","key":"Copilot ended.","about":"Qwen"}`},
		{Say("In %s.", "/home/me").Map(strings.ToUpper), "IN /HOME/ME.", `{"text":"IN /HOME/ME.","key":"In %s.","args":["/HOME/ME"]}`},
	} {
		got, err := json.Marshal(c.of)
		if err != nil || string(got) != c.want || c.of.String() != c.text {
			t.Errorf("got %s (%q, %v), want %s", got, c.of, err, c.want)
		}
		var back Message
		if err := json.Unmarshal(got, &back); err != nil || back != c.of {
			t.Errorf("%s came back as %+v, %v", got, back, err)
		}
		if stored, bare := Restored(c.of.Stored(false)); stored != c.of || bare != (c.of.Key() == "") {
			t.Errorf("%s was stored as %+v", got, stored)
		}
	}
}

func TestMessage_Lists(t *testing.T) {
	a, b, c := Say("read"), Plain("write"), Say("run")
	for _, l := range []struct {
		of  []Message
		and string
		or  string
		key string
	}{
		{nil, "", "", ""},
		{[]Message{{}, a, {}}, "read", "read", "read"},
		{[]Message{a, b}, "read and write", "read or write", "%s and %s"},
		{[]Message{a, {}, b, c}, "read, write and run", "read, write or run", "%s and %s"},
	} {
		if and, or := And(l.of...), Or(l.of...); and.String() != l.and || or.String() != l.or || and.Key() != l.key {
			t.Errorf("got %q with the key %q and %q, want %q, %q and %q", and, and.Key(), or, l.and, l.key, l.or)
		}
	}
}

func TestMessage_FromErrors(t *testing.T) {
	said := Say("Choose a folder first.")
	cause := errors.New("no such thing")
	for _, c := range []struct {
		err  error
		want Message
	}{
		{&Error{Message: said}, said},
		{fmt.Errorf("opening: %w", &Error{Message: said}), Plain("opening: Choose a folder first.")},
		{cause, Plain("no such thing")},
		{Problem("%w: VoxPilot hadn't sent the request yet", cause), Say("%s: VoxPilot hadn't sent the request yet", "no such thing")},
	} {
		if got := MessageOf(c.err); got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
	if !errors.Is(Problem("%w: VoxPilot hadn't sent the request yet", cause), cause) {
		t.Error("what a problem wraps is not found in it")
	}
}

func TestMessage_OmittedIfEmpty(t *testing.T) {
	raw, err := json.Marshal(Connection{State: ConnectionReady})
	if err != nil || strings.Contains(string(raw), "message") {
		t.Errorf("got %s, %v", raw, err)
	}
}
