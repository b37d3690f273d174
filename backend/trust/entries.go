package trust

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// entries adds the entries found in a file's content to the inventory.
func (t *tree) entries(p Location, name string, body []byte) {
	text := string(body)
	switch ext := strings.ToLower(path.Ext(name)); {
	case p.Steers:
		t.add(p, name, "", "", text)
	case (p.Read == ReadJSON || p.Read == ReadKeys) && (ext == ".json" || ext == ".jsonc" || ext == ""):
		t.json(p, name, body)
	case p.Read == ReadFrontmatter && (ext == ".md" || ext == ".mdc"):
		steers := !canRun(text)
		shown := ""
		if !steers {
			shown = head(text)
		}
		t.add(Location{ID: p.ID, Steers: steers, Read: p.Read}, name, "", shown, text)
	case p.Read == ReadFrontmatter && slices.Contains(dataFiles, ext):
		t.add(Location{ID: p.ID, Steers: true}, name, "", "", text)
	default:
		t.add(Location{ID: p.ID}, name, "", text, text)
	}
}

// dataFiles lists the file name extensions of data files, as opposed to scripts, in skill and agent folders.
var dataFiles = []string{".txt", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf", ".csv"}

// json adds an entry for each hook, server and other key of a JSON file, except for keys that only describe the file
// and, with ReadKeys, keys that don't start with one of p.Keys. A file that doesn't contain a valid JSON object becomes
// one entry, unless it is empty and read with ReadKeys.
func (t *tree) json(p Location, name string, body []byte) {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	if !gjson.ValidBytes(body) {
		body = withoutComments(body)
	}
	all := gjson.ParseBytes(body)
	if !gjson.ValidBytes(body) || !all.IsObject() {
		if p.Read == ReadJSON || len(bytes.TrimSpace(body)) > 0 {
			t.add(p, name, "", string(body), string(body))
		}
		return
	}
	all.ForEach(func(k, v gjson.Result) bool {
		key := k.Str
		switch {
		case p.Read == ReadKeys && !slices.ContainsFunc(p.Keys, func(start string) bool { return strings.HasPrefix(strings.ToLower(key), strings.ToLower(start)) }):
		case slices.Contains(labels, key) && !v.IsObject() && !v.IsArray():
		case key == "hooks" && v.IsObject():
			t.hooks(p, name, v)
		case slices.Contains(groups, key) && v.IsObject():
			v.ForEach(func(of, server gjson.Result) bool {
				t.add(p, name, key+"."+of.Str, command(server), compact(server))
				return true
			})
		default:
			t.add(p, name, key, command(v), compact(v))
		}
		return true
	})
}

// labels are keys that only describe a file.
var labels = []string{"$schema", "version", "name", "description", "title", "license", "homepage", "displayName"}

// groups are the keys whose children are MCP servers or language servers.
var groups = []string{"mcpServers", "mcp_servers", "mcp", "servers", "lspServers", "lsp", "context_servers"}

// hooks adds an entry for each hook. The value of an event is a list of hooks, or a list of matchers
// that each have a list of hooks.
func (t *tree) hooks(p Location, name string, events gjson.Result) {
	events.ForEach(func(event, list gjson.Result) bool {
		key := "hooks." + event.Str
		if !list.IsArray() {
			t.add(p, name, key, command(list), compact(list))
			return true
		}
		for _, item := range list.Array() {
			inner := item.Get("hooks")
			if !inner.IsArray() {
				t.add(p, name, key, command(item), compact(item))
				continue
			}
			of := key
			if m := item.Get("matcher").String(); m != "" && m != "*" {
				of += " (" + m + ")"
			}
			for _, hook := range inner.Array() {
				t.add(p, name, of, command(hook), compact(item))
			}
		}
		return true
	})
}

// command returns the commands that a hook or server runs, in readable form, or the JSON of v if it finds none.
func command(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	var lines []string
	if v.IsObject() {
		for _, key := range []string{"command", "bash", "powershell", "windows", "osx", "linux", "run", "url", "httpUrl", "prompt"} {
			if line := joinWords(v.Get(key)); line != "" {
				if args := joinWords(v.Get("args")); key == "command" && args != "" {
					line += " " + args
				}
				if !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
		}
		for _, key := range []string{"env", "cwd"} {
			if at := v.Get(key); at.Exists() && len(lines) > 0 {
				lines = append(lines, key+": "+compact(at))
			}
		}
	}
	if len(lines) == 0 {
		return compact(v)
	}
	return strings.Join(lines, "\n")
}

// joinWords returns v itself if it is a string, its elements joined by spaces if it is a list, or else "".
func joinWords(v gjson.Result) string {
	if !v.IsArray() {
		if v.Type == gjson.String {
			return v.Str
		}
		return ""
	}
	var all []string
	for _, one := range v.Array() {
		all = append(all, one.String())
	}
	return strings.Join(all, " ")
}

// compact returns the JSON of a value without insignificant whitespace.
func compact(v gjson.Result) string {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(v.Raw)); err != nil {
		return v.Raw
	}
	return out.String()
}

// withoutComments removes comments and trailing commas, which editors allow in JSON.
func withoutComments(in []byte) []byte {
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '"':
			from := i
			for i++; i < len(in) && in[i] != '"'; i++ {
				if in[i] == '\\' {
					i++
				}
			}
			out = append(out, in[from:min(i+1, len(in))]...)
		case c == '/' && i+1 < len(in) && in[i+1] == '/':
			for i < len(in) && in[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(in) && in[i+1] == '*':
			end := bytes.Index(in[i+2:], []byte("*/"))
			if end < 0 {
				return in
			}
			i += end + 3
		case c == '}' || c == ']':
			if last := bytes.TrimRight(out, " \t\r\n"); len(last) > 0 && last[len(last)-1] == ',' {
				out = last[:len(last)-1]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// plainKeys are the frontmatter keys that neither run nor allow anything.
var plainKeys = []string{
	"agent", "applyto", "argument-hint", "author", "category", "color", "compatibility", "date", "description", "disable-model-invocation", "globs", "alwaysapply",
	"infer", "license", "metadata", "mode", "model", "name", "paths", "tags", "target", "title", "tools", "type", "user-invocable", "version",
}

// canRun reports whether a Markdown file may run code. This is the case if its frontmatter has a key other
// than plainKeys, or if the file contains a command that runs when the file is read. If in doubt, canRun
// returns true.
func canRun(text string) bool {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	if hasCommands(text) {
		return true
	}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "---")
	}
	front, _, ok := strings.Cut(rest, "\n---")
	if !ok {
		return true
	}
	for line := range strings.SplitSeq(front, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' || line[0] == ' ' || line[0] == '\t' || trimmed[0] == '-' && len(trimmed) > 1 && trimmed[1] == ' ' {
			continue // belongs to the previous key
		}
		key, value, ok := strings.Cut(trimmed, ":")
		if !ok || !slices.Contains(plainKeys, strings.ToLower(key)) || strings.HasPrefix(strings.TrimSpace(value), "{") || strings.HasPrefix(strings.TrimSpace(value), "&") {
			return true
		}
	}
	return false
}

// hasCommands reports whether a Markdown file may contain a command that runs when the file is read.
func hasCommands(text string) bool {
	return strings.Contains(text, "!`") || strings.Contains(text, "```!")
}

// head returns the part of a Markdown file that is shown to the user because the file may run code: the
// frontmatter or, if there is none or the text contains a command, the whole text.
func head(text string) string {
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n"); ok {
		if front, _, ok := strings.Cut(rest, "\n---"); ok && !hasCommands(text) {
			return front
		}
	}
	return text
}
