package sandbox

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestSeatbelt_LaterRulesAreStricter(t *testing.T) {
	p := Policy{
		Folder: "/u/project", Temp: true, Write: []string{"/u/more"}, Hidden: []string{"/u/.ssh", `/u/a "b"\c`}, Protected: []string{"/u/project/.git/config", "/u/project/.mcp.json"}, Caches: "/data/caches",
		Network: backend.NetworkOff, Ports: []int{8080},
	}
	text := seatbelt(p, "/data/run")
	at := 0
	for _, want := range []string{
		"(version 1)", "(deny default)", "(allow file-read*)", "(allow file-write*", `(subpath "/u/project")`, `(subpath "/u/more")`, `(subpath "/data/caches")`, `(subpath "/data/run/tmp")`,
		"(deny file-write*", `(subpath "/u/project/.git/config")`, "(deny file-write-unlink", `(literal "/u/project")`, `(literal "/u/project/.git")`,
		"(deny file-read* file-write*", `(subpath "/u/.ssh")`, `(subpath "/u/a \"b\"\\c")`, "(allow file-read* file-write*", `(subpath "/data/caches")`, `(allow network-outbound`, `(remote ip "localhost:8080")`,
	} {
		next := strings.Index(text[at:], want)
		if next < 0 {
			t.Fatalf("no %s after byte %d in\n%s", want, at, text)
		}
		at += next + len(want)
	}
	if strings.Contains(text, "(allow network*)") || strings.Count(text, "(") != strings.Count(text, ")") {
		t.Errorf("got\n%s", text)
	}
	p.Network, p.Temp, p.Hidden, p.Protected = backend.NetworkOn, false, nil, nil
	if text := seatbelt(p, "/data/run"); !strings.Contains(text, "(allow network*)\n(deny network-outbound\n  (remote unix-socket))") || strings.Contains(text, "/data/run/tmp") || strings.Contains(text, "localhost") {
		t.Errorf("got\n%s", text)
	}
}
