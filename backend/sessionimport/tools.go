package sessionimport

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// tool is a tool call that hasn't ended.
type tool struct {
	ItemID    string           `json:"itemId"`
	TurnID    string           `json:"turnId,omitempty"`
	CreatedAt backend.Millis   `json:"createdAt"`
	Tool      backend.Tool     `json:"tool"`             // without a ResultSummary
	Args      json.RawMessage  `json:"args,omitempty"`   // of a search or a read
	Change    *backend.Content `json:"change,omitempty"` // the diff that the arguments of an edit describe
}

// item returns the row of the call.
func (c *tool) item(r *Reader) backend.Item {
	t := c.Tool
	return backend.Item{
		ID: c.ItemID, ChatID: r.s.Target.ChatID, TurnID: c.TurnID, Session: r.s.Target.Name, Kind: backend.ItemTool, Open: true, CreatedAt: c.CreatedAt, Tool: &t,
	}
}

// Limits on what is remembered about tool calls that haven't ended: their number, and the size of the arguments of each
// in bytes.
const (
	maxOpenTools = 1000
	maxArgs      = 16 << 10
)

// toolKinds holds the kinds of the CLI's tools, as the CLI reports them over ACP.
var toolKinds = map[string]backend.ToolKind{
	"bash": backend.ToolExecute, "write_bash": backend.ToolExecute, "stop_bash": backend.ToolExecute, "list_bash": backend.ToolExecute, "read_bash": backend.ToolRead,
	"powershell": backend.ToolExecute, "write_powershell": backend.ToolExecute, "stop_powershell": backend.ToolExecute, "list_powershell": backend.ToolExecute, "read_powershell": backend.ToolRead,
	"view": backend.ToolRead, "read_agent": backend.ToolRead, "list_agents": backend.ToolRead,
	"grep": backend.ToolSearch, "glob": backend.ToolSearch,
	"create": backend.ToolEdit, "edit": backend.ToolEdit, "str_replace": backend.ToolEdit, "insert": backend.ToolEdit, "apply_patch": backend.ToolEdit,
	"web_fetch": backend.ToolFetch, "web_search": backend.ToolSearch, "report_intent": backend.ToolThink,
}

// titleOf returns the title of a call, as the CLI reports it over ACP.
func titleOf(name string, args gjson.Result, data gjson.Result) string {
	arg := func(key string) string { return str(args.Get(key)) }
	title := ""
	switch name {
	case "bash", "powershell":
		if title = arg("description"); title == "" {
			title = "Running: " + arg("command")
		}
	case "view":
		title = "Viewing " + shortPath(arg("path"))
	case "create":
		title = "Creating " + shortPath(arg("path"))
	case "edit", "str_replace", "insert":
		title = "Editing " + shortPath(arg("path"))
	case "grep":
		title = "Searching for '" + arg("pattern") + "'"
	case "glob":
		title = "Finding files matching " + arg("pattern")
	case "read_bash", "read_powershell":
		title = "Reading shell output"
	case "stop_bash", "stop_powershell":
		title = "Stopping shell session"
	case "report_intent":
		title = arg("intent")
	default:
		if title = str(data.Get("mcpToolName")); title == "" {
			title = arg("description")
		}
	}
	if title == "" {
		title = name
	}
	return excerpt.FirstLine(title, 1000)
}

// maxTitlePath is the number of characters to which the CLI shortens a path in a title.
const maxTitlePath = 50

// shortPath returns a path in the form in which the CLI shows it in a title.
func shortPath(path string) string {
	const dots = "..."
	runes := []rune(path)
	if len(runes) <= maxTitlePath {
		return path
	}
	return dots + string(runes[len(runes)-maxTitlePath+len(dots):])
}

// toolStart adds the row of a tool call.
func (r *Reader) toolStart(e sessionfiles.Event, data gjson.Result) {
	name, args := str(data.Get("toolName")), data.Get("arguments")
	if name == "update_todo" && r.plan(e, args) {
		return
	}
	if len(r.s.Tools) >= maxOpenTools {
		r.close(r.s.Tools[0], backend.ToolCancelled, millis(e.At))
		r.s.Tools = r.s.Tools[1:]
	}
	it := r.newItem(e, backend.ItemTool, "")
	c := &tool{ItemID: it.ID, TurnID: it.TurnID, CreatedAt: it.CreatedAt, Tool: backend.Tool{
		CallID: excerpt.Head(str(data.Get("toolCallId")), 1000), Title: titleOf(excerpt.FirstLine(name, 200), args, data), Status: backend.ToolPending,
		Kind: backend.ToolOther,
	}}
	t := &c.Tool
	if kind, known := toolKinds[name]; known {
		t.Kind = kind
	}
	if path := request.Path(args); path != "" && len(path) <= maxPath {
		t.Path = strings.Clone(request.Abs(r.s.Target.Folder, strings.ToValidUTF8(path, "\uFFFD")))
	}
	commands := commandsOf(args)
	switch pattern := str(args.Get("pattern")); {
	case len(commands) > 0:
		t.Command = excerpt.FirstLine(strings.Clone(strings.ToValidUTF8(commands[0], "\uFFFD")), 300)
	case pattern != "" && (t.Kind == backend.ToolRead || t.Kind == backend.ToolSearch):
		t.Kind, t.Command = backend.ToolSearch, excerpt.FirstLine(pattern, 300)
	case t.Kind == backend.ToolFetch && len(args.Raw) <= maxArgs:
		if found := request.Addresses(args); len(found) > 0 {
			t.Command = strings.Clone(request.Host(strings.ToValidUTF8(found[0], "\uFFFD")))
		}
	}
	if (t.Kind == backend.ToolRead || t.Kind == backend.ToolSearch || t.Kind == backend.ToolFetch) && len(args.Raw) <= maxArgs && args.IsObject() {
		c.Args = json.RawMessage(strings.Clone(args.Raw))
	}
	change, body := r.change(e, t, args)
	r.s.Tools = append(r.s.Tools, c)
	r.out.item(c.item(r))
	if len(commands) > 0 && t.Kind == backend.ToolExecute {
		r.content(backend.Content{ID: r.id(e, "command"), ItemID: c.ItemID, Type: backend.ContentCommand}, []byte(strings.ToValidUTF8(commands[0], "\uFFFD")))
	}
	if change != nil {
		change.ItemID = c.ItemID
		c.Change = change
		r.content(*change, body)
	}
}

// maxCommands is the maximum size in bytes of arguments in which commandsOf also looks for lists of commands or words.
const maxCommands = 1 << 20

// commandsOf returns the command lines in the arguments of a call.
func commandsOf(args gjson.Result) []string {
	if len(args.Raw) <= maxCommands {
		return request.CommandLines(args)
	}
	if line := args.Get("command"); line.Type == gjson.String && line.Str != "" {
		return []string{line.Str}
	}
	return nil
}

// change returns the diff that the arguments of an edit describe, or nil if they describe none.
func (r *Reader) change(e sessionfiles.Event, t *backend.Tool, args gjson.Result) (*backend.Content, []byte) {
	if t.Kind != backend.ToolEdit || t.Path == "" {
		return nil, nil
	}
	before, after := args.Get("old_str"), args.Get("new_str")
	if text := args.Get("file_text"); text.Type == gjson.String {
		t.Creates, before, after = true, gjson.Result{}, text
	}
	if after.Type != gjson.String && before.Type != gjson.String {
		return nil, nil
	}
	d := diff.Of(t.Path, str(before), str(after))
	if len(d.Body) == 0 {
		return nil, nil
	}
	c := d.Content()
	c.ID = r.id(e, "change")
	return &c, d.Body
}

// content adds a content item of a tool call.
func (r *Reader) content(c backend.Content, body []byte) {
	if len(body) == 0 {
		return
	}
	c.ChatID, c.Size, c.Body = r.s.Target.ChatID, int64(len(body)), body
	if c.Version = max(c.Version, 1); c.Type != backend.ContentImage {
		c.Lines = diff.LineCount(body)
	}
	r.out.content(&c)
}

// completion is the data of a completed tool call. A result can be large, so it is parsed only once.
type completion struct {
	id, success, result, failure, shell gjson.Result

	text, detailed      gjson.Result // parts of result
	images, otherImages gjson.Result // parts of result; they contain the same images
	structured          bool
}

func completionOf(data gjson.Result) (c completion) {
	data.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "toolCallId":
			c.id = v
		case "success":
			c.success = v
		case "result":
			c.result = v
		case "error":
			c.failure = v
		case "shellExecution":
			c.shell = v
		}
		return true
	})
	if !c.result.IsObject() {
		return c
	}
	c.result.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "content":
			c.text = v
		case "detailedContent":
			c.detailed = v
		case "contents":
			c.images = v
		case "binaryResultsForLlm":
			c.otherImages = v
		case "structuredContent":
			c.structured = true
		}
		return true
	})
	return c
}

// summary returns the summary of the result of a call, as in a live chat. Only reads, searches, fetches and calls with
// a structured result have one.
func (c *completion) summary(t *backend.Tool, args json.RawMessage) backend.Message {
	switch t.Kind {
	case backend.ToolRead, backend.ToolSearch, backend.ToolFetch:
	default:
		if !c.structured {
			return backend.Message{}
		}
	}
	out := c.result
	// Over ACP, the CLI repeats the content if there are no details.
	if !c.detailed.Exists() && c.text.Type == gjson.String && len(c.text.Raw) <= maxDetails {
		out = gjson.Parse(`{"content":` + c.text.Raw + `,"detailedContent":` + c.text.Raw + `}`)
	}
	return clone(result.QueryOf(gjson.ParseBytes(args)).Summary(t.Kind, out))
}

// toolComplete adds the result of a tool call.
func (r *Reader) toolComplete(e sessionfiles.Event, data gjson.Result) {
	done := completionOf(data)
	id := excerpt.Head(str(done.id), 1000)
	at := slices.IndexFunc(r.s.Tools, func(c *tool) bool { return c.Tool.CallID == id })
	if at < 0 {
		return // its call isn't in the log, or was already closed
	}
	c := r.s.Tools[at]
	r.s.Tools = slices.Delete(r.s.Tools, at, at+1)
	it := c.item(r)
	t := it.Tool
	it.Open, it.EndedAt = false, max(millis(e.At), it.CreatedAt)
	text, code := done.text, str(done.failure.Get("code"))
	switch {
	case done.success.Bool():
		t.Status, t.ResultSummary = backend.ToolCompleted, done.summary(t, c.Args)
	case code == "interrupted":
		text = done.failure.Get("message")
		t.Status, t.ResultSummary = backend.ToolCancelled, backend.Say("no result")
	default:
		text = done.failure.Get("message")
		t.Status, t.ResultSummary = backend.ToolFailed, backend.Plain(short(text, 120))
		if code == "rejected" || code == "denied" {
			t.Decision = backend.DecisionRejected
		}
	}
	if code := done.shell.Get("exitCode"); code.Type == gjson.Number {
		n := int(code.Int())
		t.ExitCode = &n
	}
	if signal := strings.Clone(result.Signal(done.shell)); signal != "" {
		t.Signal, t.ResultSummary = signal, backend.Say("killed by %s", signal)
		if t.Status == backend.ToolCompleted {
			t.Status = backend.ToolFailed
		}
	}
	shown := str(text)
	kind := backend.ContentText
	if t.Kind == backend.ToolExecute {
		kind = backend.ContentTerminal
		if rest, code := result.ExitCode(shown); code != nil {
			t.ExitCode, shown = code, rest
		}
	}
	r.out.item(it)
	if t.Kind == backend.ToolEdit && t.Status == backend.ToolCompleted {
		if d, ok := diff.OfGit(t.Path, str(done.detailed)); ok {
			change := d.Content()
			change.ID, change.ItemID, change.Version = r.id(e, "change"), c.ItemID, 1
			if c.Change != nil {
				change.ID, change.Version = c.Change.ID, 2
			}
			r.content(change, d.Body)
			return
		} else if c.Change != nil {
			return
		}
	}
	r.content(backend.Content{ID: r.id(e, "output"), ItemID: c.ItemID, Type: kind}, []byte(shown))
	for _, list := range []gjson.Result{done.images, done.otherImages} {
		found := false
		for i, v := range firstOf(list, backend.MaxAttachments) {
			if image := r.image(e, v, c.ItemID, i); image != nil {
				found = true
				r.out.add(backend.Event{Content: image}, len(image.Body))
			}
		}
		if found {
			break
		}
	}
}

// maxDetails is the maximum size in bytes of the text of a result that is summarized.
const maxDetails = 4 << 20

// clone returns a copy of m that doesn't share memory with a line.
func clone(m backend.Message) backend.Message { return m.Map(strings.Clone) }

// close closes the row of a call.
func (r *Reader) close(c *tool, status backend.ToolStatus, at backend.Millis) {
	it := c.item(r)
	it.Open, it.EndedAt, it.Tool.Status = false, max(at, it.CreatedAt), status
	r.out.item(it)
}

// closeTools closes all calls that haven't ended.
func (r *Reader) closeTools(status backend.ToolStatus, at backend.Millis) {
	for _, c := range r.s.Tools {
		r.close(c, status, at)
	}
	r.s.Tools = nil
}

// todo matches an entry of a plan.
var todo = regexp.MustCompile(`(?m)^\s*[-*] \[([ xX~-])\] (.+?)\s*$`)

// plan adds the plan of a turn from the list of steps in a call's arguments. It returns false if the list has no steps.
func (r *Reader) plan(e sessionfiles.Event, args gjson.Result) bool {
	var plan []backend.PlanEntry
	for _, m := range todo.FindAllStringSubmatch(str(args.Get("todos")), 200) {
		status := backend.PlanPending
		switch m[1] {
		case "x", "X":
			status = backend.PlanCompleted
		case "~", "-":
			status = backend.PlanInProgress
		}
		plan = append(plan, backend.PlanEntry{Content: excerpt.Head(m[2], 1000), Status: status})
	}
	if len(plan) == 0 {
		return false
	}
	it := r.newItem(e, backend.ItemPlan, "")
	if t := r.s.Turn; t != nil {
		if t.Plan == "" {
			t.Plan = it.ID
		}
		it.ID = t.Plan
	}
	it.Plan = plan
	r.out.item(it)
	return true
}
