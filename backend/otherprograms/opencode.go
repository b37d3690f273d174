package otherprograms

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// opencode reads the conversations of opencode. Since version 1.2, they are in a database. Earlier versions write one
// file for each session, message and part of a message: storage/session/<project>/<session>.json,
// storage/message/<session>/<message>.json and storage/part/<message>/<part>.json.
type opencode struct{ dir string }

func (p *opencode) List(ctx context.Context) ([]Conversation, error) {
	list, failed := p.listDatabase(ctx)
	known := map[string]bool{}
	for _, c := range list {
		known[c.ID] = true
	}
	root, err := openRoot(p.dir)
	if root == nil {
		return list, cmp.Or(failed, err)
	}
	defer root.Close()
	projects, err := folders(root, "storage/session")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		failed = cmp.Or(failed, err)
	}
	for _, project := range projects {
		err := files(ctx, root, project, func(info fs.FileInfo, name string) {
			if path.Ext(name) != ".json" {
				return
			}
			data, err := readSmall(root, name, maxSmall)
			if err != nil || !json.Valid(data) {
				return
			}
			r := gjson.ParseBytes(data)
			c := Conversation{root: p.dir, file: name}
			c.Program, c.ID, c.Folder, c.Title = backend.ProgramOpencode, strings.TrimSuffix(info.Name(), ".json"), r.Get("directory").String(), titleOf(r.Get("title").String())
			c.CreatedAt, c.UpdatedAt = timeOf(r.Get("time.created")), timeOf(r.Get("time.updated"))
			if r.Get("parentID").String() == "" && !known[c.ID] && r.Get("id").String() == c.ID {
				list = append(list, c)
			}
		})
		failed = cmp.Or(failed, err)
	}
	return list, failed
}

func (p *opencode) Read(ctx context.Context, c Conversation, to Sink) error {
	r := &opencodeReader{to: to}
	if c.file == "" {
		return p.readDatabase(ctx, c.ID, r)
	}
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := readSmall(root, c.file, maxSmall)
	if err != nil {
		return err
	}
	r.revert = gjson.GetBytes(data, "revert.messageID").String()
	total := int64(0)
	return eachSorted(ctx, root, path.Join("storage/message", c.ID), to, func(id string, message gjson.Result) error {
		if err := r.message(id, message); err != nil {
			return err
		}
		err := eachSorted(ctx, root, path.Join("storage/part", id), to, func(_ string, part gjson.Result) error {
			total += int64(len(part.Raw))
			to.Progress(total)
			return r.part(part)
		})
		return cmp.Or(err, r.end())
	})
}

// eachSorted calls do with each JSON file in a folder, sorted by name. The names without extension are IDs that ascend
// with time. A folder that doesn't exist counts as empty.
func eachSorted(ctx context.Context, root *os.Root, dir string, to Sink, do func(id string, r gjson.Result) error) error {
	var names []string
	err := files(ctx, root, dir, func(info fs.FileInfo, _ string) {
		if path.Ext(info.Name()) == ".json" {
			names = append(names, info.Name())
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := readSmall(root, path.Join(dir, name), maxRecord)
		if err != nil || !json.Valid(data) {
			to.Skip(true)
			continue
		}
		if err := do(strings.TrimSuffix(name, ".json"), gjson.ParseBytes(data)); err != nil {
			return err
		}
	}
	return nil
}

// opencodeReader converts messages and their parts to entries. After the parts of each message, end must be called.
type opencodeReader struct {
	to     Sink
	revert string // ID of the first message that the user has undone, or ""
	at     backend.Millis
	usage  backend.Usage

	skip     bool // the message has been undone
	isUser   bool
	prompt   Entry // of the user's message
	texts    []string
	failure  string // the error of the model's message
	aborted  bool
	whenDone backend.Millis
}

func (r *opencodeReader) add(e Entry) error {
	e.At = r.at
	return r.to.Add(e)
}

func (r *opencodeReader) message(id string, m gjson.Result) error {
	r.skip = r.revert != "" && id >= r.revert
	r.isUser = m.Get("role").String() == "user"
	r.at, r.whenDone = cmp.Or(timeOf(m.Get("time.created")), r.at), timeOf(m.Get("time.completed"))
	r.prompt, r.texts = Entry{Kind: EntryPrompt}, nil
	name := m.Get("error.name").String()
	r.aborted = name == "MessageAbortedError"
	r.failure = cmp.Or(m.Get("error.data.message").String(), name)
	if t := m.Get("tokens"); t.Exists() && !r.skip {
		read, wrote := t.Get("cache.read").Int(), t.Get("cache.write").Int()
		r.usage.Input += t.Get("input").Int() + read + wrote
		r.usage.Output += t.Get("output").Int()
		r.usage.CacheRead += read
		r.usage.CacheWrite += wrote
		r.usage.Thought += t.Get("reasoning").Int()
	}
	return nil
}

func (r *opencodeReader) part(p gjson.Result) error {
	kind := p.Get("type").String()
	if r.skip {
		return nil
	}
	if at := timeOf(p.Get("time.start")); at > 0 {
		r.at = at
	}
	switch kind {
	case "text":
		text := p.Get("text").String()
		switch {
		case p.Get("synthetic").Bool() || p.Get("ignored").Bool() || strings.TrimSpace(text) == "":
		case r.isUser:
			r.texts = append(r.texts, text)
		default:
			return r.add(Entry{Kind: EntryAnswer, Text: text})
		}
	case "reasoning":
		if text := p.Get("text").String(); strings.TrimSpace(text) != "" {
			return r.add(Entry{Kind: EntryThought, Text: text})
		}
	case "file":
		if image, is := imageAt(p.Get("url").String()); is {
			image.Name = cmp.Or(p.Get("filename").String(), image.Name)
			r.prompt.Images = append(r.prompt.Images, image)
		} else if name := cmp.Or(pathOf(p.Get("url").String()), p.Get("filename").String()); name != "" {
			r.prompt.Files = append(r.prompt.Files, name)
		}
	case "tool":
		return r.tool(p)
	case "compaction":
		return r.add(Entry{Kind: EntryNote, Text: "opencode summarized the conversation so far."})
	case "retry":
		return r.add(Entry{Kind: EntryNote, Text: cmp.Or(p.Get("error.data.message").String(), "The model call was repeated.")})
	case "step-start", "step-finish", "snapshot", "patch", "agent", "subtask":
	default:
		r.to.Skip(false)
	}
	return nil
}

func (r *opencodeReader) tool(p gjson.Result) error {
	state := p.Get("state")
	in := state.Get("input")
	name := p.Get("tool").String()
	c := toolOf(name, in)
	c.ID = p.Get("callID").String()
	if name == "todowrite" {
		if plan := planOf(in.Get("todos"), "content"); len(plan) > 0 {
			if err := r.add(Entry{Kind: EntryPlan, Plan: plan}); err != nil {
				return err
			}
		}
	}
	res := Result{ID: c.ID, Text: state.Get("output").String()}
	if exit := state.Get("metadata.exit"); exit.Type == gjson.Number {
		code := int(exit.Int())
		res.ExitCode = &code
	}
	switch state.Get("status").String() {
	case "completed":
		res.Status = backend.ToolCompleted
		if res.ExitCode != nil && *res.ExitCode != 0 {
			res.Status = backend.ToolFailed
		}
	case "error":
		res.Status, res.Text = backend.ToolFailed, state.Get("error").String()
	default:
		res.Status = backend.ToolCancelled
	}
	if text := state.Get("metadata.diff").String(); text != "" && c.Path != "" {
		if at := strings.Index("\n"+text, "\n@@ "); at >= 0 {
			c.Diffs, res.Diffs = nil, []diff.Diff{diff.FromHunks(c.Path, c.Path, text[at:])}
		}
	}
	if state.Get("metadata.exists").Bool() && len(res.Diffs) == 0 { // the replaced text isn't known
		c.Diffs = nil
	}
	for a := range each(state.Get("attachments")) {
		if image, is := imageAt(a.Get("url").String()); is {
			res.Images = append(res.Images, image)
		}
	}
	if err := r.add(Entry{Kind: EntryCall, Call: c}); err != nil {
		return err
	}
	if at := timeOf(state.Get("time.end")); at > 0 {
		r.at = at
	}
	return r.add(Entry{Kind: EntryResult, Result: res})
}

// end adds the entries that need the whole message: the prompt or, for an answer, its usage and its unusual end.
func (r *opencodeReader) end() error {
	switch {
	case r.skip:
		return nil
	case r.isUser:
		r.prompt.Text = strings.Join(r.texts, "\n\n")
		if r.prompt.Text == "" && len(r.prompt.Images)+len(r.prompt.Files) == 0 {
			return nil
		}
		r.usage = backend.Usage{}
		return r.add(r.prompt)
	}
	r.at = cmp.Or(r.whenDone, r.at)
	usage := r.usage
	if err := r.add(Entry{Kind: EntryUsage, Usage: &usage}); err != nil {
		return err
	}
	switch {
	case r.aborted:
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnStopped})
	case r.failure != "":
		if err := r.add(Entry{Kind: EntryNote, Text: fmt.Sprintf("Error: %s", r.failure)}); err != nil {
			return err
		}
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnFailed})
	}
	return nil
}
