package assistant

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// RecapTokens is the maximum length of a recap in tokens, as estimated by Tokens.
const RecapTokens = 1500

// Limits in tokens for the parts of a recap. Tokens that one part doesn't use are
// available to the following parts, up to their own limits.
const (
	requestTokens = 380
	answerTokens  = 200
	planTokens    = 200
	taskTokens    = 250
	filesTokens   = 250
	failedTokens  = 120
)

// Recap returns the recap that precedes the first prompt of a session that replaces a lost one. It contains the last
// request, the end of the answer to it, the remaining plan, the delegated tasks, the changed files and the failed
// commands. events holds the chat's rows, as returned by store.Recap. Paths inside folder, the chat's folder, become
// relative to it. Recap returns "" if there is nothing to report.
//
// The user sees the recap verbatim. It is at most RecapTokens long, and never starts with "/", so that the
// Copilot CLI doesn't run it as a command.
func Recap(events []backend.Event, folder string) string { return recap(lostHead, events, folder) }

// Handover returns the recap for a new chat that continues an earlier one. It has the
// same content and limit as Recap.
func Handover(events []backend.Event, folder string) string {
	return recap(continuedHead, events, folder)
}

func recap(head string, events []backend.Event, folder string) string {
	head = recapHead + head + recapLimits
	p := recapDataOf(events, folder)
	var parts []string
	left := RecapTokens - Tokens(head+recapTail+"\n\n\n\n")
	add := func(most int, heading string, part func(most int) string) {
		heading += "\n"
		text := part(min(most, left-Tokens(heading+"\n\n")))
		if text == "" {
			return
		}
		left -= Tokens(heading + text + "\n\n")
		parts = append(parts, heading+text)
	}
	add(requestTokens, "The user's last request"+p.ended+":", func(most int) string { return quote(headTokens(p.request, most)) })
	add(answerTokens, "End of the answer to that request:", func(most int) string { return quote(tailTokens(p.answer, most)) })
	add(planTokens, "Remaining plan:", func(most int) string { return entries(p.plan, most) })
	add(taskTokens, "Delegated tasks by session name, with their results:", func(most int) string { return entries(p.tasks, most) })
	add(filesTokens, "Files changed in this chat:", func(most int) string { return entries(p.files, most) })
	add(failedTokens, "Commands that failed on their last run:", func(most int) string { return entries(p.failed, most) })
	if len(parts) == 0 {
		return ""
	}
	return head + "\n\n" + strings.Join(parts, "\n\n") + "\n\n" + recapTail
}

const (
	recapHead     = `This is a summary from VoxPilot, the app through which the user talks to you. `
	lostHead      = `The session that this chat had with you was lost. This is a new session, and you don't have the history of the lost one. The user still sees the whole conversation.`
	continuedHead = `The user is continuing an earlier chat in this new one. You don't have the history of the earlier chat. The user can still read all of it.`
	recapLimits   = ` This summary comes from VoxPilot's own records and isn't complete. Files may have changed since, so check them before you rely on it.`
	recapTail     = `The user's next message follows. Nothing above is a request on its own.`
)

// recapData holds the parts of a recap. Each element of a list is one line of the recap.
type recapData struct {
	request string
	ended   string // how the request's turn ended; "" if it succeeded
	answer  string
	plan    []string
	tasks   []string
	files   []string
	failed  []string
}

func recapDataOf(events []backend.Event, folder string) recapData {
	var p recapData
	kinds := map[string]backend.ItemKind{}
	var blocks []*backend.Item // of tasks other than the request
	changes := changesOf(events, folder)
	commands := map[string]string{} // failure by command, "" if it succeeded
	var ran []string
	for _, e := range events {
		switch {
		case e.Turn != nil:
			p.ended = map[backend.TurnState]string{
				backend.TurnFailed:      ", which failed",
				backend.TurnStopped:     ", which was stopped before it was done",
				backend.TurnInterrupted: ", which was interrupted before it was done",
			}[e.Turn.State]
		case e.Text != nil && kinds[e.Text.ItemID] == backend.ItemUser:
			p.request = e.Text.Text
		case e.Text != nil && kinds[e.Text.ItemID] == backend.ItemBlock:
			p.request = e.Text.Text
			blocks = slices.DeleteFunc(blocks, func(b *backend.Item) bool { return b.ID == e.Text.ItemID })
		case e.Text != nil && kinds[e.Text.ItemID] == backend.ItemMessage:
			p.answer = e.Text.Text
		case e.Item == nil:
		case e.Item.Tool != nil && e.Item.Tool.Kind == backend.ToolExecute:
			t := e.Item.Tool
			if t.Command == "" || t.Decision == backend.DecisionRejected {
				continue
			}
			ran = slices.DeleteFunc(ran, func(c string) bool { return c == t.Command })
			ran = append(ran, t.Command)
			commands[t.Command] = commandFailure(t)
		default:
			kinds[e.Item.ID] = e.Item.Kind
			if e.Item.Block != nil {
				blocks = append(blocks, e.Item)
			}
			for _, entry := range e.Item.Plan {
				switch entry.Status {
				case backend.PlanInProgress:
					p.plan = append(p.plan, "(in progress) "+entry.Content)
				case backend.PlanPending:
					p.plan = append(p.plan, entry.Content)
				case backend.PlanCompleted:
				}
			}
		}
	}
	for _, c := range slices.Backward(ran) {
		if said := commands[c]; said != "" {
			p.failed = append(p.failed, fmt.Sprintf("%s (%s)", c, said))
		}
	}
	for _, b := range blocks {
		p.tasks = append(p.tasks, b.Block.SessionName+": "+firstLine(b.Block.Prompt, 120)+" → "+taskOutcome(b.Block))
	}
	p.files = changes
	return p
}

// taskOutcome returns the result of a task in one line.
func taskOutcome(b *backend.Block) string {
	switch said := firstLine(b.Summary, 160); {
	case b.Error != nil:
		return firstLine(b.Error.Message.String(), 160)
	case said != "":
		return said
	case b.StopReason != "":
		return b.StopReason
	}
	return "it was interrupted"
}

// commandFailure describes how a command failed, or returns "" if it didn't.
func commandFailure(t *backend.Tool) string {
	switch {
	case t.ExitCode != nil && *t.ExitCode != 0:
		return fmt.Sprintf("exit code %d", *t.ExitCode)
	case t.Status == backend.ToolFailed:
		return "failed"
	}
	return ""
}

// fileChange holds the numbers of lines that were added to a file and removed from it. It also reports whether the last
// change was a deletion or a move.
type fileChange struct {
	path           string
	added, removed int
	last           string // "deleted" or "moved to" and the target
}

// changesOf returns one line per changed file, with the most recently changed file first.
func changesOf(events []backend.Event, folder string) (lines []string) {
	done := map[string]*backend.Tool{}      // completed calls by item
	diffs := map[string][]backend.Content{} // by item
	for _, e := range events {
		switch {
		case e.Item != nil && e.Item.Tool != nil && e.Item.Tool.Status == backend.ToolCompleted:
			done[e.Item.ID] = e.Item.Tool
		case e.Content != nil && done[e.Content.ItemID] != nil:
			// A call may show a change twice, as requested and as done.
			of := diffs[e.Content.ItemID]
			of = slices.DeleteFunc(of, func(c backend.Content) bool { return c.Path == e.Content.Path })
			diffs[e.Content.ItemID] = append(of, *e.Content)
		}
	}
	var files []*fileChange
	file := func(path string) *fileChange {
		f := &fileChange{path: path}
		if i := slices.IndexFunc(files, func(f *fileChange) bool { return f.path == path }); i >= 0 {
			f = files[i]
			files = slices.Delete(files, i, i+1)
		}
		files = append(files, f)
		f.last = ""
		return f
	}
	for _, e := range events {
		if e.Item == nil || done[e.Item.ID] == nil {
			continue
		}
		t := e.Item.Tool
		for _, d := range diffs[e.Item.ID] {
			f := file(d.Path)
			f.added, f.removed = f.added+d.Added, f.removed+d.Removed
		}
		switch {
		case t.Path == "":
		case t.Kind == backend.ToolDelete:
			file(t.Path).last = "deleted"
		case t.Kind == backend.ToolMove && t.To != "":
			file(t.Path).last = "moved to " + relativeTo(folder, t.To)
		case t.Kind == backend.ToolEdit && len(diffs[e.Item.ID]) == 0:
			file(t.Path)
		}
	}
	for _, f := range slices.Backward(files) {
		line := relativeTo(folder, f.path)
		switch {
		case f.last != "":
			line += " " + f.last
		case f.added+f.removed > 0:
			line += fmt.Sprintf(" +%d −%d", f.added, f.removed)
		}
		lines = append(lines, line)
	}
	return lines
}

// relativeTo returns path relative to folder. It returns a path outside folder unchanged.
func relativeTo(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// entries returns lines as a Markdown list. The parameter limit is the maximum size of the list in tokens. If not all
// lines fit, the list ends with the number of omitted lines. If not even the first line fits, entries returns "".
func entries(lines []string, limit int) string {
	var b strings.Builder
	for i, line := range lines {
		entry := "- " + headTokens(strings.Join(strings.Fields(line), " "), 80) + "\n"
		if rest := fmt.Sprintf("- and %d more\n", len(lines)-i); Tokens(b.String()+entry)+Tokens(rest) > limit {
			if b.Len() == 0 {
				return ""
			}
			b.WriteString(rest)
			break
		}
		b.WriteString(entry)
	}
	return strings.TrimRight(b.String(), "\n")
}

// quote returns text as a Markdown quote, so that nothing in it is mistaken for part of the recap.
func quote(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

// Tokens returns a conservative estimate of the number of tokens in text, in practice never below the
// count of current tokenizers. English has about four letters per token and code about three; the
// estimate assumes two. Each punctuation character counts as one token, and each non-ASCII character as
// one token per byte, which no byte-based tokenizer exceeds.
func Tokens(text string) int {
	halves := 0
	for _, r := range text {
		switch {
		case r >= utf8.RuneSelf:
			halves += 2 * utf8.RuneLen(r)
		case r == ' ' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			halves++
		default:
			halves += 2
		}
	}
	return (halves + 1) / 2
}

// fitsTokens reports whether text, quoted and with cutMark added, is within the limit in tokens.
func fitsTokens(text string, limit int) bool {
	return Tokens(quote(text))+Tokens(cutMark) <= limit
}

const cutMark = "…"

// headTokens returns as much of the beginning of text as the limit in tokens allows. If text is cut, it is cut at a
// rune boundary, and the result ends with cutMark.
func headTokens(text string, limit int) string {
	text = strings.TrimSpace(text)
	if fitsTokens(text, limit) {
		return text
	}
	text = excerpt.Head(text, largestFitting(len(text), func(n int) bool { return fitsTokens(text[:n], limit) }))
	if text == "" {
		return ""
	}
	return strings.TrimRight(text, " \n") + cutMark
}

// tailTokens is like headTokens, but returns the end of text. If text is cut, the result starts with cutMark.
func tailTokens(text string, limit int) string {
	text = strings.TrimSpace(text)
	if fitsTokens(text, limit) {
		return text
	}
	text = excerpt.Tail(text, largestFitting(len(text), func(n int) bool { return fitsTokens(text[len(text)-n:], limit) }))
	if text == "" {
		return ""
	}
	return cutMark + strings.TrimLeft(text, " \n")
}

// largestFitting returns the largest n, at most limit, for which fits(n) is true. If fits is true for a number, it must
// also be true for all smaller ones.
func largestFitting(limit int, fits func(int) bool) int {
	low, high := 0, limit
	for low < high {
		if middle := (low + high + 1) / 2; fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}
