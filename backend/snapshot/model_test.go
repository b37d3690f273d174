package snapshot_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// history performs a random sequence of operations in a folder that two chats use. The model of the folder maps each
// path to its mode and content, in the form of readTree's result.
type history struct {
	*fixture
	r     *rand.Rand
	chats [2]*chat
	log   []string
	n     int // a counter that makes each content unique
}

// chat is the model of a chat.
type chat struct {
	name  string
	store *snapshot.Store
	turns []turn
}

// turn holds the states before and after a turn, both in the model and as snapshots.
type turn struct {
	before, after     map[string]string
	beforeID, afterID snapshot.ID
}

func TestModel_RandomHistories(t *testing.T) {
	seed := chaos.Seed(t)
	const most = 1000
	rounds := 0
	result := chaos.Row(t, "Random histories of edits, commands, Git operations, undo and redo in two chats", chaos.Runs(20, most))
	began, steps, back := time.Now(), 0, 0
	for round := range chaos.Rounds(20, most) {
		if !chaos.Long() && time.Since(began) > time.Minute {
			break
		}
		rounds++
		h := &history{fixture: newFixture(t), r: chaos.Rand(t, seed, round)}
		for i := range h.chats {
			name := fmt.Sprint("chat", i)
			store, err := h.stores.Open(name, h.dir)
			h.noErr(err)
			h.chats[i] = &chat{name: name, store: store}
		}
		if h.r.IntN(4) > 0 {
			h.git("init", "-q")
			h.write(".gitignore", "*.log\nignored/\n")
			h.git("add", "-A")
			h.git("commit", "-qm", "0")
		}
		for range 25 {
			steps++
			back += h.step()
			if t.Failed() {
				t.Fatalf("in round %d after:\n%s", round, strings.Join(h.log, "\n"))
			}
		}
		h.noErr(os.RemoveAll(h.dir))
	}
	if back == 0 {
		t.Error("no file went back")
	}
	result("%d steps in %d histories, %d files went back; no byte of the user's lost", steps, rounds, back)
}

// step performs a random operation and returns the number of files that it restored.
func (h *history) step() int {
	c := h.chats[h.r.IntN(2)]
	switch h.r.IntN(10) {
	case 0, 1, 2:
		h.turn(c)
	case 3:
		h.logf("user")
		h.edit(nil)
	case 4:
		h.gitOperation()
	case 5:
		h.logf("%s restarts", c.name)
		h.noErr(h.stores.Close())
		h.stores = snapshot.New(h.cfg)
		for _, c := range h.chats {
			store, err := h.stores.Open(c.name, h.dir)
			h.noErr(err)
			c.store = store
		}
	case 6, 7:
		return h.undoRandom(c, true)
	default:
		return h.undoRandom(c, false)
	}
	return 0
}

func (h *history) logf(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// files returns the current state of the folder without its .git.
func (h *history) files() map[string]string { return readTree(h.t, h.dir, ".git") }

// take takes a snapshot, which must change nothing in .git.
func (h *history) take(c *chat) (id snapshot.ID) {
	h.t.Helper()
	h.withGitUntouched(func() {
		snap, err := c.store.Snapshot(h.t.Context())
		h.noErr(err)
		id = snap.ID
	})
	return id
}

// withGitUntouched runs the given function, and fails the test if something in the folder's .git changes meanwhile.
func (h *history) withGitUntouched(call func()) {
	h.t.Helper()
	if !h.hasGit() {
		call()
		return
	}
	h.assertGitUntouched(call)
}

func (h *history) hasGit() bool {
	_, err := os.Stat(h.path(".git"))
	return err == nil
}

// turn simulates a turn with some tool calls.
func (h *history) turn(c *chat) {
	h.logf("%s turn %d", c.name, len(c.turns))
	var made turn
	made.beforeID = h.take(c)
	made.before = h.files()
	for range 1 + h.r.IntN(3) {
		h.edit(c)
		if h.r.IntN(3) == 0 {
			h.take(c) // before the next tool call
		}
		if h.r.IntN(8) == 0 {
			h.gitOperation()
		}
	}
	made.afterID = h.take(c)
	made.after = h.files()
	c.turns = append(c.turns, made)
}

var (
	modelDirs  = []string{"", "a/", "b/", "a/b/", "ignored/"}
	modelNames = []string{"x", "y", "Z", "x.log", "a", "ü"}
)

// edit changes some files. It acts as a tool of the chat c or, if c is nil, as the user.
func (h *history) edit(c *chat) {
	for range 1 + h.r.IntN(4) {
		name := modelDirs[h.r.IntN(len(modelDirs))] + modelNames[h.r.IntN(len(modelNames))]
		if c != nil && isIgnored(name) && h.r.IntN(2) == 0 {
			h.logf("  keep %s", name)
			h.noErr(c.store.Keep(name))
		}
		file := h.path(name)
		h.n++
		var err error
		op := h.r.IntN(9)
		switch op {
		case 0, 1, 2:
			if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
				err = os.WriteFile(file, []byte(fmt.Sprintf("%d\n", h.n)), 0o644)
			}
		case 3:
			var old []byte
			if old, err = os.ReadFile(file); err == nil {
				err = os.WriteFile(file, append(old, fmt.Sprintf("%d\n", h.n)...), 0o644)
			}
		case 4:
			err = os.RemoveAll(file)
		case 5:
			to := modelDirs[h.r.IntN(len(modelDirs))] + modelNames[h.r.IntN(len(modelNames))]
			name += " to " + to
			err = os.Rename(file, h.path(to))
		case 6:
			err = os.Symlink("a/x", file)
		case 7:
			err = os.Chmod(file, []os.FileMode{0o600, 0o755}[h.r.IntN(2)])
		default:
			_ = os.RemoveAll(file)
			err = os.MkdirAll(file, 0o755)
		}
		h.logf("  %d %s: %v", op, name, err)
	}
}

// isIgnored reports whether the ignore rules that a history uses match a path.
func isIgnored(name string) bool {
	return strings.Contains(name+"/", ".log/") || strings.HasPrefix(name, "ignored/")
}

func (h *history) gitOperation() {
	operations := [][]string{{"add", "-A"}, {"commit", "-qm", "x"}, {"checkout", "-q", "--detach"}, {"stash", "-q"}, {"stash", "pop", "-q"}, {"reset", "-q", "--hard"}, {"checkout", "-q", "-f", "HEAD~1"}, {"gc", "-q", "--prune=now"}}
	args := operations[h.r.IntN(len(operations))]
	if !h.hasGit() {
		return // otherwise git would find a repository above the folder
	}
	_, err := tryGit(h.t, h.dir, args...)
	h.logf("git %v: %v", args, err)
}

// undoRandom undoes a random turn and, if redo is true, redoes it. It returns the number of files that were restored.
func (h *history) undoRandom(c *chat, redo bool) int {
	if len(c.turns) == 0 {
		return 0
	}
	i := h.r.IntN(len(c.turns))
	undone := c.turns[i]
	h.logf("%s undoes turn %d", c.name, i)
	n, start, end := h.apply(c, undone)
	if redo && !h.t.Failed() {
		h.logf("%s redoes turn %d", c.name, i)
		before := h.files()
		h.apply(c, turn{before: start.state, after: before, beforeID: start.id, afterID: end})
		assertTree(h.t, h.files(), start.state) // an undo followed by its redo must change nothing
	}
	return n
}

// moment is a state of the folder, both in the model and as a snapshot.
type moment struct {
	state map[string]string
	id    snapshot.ID
}

// apply reverts the changes of a turn, and checks the result against the model.
func (h *history) apply(c *chat, undone turn) (back int, start moment, end snapshot.ID) {
	h.t.Helper()
	start = moment{h.files(), h.take(c)}
	plan, err := c.store.Plan(h.t.Context(), undone.beforeID, undone.afterID, start.id)
	h.noErr(err)
	var res snapshot.Result
	h.withGitUntouched(func() {
		res, err = c.store.Apply(h.t.Context(), plan, nil)
		h.noErr(err)
	})
	git := h.hasGit()
	now := h.files()
	end = h.take(c)
	states := map[string]snapshot.Item{}
	for _, it := range plan.Items {
		states[it.Path] = it
	}
	skipped := map[string]bool{}
	for _, s := range res.Skipped {
		skipped[s.Path] = true
		if s.Reason != snapshot.FolderInWay && s.Reason != snapshot.NotFolder {
			h.t.Errorf("skipped without a later change: %+v", s)
		}
	}
	paths := map[string]bool{}
	for _, m := range []map[string]string{undone.before, undone.after, start.state, now} {
		for p := range m {
			paths[p] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		want := start.state[p]
		was, left := undone.before[p], undone.after[p]
		if strings.HasPrefix(was+left+want+now[p], "d") && isFolder(was) && isFolder(left) && isFolder(want) && isFolder(now[p]) {
			continue // folders depend on the files; undo with redo checks them
		}
		it, planned := states[p]
		changes := was != left && (!isFolder(was) || !isFolder(left))
		if git && isIgnored(p) || it.State == snapshot.Omitted {
			// Whether the content was recorded depends on earlier snapshots and calls of Keep. As in the plan, it must
			// therefore be either unchanged or restored.
			if !planned || it.State != snapshot.GoesBack || skipped[p] {
				if now[p] != want && (!isFolder(now[p]) || !isFolder(want)) {
					h.t.Errorf("%s isn't in the plan: got %q, want %q", p, now[p], want)
				}
			}
			continue
		}
		if changes && (want == left || want != "" && left != "" && isFolder(want) && isFolder(left)) && !skipped[p] {
			want = was
			back++
			if planned && it.State != snapshot.GoesBack {
				h.t.Errorf("%s: got state %s, want it to go back", p, it.State)
			}
		}
		if now[p] != want && (!isFolder(now[p]) || !isFolder(want)) {
			h.t.Errorf("%s: got %q, want %q (before %q, after %q, start %q)", p, now[p], want, was, left, start.state[p])
		}
	}
	return back, start, end
}

// isFolder reports whether a state in the model is that of a folder, or of a path that doesn't exist.
func isFolder(state string) bool { return state == "" || state[0] == 'd' }
