package main

import (
	"context"
	"io"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxCommands is how many commands of a chat are listed.
const maxCommands = 200

// steps are what the agents of the request's chat did to files, and its folder.
func (a *App) steps(ctx context.Context, r *http.Request) (e *Engine, steps []changes.Step, folder string, err error) {
	if e, err = a.Open(); err != nil {
		return
	}
	chat, err := e.chats.Get(r.FormValue("chat"))
	if err != nil {
		return
	}
	kept, err := e.store.FileSteps(ctx, chat.ID, r.FormValue("session"))
	for _, s := range kept {
		steps = append(steps, changes.Step(s))
	}
	return e, steps, chat.Folder, err
}

func (a *App) changes(ctx context.Context, r *http.Request) (any, error) {
	_, steps, folder, err := a.steps(ctx, r)
	if err != nil {
		return nil, err
	}
	return changes.Files(steps, folder), nil
}

func (a *App) diff(ctx context.Context, r *http.Request) (any, error) {
	e, steps, folder, err := a.steps(ctx, r)
	if err != nil {
		return nil, err
	}
	path := r.FormValue("path")
	return changes.Of(ctx, steps, folder, path,
		func() changes.Today { return today(folder, path) },
		func(id string) ([]byte, error) {
			body, _, err := e.store.Content(ctx, id, 0, 0)
			return body, err
		})
}

// today is a file that the transcript names, as it is now.
func today(folder, path string) changes.Today {
	place, err := workspace.Locate(folder, path)
	if err != nil {
		return changes.Today{Failed: err}
	}
	f, _, err := place.Open()
	switch {
	case backend.CodeOf(err) == backend.CodeNotFound:
		return changes.Today{Absent: true}
	case err != nil:
		return changes.Today{Failed: err}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, changes.MaxFile+1))
	return changes.Today{Text: text, Failed: err}
}

func (a *App) commands(ctx context.Context, r *http.Request) (any, error) {
	e, err := a.Open()
	if err != nil {
		return nil, err
	}
	var answer struct {
		Commands []store.Command `json:"commands"`
	}
	answer.Commands, err = e.store.Commands(ctx, r.FormValue("chat"), maxCommands)
	return answer, err
}
