package chaos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// wentBack returns two facts about a chat: the result of its last GoBack, or nil if there was none, and the number of
// user messages that it shows.
func (l *appProcess) wentBack(chatID string) (back *backend.WentBack, shown int) {
	for _, e := range l.snapshot("/data/chat?id=" + chatID).Events {
		if e.ChatBranches != nil {
			back = e.ChatBranches.WentBack
		}
		if e.Item != nil && e.Item.Kind == backend.ItemUser {
			shown++
		}
	}
	return back, shown
}

// TestChaosKilledApp_GoingBackIsAllOrNothing kills the app at a random moment while a chat goes back to an earlier
// message with its files, or returns to the later messages. At the next start, the chat and the files must either both
// be unchanged or both be changed. The test then goes in the other direction.
func TestChaosKilledApp_GoingBackIsAllOrNothing(t *testing.T) {
	seed := chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app in the middle of going back and of coming back, with 200 files", chaos.Runs(2, 100))
	h := newAppData(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Rest: fakeagent.Turn{
		fakeagent.Run("rm -r gone; for f in f*; do echo after > $f; done; mkdir new; for i in $(seq 60); do echo new > new/$i; done; true"),
	}})
	untouched, complete := 0, 0
	for round := range chaos.Rounds(2, 100) {
		r := chaos.Rand(t, seed, round)
		h.restartScript()
		l := h.start(program)
		l.waitForOpen()
		chat := l.newChat()
		l.call(nil, "SetPermissionMode", chat.ID, backend.ModeBypass)
		if err := os.Mkdir(filepath.Join(chat.Folder, "gone"), 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range undoneFiles - 60 {
			name := fmt.Sprintf("f%d", i)
			if i%7 == 0 {
				name = "gone/" + name
			}
			if err := os.WriteFile(filepath.Join(chat.Folder, name), []byte(fmt.Sprint("before ", i)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		states := []map[string]string{filesIn(t, chat.Folder)} // before and after the turn
		l.send(chat.ID, "go")
		var turn string
		l.waitForEvent(0, "the turn was recorded", func(e backend.Event) bool {
			if e.TurnUndo == nil || e.TurnUndo.ChatID != chat.ID || e.TurnUndo.State != backend.UndoAvailable {
				return false
			}
			turn = e.TurnUndo.TurnID
			return true
		})
		l.waitForEvent(0, "the turn has ended", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.ID == turn && e.Turn.State == backend.TurnDone
		})
		states = append(states, filesIn(t, chat.Folder))
		// change goes back or comes back, whichever is possible.
		change := func(l *appProcess) int {
			if back, _ := l.wentBack(chat.ID); back != nil {
				return l.ask("BringBack", chat.ID, back.AsideID, true)
			}
			return l.ask("GoBack", turn, backend.GoBackRequest{Scope: backend.BackBoth})
		}
		at := 1 // index of the current state
		if r.IntN(2) == 0 {
			if err := l.answer(change(l), nil); err != nil {
				t.Fatalf("in round %d: %v", round, err)
			}
			at = 0
		}
		change(l)
		<-time.After(time.Duration(r.Int64N(int64(500 * time.Millisecond))))
		h.waitForAllExits(l.kill())

		l = h.start(program)
		l.waitForOpen()
		now := filesIn(t, chat.Folder)
		is := 0
		switch {
		case cmp.Equal(now, states[1]):
			is = 1
		case !cmp.Equal(now, states[0]):
			t.Fatalf("in round %d, the files are neither as before (-want +got):\n%s\nnor as after it:\n%s", round, cmp.Diff(states[1], now), cmp.Diff(states[0], now))
		}
		if is == at {
			untouched++
		} else {
			complete++
		}
		// Once the interrupted change is completed, the conversation and the files are in the same state.
		for deadline := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
			back, shown := l.wentBack(chat.ID)
			if shown == is && (back == nil) == (is == 1) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("in round %d, %d messages are shown with the files of state %d: %+v", round, shown, is, back)
			}
		}
		for deadline := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
			err := l.answer(change(l), nil)
			if err == nil {
				break
			}
			if backend.CodeOf(err) != backend.CodeUnavailable || time.Now().After(deadline) { // the interrupted change isn't completed yet
				t.Fatalf("in round %d, the other direction: %v", round, err)
			}
		}
		if diff := cmp.Diff(states[1-is], filesIn(t, chat.Folder)); diff != "" {
			t.Fatalf("in round %d, after the other direction (-want +got):\n%s", round, diff)
		}
		if _, shown := l.wentBack(chat.ID); shown != 1-is {
			t.Fatalf("in round %d, %d messages are shown", round, shown)
		}
		l.quit()
		h.waitForAllExits(time.Now())
	}
	result("the next start found all as before it %d times and as after it %d times, none between; the other direction was then possible", untouched, complete)
}
