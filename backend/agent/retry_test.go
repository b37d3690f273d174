package agent_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const (
	brokeOff  = "Info: Response was interrupted due to a server error. Retrying..."
	gaveUp    = "Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 5.00 seconds) Last error: unexpected EOF"
	brokeNote = `note "` + brokeOff + `"`
)

// wordByWord returns steps that send text word by word, as a model does.
func wordByWord(text string) (steps []fakeagent.Step) {
	for _, w := range strings.SplitAfter(text, " ") {
		steps = append(steps, fakeagent.Say(w))
	}
	return steps
}

// formatItem returns an item and its retry flags as one line.
func formatItem(it *item) string {
	s := summary(it)
	for mark, is := range map[string]bool{" replaced": it.Replaced, " cut off": it.CutOff, " error": it.HasError} {
		if is {
			s += mark
		}
	}
	return s
}

func TestText_ModelAnswerStaysWhole(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]fakeagent.Step{
		"Info: in words":    wordByWord("Info: this is the model's own answer."),
		"Info: at once":     {fakeagent.Say("Info: this is the model's own answer.")},
		"Info: and a line":  {fakeagent.Say("Info: this is"), fakeagent.Say(" the model's"), fakeagent.Say(" own answer.")},
		"Error: in words":   wordByWord("Error: this is the model's own answer."),
		"Error: in the end": {fakeagent.Say("It printed:\n"), fakeagent.Say("Error: no such file"), fakeagent.Usage(`{"inputTokens":1,"outputTokens":2,"totalTokens":3}`)},
		"Error: at once":    {fakeagent.Say("Error: no such file"), fakeagent.Usage(`{"inputTokens":1,"outputTokens":2,"totalTokens":3}`)},
		"Warning: at once":  {fakeagent.Say("Warning: mind the step.")},
	} {
		t.Run(name, func(t *testing.T) {
			want := ""
			for _, s := range steps {
				want += s.Text
			}
			want = strings.TrimSuffix(want, `{"inputTokens":1,"outputTokens":2,"totalTokens":3}`)
			_, _, items := playTurn(t, backend.TurnDone, steps...)
			if len(items) != 1 || items[0].Kind != backend.ItemMessage || items[0].text != want || items[0].HasError {
				t.Errorf("got %v, want one message %q", summaries(items), want)
			}
		})
	}
}

func summaries(items []*item) (all []string) {
	for _, it := range items {
		all = append(all, formatItem(it))
	}
	return all
}

func TestText_CLILines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		want  []string
	}{
		{
			"the path of a file that was made is on its row",
			[]fakeagent.Step{
				fakeagent.Say("a"),
				update("tool_call", `"toolCallId":"1","title":"Creating it","kind":"edit","status":"pending","locations":[{"path":"/x/made.txt"}]`),
				fakeagent.Say("Info: /x/made.txt"),
				update("tool_call_update", `"toolCallId":"1","status":"completed"`),
				fakeagent.Say("Info: /x/made.txt"), fakeagent.Say("b"),
			},
			[]string{`message "a"`, `tool edit completed "Creating it"`, `message "b"`},
		},
		{
			"another path is the model's",
			[]fakeagent.Step{fakeagent.Say("Info: /x/other.txt")},
			[]string{`message "Info: /x/other.txt"`},
		},
		{
			"a line that is not known, and an answer behind it",
			[]fakeagent.Step{fakeagent.Say("Info: The conversation was compacted."), fakeagent.Say("Done")},
			[]string{`note "Info: The conversation was compacted."`, `message "Done"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, items := playTurn(t, backend.TurnDone, c.steps...)
			equalDeep(t, "items", summaries(items), c.want)
		})
	}
}

func TestRetry_TextStandsOnce(t *testing.T) {
	t.Parallel()
	again := fakeagent.Say(brokeOff)
	for _, c := range []struct {
		name  string
		state backend.TurnState
		tries [][]fakeagent.Step
		want  []string
	}{
		{
			"a try that goes on where the first broke off", backend.TurnDone,
			[][]fakeagent.Step{wordByWord("Half of the answer"), wordByWord("Half of"), wordByWord("Half of the answer and all of it.")},
			[]string{`message "Half of the answer and all of it."`, brokeNote, brokeNote},
		},
		{
			"a try that says something else", backend.TurnDone,
			[][]fakeagent.Step{wordByWord("Half of the answer"), wordByWord("Half another one.")},
			[]string{`message "Half of the answer" replaced`, brokeNote, `message "Half another one."`},
		},
		{
			"a try that is shorter and whole", backend.TurnDone,
			[][]fakeagent.Step{wordByWord("Half of the answer"), wordByWord("Half of")},
			[]string{`message "Half of the answer" replaced`, brokeNote, `message "Half of"`},
		},
		{
			"no try that says anything", backend.TurnDone,
			[][]fakeagent.Step{wordByWord("Half of the answer"), nil},
			[]string{`message "Half of the answer" cut off`, brokeNote},
		},
		{
			"no try that is whole", backend.TurnFailed,
			[][]fakeagent.Step{wordByWord("Half of the answer"), wordByWord("Half of the"), append(wordByWord("Half of the answer"), fakeagent.Say(gaveUp))},
			[]string{`message "Half of the answer" cut off`, brokeNote, brokeNote, `message "` + gaveUp + `" error`},
		},
		{
			"the longest stands where none is whole", backend.TurnFailed,
			[][]fakeagent.Step{wordByWord("Half of the answer"), wordByWord("Another"), append(wordByWord("Third"), fakeagent.Say(gaveUp))},
			[]string{`message "Half of the answer" cut off`, brokeNote, `message "Another" replaced`, brokeNote, `message "Third" replaced`, `message "` + gaveUp + `" error`},
		},
		{
			"a thought and its answer", backend.TurnDone,
			[][]fakeagent.Step{
				{fakeagent.Think("Let me "), fakeagent.Think("see."), fakeagent.Say("Half")},
				{fakeagent.Think("Let me see."), fakeagent.Say("Half"), fakeagent.Say(" and all.")},
			},
			[]string{`thought "Let me see."`, `message "Half and all."`, brokeNote},
		},
		{
			"a thought that stays and another answer", backend.TurnDone,
			[][]fakeagent.Step{
				{fakeagent.Think("Let me see."), fakeagent.Say("Half")},
				{fakeagent.Think("Let me see."), fakeagent.Say("Other.")},
			},
			[]string{`thought "Let me see."`, `message "Half" replaced`, brokeNote, `message "Other."`},
		},
		{
			"a try that broke off in its thought", backend.TurnDone,
			[][]fakeagent.Step{{fakeagent.Think("Let me")}, {fakeagent.Think("Let me see."), fakeagent.Say("All.")}},
			[]string{`thought "Let me see."`, brokeNote, `message "All."`},
		},
		{
			"a character that is cut between two pieces", backend.TurnDone,
			[][]fakeagent.Step{{rawChunk(`x😀y`)}, {rawChunk(`x\ud83d`), rawChunk(`\ude00y and`), rawChunk(` all`)}},
			[]string{`message "x😀y and all"`, brokeNote},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var steps []fakeagent.Step
			for i, try := range c.tries {
				if i > 0 {
					steps = append(steps, again)
				}
				steps = append(steps, try...)
			}
			_, _, items := playTurn(t, c.state, steps...)
			equalDeep(t, "items", summaries(items), c.want)
			for _, it := range items {
				if it.Kind == backend.ItemNote && (it.Retry == nil || it.Retry.Reason != "Response was interrupted due to a server error.") {
					t.Errorf("the try: %+v", it.Retry)
				}
			}
		})
	}
}

// TestRetry_LongestStandsAfterCrash checks that the longest attempt at an answer stays in the transcript if the agent
// exits during a shorter attempt.
func TestRetry_LongestStandsAfterCrash(t *testing.T) {
	t.Parallel()
	_, _, items := playTurn(t, backend.TurnInterrupted,
		fakeagent.Say("Half of the answer"), fakeagent.Say(brokeOff), fakeagent.Say("Another"), fakeagent.Die(1, ""))
	equalDeep(t, "items", summaries(items)[:3], []string{`message "Half of the answer"`, brokeNote, `message "Another" replaced`})
}

func TestRetry_CallAfterToolIsSeparate(t *testing.T) {
	t.Parallel()
	_, _, items := playTurn(t, backend.TurnDone,
		fakeagent.Say("one"), update("tool_call", `"toolCallId":"1","title":"View","kind":"read","status":"completed"`),
		fakeagent.Say("two"), fakeagent.Say(brokeOff), fakeagent.Say("one"))
	equalDeep(t, "items", summaries(items), []string{`message "one"`, `tool read completed "View"`, `message "two" replaced`, brokeNote, `message "one"`})
}

func TestRetry_ResultHasTextOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, second, want string }{
		{"Half of", "Half of it.", "Half of it."},
		{"Half of", "Other.", "Other."},
	} {
		w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say(c.first), fakeagent.Say(brokeOff), fakeagent.Say(c.second)}}}), nil)
		equal(t, "message", w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnDone).Summary.Message, c.want)
	}
}
