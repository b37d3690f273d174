package permission_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestFolderRule_Covers(t *testing.T) {
	for _, c := range []struct {
		rule, session string
		want          bool
	}{
		{"", here, true},
		{here, here, true},
		{here, here + "/web", true}, // a session in a subfolder
		{here + "/web", here, false},
		{here, "/home/me/app2", false},
		{here, "/home/me", false},
		{here, "", false},
	} {
		cmd, edt := command("c", "make"), edit("e", c.session+"/a.go")
		cmd.Folder, edt.Folder = c.session, c.session
		edt.Scope = &backend.Scope{Kind: backend.RuleEdits, Folder: c.session}
		if got := allowed(cmd, allow(backend.RulePrefix, c.rule, "make")); got != c.want {
			t.Errorf("a rule for commands in %q and a session in %q: allowed is %v", c.rule, c.session, got)
		}
		if got := allowed(edt, allow(backend.RuleEdits, c.rule, "")); got != c.want {
			t.Errorf("a rule for edits in %q and a session in %q: allowed is %v", c.rule, c.session, got)
		}
		// If the session's folder is unknown, a denial applies.
		if got := !allowed(cmd, allow(backend.RuleCommand, "", "make"), deny(backend.RulePrefix, c.rule, "make")); got != (c.want || c.session == "") {
			t.Errorf("a denial of commands in %q and a session in %q: denied is %v", c.rule, c.session, got)
		}
	}
}

func TestEditDenial_CoversEachFileInFolder(t *testing.T) {
	rules := []backend.Rule{allow(backend.RuleEdits, "", ""), deny(backend.RuleEdits, here+"/vendor", "")}
	move := edit("p", here+"/a.go")
	move.Kind, move.To = backend.ToolMove, here+"/vendor/a.go"
	several := edit("p", here+"/a.go")
	several.Files = []backend.PermissionFile{{Path: here + "/a.go"}, {Path: here + "/vendor/a.go"}}
	unlisted, unclear := edit("p", here+"/a.go"), edit("p", here+"/a.go")
	unlisted.Names = []string{here + "/a.go", here + "/vendor/a.go"}
	unclear.Unclear = true
	for what, c := range map[string]struct {
		p    backend.Permission
		want bool
	}{
		"one that is not listed":    {unlisted, false},
		"maybe any":                 {unclear, false},
		"a file elsewhere":          {edit("p", here+"/a.go"), true},
		"a file of the folder":      {edit("p", here+"/vendor/a.go"), false},
		"a move into it":            {move, false},
		"one of several files":      {several, false},
		"the folder in other case":  {edit("p", here+"/Vendor/a.go"), false},
		"a folder with a like name": {edit("p", here+"/vendored/a.go"), true},
	} {
		if got := allowed(c.p, rules...); got != c.want {
			t.Errorf("%s: allowed is %v", what, got)
		}
	}
}

// TestEditDenial_OtherToolsAsk checks that if edits of a file are denied, no mode allows requests for that file by
// tools whose effect on files is unknown.
func TestEditDenial_OtherToolsAsk(t *testing.T) {
	for what, c := range map[string]struct {
		kind backend.ToolKind
		path string
		want bool
	}{
		"another tool, of the folder":        {backend.ToolOther, here + "/vendor/a.go", false},
		"a tool of no kind, of the folder":   {"", here + "/vendor/a.go", false},
		"another tool, of another folder":    {backend.ToolOther, here + "/a.go", true},
		"another tool that names no file":    {backend.ToolOther, "", true},
		"a tool that reads, of the folder":   {backend.ToolRead, here + "/vendor/a.go", true},
		"an edit, of the folder":             {backend.ToolEdit, here + "/vendor/a.go", false},
		"another tool, in other case, of it": {backend.ToolOther, here + "/Vendor/a.go", false},
	} {
		o := newEnv(deny(backend.RuleEdits, here+"/vendor", ""))
		o.setMode("c", backend.ModeBypass)
		p := edit("p", c.path)
		p.Kind = c.kind
		if got := o.IsAllowed(p); got != c.want {
			t.Errorf("%s: allowed is %v", what, got)
		}
		if c.kind == backend.ToolOther && o.IsDenied(p) {
			t.Errorf("%s: is denied, want asked", what)
		}
	}
}
