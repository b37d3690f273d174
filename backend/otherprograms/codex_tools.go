package otherprograms

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// call adds a tool call of Codex CLI.
func (r *codexReader) call(kind string, p gjson.Result) error {
	name := cmp.Or(p.Get("name").String(), strings.TrimSuffix(kind, "_call"))
	c := Call{ID: cmp.Or(p.Get("call_id").String(), p.Get("id").String()), Title: name, Kind: backend.ToolOther}
	args, action := gjson.Parse(p.Get("arguments").String()), p.Get("action")
	switch {
	case kind == "local_shell_call":
		c.Command = commandOf(action.Get("command"))
	case kind == "web_search_call":
		c.Kind, c.Command = backend.ToolSearch, cmp.Or(action.Get("query").String(), action.Get("url").String())
		c.Title = titled("Search", c.Command)
	case name == "apply_patch":
		c = r.patch(c, cmp.Or(p.Get("input").String(), args.Get("input").String()))
	case name == "update_plan":
		if plan := planOf(args.Get("plan"), "step"); len(plan) > 0 {
			if err := r.add(Entry{Kind: EntryPlan, Plan: plan}); err != nil {
				return err
			}
		}
	case name == "view_image":
		c.Kind, c.Path = backend.ToolRead, args.Get("path").String()
		c.Title = titled("Read", c.Path)
	case args.Get("cmd").Exists():
		c.Command = commandOf(args.Get("cmd"))
	case args.Get("command").Exists():
		c.Command = commandOf(args.Get("command"))
	case args.Get("chars").Exists():
		c.Command = args.Get("chars").String()
	}
	if patch, is := patchIn(c.Command); is {
		c = r.patch(c, patch)
	} else if c.Command != "" && c.Kind == backend.ToolOther {
		c.Kind, c.Title = backend.ToolExecute, cmp.Or(firstLine(c.Command), name)
	}
	r.calls[strings.Clone(c.ID)] = strings.Clone(name)
	if err := r.add(Entry{Kind: EntryCall, Call: c}); err != nil || kind != "web_search_call" {
		return err
	}
	return r.add(Entry{Kind: EntryResult, Result: Result{ID: c.ID, Status: backend.ToolCompleted}})
}

// commandOf returns the command line in r: a text, or a list of arguments, without the shell that runs them.
func commandOf(r gjson.Result) string {
	if r.Type == gjson.String {
		return r.String()
	}
	var args []string
	for a := range each(r) {
		args = append(args, a.String())
	}
	if n := len(args); n == 3 && (args[1] == "-lc" || args[1] == "-c") {
		return args[2]
	}
	return strings.Join(args, " ")
}

// patchIn returns the patch in a command such as "apply_patch <<'EOF'".
func patchIn(command string) (patch string, is bool) {
	if !strings.HasPrefix(strings.TrimSpace(command), "apply_patch") {
		return "", false
	}
	at := strings.Index(command, "*** Begin Patch")
	return command[max(0, at):], at >= 0
}

// patch describes a call that applies a patch in the format of Codex CLI. The patch has no line numbers.
func (r *codexReader) patch(c Call, patch string) Call {
	c.Kind, c.Command = backend.ToolEdit, ""
	var from, name string
	var hunks strings.Builder
	creates := false
	end := func() {
		if name == "" {
			return
		}
		before := from
		if creates {
			before = "/dev/null"
		}
		c.Diffs = append(c.Diffs, diff.FromHunks(before, name, withRanges(hunks.String(), creates)))
		if c.Path == "" {
			c.Path, c.Creates = name, creates
		}
		from, name, creates = "", "", false
		hunks.Reset()
	}
	for line := range strings.Lines(patch) {
		text := strings.TrimRight(line, "\r\n")
		if path, is := strings.CutPrefix(text, "*** Move to: "); is {
			c.To, name = r.abs(path), r.abs(path)
			continue
		}
		found := false
		for _, verb := range []string{"Add", "Update", "Delete"} {
			if path, is := strings.CutPrefix(text, "*** "+verb+" File: "); is {
				end()
				from, name, creates, found = r.abs(path), r.abs(path), verb == "Add", true
			}
		}
		if found || strings.HasPrefix(text, "***") {
			continue
		}
		hunks.WriteString(text)
		hunks.WriteByte('\n')
	}
	end()
	c.Title = titled("Edit", c.Path)
	return c
}

// withRanges replaces the headers of hunks with headers that contain line numbers. Since the true numbers aren't known,
// each hunk starts at line 1.
func withRanges(hunks string, creates bool) string {
	var out, hunk strings.Builder
	olds, news := int64(0), int64(0)
	end := func() {
		if hunk.Len() > 0 {
			out.WriteString(hunkHead(min(olds, 1), olds, min(news, 1), news))
			out.WriteString(hunk.String())
		}
		hunk.Reset()
		olds, news = 0, 0
	}
	for line := range strings.Lines(hunks) {
		switch {
		case strings.HasPrefix(line, "@@") && !creates:
			end()
			continue
		case strings.HasPrefix(line, "-"):
			olds++
		case strings.HasPrefix(line, "+"):
			news++
		default:
			if !strings.HasPrefix(line, " ") {
				line = " " + line
			}
			olds, news = olds+1, news+1
		}
		hunk.WriteString(line)
	}
	end()
	return out.String()
}

// abs returns the absolute path of a file in the conversation's folder.
func (r *codexReader) abs(name string) string {
	if name == "" || filepath.IsAbs(name) || r.folder == "" {
		return name
	}
	return filepath.Join(r.folder, filepath.FromSlash(name))
}

// codexHead matches the lines before a command's output.
var codexHead = regexp.MustCompile(`(?s)\A(?:Chunk ID: [^\n]*\n)?(?:Exit code: (-?\d+)\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code (-?\d+)\n)?(?:Process running with [^\n]*\n)?(?:Original token count: [^\n]*\n)?(?:Total output lines: [^\n]*\n\n?)?Output:\n`)

// output adds the result of a call.
func (r *codexReader) output(p gjson.Result) error {
	out := p.Get("output")
	res := Result{ID: p.Get("call_id").String(), Status: backend.ToolCompleted}
	if out.IsObject() {
		if s := out.Get("success"); s.Exists() && !s.Bool() {
			res.Status = backend.ToolFailed
		}
		if content := out.Get("content"); content.Exists() {
			out = content
		} else {
			out = out.Get("content_items")
		}
	}
	res.Text, res.Images = contentOf(out)
	if inner := gjson.Parse(res.Text); inner.IsObject() && inner.Get("metadata.exit_code").Exists() {
		code := int(inner.Get("metadata.exit_code").Int())
		res.Text, res.ExitCode = inner.Get("output").String(), &code
	} else if m := codexHead.FindStringSubmatch(res.Text); m != nil && m[0] != "" {
		res.Text = res.Text[len(m[0]):]
		if code, err := strconv.Atoi(cmp.Or(m[1], m[2])); err == nil {
			res.ExitCode = &code
		}
	}
	if res.ExitCode != nil && *res.ExitCode != 0 || strings.HasPrefix(res.Text, "unsupported c") {
		res.Status = backend.ToolFailed
	}
	delete(r.calls, res.ID)
	return r.add(Entry{Kind: EntryResult, Result: res})
}

// detail adds the result of a command or a change that an event describes.
func (r *codexReader) detail(item gjson.Result) error {
	id := cmp.Or(item.Get("call_id").String(), item.Get("id").String())
	if changes := item.Get("changes"); changes.Exists() {
		status := item.Get("status").String()
		return r.changes(id, changes, status == "" || status == "completed")
	}
	code := item.Get("exit_code")
	if r.calls[id] == "" || !code.Exists() {
		return nil
	}
	n := int(code.Int())
	return r.add(Entry{Kind: EntryResult, Result: Result{ID: id, ExitCode: &n, Text: item.Get("aggregated_output").String()}})
}

// changes adds the changes that a call made to files. The parameter changes maps the paths of the files to their
// changes. A call that failed adds nothing.
func (r *codexReader) changes(id string, changes gjson.Result, succeeded bool) error {
	if !succeeded {
		return nil
	}
	var diffs []diff.Diff
	changes.ForEach(func(path, change gjson.Result) bool {
		if len(diffs) == maxDiffs {
			return false
		}
		name := r.abs(path.String())
		content, unified := change.Get("content").String(), change.Get("unified_diff").String()
		if inner := change.Get("add.content"); inner.Exists() {
			content = inner.String()
		}
		if inner := change.Get("update.unified_diff"); inner.Exists() {
			unified = inner.String()
		}
		switch {
		case unified != "":
			diffs = append(diffs, diff.FromHunks(name, name, unified))
		case change.Get("type").String() == "delete" || change.Get("delete").Exists():
			diffs = append(diffs, diff.Of(name, cmp.Or(content, change.Get("delete.content").String()), ""))
		default:
			diffs = append(diffs, diff.Of(name, "", content))
		}
		return true
	})
	return r.add(Entry{Kind: EntryResult, Result: Result{ID: id, Diffs: diffs}})
}
