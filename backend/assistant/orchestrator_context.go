package assistant

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

//go:embed orchestrator.md
var mainPrompt string

// systemPrompt returns the system prompt with the folder's instructions, which are truncated to a
// quarter of the input budget. context is the size of the model's context in tokens.
func systemPrompt(folder, instructions string, context int64) string {
	system := map[string]string{"darwin": "macOS", "linux": "Linux", "windows": "Windows"}[runtime.GOOS]
	text := strings.NewReplacer("{folder}", folder, "{system}", system).Replace(strings.TrimSpace(mainPrompt))
	if most := int(contextShare * float64(context)); len(instructions) > most { // four bytes per token
		instructions = cutText(instructions, most) + "\n[Truncated. Read the file for the rest.]"
	}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		text += "\n\nInstructions for everyone who works in this folder. Follow them, and include the ones that matter for a task in your prompt to Copilot:\n\n" + instructions
	}
	return text
}

// promptContext is the conversation of a turn as sent to the model: the history, the
// message, and the rounds of calls and results so far. If it doesn't fit the model's
// context, its oldest parts are shortened first.
//
// Shortened parts stay shortened, and each time more is removed than necessary, so that the
// beginning of the conversation rarely changes: services cache it and charge less for cached parts.
type promptContext struct {
	system     string
	history    []Exchange
	text       string
	images     []llm.Image          // of the message
	pastImages map[string]llm.Image // images of history, by content id
	rounds     []round
	tools      int // size of the tools' descriptions in bytes

	budget float64 // tokens for the input
	ratio  float64 // tokens per four bytes, according to the service

	recapCount    int // number of oldest turns in history that a recap replaces
	emptiedRounds int // number of oldest rounds whose results are removed
	resultLimit   int // bytes per result in the other rounds; 0 is no limit
}

type round struct {
	answer  llm.Answer
	results []llm.Message
}

const (
	contextShare = 0.75 // share of the context for the input; the rest is for the answer
	fillTarget   = 0.7  // share of the budget that is used after shortening
)

func newPromptContext(system string, tools []llm.Tool, past []Exchange, text string, context int64) *promptContext {
	t := &promptContext{system: system, history: past, text: text, budget: contextShare * float64(context), ratio: 1}
	for _, tool := range tools {
		t.tools += len(tool.Name) + len(tool.Description) + len(tool.Schema) + 40
	}
	return t
}

// add appends a round, that is, an answer of the model with tool calls and their results.
func (p *promptContext) add(answer llm.Answer, results []llm.Message) {
	p.rounds = append(p.rounds, round{answer, results})
}

// calibrate adjusts the token estimate to the number of input tokens reported by the service.
func (p *promptContext) calibrate(tokens int64) {
	if tokens > 0 {
		p.ratio = min(max(float64(tokens)/(float64(p.bytes())/4), 0.5), 4)
	}
}

// contextUse returns two numbers of tokens: the estimated size of the conversation, and the limit above which its
// oldest parts are shortened. The conversation includes the given answer. The size covers only the parts that remain
// for the next turn: all messages and delegated tasks, but no other tool output.
func (p *promptContext) contextUse(answer string) (used, size int64) {
	whole := *p
	whole.recapCount, whole.rounds = 0, nil
	n := whole.bytes() + len(answer)
	for _, r := range p.rounds {
		n += len(r.answer.Text)
		for i, c := range r.answer.Calls {
			if c.Name == delegationTool && i < len(r.results) {
				n += min(len(c.Arguments), 4*promptTokens) + min(len(r.results[i].Text), 4*summaryTokens)
			}
		}
	}
	return int64(p.ratio * float64(n) / 4), int64(p.budget)
}

// setContext adapts the budget to another model, whose context has the given size in tokens.
func (p *promptContext) setContext(context int64) {
	p.budget, p.ratio = contextShare*float64(context), 1
}

// shorten makes room after the service has reported that the input was too long. It reports whether
// anything could be shortened.
func (p *promptContext) shorten() bool {
	before := p.bytes()
	p.budget = min(p.budget, p.tokens()) / 2
	p.shortenToFit()
	return p.bytes() < before
}

// messages returns the conversation, shortened to the budget.
func (p *promptContext) messages() []llm.Message {
	if p.tokens() > p.budget {
		p.shortenToFit()
	}
	return p.all()
}

// shortenToFit shortens the conversation until it uses at most fillTarget of the budget or nothing is left to
// shorten.
func (p *promptContext) shortenToFit() {
	for p.tokens() > fillTarget*p.budget {
		switch {
		case p.recapCount < len(p.history):
			p.recapCount++
		case p.emptiedRounds < len(p.rounds)-1:
			p.emptiedRounds++
		case p.resultLimit == 0:
			p.resultLimit = maxResult / 4
		case p.resultLimit > 1000:
			p.resultLimit /= 2
		default:
			return
		}
	}
}

func (p *promptContext) tokens() float64 { return p.ratio * float64(p.bytes()) / 4 }

// bytes returns the size of the conversation, including the overhead of each message.
func (p *promptContext) bytes() int {
	n := p.tools
	for _, m := range p.all() {
		n += len(m.Text) + len(m.Reasoning) + len(m.CallID) + 20 + imageBytes*len(m.Images)
		for _, c := range m.Calls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments) + 40
		}
	}
	return n
}

func (p *promptContext) all() []llm.Message {
	system := p.system
	if p.recapCount > 0 {
		system += "\n\n" + recapOf(p.history[:p.recapCount])
	}
	all := []llm.Message{{Role: llm.RoleSystem, Text: system}}
	for i, e := range p.history[p.recapCount:] {
		all = append(all, p.exchange(e, i)...)
	}
	all = append(all, llm.Message{Role: llm.RoleUser, Text: p.text, Images: p.images})
	for i, r := range p.rounds {
		all = append(all, llm.Message{Role: llm.RoleAssistant, Text: r.answer.Text, Reasoning: r.answer.Reasoning, Calls: r.answer.Calls})
		for _, m := range r.results {
			switch {
			case i < p.emptiedRounds:
				m.Text = "[This result was taken out to make room. Make the call again if it is needed.]"
			case p.resultLimit > 0 && len(m.Text) > p.resultLimit:
				m.Text = cutText(m.Text, p.resultLimit) + "\n\n[Truncated: the rest was removed to make room. Request less at once.]"
			}
			all = append(all, m)
		}
	}
	return all
}

// exchange returns an earlier turn as messages, with its delegated tasks as tool calls and results. The number i makes
// the IDs of these calls unique.
func (p *promptContext) exchange(e Exchange, i int) []llm.Message {
	messages := []llm.Message{p.historyPrompt(e)}
	ask := llm.Message{Role: llm.RoleAssistant}
	var results []llm.Message
	for j, b := range e.Blocks {
		call := llm.Call{ID: fmt.Sprintf("call_%d_%d", i, j), Name: delegationTool, Arguments: arguments(b)}
		ask.Calls = append(ask.Calls, call)
		results = append(results, llm.Message{Role: llm.RoleTool, CallID: call.ID, Text: outcome(b)})
	}
	if len(ask.Calls) > 0 {
		messages = append(append(messages, ask), results...)
	}
	// There is always an answer: some models require alternating user and assistant messages.
	return append(messages, llm.Message{Role: llm.RoleAssistant, Text: strings.TrimSpace(e.Answer + "\n\n" + endOf(e.State))})
}

// endOf returns a note for the model about a turn in the given state. The note explains why the turn's
// answer is incomplete; it is "" if the answer is complete.
func endOf(state backend.TurnState) string {
	return map[backend.TurnState]string{
		backend.TurnFailed:      "(This answer failed before it was complete.)",
		backend.TurnStopped:     "(This answer was stopped before it was complete.)",
		backend.TurnInterrupted: "(This answer was interrupted before it was complete.)",
	}[state]
}
