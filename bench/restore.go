package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// manySessions is the number of sessions restored in parallel.
const manySessions = 10

// sessionNames returns the names of n sessions of a chat, starting with the main session.
func sessionNames(n int) []string {
	names := []string{backend.SessionMain}
	for len(names) < n {
		names = append(names, fmt.Sprintf("helper %d", len(names)))
	}
	return names
}

// beginRestore measures how long it takes to restore ten sessions of a chat whose agent isn't running yet: the time
// from the request until an event reports that the last session is loaded. The baseline is the time for one session.
// The agent takes 300 ms to load a session but can load any number of them in parallel, so a longer time for ten
// sessions means that VoxPilot doesn't request them all at once.
func beginRestore(context.Context, *ends) (many, one side, err error) {
	launch, err := speaking(loads + "300")
	if err != nil {
		return nil, nil, err
	}
	sessions := map[string]string{}
	for _, name := range sessionNames(manySessions) {
		sessions[name] = sessionID + name
	}
	many, one = restoring(launch, sessions)
	return many, one, nil
}

// restoring returns two sides that measure the time to restore sessions: the first side restores all sessions, and the
// second one only the main session.
func restoring(launch agent.Launch, sessions map[string]string) (many, one side) {
	some := func(names []string) side {
		return func(ctx context.Context) (float64, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			w, err := openWhole(ctx, launch, sessions)
			if err != nil {
				return 0, err
			}
			started := time.Now()
			w.agent.Restore(names...)
			err = w.awaitSessions(ctx, names)
			took := time.Since(started)
			return float64(took.Microseconds()) / 1000, errors.Join(err, w.close())
		}
	}
	return some(slices.Collect(maps.Keys(sessions))), some([]string{backend.SessionMain})
}

// awaitSessions waits until each of the named sessions has been reported as loaded by an event.
func (w *whole) awaitSessions(ctx context.Context, names []string) error {
	for !w.window.has(names) {
		select {
		case <-w.window.changed:
		case <-ctx.Done():
			return fmt.Errorf("not all of %d sessions were loaded: %w", len(names), ctx.Err())
		}
	}
	return nil
}

// restoreReal runs the same measurement as beginRestore with the real Copilot CLI on a scripted model. It returns the
// medians in milliseconds, which mostly depend on the CLI. If VOXPILOT_TEST_COPILOT isn't set, it returns nil.
func restoreReal(ctx context.Context) (took map[string]float64, err error) {
	var after ends
	defer func() { err = errors.Join(err, after.end()) }()
	launch, err := realCopilot(&after, func(practice.Request) practice.Reply {
		return practice.Reply{practice.Text("Here I am.")}
	})
	if launch.Path == "" || err != nil {
		return nil, err
	}
	sessions, err := makeSessions(ctx, launch, sessionNames(manySessions))
	if err != nil {
		return nil, err
	}
	many, one := restoring(launch, sessions)
	of10, of1, err := alternate(ctx, 3, many, one)
	return map[string]float64{"copilot.10": of10, "copilot.1": of1}, err
}

// makeSessions creates sessions with the given names by sending one prompt to each of them. It returns the ACP ids of
// the sessions by name.
func makeSessions(ctx context.Context, launch agent.Launch, names []string) (ids map[string]string, err error) {
	w, err := openWhole(ctx, launch, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for _, name := range names {
		turn := backend.Turn{ID: backend.NewID(), ChatID: w.chat.ID, Session: name, State: backend.TurnRunning, StartedAt: backend.Now()}
		if r := w.agent.Prompt(ctx, turn, greeting); r.State != backend.TurnDone {
			return nil, fmt.Errorf("a prompt in the session %q ended as %s: %w", name, r.State, r.Err)
		}
	}
	rows, err := w.store.Sessions(ctx, w.chat.ID)
	ids = map[string]string{}
	for _, row := range rows {
		ids[row.Name] = row.ACPID
	}
	if err == nil && len(ids) != len(names) {
		err = fmt.Errorf("%d sessions were created, want %d", len(ids), len(names))
	}
	return ids, err
}
