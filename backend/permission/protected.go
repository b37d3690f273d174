package permission

import (
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// protect notes in p whether it would change a protected file. Then the rule that
// "Always allow" makes is for that one file, and there is none where a link is on
// the way: it may lead to another file later.
func (d *Desk) protect(p *backend.Permission) {
	p.Protected = ""
	switch p.Kind {
	case backend.ToolRead, backend.ToolSearch, backend.ToolThink, backend.ToolFetch, backend.ToolExecute:
		return
	default: // an edit, or what nobody knows
	}
	files := filesOf(*p)
	for _, file := range files {
		if p.Protected = d.cfg.Protected(p.Folder, file); p.Protected != "" {
			break
		}
	}
	if p.Protected == "" || p.Scope == nil || p.Scope.Kind != backend.RuleEdits {
		return
	}
	p.Scope = nil
	if len(files) == 1 && changesOnly(*p) {
		p.Scope = &backend.Scope{Kind: backend.RuleEdits, Folder: p.Folder, Command: files[0]}
	}
}

// filesOf are all files that a request names, each once.
func filesOf(p backend.Permission) []string {
	files := slices.Concat([]string{p.Path, p.To}, p.Names)
	for _, f := range p.Files {
		files = append(files, f.Path)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(file string) bool { return file == "" })
}

// editsCovered reports whether a rule for edits is for what the request would
// change: one for a folder for all but protected files, and one for a file for
// that file.
func editsCovered(s backend.Scope, p backend.Permission) bool {
	if s.Command != "" {
		return slices.Equal(filesOf(p), []string{s.Command})
	}
	return p.Protected == ""
}
