package permission_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// modeRow is a row of the table "Permission modes" in docs/permissions.md.
type modeRow struct {
	requests []backend.Permission // example requests for the row
	rules    []backend.Rule
}

// modeRows returns the rows of the table "Permission modes". The key of each row is the text of its first cell, without
// links.
func modeRows() map[string]modeRow {
	with := func(p backend.Permission, change func(*backend.Permission)) backend.Permission {
		change(&p)
		return p
	}
	changes := func(file string) []backend.Permission {
		e := edit("p", file)
		return []backend.Permission{
			e,
			with(e, func(p *backend.Permission) { p.Kind = backend.ToolDelete }),
			with(e, func(p *backend.Permission) { p.Kind, p.To = backend.ToolMove, here+"/b" }),
		}
	}
	run, site := command("p", "make"), fetch("p", "https://go.dev/")
	tool := backend.Permission{ID: "p", ChatID: "c", Session: "main", Folder: here, Kind: backend.ToolOther, Options: copilotOptions}
	outside := func(p *backend.Permission) { p.Outside, p.Scope = true, nil }
	unclear := func(p *backend.Permission) { p.Unclear, p.Scope = true, nil }
	sandboxed := func(role backend.SandboxRole) func(*backend.Permission) {
		return func(p *backend.Permission) { p.Sandbox, p.Scope = role, nil }
	}
	edits := changes(here + "/a")
	return map[string]modeRow{
		"Edits, deletions and moves in the folder":                      {requests: edits},
		"The same for protected files":                                  {requests: changes(here + "/.vscode/tasks.json")},
		"Commands that start in the folder, web addresses, other tools": {requests: []backend.Permission{run, site, tool}},
		"Commands in the sandbox":                                       {requests: []backend.Permission{with(run, sandboxed(backend.SandboxInside))}},
		"Sites that aren't listed for the sandbox, commands that leave it": {requests: []backend.Permission{
			with(site, sandboxed(backend.SandboxAsksSite)), with(run, sandboxed(backend.SandboxLeaves)),
		}},
		"Files outside the folder, commands that start outside": {requests: []backend.Permission{
			with(edits[0], outside), with(edits[1], outside), with(edits[2], outside), with(run, outside),
			with(edits[0], func(p *backend.Permission) { outside(p); p.Kind = backend.ToolRead }),
		}},
		"Unclear requests": {requests: []backend.Permission{with(edits[0], unclear), with(edits[1], unclear), with(run, unclear), with(site, unclear), with(tool, unclear)}},
		"Anything a rule denies": {
			requests: append([]backend.Permission{run, site, with(run, outside), with(run, unclear), with(run, sandboxed(backend.SandboxInside)), with(run, sandboxed(backend.SandboxLeaves))}, edits...),
			rules:    []backend.Rule{deny(backend.RuleCommand, "", "make"), deny(backend.RuleHost, "", "go.dev"), deny(backend.RuleEdits, here, "")},
		},
	}
}

// decisionOn returns the broker's decision on a request, worded as in the table in docs/permissions.md.
func decisionOn(p backend.Permission, rules []backend.Rule, mode backend.PermissionMode, askOutside bool) string {
	b := permission.New(permission.Config{
		Publish: func(...backend.Event) {}, Rules: rules,
		Mode:       func(string) backend.PermissionMode { return mode },
		AskOutside: func() bool { return askOutside },
		Protected: func(_, file string) backend.Protection {
			if filepath.Base(file) == "tasks.json" {
				return "session"
			}
			return ""
		},
	})
	switch {
	case b.IsDenied(p):
		return "rejected"
	case b.IsAllowed(p):
		return "allowed"
	}
	return "ask"
}

// TestModes_TableOfDocs checks each cell of the table "Permission modes" in docs/permissions.md against the actual
// decision, with and without the switch "Always ask outside the folder".
func TestModes_TableOfDocs(t *testing.T) {
	table := tableOf(t, readText(t, "docs/permissions.md"), "## Permission modes\n")
	names := modeNames(t)
	if got := table[0][1:]; !slices.Equal(got, names) {
		t.Fatalf("got the columns %q, want the modes of the picker: %q", got, names)
	}
	rows := modeRows()
	for _, cells := range table[1:] {
		row, known := rows[cells[0]]
		if !known {
			t.Errorf("this test doesn't try the row %q", cells[0])
			continue
		}
		delete(rows, cells[0])
		for i, mode := range modesOfPicker {
			want := cells[i+1]
			off, switched := strings.CutPrefix(want, "ask; ")
			if switched {
				want, off = "ask", strings.TrimSuffix(off, " if the switch is off")
			} else {
				off = want
			}
			for _, p := range row.requests {
				if got := decisionOn(p, row.rules, mode, true); got != want {
					t.Errorf("%s, %s: %s %v: got %q, the table says %q", cells[0], names[i], p.Kind, p.Commands, got, want)
				}
				if got := decisionOn(p, row.rules, mode, false); got != off {
					t.Errorf("%s, %s, the switch is off: %s %v: got %q, the table says %q", cells[0], names[i], p.Kind, p.Commands, got, off)
				}
			}
		}
	}
	for row := range rows {
		t.Errorf("the table has no row %q", row)
	}
}

// TestModes_TextOfPicker checks the picker's description of each mode against the actual decisions. Each sentence
// corresponds to rows of the table.
func TestModes_TextOfPicker(t *testing.T) {
	const (
		edits, protected = "Edits, deletions and moves in the folder", "The same for protected files"
		commands, boxed  = "Commands that start in the folder, web addresses, other tools", "Commands in the sandbox"
		outside, unclear = "Files outside the folder, commands that start outside", "Unclear requests"
	)
	rows := modeRows()
	for _, c := range []struct {
		file, name string // file in frontend/src/i18n, and key of the text in it
		text       string
		mode       backend.PermissionMode
		askOutside bool
		allows     []string
		asks       []string
	}{
		{"chat", "ask", "Asks before every edit, command and web address.", backend.ModeAsk, true, nil, []string{edits, protected, commands, boxed, outside, unclear}},
		{
			"chat", "accept_edits", "Allows edits, deletions and moves in the folder, except for protected files. Asks about everything else.",
			backend.ModeAcceptEdits, true,
			[]string{edits},
			[]string{protected, commands, outside, unclear},
		},
		{
			"chat", "bypass", "Asks only about unclear requests, and about the agent's own access to protected files or files outside the folder. Doesn't ask about commands that run in the folder. The button is amber while this mode is on.",
			backend.ModeBypass, true,
			[]string{edits, commands},
			[]string{protected, outside, unclear},
		},
		{
			"chat", "bypassOutside", "Asks only about unclear requests and protected files. Doesn't ask about other files, even outside the folder. The button is amber while this mode is on.",
			backend.ModeBypass, false,
			[]string{edits, commands, outside},
			[]string{protected, unclear},
		},
		{
			"sandbox", "accept_edits", "Allows edits in the folder and commands in the sandbox. Asks about everything else.",
			backend.ModeAcceptEdits, true,
			[]string{edits, boxed},
			[]string{protected, commands, outside, unclear},
		},
		{
			"sandbox", "bypass", "Runs commands in the sandbox. Asks only about unclear requests, protected files and files outside the folder.",
			backend.ModeBypass, true,
			[]string{edits, boxed},
			[]string{protected, outside, unclear},
		},
		{
			"sandbox", "bypassOutside", "Runs commands in the sandbox. Asks only about unclear requests and protected files.",
			backend.ModeBypass, false,
			[]string{edits, boxed, outside},
			[]string{protected, unclear},
		},
	} {
		bodies := regexp.MustCompile(`(?s)\n  modeBodies: \{\n(.*?)\n  \},`).FindStringSubmatch(readText(t, "frontend/src/i18n/"+c.file+".ts"))
		if bodies == nil || !regexp.MustCompile(`\n    `+c.name+`:\s+`+regexp.QuoteMeta(`"`+c.text+`"`)+`,`).MatchString("\n"+bodies[1]) {
			t.Errorf("%s.ts: the text of %s has changed; compare the new one with the decisions and change this test", c.file, c.name)
		}
		for want, names := range map[string][]string{"allowed": c.allows, "ask": c.asks} {
			for _, name := range names {
				for _, p := range rows[name].requests {
					if got := decisionOn(p, nil, c.mode, c.askOutside); got != want {
						t.Errorf("%q, %s: %s %v: got %q, want %q", c.text, name, p.Kind, p.Commands, got, want)
					}
				}
			}
		}
	}
}

// modesOfPicker are the modes in the order in which the picker and the table list them.
var modesOfPicker = []backend.PermissionMode{backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass}

// modeNames returns the names of modesOfPicker in the window.
func modeNames(t *testing.T) (names []string) {
	t.Helper()
	found := regexp.MustCompile(`\n  modes: \{ (.*) \},`).FindStringSubmatch(readText(t, "frontend/src/i18n/chat.ts"))
	if found == nil {
		t.Fatal("chat.ts has no names of the modes")
	}
	byMode := map[string]string{}
	for _, pair := range regexp.MustCompile(`(\w+): "([^"]*)"`).FindAllStringSubmatch(found[1], -1) {
		byMode[pair[1]] = pair[2]
	}
	for _, mode := range modesOfPicker {
		names = append(names, byMode[string(mode)])
	}
	if len(byMode) != len(names) {
		t.Errorf("got the modes %q in the picker", slices.Collect(maps.Keys(byMode)))
	}
	return names
}

// tableOf returns the cells of the first table below a heading, row by row, without links.
func tableOf(t *testing.T, text, heading string) (rows [][]string) {
	t.Helper()
	_, text, found := strings.Cut(text, heading)
	if !found {
		t.Fatalf("there is no %q", heading)
	}
	text = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(rows) > 0 {
				break
			}
			continue
		}
		if strings.HasPrefix(line, "| ---") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	if len(rows) < 2 {
		t.Fatalf("there is no table below %q", heading)
	}
	return rows
}

// readText returns the text of a file in the repository.
func readText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
