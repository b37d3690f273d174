package otherprograms

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// codex reads the conversations of Codex CLI: JSON lines in sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl.
type codex struct {
	dir   string // the folder "sessions"
	heads heads
}

func newCodex(dir string) *codex { return &codex{dir: dir} }

func (p *codex) List(ctx context.Context) ([]Conversation, error) {
	root, err := openRoot(p.dir)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	days, failed := []string{"."}, error(nil)
	for range 3 { // year, month, day
		var inner []string
		for _, dir := range days {
			list, err := folders(root, dir)
			failed = cmp.Or(failed, err)
			inner = append(inner, list...)
		}
		days = inner
	}
	var list []Conversation
	for _, day := range days {
		err := files(ctx, root, day, func(info fs.FileInfo, name string) {
			if path.Ext(name) != ".jsonl" || !strings.HasPrefix(info.Name(), "rollout-") {
				return
			}
			if c, is := p.heads.of(root, p.dir, name, info, describeCodex); is {
				list = append(list, c)
			}
		})
		failed = cmp.Or(failed, err)
	}
	return list, failed
}

// describeCodex reads the description of a conversation from its file. It returns false if the file contains no
// conversation, or a subagent's conversation.
func describeCodex(file *os.File, c *Conversation) bool {
	c.Program, c.ID = backend.ProgramCodex, strings.TrimSuffix(path.Base(c.file), ".jsonl")
	prompt, subagent := "", false
	headRecords(file, func(r gjson.Result) bool {
		kind, payload := codexPayload(r)
		switch kind {
		case "session_meta":
			if c.CreatedAt == 0 { // later ones belong to the conversation from which this one was forked
				c.CreatedAt, c.Folder = timeOf(payload.Get("timestamp")), payload.Get("cwd").String()
				subagent = payload.Get("source.subagent").Exists() || payload.Get("thread_source").String() == "subagent"
			}
		case "response_item":
			if payload.Get("type").String() == "message" && payload.Get("role").String() == "user" {
				prompt, _ = codexPrompt(payload)
			}
		}
		return prompt == "" && !subagent
	})
	tailRecords(file, c.Size, func(r gjson.Result) {
		if name := r.Get("payload.thread_name"); name.Type == gjson.String {
			c.Title = titleOf(name.String())
		}
	})
	c.Title = cmp.Or(c.Title, titleOf(prompt))
	return prompt != "" && !subagent
}

func (p *codex) Read(ctx context.Context, c Conversation, to Sink) error {
	r := &codexReader{to: to, folder: c.Folder, calls: map[string]string{}}
	return eachRecord(ctx, c, to, r.record)
}

// codexReader converts the records of a conversation to entries.
type codexReader struct {
	to     Sink
	folder string
	at     backend.Millis
	calls  map[string]string // names of the tools, by the ID of the call
	total  backend.Usage     // of the conversation
	before backend.Usage     // total at the start of the exchange
}

func (r *codexReader) add(e Entry) error {
	e.At = r.at
	return r.to.Add(e)
}

// codexPayload returns the kind of a record and its content. In old versions, a record is the content itself.
func codexPayload(rec gjson.Result) (kind string, payload gjson.Result) {
	kind, payload = rec.Get("type").String(), rec.Get("payload")
	switch {
	case payload.Exists():
	case kind != "":
		return "response_item", rec
	case rec.Get("id").Exists() && rec.Get("timestamp").Exists():
		return "session_meta", rec
	}
	return kind, payload
}

func (r *codexReader) record(rec gjson.Result) error {
	if at := timeOf(rec.Get("timestamp")); at > 0 {
		r.at = at
	}
	switch kind, payload := codexPayload(rec); kind {
	case "response_item":
		return r.item(payload)
	case "event_msg":
		return r.event(payload)
	case "compacted":
		return r.add(Entry{Kind: EntryNote, Text: "Codex CLI summarized the conversation so far."})
	case "session_meta", "turn_context", "world_state", "token_usage_record":
	default:
		if !rec.Get("record_type").Exists() {
			r.to.Skip(false)
		}
	}
	return nil
}

func (r *codexReader) item(p gjson.Result) error {
	switch kind := p.Get("type").String(); kind {
	case "message":
		switch p.Get("role").String() {
		case "user":
			if text, images := codexPrompt(p); text != "" || len(images) > 0 {
				r.before = r.total
				return r.add(Entry{Kind: EntryPrompt, Text: text, Images: images})
			}
		case "assistant":
			if text, _ := contentOf(p.Get("content")); strings.TrimSpace(text) != "" {
				return r.add(Entry{Kind: EntryAnswer, Text: text})
			}
		}
	case "reasoning":
		var texts []string
		for _, key := range []string{"summary", "content"} {
			for part := range each(p.Get(key)) {
				texts = append(texts, part.Get("text").String())
			}
		}
		if text := strings.Join(texts, "\n\n"); text != "" {
			return r.add(Entry{Kind: EntryThought, Text: text})
		}
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call":
		return r.call(kind, p)
	case "function_call_output", "custom_tool_call_output":
		return r.output(p)
	case "ghost_snapshot", "compaction", "compaction_summary", "additional_tools", "other":
	default:
		r.to.Skip(false)
	}
	return nil
}

// event adds the parts of a conversation that appear only in events: results of commands and changes, token usage,
// stops and errors. It ignores other events, most of which repeat items.
func (r *codexReader) event(p gjson.Result) error {
	switch p.Get("type").String() {
	case "item_completed":
		return r.detail(p.Get("item"))
	case "exec_command_end":
		return r.detail(p)
	case "patch_apply_end":
		return r.changes(p.Get("call_id").String(), p.Get("changes"), p.Get("success").Bool())
	case "token_count":
		u := p.Get("info.total_token_usage")
		if !u.Exists() {
			return nil
		}
		r.total = backend.Usage{
			Input: u.Get("input_tokens").Int(), Output: u.Get("output_tokens").Int(),
			CacheRead: u.Get("cached_input_tokens").Int(), Thought: u.Get("reasoning_output_tokens").Int(),
		}
		return r.add(Entry{Kind: EntryUsage, Usage: &backend.Usage{
			Input: r.total.Input - r.before.Input, Output: r.total.Output - r.before.Output,
			CacheRead: r.total.CacheRead - r.before.CacheRead, Thought: r.total.Thought - r.before.Thought,
		}})
	case "turn_aborted":
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnStopped})
	case "error", "stream_error":
		if err := r.add(Entry{Kind: EntryNote, Text: p.Get("message").String()}); err != nil || p.Get("type").String() == "stream_error" {
			return err
		}
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnFailed})
	}
	return nil
}

// codexContext lists the prefixes of texts that Codex CLI adds to the user's messages.
var codexContext = []string{
	"<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions", "<permissions instructions>", "<turn_aborted>",
	"<subagent_notification>", "<skill>", "<skills_instructions>", "<collaboration_mode>", "<user_shell_command>", "<apps_instructions>",
	"<plugins_instructions>", "<realtime_conversation>", "<model_switch>", "<personality_spec>",
}

// codexPrompt returns the text and the images of a user's message, without the text that Codex CLI added to it.
func codexPrompt(p gjson.Result) (text string, images []Image) {
	content := p.Get("content")
	_, images = contentOf(content)
	var texts []string
	const most = 10_000 // parts of a message
	sources := firstOf(p.Get("internal_chat_message_metadata_passthrough.content_item_metadata"), most)
	for i, part := range firstOf(content, most) {
		t := part.Get("text").String()
		trimmed := strings.TrimSpace(t)
		switch {
		case part.Get("type").String() != "input_text" || trimmed == "":
		case i < len(sources) && sources[i].Get("provenance.type").String() == "harness":
		case len(images) > 0 && (strings.HasPrefix(trimmed, "<image") && strings.HasSuffix(trimmed, ">") || trimmed == "</image>"):
		case isCodexContext(trimmed):
		default:
			texts = append(texts, t)
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n\n")), images
}

func isCodexContext(text string) bool {
	for _, start := range codexContext {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}
