package otherprograms_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
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
