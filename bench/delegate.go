package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// sideBySide is the number of sessions that run in parallel.
const sideBySide = 2

// beginDelegate measures how long two sessions take to complete tasks delegated at the same time, from the calls until
// everything is emitted and both calls have returned. Each session streams a chunk of text per millisecond in parallel
// with the other, so any time beyond that of one session is due to serialization in VoxPilot. The baseline is one
// session with the same task.
func beginDelegate(context.Context, *ends) (two, one side, err error) {
	launch, err := speaking(beside + strconv.Itoa(chunksOfAnswer))
	if err != nil {
		return nil, nil, err
	}
	said := string(chunks(chunksOfAnswer).text)
	return delegating(launch, sideBySide, said), delegating(launch, 1, said), nil
}

// delegating returns a side that delegates the same task to n sessions at the same time. Each session must stream the
// given text.
func delegating(launch agent.Launch, n int, said string) side {
	return func(ctx context.Context) (took float64, err error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		w, err := openWhole(ctx, launch, nil)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, w.close()) }()
		if _, err := w.delegate(ctx, n, greeting); err != nil { // to create the sessions
			return 0, err
		}
		spent, err := w.delegate(ctx, n, "measure")
		for i := range n {
			past, e := w.store.History(ctx, w.chat.ID, nameOf(i))
			if err = errors.Join(err, e); err == nil && (len(past) != 2 || past[1].Answer != said) {
				err = fmt.Errorf("%q hasn't completed its script", nameOf(i))
			}
		}
		return float64(spent.Microseconds()) / 1000, err
	}
}

func nameOf(i int) string { return fmt.Sprintf("helper %d", i+1) }

// delegate sends the prompt to n sessions at the same time and returns the time until all of them have finished.
func (w *whole) delegate(ctx context.Context, n int, prompt string) (time.Duration, error) {
	started := time.Now()
	ended := make(chan error, n)
	for i := range n {
		go func() {
			block, err := w.chats.Delegate(ctx, assistant.Delegation{ChatID: w.chat.ID, SessionName: nameOf(i), Prompt: prompt})
			if err == nil && block.Error != nil {
				err = block.Error
			}
			ended <- err
		}()
	}
	var err error
	for range n {
		err = errors.Join(err, <-ended)
	}
	for range n {
		if err != nil {
			break
		}
		select {
		case e := <-w.window.ended:
			if e.turn.State != backend.TurnDone {
				err = fmt.Errorf("the task of %q ended as %s", e.turn.Session, e.turn.State)
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return time.Since(started), err
}

// delegateReal makes the same measurement as beginDelegate, but with the real Copilot CLI on a scripted
// model. It returns medians in milliseconds, or nil if VOXPILOT_TEST_COPILOT isn't set.
func delegateReal(ctx context.Context) (took map[string]float64, err error) {
	answer := strings.TrimSpace(strings.Repeat("piece ", chunksOfAnswer))
	var after ends
	defer func() { err = errors.Join(err, after.end()) }()
	launch, err := realCopilot(&after, func(req practice.Request) practice.Reply {
		if req.User() == greeting {
			return practice.Reply{practice.Text("Here I am.")}
		}
		return practice.Reply{practice.Text(answer, practice.Pace{Words: 1, Delay: pace})}
	})
	if launch.Path == "" || err != nil {
		return nil, err
	}
	of2, of1, err := alternate(ctx, 3, delegating(launch, sideBySide, answer), delegating(launch, 1, answer))
	return map[string]float64{"copilot.2": of2, "copilot.1": of1}, err
}

// realCopilot returns the launch configuration of the real Copilot CLI with a scripted model. The function reply
// returns the model's answers. The configuration is empty if VOXPILOT_TEST_COPILOT, the path of the CLI, isn't set.
func realCopilot(after *ends, reply practice.Func) (launch agent.Launch, err error) {
	program := os.Getenv("VOXPILOT_TEST_COPILOT")
	if program == "" {
		say("  not measuring the real CLI: VOXPILOT_TEST_COPILOT isn't set")
		return launch, nil
	}
	home, err := after.folder()
	if err != nil {
		return launch, err
	}
	model, err := practice.New(reply)
	if err != nil {
		return launch, err
	}
	after.later(func() error { model.Close(); return nil })
	return agent.Launch{Path: program, Args: copilot.Args(), Env: append(os.Environ(), model.Env(home)...), Home: home}, nil
}
