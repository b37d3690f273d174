package sessionuse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// program is a process of the CLI that writes to a log.
type program struct {
	log     *[]string // lines
	last    *string   // ID of the last event of the log
	own     string    // ID of the program's last event; "" until the program has loaded the session
	resumed bool
	n       *int
}

// load makes the program load the session: its next prompt continues the last event.
func (p *program) load() { p.own, p.resumed = *p.last, false }

// write adds an event of the given type to the log.
func (p *program) write(kind, content string) (line string) {
	*p.n++
	id := fmt.Sprintf("event-%d", *p.n)
	line = fmt.Sprintf(`{"type":%q,"data":{"content":%q},"id":%q,"timestamp":"2099-01-01T00:00:00.000Z","parentId":%q}`, kind, content, id, p.own)
	p.own, *p.last = id, id
	*p.log = append(*p.log, line)
	return line
}

// prompt adds a user message to the log.
func (p *program) prompt(text string) (line string) {
	if !p.resumed {
		p.write("session.resume", "")
		p.resumed = true
	}
	return p.write(eventUser, text)
}

// reading reads a growing log with a state, and holds the lines of other programs that it has found.
type reading struct {
	t       *testing.T
	dir     string
	st      state
	foreign []string
}

func (r *reading) read(log string) found {
	r.t.Helper()
	path := filepath.Join(r.dir, "events.jsonl")
	noErr(r.t, os.WriteFile(path, []byte(log), 0o600))
	file, err := os.Open(path)
	noErr(r.t, err)
	defer file.Close()
	from := r.st.Offset
	f, err := scan(r.t.Context(), file, &r.st)
	noErr(r.t, err)
	if f.replaced {
		return f
	}
	view := View{file: file, size: r.st.Offset, own: f.own}
	text, err := io.ReadAll(io.NewSectionReader(view, from, 1<<30))
	noErr(r.t, err)
	if int64(len(text)) != r.st.Offset-from {
		r.t.Errorf("the view has %d bytes, want %d", len(text), r.st.Offset-from)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			r.foreign = append(r.foreign, line)
		}
	}
	return f
}

// TestScan_TellsWritersApart checks that the scan finds all lines of other programs and no others, in any interleaving
// with the lines of VoxPilot's agent, even if a read ends in the middle of a line.
func TestScan_TellsWritersApart(t *testing.T) {
	rounds, seed := chaos.Runs(40, 1000), chaos.Seed(t)
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		var log []string
		last, n := "", 0
		programs := make([]*program, 3) // the first one is VoxPilot's
		for i := range programs {
			programs[i] = &program{log: &log, last: &last, n: &n}
		}
		programs[0].write("session.start", "")
		programs[0].resumed = true
		got := &reading{t: t, dir: t.TempDir()}
		var want []string
		whole := func() string { return strings.Join(log, "\n") + "\n" }
		others := func() {
			for range r.IntN(4) {
				p := programs[1+r.IntN(2)]
				if p.own == "" || r.IntN(4) == 0 {
					p.load()
				}
				if !p.resumed || r.IntN(2) == 0 {
					want = append(want, p.prompt(fmt.Sprintf("foreign %d 😀", n)))
				}
				for range r.IntN(3) {
					want = append(want, p.write([]string{eventAssistant, "tool.execution_start", "tool.execution_complete"}[r.IntN(3)], "x"))
				}
				if r.IntN(3) == 0 {
					text := whole()
					at := int(got.st.Offset)
					got.read(text[:at+r.IntN(len(text)-at+1)])
				}
			}
		}
		for turn := range 6 {
			others()
			if turn > 0 && r.IntN(2) == 0 {
				programs[0].load() // because others wrote, or after a restart
			}
			got.read(whole())
			got.st.Pending = newPending(fmt.Sprintf("own %d 😀", turn))
			if r.IntN(8) > 0 { // not a command of the CLI, which isn't in the log
				programs[0].prompt(fmt.Sprintf("A note.\n\nown %d 😀", turn))
			}
			for range 3 {
				others()
				if programs[0].resumed {
					programs[0].write(eventAssistant, "y")
				}
			}
			got.read(whole())
			got.st.Pending = nil
		}
		if !slices.Equal(got.foreign, want) {
			t.Fatalf("round %d: (-want +got)\n%s\nlog\n%s", round, cmp.Diff(want, got.foreign), whole())
		}
	}
}

// TestScan_KilledAppKnowsItsPrompt checks that a prompt that was being answered when VoxPilot was killed isn't taken for
// one of another program.
func TestScan_KilledAppKnowsItsPrompt(t *testing.T) {
	var log []string
	last, n := "", 0
	own, other := &program{log: &log, last: &last, n: &n}, &program{log: &log, last: &last, n: &n}
	own.write("session.start", "")
	own.resumed = true
	got := &reading{t: t, dir: t.TempDir(), st: state{Pending: newPending("own")}}
	own.prompt("own")
	own.write(eventAssistant, "half")
	other.load()
	want := []string{other.prompt("foreign"), other.write(eventAssistant, "whole")}
	f := got.read(strings.Join(log, "\n") + "\n")
	if !slices.Equal(got.foreign, want) || f.messages != 2 || !f.foreign {
		t.Errorf("got %q, %d messages", got.foreign, f.messages)
	}
}

// TestScan_EarlierPromptIsForeign checks that a message from before VoxPilot's prompt isn't taken for the prompt.
func TestScan_EarlierPromptIsForeign(t *testing.T) {
	got := &reading{t: t, dir: t.TempDir(), st: state{Pending: newPending("the same")}}
	line := `{"type":"user.message","data":{"content":"the same"},"id":"a","timestamp":"2020-01-01T00:00:00.000Z","parentId":null}`
	got.read(line + "\n")
	if !slices.Equal(got.foreign, []string{line}) {
		t.Errorf("got %q", got.foreign)
	}
}

// TestScan_ReplacedLogIsNotRead checks that nothing is read from a log that isn't the known one.
func TestScan_ReplacedLogIsNotRead(t *testing.T) {
	line := func(n int) string {
		return fmt.Sprintf(`{"type":"user.message","data":{"content":"%d"},"id":"%d"}`, n, n) + "\n"
	}
	for name, log := range map[string]string{
		"empty": "", "shorter": line(7), "cut off": line(7) + line(8)[:9], "in a line": strings.Repeat("x", 500) + "\n" + line(8),
	} {
		t.Run(name, func(t *testing.T) {
			got := &reading{t: t, dir: t.TempDir()}
			got.read(line(1) + line(2) + line(3))
			got.foreign = nil
			f := got.read(log)
			at := int64(strings.LastIndex(log, "\n") + 1)
			if !f.replaced || got.foreign != nil || got.st.Offset != at {
				t.Errorf("got %+v, %q, offset %d, want %d", f, got.foreign, got.st.Offset, at)
			}
			got.read(log[:at] + line(4))
			if want := []string{strings.TrimSpace(line(4))}; !slices.Equal(got.foreign, want) {
				t.Errorf("later: got %q", got.foreign)
			}
		})
	}
}

// TestScan_HostileLines checks that lines that aren't events are ignored, and that a line that is too long is skipped in
// bounded memory.
func TestScan_HostileLines(t *testing.T) {
	good := `{"type":"user.message","data":{"content":"x"},"id":"1"}`
	log := strings.Join([]string{
		"", "null", "5", `"id"`, "[]", "{", "\xff\xfe", `{"type":"user.message","data":null}`, `{"id":5}`, "\x00\x00", strings.Repeat(" ", 1<<17), good,
	}, "\n") + "\n"
	got := &reading{t: t, dir: t.TempDir()}
	got.read(log)
	if !slices.Equal(got.foreign, []string{good}) {
		t.Errorf("got %q", got.foreign)
	}
	long := io.MultiReader(strings.NewReader(`{"type":"user.message","id":"2","data":{"content":"`), io.LimitReader(zeros{}, 80<<20), strings.NewReader("\"}}\n"+good+"\n"))
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	noErr(t, err)
	defer file.Close()
	_, err = io.Copy(file, long)
	noErr(t, err)
	var st state
	f, err := scan(context.Background(), file, &st)
	noErr(t, err)
	if f.messages != 1 {
		t.Errorf("got %d messages", f.messages)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestScan_NoLineEndingIsNotReplaced checks that new lines are read after an imported log whose last event had no line
// ending.
func TestScan_NoLineEndingIsNotReplaced(t *testing.T) {
	event := `{"type":"user.message","data":{"content":"x"},"id":"1"}`
	next := `{"type":"user.message","data":{"content":"y"},"id":"2"}`
	for _, between := range []string{"", "\n", "\r\n"} {
		got := &reading{t: t, dir: t.TempDir(), st: state{Offset: int64(len(event))}}
		if f := got.read(event); f.replaced {
			t.Errorf("%q: the log counts as replaced", between)
		}
		if f := got.read(event + between + next + "\n"); f.replaced || !slices.Equal(got.foreign, []string{next}) {
			t.Errorf("%q: got %+v, %q", between, f, got.foreign)
		}
	}
}

// endless is a log of zeros without a line ending, such as a sparse file.
type endless struct{ read func() }

func (l endless) Read(p []byte) (int, error) {
	l.read()
	clear(p)
	return len(p), nil
}

func (endless) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return 1 << 50, nil
	}
	return offset, nil
}

// TestScan_EndlessLineIsCancelled checks that reading a line as long as the log stops when its context ends, and that
// the last line ending isn't searched for in the whole log.
func TestScan_EndlessLineIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	log := endless{func() {
		if reads++; reads == 1000 {
			cancel()
		} else if reads > 10_000 {
			panic("the log is read to its end")
		}
	}}
	if _, err := scan(ctx, log, &state{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	noErr(t, skipTo(log, 1<<50, &state{}))
}

// TestView_HidesOwnLines checks that the lines of VoxPilot's agent look empty in a view, whatever the size of the
// reads.
func TestView_HidesOwnLines(t *testing.T) {
	text := "aaa\nbb\nccc\ndddd\ne\nrest"
	path := filepath.Join(t.TempDir(), "log")
	noErr(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	noErr(t, err)
	defer file.Close()
	view := View{file: file, size: 18, own: []Span{{0, 4}, {7, 16}}}
	want := "   \nbb\n   \n    \ne\n"
	for size := 1; size < 30; size++ {
		var got bytes.Buffer
		buf := make([]byte, size)
		for off := int64(0); ; {
			n, err := view.ReadAt(buf, off)
			got.Write(buf[:n])
			if off += int64(n); err != nil {
				break
			}
		}
		if got.String() != want {
			t.Errorf("in parts of %d: got %q", size, got.String())
		}
	}
	if info, err := view.Until(7).Stat(); err != nil || info.Size() != 7 {
		t.Errorf("got %v, %v", info.Size(), err)
	}
}

// TestState_SurvivesRestart checks that the state is stored, and that an invalid file counts as missing.
func TestState_SurvivesRestart(t *testing.T) {
	m := New(Config{Dir: filepath.Join(t.TempDir(), "new")})
	st := &state{ID: "x", Offset: 7, Writers: []writer{{"a", true, true}}, Pending: newPending(strings.Repeat("ä", 400)), Banner: &banner{"b", 5, 2}}
	m.saveState("chat", st)
	if got := m.loadState("chat"); !reflect.DeepEqual(got, st) {
		t.Errorf("got %+v, want %+v", got, st)
	}
	if n := len(st.Pending.Text); n > maxPending || n < maxPending-4 {
		t.Errorf("the pending text has %d bytes", n)
	}
	for _, text := range []string{"", "{", `{"offset":-1}`, strings.Repeat(" ", maxState+1)} {
		noErr(t, os.WriteFile(m.statePath("chat"), []byte(text), 0o600))
		if got := m.loadState("chat"); got != nil {
			t.Errorf("%.20q: got %+v", text, got)
		}
	}
}

func noErr(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
