package commandline

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
)

func TestArgs_OpenOneThing(t *testing.T) {
	for line, want := range map[string]Start{
		"": {}, "--hidden": {Hidden: true}, "/a": {Target: "/a"}, "--hidden voxpilot://open": {Hidden: true, Target: "voxpilot://open"}, "-psn_0_1 a": {Target: "a"},
	} {
		if got, err := ParseStart(strings.Fields(line)); err != nil || got != want {
			t.Errorf("%q is %+v, %v", line, got, err)
		}
	}
	for _, args := range [][]string{{"--loud"}, {"a", "b"}, {"-x", "a"}} {
		if out, errs, code := runCLI(t, args...); code != 2 || out != "" || !strings.Contains(errs, "voxpilot --hidden") {
			t.Errorf("%q: %d %q %q", args, code, out, errs)
		}
	}
}

func TestArgs_TextTakenLiterally(t *testing.T) {
	type parsed struct{ text, folder string }
	for _, c := range []struct {
		args []string
		want parsed
	}{
		{[]string{}, parsed{}},
		{[]string{"a b"}, parsed{"a b", ""}},
		{[]string{"--folder", "/x", "a"}, parsed{"a", "/x"}},
		{[]string{"a", "--folder=/x y"}, parsed{"a", "/x y"}},
		{[]string{"--", "--folder"}, parsed{"--folder", ""}},
		{[]string{"-"}, parsed{"from\nthe input", ""}},
	} {
		text, folder, err := parseText(c.args, strings.NewReader("from\nthe input\n"))
		if got := (parsed{text, folder}); err != nil || got != c.want {
			t.Errorf("%q is %+v, %v", c.args, got, err)
		}
	}
	for _, args := range [][]string{{"ask"}, {"ask", " "}, {"ask", "a", "b"}, {"ask", "--folder"}, {"ask", "--wait", "a"}, {"quick", " "}, {"quick", "--folder", "/x"}} {
		if out, errs, code := runCLI(t, args...); code != 2 || out != "" || !strings.Contains(errs, `voxpilot ask "TEXT"`) {
			t.Errorf("%q: %d %q %q", args, code, out, errs)
		}
	}
}

func TestArgs_TooLongTextRefused(t *testing.T) {
	newAppEnv(t)
	if _, errs, code := runCLI(t, "ask", strings.Repeat("a", backend.MaxPromptBytes+1)); code != 1 || !strings.Contains(errs, "1 MB") {
		t.Errorf("%d %q", code, errs)
	}
}

func TestStart_WithoutDesktopFails(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a desktop is always there")
	}
	t.Setenv("VOXPILOT_DATA_DIR", t.TempDir())
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if out, errs, code := runCLI(t, "ask", "hello"); code != 1 || out != "" || !strings.Contains(errs, "without a desktop") {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

func TestOutput_StripsTerminalCodes(t *testing.T) {
	var out strings.Builder
	p := &plainText{to: &out}
	for _, piece := range []string{"a\x1b]0;title\x07b", "\r\n", "c\td\u009b31m", "\u202eab\u2066", ""} {
		p.write(piece)
	}
	p.end()
	if got, want := out.String(), "a]0;titleb\nc\td31mab\n"; got != want {
		t.Errorf("it prints %q", got)
	}
}

func TestOutput_SplitCharactersStayWhole(t *testing.T) {
	text := strings.Repeat("a你好😀", 30_000)
	var got strings.Builder
	tell := &answerWriter{send: func(a instance.Response) error {
		if len(a.Text) > answerPiece {
			t.Errorf("a piece has %d bytes", len(a.Text))
		}
		got.WriteString(strings.ToValidUTF8(a.Text, "�"))
		return nil
	}}
	for rest := []byte(text); len(rest) > 0; {
		n := min(len(rest), 70_001)
		if _, err := tell.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if got.String() != text {
		t.Error("letters were cut")
	}
	fails := &answerWriter{send: func(instance.Response) error { return context.Canceled }}
	if _, err := fails.Write([]byte("text")); !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
}
