package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// modelAnswer is the model's answer, sent in about a thousand chunks of one word each.
var modelAnswer = strings.TrimSpace(strings.Repeat("The function returns early, so nothing is written twice. ", 1000/9+1))

// beginModel measures the wall time of a message, from sending it until the end of its turn is committed and
// emitted. An orchestrator answers the message in a thousand chunks, one per millisecond. The baseline sends
// the same request to the same server over a separate connection and reads the stream to its end, decoding each
// event once. Both sides send one request before measuring.
func beginModel(_ context.Context, after *ends) (ours, bare side, err error) {
	server, err := practice.New(practice.Func(func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text(modelAnswer, practice.Pace{Words: 1, Delay: time.Millisecond})}
	}))
	if err != nil {
		return nil, nil, err
	}
	after.later(func() error { server.Close(); return server.Err() })
	provider := backend.Provider{Name: "Bench", BaseURL: server.URL(), Model: practice.Model}
	ours = func(ctx context.Context) (float64, error) {
		w, client, err := startModel(ctx, provider, server.Key())
		if err != nil {
			return 0, err
		}
		defer client.Close()
		took, err := w.prompt(ctx, "measure")
		if seen, bad := w.window.events(); err == nil && (bad != nil || seen.text != int64(2*len(modelAnswer)+len(greeting)+len("measure"))) {
			err = fmt.Errorf("emitted %+v, not the answer: %w", seen, bad)
		}
		return float64(took.Microseconds()) / 1000, errors.Join(err, w.close())
	}
	bare = func(ctx context.Context) (float64, error) {
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		if err := askBare(ctx, client, provider, server.Key()); err != nil {
			return 0, err
		}
		started := time.Now()
		err := askBare(ctx, client, provider, server.Key())
		return float64(time.Since(started).Microseconds()) / 1000, err
	}
	return ours, bare, nil
}

// startModel starts the app with an orchestrator for its only chat, and returns after the first answer.
func startModel(ctx context.Context, provider backend.Provider, key string) (*whole, *llm.Client, error) {
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err != nil {
		return nil, nil, err
	}
	w := &whole{dir: dir, window: newWindow()}
	if err := w.open(ctx); err != nil {
		return nil, nil, errors.Join(err, w.close())
	}
	client := llm.NewClient()
	main := assistant.NewOrchestrator(assistant.OrchestratorConfig{
		Stream: client.Stream,
		History: func(ctx context.Context, chatID, turnID string) ([]assistant.Exchange, error) {
			told, err := w.store.Conversation(ctx, chatID, turnID)
			past := make([]assistant.Exchange, len(told))
			for i, t := range told {
				past[i] = assistant.Exchange(t)
			}
			return past, err
		},
		RecapFor: func(ctx context.Context, chatID string) (string, error) {
			told, _, err := w.store.RecapOf(ctx, chatID)
			return told, err
		},
		Provider:     func(context.Context, string) (backend.Provider, string, error) { return provider, key, nil },
		Folder:       func(string) (string, error) { return dir, nil },
		Instructions: func(string) string { return "" },
		Publish:      w.bus.Publish, Commit: w.bus.Commit, Log: slog.New(slog.DiscardHandler),
	})
	w.chats = assistant.New(assistant.Config{
		Chats: []backend.Chat{w.chat}, Prompt: main.Prompt, Publish: w.bus.Publish, Commit: w.bus.Commit,
	})
	if _, err := w.prompt(ctx, greeting); err != nil {
		client.Close()
		return nil, nil, errors.Join(err, w.close())
	}
	return w, client, nil
}

// askBare sends a request to the model and reads its answer to the end.
func askBare(ctx context.Context, client *http.Client, p backend.Provider, key string) error {
	body, err := json.Marshal(map[string]any{
		"model": p.Model, "stream": true, "messages": []any{map[string]any{"role": "user", "content": "measure"}},
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text := 0
	lines := bufio.NewReaderSize(res.Body, 64<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("the stream ended before its end mark: %w", err)
		}
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		if !ok {
			continue
		}
		if string(data) == "[DONE]" {
			break
		}
		var chunk struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if err := json.Unmarshal(data, &chunk); err != nil {
			return err
		}
		for _, c := range chunk.Choices {
			text += len(c.Delta.Content)
		}
	}
	if text != len(modelAnswer) {
		return fmt.Errorf("the client read %d bytes of text, want %d", text, len(modelAnswer))
	}
	_, err = io.Copy(io.Discard, res.Body) // so that the connection is reused
	return err
}
