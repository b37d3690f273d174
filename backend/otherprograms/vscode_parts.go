package otherprograms

import (
	"cmp"
	"encoding/base64"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// vscodeReader converts a request of VS Code to entries.
type vscodeReader struct {
	to     Sink
	folder string
	at     backend.Millis
	answer strings.Builder // of the parts so far
	calls  int
}

func (r *vscodeReader) add(e Entry) error {
	e.At = r.at
	return r.to.Add(e)
}

func (r *vscodeReader) request(q *vscodeRequest) error {
	get := func(key string) gjson.Result { return gjson.ParseBytes(q.fields[key]) }
	r.at = timeOf(get("timestamp"))
	e := Entry{Kind: EntryPrompt, Text: get("message").String()}
	if m := get("message"); m.IsObject() {
		e.Text = vscodePrompt(gjson.Parse(`{"message":` + m.Raw + `}`))
	}
	for v := range each(get("variableData").Get("variables")) {
		r.variable(&e, v)
	}
	if strings.TrimSpace(e.Text) == "" && len(e.Images)+len(e.Files) == 0 {
		r.to.Skip(false)
		return nil
	}
	if err := r.add(e); err != nil {
		return err
	}
	for _, part := range q.response {
		if err := r.part(gjson.ParseBytes(part)); err != nil {
			return err
		}
	}
	if err := r.flush(); err != nil {
		return err
	}
	if text := get("result").Get("message").String(); text != "" {
		if err := r.add(Entry{Kind: EntryNote, Text: text}); err != nil {
			return err
		}
	}
	state := get("modelState").Get("value").Int()
	switch {
	case get("isCanceled").Bool() || state == 2:
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnStopped})
	case state == 3 || get("result").IsObject():
		return r.add(Entry{Kind: EntryEnd, State: backend.TurnFailed})
	}
	return nil
}

// variable adds a file or an image that was attached to the user's message.
func (r *vscodeReader) variable(e *Entry, v gjson.Result) {
	value, name := v.Get("value"), v.Get("name").String()
	switch {
	case v.Get("kind").String() == "image" || v.Get("isImage").Bool():
		if image, is := imageOf(cmp.Or(v.Get("mimeType").String(), "image/png"), bytesOf(value)); is {
			image.Name = cmp.Or(name, image.Name)
			e.Images = append(e.Images, image)
		}
	case v.Get("kind").String() == "file" || v.Get("kind").String() == "directory" || v.Get("isFile").Bool():
		if file := cmp.Or(uriPath(value), uriPath(value.Get("uri")), name); file != "" {
			e.Files = append(e.Files, file)
		}
	}
}

// bytesOf returns the bytes in r, encoded in Base64. r is an object with the key "$base64", an array of bytes, or an
// object that maps indexes to bytes.
func bytesOf(r gjson.Result) string {
	if s := r.Get(`\$base64`); s.Exists() {
		return s.String()
	}
	var data []byte
	take := func(value gjson.Result) { data = append(data, byte(value.Int())) }
	switch {
	case r.IsArray():
		for b := range each(r) {
			take(b)
		}
	case r.IsObject():
		r.ForEach(func(key, b gjson.Result) bool {
			if key.Str != strconv.Itoa(len(data)) {
				return false
			}
			take(b)
			return true
		})
	}
	return base64.StdEncoding.EncodeToString(data)
}

// uriPath returns the path of a local file from a URI in the form of VS Code.
func uriPath(r gjson.Result) string {
	if r.Type == gjson.String {
		return pathOf(r.String())
	}
	if s := r.Get("scheme").String(); s != "file" {
		return ""
	}
	return filepath.FromSlash(cmp.Or(r.Get("fsPath").String(), r.Get("path").String()))
}

// markdownOf returns the text of a Markdown string, which is a text or an object with the key "value".
func markdownOf(r gjson.Result) string {
	if r.Type == gjson.String {
		return r.String()
	}
	return r.Get("value").String()
}

// flush adds an answer from the parts so far.
func (r *vscodeReader) flush() error {
	text := r.answer.String()
	r.answer.Reset()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return r.add(Entry{Kind: EntryAnswer, Text: text})
}

// ignoredVSCode holds the kinds of parts that aren't part of a conversation.
var ignoredVSCode = map[string]bool{
	"undoStop": true, "codeblockUri": true, "progressMessage": true, "progressTask": true, "progressTaskSerialized": true, "mcpServersStarting": true,
	"prepareToolInvocation": true, "command": true, "confirmation": true, "references": true, "extensions": true, "treeData": true, "hook": true,
	"clearToPreviousToolInvocation": true, "multiDiffData": true, "disabledClaudeHooks": true,
}

func (r *vscodeReader) part(p gjson.Result) error {
	kind := p.Get("kind").String()
	switch {
	case kind == "" && p.Get("value").Exists(), p.Type == gjson.String:
		r.answer.WriteString(markdownOf(p))
		return nil
	case kind == "markdownContent" || kind == "markdownVuln":
		r.answer.WriteString(markdownOf(p.Get("content")))
		return nil
	case kind == "inlineReference":
		ref := p.Get("inlineReference")
		file := cmp.Or(uriPath(ref), uriPath(ref.Get("uri")), uriPath(ref.Get("location.uri")))
		name := cmp.Or(p.Get("name").String(), ref.Get("name").String(), filepath.Base(file))
		r.answer.WriteString("`" + name + "`")
		return nil
	case ignoredVSCode[kind]:
		return nil
	}
	if err := r.flush(); err != nil {
		return err
	}
	switch kind {
	case "thinking":
		text := p.Get("value").String()
		if p.Get("value").IsArray() {
			var texts []string
			for t := range each(p.Get("value")) {
				texts = append(texts, t.String())
			}
			text = strings.Join(texts, "")
		}
		if strings.TrimSpace(text) != "" {
			return r.add(Entry{Kind: EntryThought, Text: text})
		}
	case "warning":
		return r.add(Entry{Kind: EntryNote, Text: markdownOf(p.Get("content"))})
	case "toolInvocationSerialized":
		return r.tool(p)
	case "textEditGroup", "notebookEditGroup":
		return r.edits(p)
	default:
		r.to.Skip(false)
	}
	return nil
}

func (r *vscodeReader) tool(p gjson.Result) error {
	r.calls++
	title := cmp.Or(markdownOf(p.Get("pastTenseMessage")), markdownOf(p.Get("invocationMessage")), p.Get("toolId").String())
	c := Call{ID: cmp.Or(p.Get("toolCallId").String(), "call-"+strconv.Itoa(r.calls)), Title: firstLine(title), Kind: backend.ToolOther}
	res := Result{ID: c.ID, Status: backend.ToolCompleted}
	special, detail := p.Get("toolSpecificData"), p.Get("resultDetails")
	switch special.Get("kind").String() {
	case "terminal":
		line := special.Get("commandLine")
		c.Kind = backend.ToolExecute
		c.Command = cmp.Or(line.Get("userEdited").String(), line.Get("toolEdited").String(), line.Get("original").String(), special.Get("command").String())
		c.Title = cmp.Or(firstLine(c.Command), c.Title)
		res.Text = special.Get("terminalCommandOutput.text").String()
		if code := special.Get("terminalCommandState.exitCode"); code.Type == gjson.Number {
			n := int(code.Int())
			if res.ExitCode = &n; n != 0 {
				res.Status = backend.ToolFailed
			}
		}
	case "todoList":
		var plan []backend.PlanEntry
		for _, t := range firstOf(special.Get("todoList"), maxPlan) {
			status := map[string]backend.PlanStatus{"completed": backend.PlanCompleted, "in-progress": backend.PlanInProgress}[t.Get("status").String()]
			plan = append(plan, backend.PlanEntry{Content: t.Get("title").String(), Status: cmp.Or(status, backend.PlanPending)})
		}
		if len(plan) > 0 {
			if err := r.add(Entry{Kind: EntryPlan, Plan: plan}); err != nil {
				return err
			}
		}
	}
	var texts []string
	if detail.Get("input").Type == gjson.String && detail.Get("output").Exists() {
		if c.Command == "" {
			c.Command = detail.Get("input").String()
		}
		for out := range each(detail.Get("output")) {
			if out.Get("isText").Bool() || out.Type == gjson.String {
				texts = append(texts, cmp.Or(out.Get("value").String(), out.Raw))
			} else if image, is := imageOf(out.Get("mimeType").String(), out.Get("value").String()); is {
				res.Images = append(res.Images, image)
			}
		}
		if detail.Get("isError").Bool() {
			res.Status = backend.ToolFailed
		}
	}
	if detail.IsArray() { // files that were found
		for f := range each(detail) {
			if file := cmp.Or(uriPath(f), uriPath(f.Get("uri"))); file != "" {
				texts = append(texts, file)
			}
		}
	}
	res.Text = cmp.Or(res.Text, strings.Join(texts, "\n"))
	if c.Kind == backend.ToolOther {
		c.Kind = vscodeKind(p.Get("toolId").String())
	}
	if confirmed := p.Get("isConfirmed"); confirmed.Type == gjson.False || confirmed.Get("type").Raw == "0" {
		res.Status = backend.ToolCancelled
	}
	if err := r.add(Entry{Kind: EntryCall, Call: c}); err != nil {
		return err
	}
	return r.add(Entry{Kind: EntryResult, Result: res})
}

// vscodeKind returns the kind of a tool by its ID, such as "copilot_readFile".
func vscodeKind(id string) backend.ToolKind {
	id = strings.ToLower(id)
	for _, k := range []struct {
		part string
		kind backend.ToolKind
	}{
		{"readfile", backend.ToolRead}, {"listdir", backend.ToolRead}, {"find", backend.ToolSearch}, {"search", backend.ToolSearch}, {"fetch", backend.ToolFetch},
		{"terminal", backend.ToolExecute}, {"createfile", backend.ToolEdit}, {"replacestring", backend.ToolEdit}, {"applypatch", backend.ToolEdit}, {"insertedit", backend.ToolEdit},
	} {
		if strings.Contains(id, k.part) {
			return k.kind
		}
	}
	return backend.ToolOther
}

// edits adds the edits of a file as a tool call. VS Code doesn't store the replaced text, so only the new text is
// shown.
func (r *vscodeReader) edits(p gjson.Result) error {
	r.calls++
	file := uriPath(p.Get("uri"))
	var b strings.Builder
	for group := range each(p.Get("edits")) {
		for edit := range each(group) {
			if text := edit.Get("text").String(); text != "" {
				b.WriteString(strings.TrimSuffix(text, "\n"))
				b.WriteByte('\n')
			}
		}
	}
	id := "edit-" + strconv.Itoa(r.calls)
	if err := r.add(Entry{Kind: EntryCall, Call: Call{ID: id, Title: titled("Edit", file), Kind: backend.ToolEdit, Path: file}}); err != nil {
		return err
	}
	return r.add(Entry{Kind: EntryResult, Result: Result{ID: id, Status: backend.ToolCompleted, Text: b.String()}})
}
