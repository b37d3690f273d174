package agent_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// damage describes a way to damage the session files of the Copilot CLI, and the expected effect.
type damage struct {
	name  string
	lost  bool // VoxPilot must replace the session with a new one
	apply func(t *testing.T, r *rand.Rand, dir string)
}

const sessionLog = "events.jsonl"

// damageFile returns a function that changes the named file of a session. The parameter change returns the new content.
func damageFile(name string, change func(r *rand.Rand, b []byte) []byte) func(*testing.T, *rand.Rand, string) {
	return func(t *testing.T, r *rand.Rand, dir string) {
		file := filepath.Join(dir, name)
		b, err := os.ReadFile(file)
		noErr(t, err)
		noErr(t, os.WriteFile(file, change(r, b), 0o600))
	}
}

// secondLine returns the index at which the second line of b starts.
func secondLine(b []byte) int { return bytes.IndexByte(b, '\n') + 1 }

// insert returns a function that inserts the given lines after the first line of a file.
func insert(lines string) func(*rand.Rand, []byte) []byte {
	return func(_ *rand.Rand, b []byte) []byte {
		return slices.Insert(slices.Clone(b), secondLine(b), []byte(lines)...)
	}
}

func remove(name string) func(*testing.T, *rand.Rand, string) {
	return func(t *testing.T, _ *rand.Rand, dir string) { noErr(t, os.RemoveAll(filepath.Join(dir, name))) }
}

var damages = []damage{
	{"whole", false, func(*testing.T, *rand.Rand, string) {}},
	{"truncated in the middle of a line", false, damageFile(sessionLog, func(r *rand.Rand, b []byte) []byte {
		cut := secondLine(b) + r.IntN(len(b)-secondLine(b)-1)
		return bytes.TrimRight(b[:cut], "\n")
	})},
	{"zeros at its end", false, damageFile(sessionLog, func(_ *rand.Rand, b []byte) []byte { return append(b, make([]byte, 4096)...) })},
	{"an event that nobody knows", false, damageFile(sessionLog, insert(`{"type":"weather.report","data":{},"id":"x","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`+"\n"))},
	{"a line twice", false, damageFile(sessionLog, func(_ *rand.Rand, b []byte) []byte {
		end := bytes.LastIndexByte(b[:len(b)-1], '\n') + 1
		return append(slices.Clone(b), b[end:]...)
	})},
	{"garbage lines", true, damageFile(sessionLog, insert("garbage\x00\xff\n{\n"))},
	{"no session.start", true, damageFile(sessionLog, func(_ *rand.Rand, b []byte) []byte { return b[secondLine(b):] })},
	{"a workspace.yaml that is none", true, damageFile("workspace.yaml", func(*rand.Rand, []byte) []byte { return []byte("{: [nonsense") })},
	{"emptied", true, damageFile(sessionLog, func(*rand.Rand, []byte) []byte { return nil })},
	{"deleted", true, remove(sessionLog)},
	{"unreadable", true, func(t *testing.T, r *rand.Rand, dir string) {
		remove(sessionLog)(t, r, dir)
		noErr(t, os.Mkdir(filepath.Join(dir, sessionLog), 0o700)) // unreadable even for root
	}},
	{"its folder gone", true, remove(".")},
}

// newMemoryModel returns a model that answers with those of the given words that occur in the conversation's user
// messages.
func newMemoryModel(t *testing.T, words []string) *practice.Server {
	t.Helper()
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		var known []string
		for _, word := range words {
			for _, m := range req.Messages {
				if m.Role == "user" && strings.Contains(m.Text, word) && !slices.Contains(known, word) {
					known = append(known, word)
				}
			}
		}
		return practice.Reply{practice.Text("I know " + strings.Join(known, ", ") + ".")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	return model
}

// bannersOf returns the kinds of the banners about the given session.
func (w *env) bannersOf(session string) (kinds []backend.BannerKind) {
	for _, it := range w.items(nil) {
		if it.Banner != nil && it.Banner.Session == session {
			kinds = append(kinds, it.Banner.Kind)
		}
	}
	return kinds
}

// acpID returns the ID that the agent assigned to the session.
func (w *env) acpID(session string) string {
	for _, s := range w.sessions() {
		if s.Name == session {
			return s.ACPID
		}
	}
	return ""
}

func TestChaosDamagedSession_LoadedOrReplaced(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "Session files of the real Copilot CLI are damaged", len(damages))
	seed := chaos.Seed(t)
	var secrets []string
	for i := range damages {
		secrets = append(secrets, fmt.Sprintf("secret%02d", i))
	}
	model := newMemoryModel(t, secrets)
	launch := func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}
	w := newEnv(t, launch, nil)
	ask := func(text func(i int) string) (turns []*turn) {
		for i, d := range damages {
			turns = append(turns, w.start(d.name, text(i)))
		}
		for _, tu := range turns {
			w.expectEnd(tu, backend.TurnDone)
		}
		return turns
	}
	ask(func(i int) string { return "Remember " + secrets[i] })
	before := map[string]string{}
	for _, d := range damages {
		before[d.name] = w.acpID(d.name)
	}
	w.close()
	for i, d := range damages {
		d.apply(t, chaos.Rand(t, seed, i), filepath.Join(w.home, "session-state", before[d.name]))
	}
	w.open(launch, nil)
	lost := 0
	for i, tu := range ask(func(int) string { return "What do you know?" }) {
		d, said := damages[i], ""
		for _, it := range w.items(tu) {
			if it.Kind == backend.ItemMessage {
				said += it.text
			}
		}
		isNew := w.acpID(d.name) != before[d.name]
		if banners := w.bannersOf(d.name); isNew != d.lost || slices.Contains(banners, backend.BannerSessionLost) != d.lost {
			t.Errorf("%s: replaced %v, want %v; banners %v", d.name, isNew, d.lost, banners)
		}
		if !strings.HasPrefix(said, "I know ") || !d.lost && d.name != damages[1].name && !strings.Contains(said, secrets[i]) {
			t.Errorf("%s: it said %q", d.name, said)
		}
		if d.lost {
			lost++
		}
	}
	result("%d loaded, %d replaced by a new session with a banner; the next message answered in all", len(damages)-lost, lost)
}

func TestChaosDeletedHome_Recreated(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "COPILOT_HOME of the real CLI is deleted", 1)
	model := newMemoryModel(t, nil)
	launch := func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}
	w := newEnv(t, launch, nil)
	w.promptAndExpect("one", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	noErr(t, os.RemoveAll(w.home))
	w.open(launch, nil)
	w.promptAndExpect("two", backend.TurnDone)
	if w.session().ACPID == id {
		t.Error("the session has the same id")
	}
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
	result("a new session with a banner; the next message is answered")
}
