package copilottest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf16"
)

// Damage is a way to damage the files of a Copilot CLI session.
type Damage struct {
	Name string
	// Loads means that the CLI loads the session anyway.
	Loads bool
	// Loses means that the log then lacks a part of the conversation, which must have at least two turns.
	Loses bool
	// Apply damages the session whose files are in dir.
	Apply func(t *testing.T, r *rand.Rand, dir string)
}

// Files of a session.
const (
	sessionLog       = "events.jsonl"
	sessionWorkspace = "workspace.yaml"
)

// Damages are ways to damage a session, with the effect on the CLI version that the tests use.
var Damages = slices.Concat([]Damage{
	{"whole", true, false, func(*testing.T, *rand.Rand, string) {}},
	{"log deleted", false, true, remove(sessionLog)},
	{"log unreadable", false, true, replaceByFolder(sessionLog)},
	{"log behind a link", true, false, func(t *testing.T, _ *rand.Rand, dir string) {
		noErr(t, os.Rename(filepath.Join(dir, sessionLog), filepath.Join(dir, "log")))
		noErr(t, os.Symlink("log", filepath.Join(dir, sessionLog)))
	}},
	{"folder gone", false, true, remove(".")},
	{"checkpoints gone", true, false, remove("checkpoints")},
	{"workspace.yaml gone", true, false, remove(sessionWorkspace)},
	{"workspace.yaml unreadable", false, false, replaceByFolder(sessionWorkspace)},
	{"workspace.yaml broken", false, false, changeFile(sessionWorkspace, func(*rand.Rand, []byte) []byte { return []byte("{: [nonsense") })},
	{"workspace.yaml empty", false, false, changeFile(sessionWorkspace, func(*rand.Rand, []byte) []byte { return nil })},
	{"workspace.yaml binary", false, false, changeFile(sessionWorkspace, func(*rand.Rand, []byte) []byte { return []byte("\x00\x01\xff") })},
	{"workspace.yaml a number", false, false, changeFile(sessionWorkspace, func(*rand.Rand, []byte) []byte { return []byte("5\n") })},
	{"workspace.yaml of another session", true, false, changeFile(sessionWorkspace, func(_ *rand.Rand, b []byte) []byte { return append([]byte("id: 11111111"), b[12:]...) })},

	logDamage("log empty", false, true, func(*rand.Rand, []byte) []byte { return nil }),
	logDamage("log cut in the last message", true, true, func(r *rand.Rand, b []byte) []byte {
		start := second(b, userMessage)
		return b[:start+1+r.IntN(lineEnd(b[start:])-1)]
	}),
	logDamage("log cut in the last line", true, false, func(r *rand.Rand, b []byte) []byte {
		start := bytes.LastIndexByte(b[:len(b)-1], '\n') + 1
		return b[:start+1+r.IntN(len(b)-start-2)]
	}),
	logDamage("log in UTF-16", false, true, func(_ *rand.Rand, b []byte) (out []byte) {
		for _, u := range utf16.Encode([]rune(string(b))) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	}),
	logDamage("byte order mark", true, false, func(_ *rand.Rand, b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) }),
	logDamage("lines end with CR LF", true, false, func(_ *rand.Rand, b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }),
	logDamage("no last line ending", true, false, func(_ *rand.Rand, b []byte) []byte { return bytes.TrimRight(b, "\n") }),
	logDamage("a line ending missing", false, false, func(_ *rand.Rand, b []byte) []byte { return slices.Concat(b[:lineEnd(b)], b[lineEnd(b)+1:]) }),
	logDamage("zeros at the end", true, false, func(_ *rand.Rand, b []byte) []byte { return append(slices.Clone(b), make([]byte, 4096)...) }),
	logDamage("zeros at the start", false, false, func(_ *rand.Rand, b []byte) []byte { return append(make([]byte, 512), b...) }),
	logDamage("zeros between lines", false, false, insert(string(make([]byte, 512)))),
	logDamage("zeros over a message", false, true, func(_ *rand.Rand, b []byte) []byte {
		b = slices.Clone(b)
		clear(b[bytes.Index(b, userMessage)+10:][:150])
		return b
	}),
	logDamage("zeros over an answer", false, true, func(_ *rand.Rand, b []byte) []byte {
		b = slices.Clone(b)
		clear(b[bytes.LastIndex(b, []byte(`{"type":"assistant.message"`))+10:][:150])
		return b
	}),
	logDamage("zeros over an answer with a tool call", false, true, func(_ *rand.Rand, b []byte) []byte {
		b = slices.Clone(b)
		clear(b[bytes.Index(b, []byte(`{"type":"assistant.message"`))+10:][:150])
		return b
	}),
	logDamage("a message cut off", false, true, func(_ *rand.Rand, b []byte) []byte {
		i := bytes.Index(b, userMessage)
		return slices.Concat(b[:i+40], b[i+lineEnd(b[i:]):])
	}),
	logDamage("a tool result cut off", false, true, func(_ *rand.Rand, b []byte) []byte {
		i := bytes.Index(b, []byte(`{"type":"tool.execution_complete"`))
		return slices.Concat(b[:i+40], b[i+lineEnd(b[i:]):])
	}),
	logDamage("a line twice", true, false, func(_ *rand.Rand, b []byte) []byte {
		return append(slices.Clone(b), b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:]...)
	}),
	logDamage("no session.start", false, false, func(_ *rand.Rand, b []byte) []byte { return b[lineEnd(b)+1:] }),
	logDamage("session.start twice", true, false, func(_ *rand.Rand, b []byte) []byte { return slices.Concat(b[:lineEnd(b)+1], b) }),
	logDamage("session.start later", true, false, func(_ *rand.Rand, b []byte) []byte {
		n := lineEnd(b) + 1
		m := n + lineEnd(b[n:]) + 1
		return slices.Concat(b[n:m], b[:n], b[m:])
	}),
	logDamage("session.start of another session", false, false, func(_ *rand.Rand, b []byte) []byte {
		b = slices.Clone(b)
		copy(b[bytes.Index(b, []byte(`"sessionId":"`))+len(`"sessionId":"`):], "11111111")
		return b
	}),
	logDamage("session.start without data", false, false, func(_ *rand.Rand, b []byte) []byte {
		return append([]byte(event("session.start", "{}")+"\n"), b[lineEnd(b)+1:]...)
	}),
	logDamage("garbage lines", false, false, insert("garbage\x00\xff\n{\n")),
}, lineDamages(true, map[string]string{
	"unknown event":            event("weather.report", "{}"),
	"result without a call":    event("tool.execution_complete", `{"toolCallId":"zzz","success":true,"result":{"content":"x"}}`),
	"no type":                  `{"data":{"content":"x"},"timestamp":"2026-01-01T00:00:00.000Z"}`,
	"a number":                 "5",
	"an array":                 "[]",
	"null":                     "null",
	"a string":                 `"x"`,
	"blanks":                   "   ",
	"empty lines":              "\n",
	"session.start version 99": event("session.start", `{"sessionId":"x","version":99,"producer":"x","copilotVersion":"9","startTime":"2026-01-01T00:00:00.000Z"}`),
}), lineDamages(false, map[string]string{
	"message without content":   event("user.message", "{}"),
	"message with a number":     event("user.message", `{"content":5}`),
	"message without data":      event("user.message", "null"),
	"answer without content":    event("assistant.message", "{}"),
	"answer without data":       event("assistant.message", "null"),
	"call without an ID":        event("tool.execution_start", "{}"),
	"message without an ID":     `{"type":"user.message","data":{"content":"x"},"timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`,
	"message without a time":    `{"type":"user.message","data":{"content":"x"},"id":"0cd2575d-d593-4ec5-bc0e-fc0862cc248f","parentId":null}`,
	"message with a wrong time": `{"type":"user.message","data":{"content":"x"},"id":"0cd2575d-d593-4ec5-bc0e-fc0862cc248f","timestamp":"yesterday","parentId":null}`,
}))

var userMessage = []byte(`{"type":"user.message"`)

// event returns a line of a log.
func event(kind, data string) string {
	return `{"type":"` + kind + `","data":` + data + `,"id":"0cd2575d-d593-4ec5-bc0e-fc0862cc248f","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`
}

// lineDamages returns a Damage for each line in lines. The Damage inserts the line into the log.
func lineDamages(loads bool, lines map[string]string) (list []Damage) {
	for name, line := range lines {
		list = append(list, logDamage("a line: "+name, loads, false, insert(line+"\n")))
	}
	slices.SortFunc(list, func(a, b Damage) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return list
}

func logDamage(name string, loads, loses bool, change func(r *rand.Rand, b []byte) []byte) Damage {
	return Damage{name, loads, loses, changeFile(sessionLog, change)}
}

// changeFile returns a function that applies change to the named file of a session.
func changeFile(name string, change func(r *rand.Rand, b []byte) []byte) func(*testing.T, *rand.Rand, string) {
	return func(t *testing.T, r *rand.Rand, dir string) {
		t.Helper()
		file := filepath.Join(dir, name)
		b, err := os.ReadFile(file)
		noErr(t, err)
		noErr(t, os.WriteFile(file, change(r, b), 0o600))
	}
}

// insert returns a function that inserts text after the first line.
func insert(text string) func(*rand.Rand, []byte) []byte {
	return func(_ *rand.Rand, b []byte) []byte {
		return slices.Insert(slices.Clone(b), lineEnd(b)+1, []byte(text)...)
	}
}

func remove(name string) func(*testing.T, *rand.Rand, string) {
	return func(t *testing.T, _ *rand.Rand, dir string) { noErr(t, os.RemoveAll(filepath.Join(dir, name))) }
}

// replaceByFolder returns a function that replaces the file with a folder, so that not even root can read it.
func replaceByFolder(name string) func(*testing.T, *rand.Rand, string) {
	return func(t *testing.T, r *rand.Rand, dir string) {
		remove(name)(t, r, dir)
		noErr(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
}

// lineEnd returns the index of the first line ending in b.
func lineEnd(b []byte) int { return bytes.IndexByte(b, '\n') }

// second returns the index of the second occurrence of sep in b.
func second(b, sep []byte) int {
	first := bytes.Index(b, sep) + 1
	return first + bytes.Index(b[first:], sep)
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
