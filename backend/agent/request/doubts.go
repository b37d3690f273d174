package request

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// A request is unclear if its meaning isn't certain: it has fields that VoxPilot doesn't know or that contradict one
// another. The user must decide on such a request, whatever the rules and the permission mode are. The permission card
// names the unclear fields.

// set returns the names in list as a set.
func set(list []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range list {
		out[name] = true
	}
	return out
}

// The fields that requests are known to have. callFields are fields of the tool call itself. The others are fields of
// the call's input: proseFields have no effect, commandFields belong to commands, and changeFields to file changes.
var (
	callFields  = set(strings.Fields("toolCallId title kind status rawInput rawOutput content locations _meta sessionUpdate name toolName description timestamp"))
	proseFields = set(strings.Fields("description explanation intention intent reason justification title summary _meta toolName tool name call_id callId turn_id toolCallId " +
		"timeout timeout_ms timeoutMs timeout_seconds instruction instructions"))
	commandFields = set(strings.Fields("command commands cwd workdir directory dir_path working_directory workingDirectory initial_wait initialWait mode shellId async detach " +
		"background run_in_background is_background isBackground yield_time_ms max_output_tokens parsed_cmd login path"))
	changeFields = set(strings.Fields("path fileName file_path filePath absolute_path notebook_path target_file source destination from to oldPath old_path newPath new_path " +
		"old_str new_str old_string new_string oldText newText oldString newString file_text content contents text diff edits replace_all replaceAll expected_replacements " +
		"insert_line insert_text view_range changes patch input unified_diff edit_mode cell_id cell_type new_source cell_number code_edit command create overwrite recursive"))
)

// editorCommands are the command names of text editing tools. They aren't shell commands.
var editorCommands = set(strings.Fields("create write edit str_replace insert view undo_edit replace append delete rename"))

// Doubts returns the names of the fields that make a permission request unclear. It returns at most maxDoubts names.
// kind is the kind of the tool call for which the agent requests permission.
func Doubts(params gjson.Result, kind backend.ToolKind) (doubts []string) {
	call := params.Get("toolCall")
	in := call.Get("rawInput")
	add := func(names ...string) {
		for _, name := range names {
			if name = excerpt.FirstLine(name, 60); !slices.Contains(doubts, name) && len(doubts) < maxDoubts {
				doubts = append(doubts, name)
			}
		}
	}
	add(repeatedKeys(params.Raw)...)
	add(repeatedOptions(params.Get("options"))...)
	if !Mutates(kind) {
		return doubts
	}
	known := changeFields
	if kind == backend.ToolExecute {
		known = commandFields
	}
	call.ForEach(func(key, _ gjson.Result) bool {
		if !callFields[key.Str] {
			add(key.Str)
		}
		return true
	})
	switch {
	case in.IsObject():
		in.ForEach(func(key, value gjson.Result) bool {
			if !known[key.Str] && !proseFields[key.Str] && value.Type != gjson.Null {
				add(key.Str)
			}
			return true
		})
	case in.Exists() && in.Type != gjson.Null && (kind == backend.ToolExecute || in.Type != gjson.String):
		add("rawInput")
	}
	if kind == backend.ToolExecute {
		add(commandDoubts(in)...)
	} else {
		add(changeDoubts(call, kind)...)
	}
	return doubts
}

// MarkUnclear returns a mark for an unclear field of a tool call. name is the name of the field. If the call has
// several fields of that name, the mark shows the values of up to three.
func MarkUnclear(call gjson.Result, name string) backend.Mark {
	m := backend.Mark{Kind: backend.MarkUnclear, Part: name}
	for _, from := range []gjson.Result{call, call.Get("rawInput")} {
		from.ForEach(func(key, value gjson.Result) bool {
			if key.Type == gjson.String && excerpt.FirstLine(key.Str, 60) == name {
				m.Of = append(m.Of, excerpt.FirstLine(value.Raw, 300))
			}
			return len(m.Of) < 3
		})
	}
	return m
}

// maxDoubts is the maximum number of unclear fields listed on a permission card.
const maxDoubts = 10

// commandDoubts returns the names of the fields in a command's input that are malformed or contradict other
// fields.
func commandDoubts(in gjson.Result) (doubts []string) {
	whole, list := in.Get("command"), in.Get("commands")
	isText := func(v gjson.Result) bool { return v.Type == gjson.String }
	switch {
	case !whole.Exists() || isText(whole):
	case !whole.IsArray() || slices.ContainsFunc(whole.Array(), func(v gjson.Result) bool { return !isText(v) }):
		doubts = append(doubts, "command")
	}
	if list.Exists() && !list.IsArray() {
		doubts = append(doubts, "commands")
	}
	list.ForEach(func(_, one gjson.Result) bool {
		line := one.Str
		if one.IsObject() {
			line = one.Get("command").Str
		}
		// Each element of the list is the whole line or a part of it.
		if line == "" || whole.Exists() && (!isText(whole) || !strings.Contains(whole.Str, strings.TrimSpace(line))) {
			doubts = append(doubts, "commands")
		}
		return true
	})
	folder := ""
	for _, key := range cwdKeys {
		switch v := in.Get(key); {
		case !v.Exists() || v.Type == gjson.Null:
		case !isText(v) || folder != "" && v.Str != folder:
			doubts = append(doubts, key)
		default:
			folder = v.Str
		}
	}
	return doubts
}

// placeFields and diffFields are the known fields of ACP locations and diffs.
// partFields are the additional known fields of an element of "edits" or "changes".
var (
	placeFields = set([]string{"path", "line", "_meta"})
	diffFields  = set([]string{"type", "path", "oldText", "newText", "_meta"})
	partFields  = set(strings.Fields("type kind move_path old new line start_line end_line startLine endLine"))
)

// changeDoubts returns the names of unclear fields in the call or in its input: fields that are malformed,
// that don't fit a change of the given kind, or that have unknown members.
func changeDoubts(call gjson.Result, kind backend.ToolKind) (doubts []string) {
	in := call.Get("rawInput")
	hasMore := func(object gjson.Result, known func(string) bool) (more bool) {
		object.ForEach(func(key, _ gjson.Result) bool {
			more = !known(key.Str)
			return !more
		})
		return more
	}
	for _, place := range call.Get("locations").Array() {
		if hasMore(place, func(key string) bool { return placeFields[key] }) || otherHome.MatchString(place.Get("path").Str) {
			doubts = append(doubts, "locations")
		}
	}
	for _, diff := range call.Get(`content.#(type=="diff")#`).Array() {
		if hasMore(diff, func(key string) bool { return diffFields[key] }) {
			doubts = append(doubts, "content")
		}
	}
	for _, list := range []string{"edits", "changes"} {
		in.Get(list).ForEach(func(_, one gjson.Result) bool {
			if one.IsObject() && hasMore(one, func(key string) bool { return key != "command" && changeFields[key] || partFields[key] }) {
				doubts = append(doubts, list)
			}
			return true
		})
	}
	if kind != backend.ToolMove { // in a move, these fields name its source and destination
		for _, key := range slices.Concat(fromKeys, toKeys) {
			if v := in.Get(key); v.Exists() && v.Type != gjson.Null {
				doubts = append(doubts, key)
			}
		}
	}
	for _, key := range pathKeys {
		if otherHome.MatchString(in.Get(key).Str) {
			doubts = append(doubts, key)
		}
	}
	if v := in.Get("command"); v.Exists() && (v.Type != gjson.String || !editorCommands[v.Str]) {
		doubts = append(doubts, "command")
	}
	for _, key := range slices.Concat(pathKeys, fromKeys, toKeys) {
		if v := in.Get(key); v.Exists() && v.Type != gjson.Null && v.Type != gjson.String {
			doubts = append(doubts, key)
		}
	}
	for key, text := range patchesIn(in) {
		if len(patchPaths(text)) == 0 {
			doubts = append(doubts, key)
		}
	}
	return doubts
}

// otherHome matches a path that some programs expand to another user's home, such as ~name/file.
var otherHome = regexp.MustCompile(`^~[A-Za-z_]`)

// patchesIn returns the multi-file patches in an input, keyed by field name.
func patchesIn(in gjson.Result) map[string]string {
	out := map[string]string{}
	if in.Type == gjson.String {
		out["rawInput"] = in.Str
		return out
	}
	for _, key := range []string{"patch", "input", "unified_diff", "changes"} {
		if v := in.Get(key); v.Type == gjson.String {
			out[key] = v.Str
		}
	}
	return out
}

// pathsInPatches returns the files named in an input's patches and in its lists of edits or changes.
func pathsInPatches(in gjson.Result) (paths []string) {
	for _, text := range patchesIn(in) {
		paths = append(paths, patchPaths(text)...)
	}
	in.Get("changes").ForEach(func(key, value gjson.Result) bool {
		if key.Type == gjson.String { // changes keyed by file
			paths = append(paths, key.Str)
			if to := value.Get("move_path"); to.Type == gjson.String {
				paths = append(paths, to.Str)
			}
		}
		return true
	})
	for _, list := range []string{"edits", "changes"} {
		in.Get(list).ForEach(func(_, one gjson.Result) bool {
			if path := firstOf(one, pathKeys); path != "" {
				paths = append(paths, path)
			}
			return true
		})
	}
	return paths
}

// patchPaths returns the files named in a patch.
func patchPaths(text string) (paths []string) {
	for line := range strings.Lines(text) {
		m := patchFile.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		name, _, _ := strings.Cut(m[2], "\t")
		if name == "/dev/null" {
			continue
		}
		if m[1] == "--- " || m[1] == "+++ " {
			name = strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
		}
		paths = append(paths, name)
	}
	return paths
}

// patchFile matches a patch line that names a file.
var patchFile = regexp.MustCompile(`^(\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |--- |\+\+\+ |rename (?:from|to) |copy (?:from|to) )(.+)$`)

// repeatedOptions returns the option IDs that a request contains more than once, as "optionId ID".
func repeatedOptions(options gjson.Result) (ids []string) {
	seen := map[string]bool{}
	for _, o := range options.Array() {
		id := o.Get("optionId").String()
		if seen[id] {
			ids = append(ids, "optionId "+id)
		}
		seen[id] = true
	}
	return ids
}

// repeatedKeys returns the keys that occur more than once in the same object, anywhere in the JSON document raw.
// Programs may read the first value of such a key, the last or both. If raw isn't valid JSON, repeatedKeys adds
// "JSON" to the result.
func repeatedKeys(raw string) (keys []string) {
	type object struct {
		keys map[string]bool // nil in an array
		key  bool            // the next token is a key
	}
	var stack []object
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return keys
		}
		if err != nil {
			return append(keys, "JSON")
		}
		top := len(stack) - 1
		if text, ok := token.(string); ok && top >= 0 && stack[top].key {
			if stack[top].keys[text] {
				keys = append(keys, text)
			}
			stack[top].keys[text], stack[top].key = true, false
			continue
		}
		if top >= 0 && stack[top].keys != nil {
			stack[top].key = true // after the value
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, object{keys: map[string]bool{}, key: true})
		case json.Delim('['):
			stack = append(stack, object{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
			if top > 0 && stack[top-1].keys != nil {
				stack[top-1].key = true
			}
		}
	}
}
