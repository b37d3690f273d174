package otherprograms

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// call adds a tool call of Claude Code.
func (r *claudeReader) call(part gjson.Result) error {
	name, in := part.Get("name").String(), part.Get("input")
	c := toolOf(name, in)
	c.ID = part.Get("id").String()
	if name == "TodoWrite" {
		if plan := planOf(in.Get("todos"), "content"); len(plan) > 0 {
			if err := r.add(Entry{Kind: EntryPlan, Plan: plan}); err != nil {
				return err
			}
		}
	}
	return r.add(Entry{Kind: EntryCall, Call: c})
}

// result adds the result of a tool call. detail is Claude Code's structured form of the result.
func (r *claudeReader) result(part, detail gjson.Result) error {
	text, images := contentOf(part.Get("content"))
	res := Result{ID: part.Get("tool_use_id").String(), Status: backend.ToolCompleted, Text: text, Images: images}
	if part.Get("is_error").Bool() {
		res.Status = backend.ToolFailed
		first, rest, _ := strings.Cut(text, "\n")
		if code, err := strconv.Atoi(strings.TrimPrefix(first, "Exit code ")); err == nil && strings.HasPrefix(first, "Exit code ") {
			res.ExitCode, res.Text = &code, rest
		}
	}
	if path := detail.Get("filePath").String(); path != "" && res.Status == backend.ToolCompleted {
		if d, is := claudeDiff(path, detail); is {
			res.Diffs = []diff.Diff{d}
		}
	}
	return r.add(Entry{Kind: EntryResult, Result: res})
}

// maxHunks is the maximum number of hunks of a change, and of edits of a call, that are shown.
const maxHunks = 1000

// claudeDiff returns the change that a result describes.
func claudeDiff(path string, detail gjson.Result) (d diff.Diff, is bool) {
	if original := detail.Get("originalFile"); original.Type == gjson.Null && detail.Get("content").Exists() {
		return diff.Of(path, "", detail.Get("content").String()), true
	}
	hunks := firstOf(detail.Get("structuredPatch"), maxHunks)
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(hunkHead(h.Get("oldStart").Int(), h.Get("oldLines").Int(), h.Get("newStart").Int(), h.Get("newLines").Int()))
		for line := range each(h.Get("lines")) {
			b.WriteString(line.String())
			b.WriteByte('\n')
		}
	}
	if len(hunks) == 0 {
		return d, false
	}
	return diff.FromHunks(path, path, b.String()), true
}

// toolOf describes a tool call by its name and its input. It knows the tools of Claude Code and opencode, whose names
// differ in case and in the style of their parameters.
func toolOf(name string, in gjson.Result) Call {
	get := func(keys ...string) string {
		for _, key := range keys {
			if v := in.Get(key); v.Type == gjson.String {
				return v.String()
			}
		}
		return ""
	}
	c := Call{Title: name, Kind: backend.ToolOther, Path: get("file_path", "filePath", "notebook_path", "path")}
	switch strings.ToLower(name) {
	case "bash", "shell", "powershell":
		c.Kind, c.Command = backend.ToolExecute, get("command")
		c.Title = cmp.Or(get("description"), firstLine(c.Command), name)
	case "read", "view", "list", "ls":
		c.Kind, c.Title = backend.ToolRead, titled("Read", c.Path)
	case "write":
		c.Kind, c.Title = backend.ToolEdit, titled("Write", c.Path)
		c.Diffs = []diff.Diff{diff.Of(c.Path, "", get("content"))}
	case "edit", "multiedit", "notebookedit":
		c.Kind, c.Title = backend.ToolEdit, titled("Edit", c.Path)
		edits := firstOf(in.Get("edits"), maxHunks)
		if len(edits) == 0 {
			edits = []gjson.Result{in}
		}
		for _, e := range edits {
			before := cmp.Or(e.Get("old_string").String(), e.Get("oldString").String())
			after := cmp.Or(e.Get("new_string").String(), e.Get("newString").String(), e.Get("new_source").String())
			c.Diffs = joined(c.Diffs, diff.Of(c.Path, before, after))
		}
	case "grep", "glob", "websearch", "codesearch", "toolsearch":
		c.Kind, c.Command = backend.ToolSearch, get("pattern", "query")
		c.Title = titled("Search", c.Command)
	case "webfetch":
		c.Kind, c.Command = backend.ToolFetch, get("url")
		c.Title = titled("Fetch", c.Command)
	case "task", "agent":
		c.Title = titled("Task", get("description"))
	}
	return c
}
