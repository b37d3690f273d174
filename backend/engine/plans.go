package engine

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/tools"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// startPlan puts the user's approval of a plan into effect, before the model gets it: the main session leaves the mode
// Plan and, if the user chose so, edits in the chat's folder are allowed until the turn ends. If one of these fails, a
// note in the transcript says so.
func (e *Engine) startPlan(ctx context.Context, call tools.Call, q backend.Question) {
	if q.Answer == nil || q.Answer.Plan == nil || q.Answer.Plan.Decision == backend.PlanChanges {
		return
	}
	chat, err := e.Chats.Get(call.ChatID)
	if err != nil {
		return
	}
	by := askerOf(call)
	at := backend.Item{ChatID: by.ChatID, TurnID: by.TurnID, ParentID: by.ParentID, Session: by.Session}
	if q.Answer.Plan.Decision == backend.PlanAllowedEdits && call.TurnID != "" {
		if err := e.Permissions.AllowTurn(ctx, chat.Folder, call.TurnID); err != nil {
			e.Log.Error("couldn't allow the edits of a plan; the user is asked for each", "chat", chat.ID, "err", err)
			e.addNote(at, backend.Say("VoxPilot couldn't allow this plan's edits, so it asks you before each one."))
		} else if e.Chats.Turn(chat.ID) != call.TurnID { // it ended in the meantime
			e.endPlan(call.TurnID)
		}
	}
	if err := e.leavePlanMode(ctx, chat.ID); err != nil {
		e.Log.Warn("couldn't switch from plan mode to the agent's mode for work", "chat", chat.ID, "err", err)
		e.addNote(at, backend.Say("Copilot is still in Plan mode, because switching to Agent mode failed. Switch the mode below the message box."))
	}
}

// endPlan removes the permission for edits that a plan had in a turn or, if turnID is "", in any turn.
func (e *Engine) endPlan(turnID string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), CallTime)
	defer cancel()
	if err := e.Permissions.EndTurn(ctx, turnID); err != nil {
		e.Log.Warn("couldn't remove the rule of a plan; it is removed at the next start", "turn", turnID, "err", err)
	}
}

// leavePlanMode switches the main session of a chat from the mode Plan to the mode Agent. It does nothing if the session
// is in another mode, or if the agent has no such modes.
func (e *Engine) leavePlanMode(ctx context.Context, chatID string) error {
	sessions, err := e.Store.Sessions(ctx, chatID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(s backend.Session) bool { return s.Name == backend.SessionMain })
	if i < 0 || modeName(sessions[i].Mode) != "plan" {
		return nil
	}
	modes := sessions[i].Modes
	j := slices.IndexFunc(modes, func(m backend.Choice) bool { return modeName(m.ID) == "agent" })
	if j < 0 {
		return nil
	}
	a, err := e.Agents.Running(chatID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, CallTime) // the model waits
	defer cancel()
	return a.SetMode(ctx, backend.SessionMain, modes[j].ID)
}

// modeName returns the ID of a mode without the address in front of it, as in the IDs of the Copilot CLI.
func modeName(id string) string { return id[strings.LastIndexByte(id, '#')+1:] }

// SavePlan opens a save dialog and writes a plan to the chosen file. The result arrives as an event
// (backend.DialogResult) whose request is "plan " followed by the ID of the plan's request.
func (a *API) SavePlan(id, title, text string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		go func() {
			answer := backend.DialogResult{Request: "plan " + id}
			path, err := a.Config.SaveFile(workspace.FileName("", title) + ".md")
			if err == nil && path != "" {
				answer.Path = path
				err = atomicfile.Write(path, func(to io.Writer) error {
					_, err := io.WriteString(to, strings.TrimRight(text, "\n")+"\n")
					return err
				})
			}
			if err != nil {
				answer.Message = backend.Say("Couldn't save the plan: %s", err)
			}
			e.Bus.Publish(backend.Event{DialogResult: &answer})
		}()
		return nil
	})
}
