package assistant

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Limits in tokens. olderTokens applies to each part of a turn in a recap of older turns. summaryTokens and
// promptTokens apply to the summary and the prompt of an earlier delegated task.
const (
	olderTokens   = 60
	summaryTokens = 300
	promptTokens  = 300
)

// recapOf returns a recap, at most RecapTokens long, of the older turns that no longer
// fit the context. If the recap would be longer, the oldest turns are left out.
func recapOf(past []Exchange) string {
	const head = "Earlier in this conversation, shortened by VoxPilot, oldest first. The user still sees all of it:"
	left := RecapTokens - Tokens(head)
	var lines []string
	for _, e := range slices.Backward(past) {
		line := older(e)
		if left -= Tokens(line) + 1; left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return head + "\n" + strings.Join(lines, "\n")
}

func older(e Exchange) string {
	short := func(text string) string {
		return headTokens(strings.Join(strings.Fields(cutText(text, 1000)), " "), olderTokens)
	}
	line := "- Asked: " + short(e.Prompt)
	for _, b := range e.Blocks {
		line += fmt.Sprintf("\n  Copilot [%s], asked: %s; it said: %s", b.SessionName, short(b.Prompt), short(b.Summary))
	}
	if answer := short(e.Answer); answer != "" {
		line += "\n  Answered: " + answer
	}
	if end := endOf(e.State); end != "" {
		line += " " + end
	}
	return line
}

// arguments reconstructs the arguments of the call that created a block.
func arguments(b backend.Block) string {
	raw, err := json.Marshal(map[string]string{"prompt": headTokens(b.Prompt, promptTokens), "session_name": b.SessionName})
	if err != nil {
		return "{}"
	}
	return string(raw)
}

// outcome describes the result of an earlier task to the model. The description is shorter than the result that the
// model received when the task ended.
func outcome(b backend.Block) string {
	var out strings.Builder
	fmt.Fprintf(&out, "session %s: %s\n", b.SessionName, cmp.Or(b.StopReason, "interrupted"))
	if b.Error != nil {
		fmt.Fprintf(&out, "error: %s\n", b.Error.Message)
	}
	for i, f := range b.Files {
		if i == 20 {
			fmt.Fprintf(&out, "and %d more\n", len(b.Files)-i)
			break
		}
		fmt.Fprintf(&out, "changed %s +%d −%d\n", f.Path, f.Added, f.Removed)
	}
	if b.Summary != "" {
		fmt.Fprintf(&out, "last message:\n%s", headTokens(b.Summary, summaryTokens))
	}
	return strings.TrimSpace(out.String())
}
