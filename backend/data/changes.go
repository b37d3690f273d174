package data

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/blame"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxCommands is the maximum number of commands that are listed for a chat.
const maxCommands = 200

// editsOf returns the file changes made by a chat's agents, except the changes in turns that were undone. It also
// returns the chat's folder. The request r names the chat.
func editsOf(ctx context.Context, e *engine.Engine, r *http.Request) (steps []changes.Edit, folder string, err error) {
	chat, err := e.Chats.Get(r.FormValue("chat"))
	if err != nil {
		return
	}
	edits, err := e.Store.ShownFileEdits(ctx, chat.ID, r.FormValue("session"))
	if err != nil {
		return
	}
	undone, err := e.Undo.UndoneTurns(ctx, chat)
	if err != nil {
		return
	}
	for _, edit := range edits {
		if !slices.ContainsFunc(undone, func(u undo.UndoneTurn) bool { return u.Has(edit.Path, edit.At) }) {
			steps = append(steps, changes.Edit(edit))
		}
	}
	return steps, chat.Folder, nil
}

func (h *handler) changes(ctx context.Context, e *engine.Engine, r *http.Request) (changes.List, error) {
	steps, folder, err := editsOf(ctx, e, r)
	return changes.Files(steps, folder), err
}

func (h *handler) diff(ctx context.Context, e *engine.Engine, r *http.Request) (changes.Diff, error) {
	steps, folder, err := editsOf(ctx, e, r)
	if err != nil {
		return changes.Diff{}, err
	}
	chat, err := e.Chats.Get(r.FormValue("chat"))
	if err != nil {
		return changes.Diff{}, err
	}
	parts := map[string]string{} // by content ID
	for _, p := range e.Undo.PartEdits(chat) {
		id := "put-back " + p.ID
		parts[id] = p.Diff
		steps = append(steps, changes.Edit{Kind: backend.ToolEdit, Path: p.Path, ContentID: id, Size: int64(len(p.Diff)), Creates: p.Creates, Deletes: p.Deletes, At: p.At})
	}
	slices.SortStableFunc(steps, func(a, b changes.Edit) int { return cmp.Compare(a.At, b.At) })
	path := r.FormValue("path")
	return changes.Of(ctx, steps, folder, path,
		func() changes.Current { return currentFile(folder, path) },
		func(id string) ([]byte, error) {
			if part, is := parts[id]; is {
				return []byte(part), nil
			}
			body, _, err := e.Store.Content(ctx, id, 0, 0)
			return body, err
		})
}

// currentFile returns the current state of a file named in the transcript.
func currentFile(folder, path string) changes.Current {
	place, err := workspace.Locate(folder, path)
	if err != nil {
		return changes.Current{Failed: err}
	}
	f, _, err := place.Open()
	switch {
	case backend.CodeOf(err) == backend.CodeNotFound:
		return changes.Current{Absent: true}
	case err != nil:
		return changes.Current{Failed: err}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, changes.MaxFile+1))
	return changes.Current{Text: text, Failed: err}
}

func (h *handler) blame(ctx context.Context, e *engine.Engine, r *http.Request) (blame.Blame, error) {
	return e.Blame(ctx, r.FormValue("path"))
}

func (h *handler) undo(ctx context.Context, e *engine.Engine, r *http.Request) (backend.UndoPreview, error) {
	return e.Undo.Preview(ctx, r.FormValue("turn"))
}

func (h *handler) undoFile(ctx context.Context, e *engine.Engine, r *http.Request) (backend.UndoComparison, error) {
	if r.FormValue("back") == "" {
		return e.Undo.Compare(ctx, r.FormValue("turn"), r.FormValue("path"))
	}
	back, err := e.Undo.PlanBack(ctx, r.FormValue("turn"))
	if err != nil {
		return backend.UndoComparison{}, err
	}
	return back.Compare(r.FormValue("path"))
}

func (h *handler) goBack(ctx context.Context, e *engine.Engine, r *http.Request) (backend.GoBackPreview, error) {
	return e.Branch.Preview(ctx, r.FormValue("turn"))
}

// PutBacks lists the partial undos in a chat that the user can redo. Each of them undid changes to one file.
type PutBacks struct {
	Parts []backend.PutBack `json:"parts"`
}

func (h *handler) putBack(_ context.Context, e *engine.Engine, r *http.Request) (answer PutBacks, err error) {
	answer.Parts, err = e.Undo.Parts(r.FormValue("chat"))
	return answer, err
}

// Commands holds the latest commands run by a chat's agents.
type Commands struct {
	Commands []store.Command `json:"commands"`
}

func (h *handler) commands(ctx context.Context, e *engine.Engine, r *http.Request) (answer Commands, err error) {
	answer.Commands, err = e.Store.ShownCommands(ctx, r.FormValue("chat"), maxCommands)
	return answer, err
}
