package rescue

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
)

// step is a prompt, a message or a tool call of a conversation.
type step struct {
	ctx      context.Context
	tx       *store.ReadTx
	turn     backend.Turn
	item     backend.Item
	isPrompt bool // a message of the user, or the block of a delegated task
}

// each calls do with each item of the session's conversation, in order. It leaves out turns that haven't been sent or
// haven't ended, and turns that the user set aside. Unless whole is true, it also leaves out turns that aren't part of
// the session: those from before the session was created, and those that an orchestrator answered.
func (r *Rescuer) each(ctx context.Context, row backend.Session, whole bool, do func(step) error) error {
	all, err := r.cfg.Store.TurnsOf(ctx, row.ChatID)
	if err != nil {
		return err
	}
	turns := map[string]backend.Turn{}
	for _, t := range all {
		isOwn := whole || t.OrchestratorID == "" && t.SentAt >= row.CreatedAt
		if t.Session == row.Name && isOwn && t.Aside == "" && t.SentAt > 0 && t.State != backend.TurnRunning {
			turns[t.ID] = t
		}
	}
	return r.cfg.Store.Read(ctx, func(tx *store.ReadTx) error {
		visit := func(turnID string, item backend.Item, isPrompt bool) error {
			turn, is := turns[turnID]
			if !is {
				return nil
			}
			return do(step{ctx: ctx, tx: tx, turn: turn, item: item, isPrompt: isPrompt})
		}
		return tx.EachItem(ctx, row.ChatID, "", func(item backend.Item) error {
			if err := visit(item.TurnID, item, item.Kind == backend.ItemUser); err != nil || item.Block == nil {
				return err
			}
			if _, is := turns[item.Block.TurnID]; !is {
				return nil
			}
			if err := visit(item.Block.TurnID, item, true); err != nil {
				return err
			}
			return tx.EachItem(ctx, row.ChatID, item.ID, func(inner backend.Item) error { return visit(item.Block.TurnID, inner, false) })
		})
	})
}

// text returns the text of the item. For a block, that is the delegated task.
func (s step) text() (string, error) {
	var text strings.Builder
	if b := s.item.Block; b != nil {
		contents, err := s.tx.ContentsOf(s.ctx, s.item.ID)
		if err != nil || len(contents) == 0 {
			return b.Prompt, err
		}
		err = s.tx.WriteBody(s.ctx, &text, contents[0].ID)
		return text.String(), err
	}
	err := s.tx.WriteText(s.ctx, &text, s.item.ID)
	return text.String(), err
}

// writePrompt writes the user's message with its images. The text starts with prefix and names the other attachments.
func (s step) writePrompt(t *sessionfiles.Transcript, prefix string) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	text = prefix + text
	var images []sessionfiles.Image
	for _, a := range s.item.Attachments {
		switch {
		case a.Kind == backend.AttachmentImage && a.ContentID != "":
			var data strings.Builder
			if err := s.tx.WriteBody(s.ctx, &data, a.ContentID); err != nil {
				return err
			}
			images = append(images, sessionfiles.Image{Name: a.Name, Mime: a.Mime, Data: []byte(data.String())})
		case a.Kind == backend.AttachmentFile:
			text += fmt.Sprintf("\n\n[Attached file: %s]", cmp.Or(a.Path, a.Name))
		}
	}
	return t.User(timeOf(s.item.CreatedAt), text, images...)
}

// writeTool writes a tool call with its result, of which it writes at most limit bytes.
func (s step) writeTool(t *sessionfiles.Transcript, limit int) error {
	command, result, err := s.result(limit)
	if err != nil {
		return err
	}
	name, arguments := callOf(s.item.Tool, command)
	return t.Tool(timeOf(s.item.CreatedAt), name, arguments, s.item.Tool.Status == backend.ToolCompleted, cmp.Or(result, outcomeOf(s.item.Tool)))
}

// result returns the whole command of a tool call and its result, of which it returns at most limit bytes: the start
// and the end.
func (s step) result(limit int) (command, result string, err error) {
	tool := s.item.Tool
	contents, err := s.tx.ContentsOf(s.ctx, s.item.ID)
	out := &excerptWriter{limit: limit}
	command = tool.Command
	for _, c := range contents {
		if err != nil {
			break
		}
		switch c.Type {
		case backend.ContentCommand:
			var full strings.Builder
			err = s.tx.WriteBody(s.ctx, &full, c.ID)
			command = full.String()
		case backend.ContentText, backend.ContentTerminal, backend.ContentDiff, backend.ContentQuestion, backend.ContentRaw:
			out.section()
			err = s.tx.WriteBody(s.ctx, out, c.ID)
		case backend.ContentImage, backend.ContentNames, backend.ContentRequest, backend.ContentReview:
		}
	}
	if isQuestion := tool.Kind == backend.ToolAsk || tool.Kind == backend.ToolPlan; isQuestion && len(out.start) > 0 {
		out.section()
		fmt.Fprintf(out, "Outcome, as shown to the user: %s", outcomeOf(tool))
	}
	if tool.ExitCode != nil && *tool.ExitCode != 0 {
		out.section()
		fmt.Fprintf(out, "Exit code: %d", *tool.ExitCode)
	}
	return command, out.String(), err
}

// callOf returns the name and the arguments of a tool call for the model. The transcript doesn't contain the names and
// arguments of the agent's own tools, so callOf returns those of the Copilot CLI's tool of the same kind. command is
// the whole command.
func callOf(tool *backend.Tool, command string) (name string, arguments map[string]any) {
	switch tool.Kind {
	case backend.ToolExecute:
		return "bash", map[string]any{"command": command, "description": tool.Title}
	case backend.ToolRead:
		return "view", map[string]any{"path": tool.Path}
	case backend.ToolEdit:
		if tool.Creates {
			return "create", map[string]any{"path": tool.Path}
		}
		return "edit", map[string]any{"path": tool.Path}
	case backend.ToolSearch:
		return "grep", map[string]any{"pattern": command, "path": tool.Path}
	case backend.ToolFetch:
		return "web_fetch", map[string]any{"url": command}
	case backend.ToolAsk:
		return "ask_user", map[string]any{"question": tool.Title}
	case backend.ToolPlan:
		return "present_plan", map[string]any{"title": tool.Title}
	case backend.ToolDelete, backend.ToolMove, backend.ToolThink, backend.ToolOther:
	}
	arguments = map[string]any{"title": tool.Title}
	for key, value := range map[string]string{"path": tool.Path, "to": tool.To, "command": command} {
		if value != "" {
			arguments[key] = value
		}
	}
	return "tool", arguments
}

// outcomeOf describes the end of a tool call that has no result.
func outcomeOf(tool *backend.Tool) string {
	switch {
	case tool.Decision == backend.DecisionRejected:
		return "The user rejected this call."
	case tool.Status == backend.ToolCompleted || tool.Status == backend.ToolFailed:
		return cmp.Or(tool.ResultSummary.String(), string(tool.Status))
	}
	return "This call was interrupted."
}

// excerptWriter keeps the start and the end of the text that is written to it: limit bytes in all, of which a quarter
// is at the end.
type excerptWriter struct {
	limit      int
	start, end []byte
	omitted    int // bytes between the two that are left out
}

func (w *excerptWriter) Write(p []byte) (int, error) {
	atEnd := w.limit / 4
	n := min(len(p), w.limit-atEnd-len(w.start))
	w.start = append(w.start, p[:n]...)
	w.end = append(w.end, p[n:]...)
	if over := len(w.end) - atEnd; over > 0 {
		w.omitted += over
		w.end = slices.Delete(w.end, 0, over)
	}
	return len(p), nil
}

// section starts a new paragraph, unless nothing has been written yet.
func (w *excerptWriter) section() {
	if len(w.start) > 0 {
		_, _ = io.WriteString(w, "\n\n")
	}
}

// String returns the text, with a note in place of the part that was left out.
func (w *excerptWriter) String() string {
	text := string(w.start)
	if w.omitted > 0 {
		text += fmt.Sprintf("\n[%d bytes left out]\n", w.omitted)
	}
	return strings.ToValidUTF8(text+string(w.end), "\uFFFD")
}
