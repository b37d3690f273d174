package blame

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/undo"
)

// editedFile is a file that turns change with an edit tool. It holds the current version of the file and the edits for
// a replay.
type editedFile struct {
	*replay
	recording *recording
	now       version
}

func newEditedFile() *editedFile {
	return &editedFile{replay: newReplay(&timeline{}, nil, "/f/a.txt"), recording: &recording{folder: "/f"}}
}

// addVersion adds a version of the file that the given writer made. If the writer is a turn, edits are the turn's
// edits.
func (f *editedFile) addVersion(text string, by writer, edits ...Replaced) {
	for _, e := range edits {
		f.recording.edits = append(f.recording.edits, undo.Edit{TurnID: fmt.Sprint(TurnOf(by)), Path: "a.txt", Before: e.Before, After: e.After})
	}
	for n := len(f.timeline.ids); n <= TurnOf(by); n++ {
		f.timeline.ids = append(f.timeline.ids, fmt.Sprint(n))
	}
	if hash := sha256.Sum256([]byte(text)); !f.recorded || f.now.hash != hash {
		f.now = f.next(f.now, hash, []byte(text), []writer{by}, step{recording: f.recording, path: f.path})
	}
}

func (f *editedFile) by() (by [][]writer) {
	for _, s := range f.now.writers {
		by = append(by, f.sets.list[s])
	}
	return by
}

func TestEdit_BlankLineAfterTextIsUncertain(t *testing.T) {
	turn, kept := []writer{firstTurn}, []writer{earlier}
	for _, c := range []struct {
		name string
		now  string
		edit Replaced
		want [][]writer
	}{
		{"readings differ", "a\nb\n\n}\nc\n\nd\n", Replaced{Before: "a\nb\n", After: "a\nb\n\n}\nc\n"}, [][]writer{kept, kept, {firstTurn, earlier}, turn, turn, {earlier, firstTurn}, kept}},
		{"both readings agree", "a\nb\n}\nc\n\nd\n", Replaced{Before: "a\nb\n", After: "a\nb\n}\nc\n"}, [][]writer{kept, kept, turn, turn, kept, kept}},
		{"the text goes on", "a\nb\n\n}\n\nd\n", Replaced{Before: "a\nb\n\nd", After: "a\nb\n\n}\n\nd"}, [][]writer{kept, kept, kept, turn, turn, kept}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newEditedFile()
			f.addVersion("a\nb\n\nd\n", outside)
			f.addVersion(c.now, firstTurn, c.edit)
			if diff := cmp.Diff(c.want, f.by()); diff != "" {
				t.Errorf("the writers differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEdit_TextsLeadToRightTurn(t *testing.T) {
	var all score
	for seed := range uint64(200) {
		a, f := NewAuthor(seed, 15), newEditedFile()
		for turn := range 25 {
			f.addVersion(a.String(), outside)
			a.Made, a.Texts = nil, true
			a.Edit(ByTurn(turn))
			a.Texts = false
			f.addVersion(a.String(), ByTurn(turn), a.Made...)
			// The user edits the file at most once, because no version shows a line that one edit removes and the next adds.
			for range a.IntN(2) {
				a.Edit(ByUser)
			}
		}
		f.addVersion(a.String(), outside)
		var own score
		for i, by := range f.by() {
			own.add(a.Lines[i].By, by)
		}
		if own.wrong > 0 {
			t.Errorf("seed %d: %v", seed, own)
		}
		all = score{all.lines + own.lines, all.right + own.right, all.wrong + own.wrong}
	}
	t.Log(all)
	if all.right*100 < all.lines*98 {
		t.Error(all)
	}
}
