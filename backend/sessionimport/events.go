package sessionimport

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// turn is the newest turn of the log.
type turn struct {
	backend.Turn
	Failure  string `json:"failure,omitempty"`  // the CLI's report of a failed model call
	Answered bool   `json:"answered,omitempty"` // the last message of the agent calls no tool
	Plan     string `json:"plan,omitempty"`     // ID of the item with the plan
}

// row returns the turn's row.
func (t *turn) row() backend.Turn {
	row := t.Turn
	if t.Usage != nil {
		usage := *t.Usage
		row.Usage = &usage
	}
	if t.Failure != "" {
		row.Error = &backend.Error{
			Code: backend.CodeModel, Message: backend.Say("The model didn't respond: %s", excerpt.FirstLine(t.Failure, 300)), Detail: t.Failure,
		}
	}
	return row
}

// unseen holds the kinds of events that aren't shown.
var unseen = map[string]bool{
	"session.start": true, "session.idle": true, "session.usage_info": true, "session.context_changed": true, "session.mode_changed": true,
	"session.compaction_start": true, "session.truncation": true, "session.plan_changed": true, "session.workspace_file_changed": true,
	"session.tools_updated": true, "session.skills_loaded": true, "session.custom_agents_updated": true, "session.mcp_servers_loaded": true,
	"session.mcp_server_status_changed": true, "session.extensions_loaded": true, "session.background_tasks_changed": true,
	"session.remote_steerable_changed": true, "session.task_complete": true, "session.schedule_created": true, "session.schedule_cancelled": true,
	"pending_messages.modified": true, "assistant.intent": true, "assistant.streaming_delta": true, "assistant.message_delta": true,
	"assistant.message_start": true, "assistant.reasoning_delta": true, "tool.user_requested": true, "tool.execution_partial_result": true,
	"tool.execution_progress": true, "skill.invoked": true, "subagent.started": true, "subagent.completed": true, "subagent.failed": true,
	"subagent.selected": true, "subagent.deselected": true, "subagent.configured": true, "hook.start": true, "hook.end": true,
	"system.message": true, "system.notification": true, "permission.requested": true, "permission.completed": true, "user_input.requested": true,
	"user_input.completed": true, "elicitation.requested": true, "elicitation.completed": true, "external_tool.requested": true,
	"external_tool.completed": true, "exit_plan_mode.requested": true, "exit_plan_mode.completed": true, "commands.changed": true,
	"command.queued": true, "command.execute": true, "command.completed": true, "capabilities.changed": true, "sandbox.decision": true,
}

// unseenInfo holds the kinds of the CLI's messages that aren't shown.
var unseenInfo = map[string]bool{"timing": true, "context_window": true, "snapshot": true, "mcp": true, "authentication": true}

// maxUnknown is the maximum size in bytes of a stored event of an unknown kind.
const maxUnknown = 64 << 10

// event adds the rows of an event.
func (r *Reader) event(e sessionfiles.Event) {
	data := e.JSON()
	at := millis(e.At)
	r.s.Stats.Last = max(r.s.Stats.Last, at)
	isOwn := e.Agent == ""
	switch e.Type {
	case sessionfiles.EventUser:
		if isOwn {
			r.userMessage(e, data)
		}
	case sessionfiles.EventAssistant:
		r.assistantMessage(e, data)
	case "assistant.reasoning":
		if text := str(data.Get("content")); text != "" {
			r.putText(r.newItem(e, backend.ItemThought, ""), text)
			r.s.Reasoned = isOwn
		}
	case "assistant.turn_start":
		r.activity(isOwn)
	case "assistant.turn_end":
		if t := r.s.Turn; isOwn && t != nil && t.Answered && t.State == backend.TurnRunning {
			r.endTurn(backend.TurnDone, "end_turn", at)
		}
	case "tool.execution_start":
		r.toolStart(e, data)
	case sessionfiles.EventToolComplete:
		r.toolComplete(e, data)
	case result.UsageRecord:
		r.s.HasUsage = true
		r.usage(data.Get("usage"), isOwn)
	case "assistant.usage":
		if !r.s.HasUsage {
			r.usage(data, isOwn)
		}
	case "session.binary_asset":
		if id := str(data.Get("assetId")); id != "" && len(id) < 200 {
			r.s.Assets = append(r.s.Assets, asset{ID: id, Offset: r.at, Size: r.size})
			r.s.Assets = r.s.Assets[max(0, len(r.s.Assets)-maxAssets):]
		}
	case "abort":
		if isOwn {
			r.abort(at)
		}
	case "session.error":
		r.failure(e, data)
	case "session.resume", "session.shutdown":
		if isOwn {
			r.closeTools(backend.ToolCancelled, at)
			if t := r.s.Turn; t != nil && t.State == backend.TurnRunning {
				r.endTurn(backend.TurnInterrupted, "", at)
			}
		}
	case "session.model_change":
		r.modelChange(e, data)
	case "session.title_changed":
		if title := short(data.Get("title"), 200); isOwn && title != "" {
			r.s.Stats.Title = title
		}
	case "session.compaction_complete":
		if isOwn && data.Get("success").Bool() {
			r.note(e, "Copilot summarized the conversation so far to make room in the model's context.")
		}
	case "session.snapshot_rewind":
		if isOwn {
			r.note(e, "The conversation went back to an earlier message. The messages after it are still shown here.")
		}
	case "session.warning":
		if text := str(data.Get("message")); text != "" {
			r.note(e, "Warning: "+text)
		}
	case "session.info":
		if text := str(data.Get("message")); text != "" && !unseenInfo[data.Get("infoType").Str] {
			r.note(e, "Info: "+text)
		}
	default:
		if !unseen[e.Type] {
			r.unknown(e)
		}
	}
}

// unknown stores an event of an unknown kind.
func (r *Reader) unknown(e sessionfiles.Event) {
	r.s.Stats.Unknown++
	raw := []byte(strings.ToValidUTF8(string(e.Raw[:min(len(e.Raw), maxUnknown)]), "\uFFFD"))
	r.out.add(backend.Event{UnknownUpdate: &backend.UnknownUpdate{
		ID: r.id(e, "unknown"), ChatID: r.s.Target.ChatID, Session: r.s.Target.Name, Kind: excerpt.Head(strings.ToValidUTF8(e.Type, "\uFFFD"), 200), At: millis(e.At), Raw: raw,
	}}, len(raw))
}

// note adds a line about the session.
func (r *Reader) note(e sessionfiles.Event, text string) {
	r.putText(r.newItem(e, backend.ItemNote, ""), text)
}

// activity notes that the agent is working on the newest turn, which may have ended before.
func (r *Reader) activity(isOwn bool) {
	t := r.s.Turn
	if !isOwn || t == nil {
		return
	}
	t.Answered = false
	if t.State != backend.TurnRunning {
		t.State, t.StopReason, t.EndedAt, t.Failure = backend.TurnRunning, "", 0, ""
		r.out.dirty = true
	}
}

// endTurn ends the newest turn.
func (r *Reader) endTurn(state backend.TurnState, reason string, at backend.Millis) {
	t := r.s.Turn
	t.State, t.StopReason, t.EndedAt = state, reason, max(at, t.StartedAt)
	r.s.Stats.State = state
	r.putTurn(t.row())
}

// abort ends the newest turn as stopped by the user, unless it has already ended, and cancels all open tool calls.
func (r *Reader) abort(at backend.Millis) {
	r.closeTools(backend.ToolCancelled, at)
	if t := r.s.Turn; t != nil && t.State == backend.TurnRunning {
		r.endTurn(backend.TurnStopped, "cancelled", at)
	}
}

// failure adds the message of a session.error event and, if the newest turn is running, ends the turn as failed. It
// ignores errors of subagents and errors without a message.
func (r *Reader) failure(e sessionfiles.Event, data gjson.Result) {
	text := str(data.Get("message"))
	if e.Agent != "" || text == "" {
		return
	}
	it := r.newItem(e, backend.ItemMessage, "")
	it.HasError = true
	r.putText(it, "Error: "+text)
	if t := r.s.Turn; t != nil && t.State == backend.TurnRunning {
		t.Failure = excerpt.Head(text, 4000)
		r.endTurn(backend.TurnFailed, "end_turn", millis(e.At))
	}
}

func (r *Reader) modelChange(e sessionfiles.Event, data gjson.Result) {
	model := short(data.Get("newModel"), 200)
	if e.Agent != "" || model == "" {
		return
	}
	if before := str(data.Get("previousModel")); before != "" && before != model {
		r.note(e, "The model is now "+model+".")
	}
	r.s.Stats.Model = model
}

// usage adds the token counts and the cost of a model call to the newest turn. isOwn means that no subagent made it.
func (r *Reader) usage(u gjson.Result, isOwn bool) {
	t := r.s.Turn
	if t == nil {
		return
	}
	if t.Usage == nil {
		t.Usage = &backend.Usage{}
	}
	for key, count := range map[string]*int64{
		"inputTokens": &t.Usage.Input, "outputTokens": &t.Usage.Output, "cacheReadTokens": &t.Usage.CacheRead,
		"cacheWriteTokens": &t.Usage.CacheWrite, "reasoningTokens": &t.Usage.Thought,
	} {
		if n := u.Get(key).Int(); n > 0 && n < 1<<40 {
			*count += n
		}
	}
	result.AddCost(t.Usage, u, isOwn)
	r.out.dirty = true
}

// userMessage starts a turn. A message without text, which the CLI sends to continue on its own, belongs to the turn
// before it, as does a message that isn't from the user.
func (r *Reader) userMessage(e sessionfiles.Event, data gjson.Result) {
	if from := str(data.Get("source")); from != "" && from != "user" {
		return
	}
	text, files := withoutLinks(str(data.Get("content")), r.s.Target.Folder)
	attached := firstOf(data.Get("attachments"), backend.MaxAttachments)
	if strings.TrimSpace(text) == "" && len(files)+len(attached) == 0 {
		return
	}
	at := millis(e.At)
	if t := r.s.Turn; t != nil && t.State == backend.TurnRunning {
		r.endTurn(backend.TurnDone, "end_turn", at) // the message arrived while the agent was working
	} else if r.out.dirty {
		r.putTurn(t.row())
	}
	r.s.Turn = &turn{Turn: backend.Turn{
		ID: r.id(e, "turn"), ChatID: r.s.Target.ChatID, Session: r.s.Target.Name, State: backend.TurnRunning, StartedAt: at, SentAt: at,
	}}
	r.s.Reasoned = false
	st := &r.s.Stats
	st.Turns, st.Messages = st.Turns+1, st.Messages+1
	if st.First == 0 || at < st.First {
		st.First = at
	}
	if st.Title == "" {
		st.Title = excerpt.FirstLine(strings.TrimSpace(text), 200)
	}
	r.putTurn(r.s.Turn.row())
	it := r.newItem(e, backend.ItemUser, "")
	it.Attachments = files
	var images []backend.Event
	size := 0
	for i, a := range attached {
		if c := r.image(e, a, it.ID, i); c != nil {
			name := short(a.Get("displayName"), 200)
			it.Attachments = append(it.Attachments, backend.Attachment{Kind: backend.AttachmentImage, Name: name, ContentID: c.ID, Mime: c.Mime, Size: c.Size})
			images = append(images, backend.Event{Content: c})
			size += len(c.Body)
			continue
		}
		path := str(a.Get("path"))
		if path == "" {
			path = str(a.Get("filePath"))
		}
		if path == "" || len(path) > maxPath {
			continue
		}
		path = request.Abs(r.s.Target.Folder, path)
		it.Attachments = append(it.Attachments, backend.Attachment{Kind: backend.AttachmentFile, Name: filepath.Base(path), Path: path})
	}
	r.putText(it, text)
	for _, c := range images {
		r.out.add(c, 0)
	}
	r.out.bodies += size
}

// assistantMessage adds the agent's thoughts and message. Those of subagents appear between those of the agent, as they
// do when the CLI reports them over ACP.
func (r *Reader) assistantMessage(e sessionfiles.Event, data gjson.Result) {
	isOwn := e.Agent == ""
	if model := short(data.Get("model"), 200); isOwn && model != "" {
		r.s.Stats.Model = model
		if t := r.s.Turn; t != nil && !r.s.HasUsage { // a log of an older version, which has no usage records
			if t.Usage == nil {
				t.Usage = &backend.Usage{}
			}
			t.Usage.Model, r.out.dirty = model, true
		}
	}
	if text := str(data.Get("reasoningText")); text != "" && !(isOwn && r.s.Reasoned) {
		r.putText(r.newItem(e, backend.ItemThought, ""), text)
	}
	if isOwn {
		r.s.Reasoned = false
	}
	if text := str(data.Get("content")); strings.TrimSpace(text) != "" {
		r.putText(r.newItem(e, backend.ItemMessage, ""), text)
		if isOwn {
			r.s.Stats.Messages++
		}
	}
	if t := r.s.Turn; isOwn && t != nil && t.State == backend.TurnRunning {
		t.Answered = data.Get("toolRequests.#").Int() == 0
	}
}

// settle adds the rows that show the state at the end of the log: a turn and tool calls that haven't ended are
// interrupted, unless another program continues them. If the log grows, these rows are replaced.
func (r *Reader) settle() {
	t := r.s.Turn
	if t != nil {
		r.s.Stats.State = t.State
	}
	if r.Live {
		return
	}
	last := r.s.Stats.Last
	for _, c := range r.s.Tools {
		r.close(c, backend.ToolCancelled, last)
	}
	if t != nil && t.State == backend.TurnRunning {
		r.s.Stats.State = backend.TurnInterrupted
		row := t.row()
		row.State, row.EndedAt = backend.TurnInterrupted, max(last, row.StartedAt)
		r.putTurn(row)
	}
}
