package rescue

import (
	"cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// The size of a rebuilt conversation. The Copilot CLI can summarize a conversation that has become too long, but not
// one that is already longer than the model's context when it is loaded.
const (
	contextTokens = 128_000 // context size of a model if it isn't known
	bytesPerToken = 3       // a cautious estimate
	imageTokens   = 1_500   // size of an image
	contextShare  = 2       // the conversation may fill one half of the context
)

// resultLimits are the sizes in bytes to which the results of tool calls are cut, until the conversation fits.
var resultLimits = []int{64 << 10, 16 << 10, 4 << 10, 1 << 10, 256}

// plan describes the part of a conversation that a rebuilt session contains.
type plan struct {
	skip  int // number of prompts at the beginning that are left out, with their answers
	limit int // maximum size of a tool call's result in bytes
}

// measure is the size of a prompt with its answer.
type measure struct {
	text    int   // bytes of all messages
	results []int // bytes of each tool call's result, at most the first of resultLimits
}

// size returns the number of bytes if results are cut to limit.
func (m measure) size(limit int) int {
	n := m.text
	for _, r := range m.results {
		n += min(r, limit)
	}
	return n
}

// plan measures the conversation and returns the part that fits into the model's context.
func (r *Rescuer) plan(each func(func(step) error) error, row backend.Session) (plan, error) {
	var all []measure
	err := each(func(s step) error {
		if s.isPrompt {
			all = append(all, measure{})
		}
		if len(all) == 0 {
			return nil
		}
		m := &all[len(all)-1]
		if s.item.Tool != nil {
			command, result, err := s.result(resultLimits[0])
			m.text += len(command)
			m.results = append(m.results, len(result))
			return err
		}
		if b := s.item.Block; b != nil {
			m.text += len(b.Prompt) + len(b.Summary)
		}
		for _, a := range s.item.Attachments {
			if a.Kind == backend.AttachmentImage {
				m.text += imageTokens * bytesPerToken
			}
		}
		if s.isPrompt || s.item.Kind == backend.ItemMessage {
			text, err := s.text()
			m.text += len(text)
			return err
		}
		return nil
	})
	return fit(all, int(cmp.Or(row.ContextSize, contextTokens))*bytesPerToken/contextShare), err
}

// fit returns a plan with which the conversation has at most maxBytes bytes. The last prompt is never left out, even if
// the conversation is then larger.
func fit(all []measure, maxBytes int) plan {
	for _, limit := range resultLimits {
		total := 0
		for _, m := range all {
			total += m.size(limit)
		}
		if total <= maxBytes {
			return plan{limit: limit}
		}
	}
	limit, first, left := resultLimits[len(resultLimits)-1], len(all), maxBytes
	for first > 0 {
		left -= all[first-1].size(limit)
		if left < 0 && first < len(all) {
			break
		}
		first--
	}
	return plan{skip: first, limit: limit}
}
