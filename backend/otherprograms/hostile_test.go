package otherprograms_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestHostile_LongAndDamagedLines checks that lines that are too long, too deeply nested or not JSON are skipped and
// counted, in bounded memory, and that the other lines are read.
func TestHostile_LongAndDamagedLines(t *testing.T) {
	home := t.TempDir()
	name := filepath.Join(home, ".claude", "projects", "p", "s.jsonl")
	noErr(t, os.MkdirAll(filepath.Dir(name), 0o700))
	file, err := os.Create(name)
	noErr(t, err)
	write := func(text string) { _, err := file.WriteString(text); noErr(t, err) }
	write(`{"type":"user","message":{"content":"first ` + "\xff" + `"}}` + "\n")
	write(strings.Repeat("[", 1<<20) + "\n" + `{"type":"user","message":` + "\n\n\x00\n[1]\n\"text\"\n")
	piece := strings.Repeat("x", 1<<20)
	for range 200 {
		write(piece)
	}
	write("\n" + `{"type":"assistant","message":{"content":[{"type":"text","text":"answer"}]}}` + "\n" + `{"type":"user","mess`)
	noErr(t, file.Close())
	c := list(t, home, backend.ProgramClaudeCode)[0]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := read(t, home, c)
	runtime.ReadMemStats(&after)
	if want := []string{"prompt: first \xff", "answer: answer"}; fmt.Sprint(s.lines) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", s.lines, want)
	}
	if s.damaged != 7 {
		t.Errorf("%d damaged lines, want 7", s.damaged)
	}
	if grown := after.HeapSys - before.HeapSys; after.HeapSys > before.HeapSys && grown > 400<<20 {
		t.Errorf("reading 200 MB took %d MB", grown>>20)
	}
}

// TestHostile_ChangedBytes reads conversations in which random bytes were changed or removed. Reading must neither fail
// nor panic.
func TestHostile_ChangedBytes(t *testing.T) {
	home := newHome(t)
	seed, rounds := chaos.Seed(t), chaos.Runs(100, 3000)
	for _, p := range []backend.OtherProgram{backend.ProgramClaudeCode, backend.ProgramCodex, backend.ProgramVSCode} {
		for _, c := range list(t, home, p) {
			var name string
			for path := range treeOf(t, home) {
				if strings.Contains(filepath.Base(path), c.ID) {
					name = path
				}
			}
			whole, err := os.ReadFile(name)
			noErr(t, err)
			for round := range rounds {
				noErr(t, os.WriteFile(name, damaged(chaos.Rand(t, seed, round), whole), 0o600))
				for _, c := range list(t, home, p) {
					read(t, home, c)
				}
			}
			noErr(t, os.WriteFile(name, whole, 0o600))
		}
	}
}

// damaged returns a copy of data in which some bytes are changed, removed or repeated.
func damaged(r *rand.Rand, data []byte) []byte {
	out := append([]byte(nil), data...)
	for range 1 + r.IntN(20) {
		at := r.IntN(len(out))
		switch r.IntN(4) {
		case 0:
			out[at] = byte(r.IntN(256))
		case 1:
			out[at] = `{}[]":,0-`[r.IntN(9)]
		case 2:
			out = append(out[:at], out[min(len(out), at+1+r.IntN(200)):]...)
		case 3:
			out = append(out[:at:at], append([]byte(string(out[max(0, at-50):at])), out[at:]...)...)
		}
		if len(out) == 0 {
			return out
		}
	}
	return out
}

// TestHostile_OpencodeDatabaseIsTables checks that VoxPilot doesn't read a database that contains a view or a computed
// column instead of opencode's plain tables. Evaluating either could take forever.
func TestHostile_OpencodeDatabaseIsTables(t *testing.T) {
	const message = `CREATE TABLE message (id, session_id, time_created, data); CREATE TABLE part (id, message_id, data);`
	endless := `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, '/a' AS directory, 'a' AS title, x AS time_created, x AS time_updated, NULL AS parent_id, NULL AS revert FROM c`
	for name, schema := range map[string]string{
		"a view":            message + "CREATE VIEW session AS " + endless,
		"a computed column": message + "CREATE TABLE session (id, directory, title AS (hex(zeroblob(1000))), time_created, time_updated, parent_id, revert); INSERT INTO session (id, directory) VALUES ('a', '/a')",
		"a virtual table":   message + "CREATE VIRTUAL TABLE session USING fts5(id, directory, title, time_created, time_updated, parent_id, revert)",
		"no tables":         "CREATE TABLE other (x)",
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			dir := filepath.Join(home, ".local", "share", "opencode")
			noErr(t, os.MkdirAll(dir, 0o700))
			db, err := sql.Open("sqlite", filepath.Join(dir, "opencode.db"))
			noErr(t, err)
			_, err = db.ExecContext(t.Context(), schema)
			noErr(t, errors.Join(err, db.Close()))
			if got, err := programs(home)[backend.ProgramOpencode].List(t.Context()); len(got) > 0 || err == nil {
				t.Errorf("got %d conversations, %v", len(got), err)
			}
		})
	}
}

// TestHostile_RecordsDontStayInMemory checks that reading and listing a conversation keeps only the needed parts of its
// records in memory.
func TestHostile_RecordsDontStayInMemory(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "p")
	noErr(t, os.MkdirAll(dir, 0o700))
	for i := range 8 {
		var b strings.Builder
		for n := range 8 {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","parentUuid":"u%d","cwd":"/x","message":{"content":"%s"}}`+"\n", n+1, n, strings.Repeat("long ", 1<<17))
		}
		noErr(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), []byte(b.String()), 0o600))
	}
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	p := programs(home)[backend.ProgramClaudeCode]
	before := inUse()
	all, err := p.List(t.Context())
	noErr(t, err)
	if grown := inUse() - before; len(all) != 8 || grown > 2<<20 {
		t.Errorf("the list of %d conversations needs %d KB", len(all), grown>>10)
	}
	most := int64(0)
	noErr(t, p.Read(t.Context(), all[0], sinkFunc(func(otherprograms.Entry) error { most = max(most, inUse()-before); return nil })))
	if most > 4<<20 {
		t.Errorf("reading a conversation of 5 MB needs %d KB", most>>10)
	}
	runtime.KeepAlive(p)
}

// sinkFunc is a Sink that calls a function with each entry.
type sinkFunc func(otherprograms.Entry) error

func (f sinkFunc) Add(e otherprograms.Entry) error { return f(e) }
func (sinkFunc) Skip(bool)                         {}
func (sinkFunc) Progress(int64)                    {}

// TestHostile_VSCodeValueIsLimited checks that a value in a VS Code file isn't read into memory if it is longer than a
// record may be.
func TestHostile_VSCodeValueIsLimited(t *testing.T) {
	for _, key := range []string{"other", "requests"} {
		home := t.TempDir()
		dir := filepath.Join(vscodeUser(home), "workspaceStorage", "h", "chatSessions")
		noErr(t, os.MkdirAll(dir, 0o700))
		long := `{"message":{"text":"hello"},"x":"` + strings.Repeat("x", 80<<20) + `"}`
		noErr(t, os.WriteFile(filepath.Join(dir, "s.json"), []byte(`{"requests":[{"message":{"text":"hello"}}],"`+key+`":[`+long+`]}`), 0o600))
		c := list(t, home, backend.ProgramVSCode)[0]
		err := programs(home)[backend.ProgramVSCode].Read(t.Context(), c, sinkFunc(func(otherprograms.Entry) error { return nil }))
		if backend.CodeOf(err) != backend.CodeTooLarge {
			t.Errorf("%s: %v", key, err)
		}
	}
}
