package otherprograms

import (
	"context"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// claude reads the conversations of Claude Code: JSON lines in projects/<folder>/<session>.jsonl.
type claude struct {
	dir   string // the folder "projects"
	heads heads
}

func newClaude(dir string) *claude { return &claude{dir: dir} }

func (p *claude) List(ctx context.Context) ([]Conversation, error) {
	root, err := openRoot(p.dir)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	projects, failed := folders(root, ".")
	var list []Conversation
	for _, project := range projects {
		err := files(ctx, root, project, func(info fs.FileInfo, name string) {
			if path.Ext(name) != ".jsonl" || strings.HasPrefix(info.Name(), "agent-") { // the log of a subagent
				return
			}
			if c, is := p.heads.of(root, p.dir, name, info, describeClaude); is {
				list = append(list, c)
			}
		})
		if err != nil {
			failed = err
		}
	}
	return list, failed
}

// describeClaude reads the description of a conversation from its file. It returns false if the file contains no
// conversation.
func describeClaude(file *os.File, c *Conversation) bool {
	c.Program, c.ID = backend.ProgramClaudeCode, strings.TrimSuffix(path.Base(c.file), ".jsonl")
	has, title, prompt := false, "", ""
	named := func(r gjson.Result) {
		for _, key := range []string{"customTitle", "aiTitle", "summary"} { // the best one first
			if t := r.Get(key); t.Type == gjson.String && (r.Get("type").String() == claudeTitles[key]) {
				title = t.String()
				return
			}
		}
	}
	headRecords(file, func(r gjson.Result) bool {
		named(r)
		if c.CreatedAt == 0 {
			c.CreatedAt = timeOf(r.Get("timestamp"))
		}
		if c.Folder == "" {
			c.Folder = r.Get("cwd").String()
		}
		if r.Get("type").String() != "user" || r.Get("isSidechain").Bool() || r.Get("isMeta").Bool() {
			return true
		}
		m := claudeMessage(r.Get("message.content"))
		has = has || m.kind == claudePrompt || m.kind == claudeCommand
		if m.kind == claudePrompt {
			prompt = m.text
		}
		return prompt == ""
	})
	tailRecords(file, c.Size, named)
	c.Title = titleOf(title)
	if c.Title == "" {
		c.Title = titleOf(prompt)
	}
	return has
}

// claudeTitles maps the key of a title to the type of the record that contains it.
var claudeTitles = map[string]string{"customTitle": "custom-title", "aiTitle": "ai-title", "summary": "summary"}

// Read reads the conversation twice: first to find the messages that the user has set aside by going back.
func (p *claude) Read(ctx context.Context, c Conversation, to Sink) error {
	chain, err := claudeChainOf(ctx, c)
	if err != nil {
		return err
	}
	r := &claudeReader{to: to, chain: chain, used: map[string]backend.Usage{}}
	if err := eachRecord(ctx, c, to, r.record); err != nil {
		return err
	}
	return r.flush(false)
}

// claudeReader converts the records of a conversation to entries.
type claudeReader struct {
	to      Sink
	chain   *claudeChain
	at      backend.Millis
	command string // last slash command, until it is known whether it is a prompt
	usage   backend.Usage
	used    map[string]backend.Usage // by the ID of the model's message
}

func (r *claudeReader) add(e Entry) error {
	e.At = r.at
	return r.to.Add(e)
}

// ignoredClaude holds the types of records that aren't part of a conversation.
var ignoredClaude = map[string]bool{
	"queue-operation": true, "last-prompt": true, "mode": true, "permission-mode": true, "summary": true, "ai-title": true, "custom-title": true,
	"file-history-snapshot": true, "progress": true, "attachment": true, "agent-name": true, "agent-color": true, "pr-link": true, "tag": true,
}

func (r *claudeReader) record(rec gjson.Result) error {
	if rec.Get("isSidechain").Bool() || !r.chain.has(rec) {
		return nil
	}
	if at := timeOf(rec.Get("timestamp")); at > 0 {
		r.at = at
	}
	switch kind := rec.Get("type").String(); kind {
	case "user":
		return r.user(rec)
	case "assistant":
		if err := r.flush(true); err != nil {
			return err
		}
		return r.assistant(rec)
	case "system":
		return r.system(rec)
	default:
		if !ignoredClaude[kind] && !rec.Get("attachment").Exists() {
			r.to.Skip(false)
		}
	}
	return nil
}

func (r *claudeReader) user(rec gjson.Result) error {
	content := rec.Get("message.content")
	for part := range each(content) {
		if part.Get("type").String() == "tool_result" {
			if err := r.result(part, rec.Get("toolUseResult")); err != nil {
				return err
			}
		}
	}
	if rec.Get("isMeta").Bool() {
		return nil
	}
	if rec.Get("isCompactSummary").Bool() {
		return r.add(Entry{Kind: EntryNote, Text: "Claude Code summarized the conversation so far."})
	}
	m := claudeMessage(content)
	switch m.kind {
	case claudeNothing:
		return nil
	case claudeOutput:
		command := r.command
		r.command = ""
		return r.add(Entry{Kind: EntryNote, Text: strings.TrimSpace(command + "\n" + m.text)})
	case claudeStopped:
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnStopped})
	case claudePrompt, claudeCommand:
	}
	if err := r.flush(false); err != nil {
		return err
	}
	if m.kind == claudeCommand {
		r.command = m.text
		return nil
	}
	r.usage = backend.Usage{}
	return r.add(Entry{Kind: EntryPrompt, Text: m.text, Images: m.images})
}

// flush adds the slash command that was read last: as a prompt if it has an answer, and otherwise as a note.
func (r *claudeReader) flush(answered bool) error {
	command := r.command
	if r.command = ""; command == "" {
		return nil
	}
	if !answered {
		return r.add(Entry{Kind: EntryNote, Text: command})
	}
	r.usage = backend.Usage{}
	return r.add(Entry{Kind: EntryPrompt, Text: command})
}

func (r *claudeReader) assistant(rec gjson.Result) error {
	message := rec.Get("message")
	failed := rec.Get("isApiErrorMessage").Bool()
	for part := range each(message.Get("content")) {
		var err error
		switch text := part.Get("text").String(); part.Get("type").String() {
		case "text":
			switch {
			case failed:
				err = r.add(Entry{Kind: EntryNote, Text: text})
			case strings.TrimSpace(text) != "" && text != "(no content)":
				err = r.add(Entry{Kind: EntryAnswer, Text: text})
			}
		case "thinking":
			if thought := part.Get("thinking").String(); thought != "" {
				err = r.add(Entry{Kind: EntryThought, Text: thought})
			}
		case "tool_use":
			err = r.call(part)
		case "redacted_thinking":
		default:
			r.to.Skip(false)
		}
		if err != nil {
			return err
		}
	}
	if failed {
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnFailed})
	}
	return r.count(message)
}

// count adds the usage of a model call. Every record of a call repeats the call's usage; the last record contains the
// complete figures.
func (r *claudeReader) count(message gjson.Result) error {
	u := message.Get("usage")
	if !u.Exists() {
		return nil
	}
	read, wrote := u.Get("cache_read_input_tokens").Int(), u.Get("cache_creation_input_tokens").Int()
	now := backend.Usage{Input: u.Get("input_tokens").Int() + read + wrote, Output: u.Get("output_tokens").Int(), CacheRead: read, CacheWrite: wrote}
	id := message.Get("id").String()
	before := r.used[id]
	clear(r.used)
	r.used[id] = now
	r.usage.Input += now.Input - before.Input
	r.usage.Output += now.Output - before.Output
	r.usage.CacheRead += now.CacheRead - before.CacheRead
	r.usage.CacheWrite += now.CacheWrite - before.CacheWrite
	usage := r.usage
	return r.add(Entry{Kind: EntryUsage, Usage: &usage})
}

func (r *claudeReader) system(rec gjson.Result) error {
	switch rec.Get("subtype").String() {
	case "local_command":
		m := claudeMessage(rec.Get("content"))
		if m.kind == claudeCommand {
			r.command = m.text
		} else if m.kind == claudeOutput {
			command := r.command
			r.command = ""
			return r.add(Entry{Kind: EntryNote, Text: strings.TrimSpace(command + "\n" + m.text)})
		}
	case "api_error", "error":
		if text := rec.Get("content").String(); text != "" {
			return r.add(Entry{Kind: EntryNote, Text: text})
		}
	}
	return nil
}

// claudeKind is the kind of the text in a record of the type "user".
type claudeKind int

const (
	claudeNothing claudeKind = iota
	claudePrompt             // a message of the user
	claudeCommand            // a slash command
	claudeOutput             // the output of a slash command or of a command of the user
	claudeStopped            // a note that the user stopped the exchange
)

type claudeText struct {
	kind   claudeKind
	text   string
	images []Image
}

var (
	claudeReminder = regexp.MustCompile(`(?s)<(system-reminder|ide_[a-z_]+)>.*?</(system-reminder|ide_[a-z_]+)>`)
	claudeTag      = regexp.MustCompile(`(?s)<([a-z-]+)>(.*?)</[a-z-]+>`)
)

// claudeMessage interprets the content of a record of the type "user": a text or a list of parts.
func claudeMessage(content gjson.Result) (m claudeText) {
	var texts []string
	if content.Type == gjson.String {
		texts = append(texts, content.String())
	}
	for part := range each(content) {
		switch part.Get("type").String() {
		case "text":
			texts = append(texts, part.Get("text").String())
		case "image":
			if image, is := imageOf(part.Get("source.media_type").String(), part.Get("source.data").String()); is {
				m.images = append(m.images, image)
			}
		}
	}
	text := strings.Join(texts, "\n\n")
	if strings.Contains(text, "<") {
		text = claudeReminder.ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "[Request interrupted by user"):
		m.kind = claudeStopped
		return m
	case strings.HasPrefix(text, "<command-"):
		m.kind, m.text = claudeCommand, claudeCommandOf(text)
		return m
	case strings.HasPrefix(text, "<bash-input>"):
		m.kind, m.text = claudeCommand, "! "+claudeTags(text)["bash-input"]
		return m
	case strings.HasPrefix(text, "<local-command-"), strings.HasPrefix(text, "<bash-std"), strings.HasPrefix(text, "<task-notification>"):
		m.kind, m.text = claudeOutput, strings.TrimSpace(claudeTag.ReplaceAllString(text, "$2\n"))
		return m
	}
	if m.text = text; text != "" || len(m.images) > 0 {
		m.kind = claudePrompt
	}
	return m
}

func claudeCommandOf(text string) string {
	tags := claudeTags(text)
	return strings.TrimSpace("/" + strings.TrimPrefix(tags["command-name"], "/") + " " + tags["command-args"])
}

func claudeTags(text string) map[string]string {
	tags := map[string]string{}
	for _, m := range claudeTag.FindAllStringSubmatch(text, -1) {
		tags[m[1]] = strings.TrimSpace(m[2])
	}
	return tags
}
