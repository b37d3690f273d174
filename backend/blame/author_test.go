package blame

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// written is a line of a file, with its writer.
type written struct {
	Text int32
	By   writer
}

// Author makes random edits to a file and records the writer of each line. Lines that occur often are short; all other
// lines are longer and differ from one another.
type Author struct {
	*rand.Rand
	next   int32   // the next unused line
	common []int32 // lines that occur often, such as closing braces
	share  int     // percentage of lines that are common ones
	Lines  []written
	Made   []Replaced // the replacements that Edit made
	Texts  bool       // record the texts of the replacements in Made
}

// Replaced is a replacement of lines, with the old and new text that an edit tool would report for it.
type Replaced struct {
	at, removed   int
	block         []int32
	Before, After string
}

func NewAuthor(seed uint64, share int) *Author {
	a := &Author{Rand: rand.New(rand.NewPCG(seed, 1)), next: 10, common: []int32{0, 0, 0, 1, 1, 2, 3}, share: share}
	a.Lines = append([]written{{9, earlier}}, a.block(149, earlier)...)
	return a
}

// block returns n new lines by the given writer.
func (a *Author) block(n int, by writer) (lines []written) {
	for range n {
		text := a.next
		if a.IntN(100) < a.share {
			text = a.common[a.IntN(len(a.common))]
		} else {
			a.next++
		}
		lines = append(lines, written{text, by})
	}
	return lines
}

// Edit replaces, inserts or removes some lines, possibly around an unchanged line. The first line of the file never
// changes.
func (a *Author) Edit(by writer) {
	at := 1 + a.IntN(len(a.Lines))
	removed := min(a.IntN(5), len(a.Lines)-at)
	if len(a.Lines) > 300 {
		removed = min(12, len(a.Lines)-at)
	}
	if removed > 2 && a.IntN(3) == 0 {
		a.replace(at+2, removed-2, a.block(1+a.IntN(2), by))
		removed = 1
	}
	a.replace(at, removed, a.block(a.IntN(7), by))
}

// replace replaces lines with a block of new lines. First or last lines that don't change keep their writers, because
// they may be just the context of an edit.
func (a *Author) replace(at, removed int, block []written) {
	for removed > 0 && len(block) > 0 && block[0].Text == a.Lines[at].Text {
		at, removed, block = at+1, removed-1, block[1:]
	}
	for removed > 0 && len(block) > 0 && block[len(block)-1].Text == a.Lines[at+removed-1].Text {
		removed, block = removed-1, block[:len(block)-1]
	}
	made := Replaced{at: at, removed: removed}
	for _, l := range block {
		made.block = append(made.block, l.Text)
	}
	text := ""
	if a.Texts {
		text = a.String()
	}
	for from := at - 1; a.Texts && (made.Before == "" || made.After == "" || strings.Count(text, made.Before) > 1); from-- {
		made.Before = strings.TrimSuffix(textOf(a.Lines[from:at+removed]), "\n")
		made.After = strings.TrimSuffix(textOf(a.Lines[from:at])+textOf(block), "\n")
	}
	a.Made = append(a.Made, made)
	a.Lines = slices.Concat(a.Lines[:at], block, a.Lines[at+removed:])
}

func (a *Author) texts() []int32 {
	texts := make([]int32, len(a.Lines))
	for i, l := range a.Lines {
		texts[i] = l.Text
	}
	return texts
}

// String returns the file's text.
func (a *Author) String() string { return textOf(a.Lines) }

func textOf(lines []written) string {
	common := []string{"", "}", "\treturn nil", "end"}
	var b strings.Builder
	for _, l := range lines {
		if int(l.Text) < len(common) {
			b.WriteString(common[l.Text] + "\n")
		} else {
			fmt.Fprintf(&b, "line %d of the file.\n", l.Text)
		}
	}
	return b.String()
}

// ByUser is the writer of the user's lines.
const ByUser = outside

// ByTurn returns the writer for turn n, counted from 0.
func ByTurn(n int) writer { return firstTurn + writer(n) }

// TurnOf returns the number of the writer's turn, or -1 if the writer isn't a turn.
func TurnOf(w writer) int { return max(-1, int(w-firstTurn)) }
