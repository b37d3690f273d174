package practice

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

var (
	errScript = errors.New("practice: can't play the reply")
	errCut    = errors.New("practice: cut")
)

func newCallID() string { return "call_" + strings.ToLower(rand.Text()) }

// stream writes one reply as server-sent events in OpenAI's chat completion format.
type stream struct {
	w     http.ResponseWriter
	flush func() error
	id    string
	req   Request
	calls int // number of tool calls sent so far
	bytes int // size of the texts and arguments sent so far
}

// play sends the steps of reply. It returns an error if the client disconnects, if a step cuts off the stream or if a
// step can't be played.
func (s *stream) play(ctx context.Context, reply Reply) error {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	var usage *usageStep
	if err := s.delta(map[string]any{"role": "assistant"}); err != nil {
		return err
	}
	for _, step := range reply {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch step := step.(type) {
		case textStep:
			if err := s.text(ctx, step); err != nil {
				return err
			}
		case callStep:
			if err := s.call(step); err != nil {
				return err
			}
		case usageStep:
			usage = &step
		case cutStep:
			return errCut
		case hangStep:
			<-ctx.Done()
			return ctx.Err()
		case waitStep:
			select {
			case <-step.until:
			case <-ctx.Done():
				return ctx.Err()
			}
		default:
			return fmt.Errorf("%w: a step must stand alone or has an unknown kind: %v", errScript, step)
		}
	}
	reason := "stop"
	if s.calls > 0 {
		reason = "tool_calls"
	}
	if err := s.chunk([]any{choice(map[string]any{}, reason)}, nil); err != nil {
		return err
	}
	if usage == nil {
		usage = &usageStep{prompt: s.req.Size/4 + 1, completion: s.bytes/4 + 1}
	}
	if err := s.chunk([]any{}, map[string]any{
		"prompt_tokens": usage.prompt, "completion_tokens": usage.completion, "total_tokens": usage.prompt + usage.completion,
	}); err != nil {
		return err
	}
	return s.write("[DONE]")
}

func (s *stream) text(ctx context.Context, step textStep) error {
	words := step.pace.Words
	if words <= 0 {
		words = 3
	}
	var tick *time.Timer
	for i, piece := range pieces(step.text, words) {
		if i > 0 && step.pace.Delay > 0 {
			if tick == nil {
				tick = time.NewTimer(step.pace.Delay)
				defer tick.Stop()
			} else {
				tick.Reset(step.pace.Delay)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		s.bytes += len(piece)
		if err := s.delta(map[string]any{step.field: piece}); err != nil {
			return err
		}
	}
	return nil
}

// call sends a tool call: first the name, then the arguments, as real models do.
func (s *stream) call(step callStep) error {
	index := s.calls
	s.calls++
	s.bytes += len(step.args)
	err := s.delta(map[string]any{"tool_calls": []any{map[string]any{
		"index": index, "id": step.id, "type": "function",
		"function": map[string]any{"name": step.name, "arguments": ""},
	}}})
	if err != nil {
		return err
	}
	return s.delta(map[string]any{"tool_calls": []any{map[string]any{
		"index": index, "function": map[string]any{"arguments": string(step.args)},
	}}})
}

func (s *stream) delta(delta map[string]any) error {
	return s.chunk([]any{choice(delta, nil)}, nil)
}

func choice(delta map[string]any, reason any) map[string]any {
	return map[string]any{"index": 0, "delta": delta, "finish_reason": reason}
}

func (s *stream) chunk(choices []any, usage any) error {
	chunk := map[string]any{
		"id": s.id, "object": "chat.completion.chunk", "created": time.Now().Unix(), "model": s.req.Model, "choices": choices,
	}
	if usage != nil {
		chunk["usage"] = usage
	}
	data, err := json.Marshal(chunk)
	if err != nil {
		return fmt.Errorf("%w: %w", errScript, err)
	}
	return s.write(string(data))
}

func (s *stream) write(data string) error {
	if _, err := fmt.Fprintf(s.w, "data: %s\n\n", data); err != nil {
		return err
	}
	return s.flush()
}

// pieces splits text after every n words, without losing any characters.
func pieces(text string, n int) []string {
	var out []string
	start, words, space := 0, 0, true
	for i, r := range text {
		blank := r == ' ' || r == '\n' || r == '\t'
		if !blank && space {
			if words == n {
				out = append(out, text[start:i])
				start, words = i, 0
			}
			words++
		}
		space = blank
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}
