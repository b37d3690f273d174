package danger

import (
	"regexp"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// A rule of thumb for commands that no shell of ours reads: where it stands, what it
// is called, and which of its groups say what it is done to.
type thumb struct {
	kind backend.MarkKind
	is   *regexp.Regexp
	part string
	of   int
}

const (
	begins = `(?im)(?:^|[;&|({"'\n]|\b(?:do|then|else)\b)\s*`
	within = `[^;|&\n]*?`
	past   = `[^;\n]*?`
)

// match looks for the commands of PowerShell and of cmd. Both are run on other
// systems, too, and a text of theirs may be one of a shell as well.
func (r *reader) match(text string, at int) { r.thumbs(windows, text, at) }

// roughly looks for commands in a text that cannot be parsed.
func (r *reader) roughly(text string, at int) { r.thumbs(unix, text, at) }

func (r *reader) thumbs(all []thumb, text string, at int) {
	text = text[:min(len(text), 4*maxRead)]
	for _, t := range all {
		for _, m := range t.is.FindAllStringSubmatchIndex(text, maxMarks) {
			mark := backend.Mark{Kind: t.kind, Part: t.part}
			if t.of > 0 && m[2*t.of] >= 0 {
				mark.Of = strings.Fields(text[m[2*t.of]:m[2*t.of+1]])
			}
			from := m[2] // the first group is the part that is marked
			if host := address.FindStringSubmatch(text[from:m[3]]); host != nil && t.kind == backend.MarkWebScript {
				mark.Of = host[1:]
			}
			r.add(at+from, at+m[3], mark)
		}
	}
}

var address = regexp.MustCompile(`https?://([^/\s"')]+)`)

var windows = []thumb{
	{backend.MarkDelete, regexp.MustCompile(begins + `((?:Remove-Item|ri|rd|rmdir|del|erase)\b` + within + `\s(?:-r(?:ecurse)?|-fo(?:rce)?)\b` + within + `)(?:$|[;|&"'\n)}])`), "Remove-Item -Recurse", 0},
	{backend.MarkDelete, regexp.MustCompile(begins + `((?:del|erase|rd|rmdir)\b(?:\s+/\w)*\s+/s\b` + within + `)(?:$|[;|&"'\n)}])`), "del /s", 0},
	{backend.MarkWebScript, regexp.MustCompile(begins + `((?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|curl|wget)\b` + past + `\|\s*(?:iex|Invoke-Expression)\b)`), "iwr … | iex", 0},
	{backend.MarkWebScript, regexp.MustCompile(begins + `((?:iex|Invoke-Expression)\b` + past + `(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b[^;\n]*)`), "iex", 0},
	{backend.MarkUnread, regexp.MustCompile(begins + `((?:iex|Invoke-Expression)\b[^;\n]*)`), "iex", 0},
	{backend.MarkUnread, regexp.MustCompile(begins + `((?:powershell|pwsh)(?:\.exe)?\b` + within + `\s-(?:e|ec|enc|EncodedCommand)\s+\S+)`), "-EncodedCommand", 0},
	{backend.MarkAdmin, regexp.MustCompile(begins + `(runas\b` + within + `)(?:$|[;|&\n])`), "runas", 0},
	{backend.MarkAdmin, regexp.MustCompile(begins + `(Start-Process\b` + within + `-Verb\s+RunAs\b)`), "-Verb RunAs", 0},
	{backend.MarkDisk, regexp.MustCompile(begins + `(format(?:\.com)?\s+([a-z]:)` + within + `)(?:$|[;|&\n])`), "format", 2},
	{backend.MarkDisk, regexp.MustCompile(begins + `((?:Format-Volume|Clear-Disk|Initialize-Disk)\b` + within + `)(?:$|[;|&\n])`), "Format-Volume", 0},
}

var unix = []thumb{
	{backend.MarkDelete, regexp.MustCompile(begins + `(?:sudo\s+)?(rm\s+(?:-\S+\s+)*-\w*[rRf]\w*` + within + `)(?:$|[;|&\n)])`), "rm -rf", 0},
	{backend.MarkOverwrite, regexp.MustCompile(begins + `(git\b` + within + `\bpush\b` + within + `\s(?:--force|-f)(?:\s` + within + `)?)(?:$|[;|&\n)])`), "git push --force", 0},
	{backend.MarkWebScript, regexp.MustCompile(begins + `((?:curl|wget)\b` + past + `\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b)`), "curl … | sh", 0},
	{backend.MarkDiscard, regexp.MustCompile(begins + `(git\b` + within + `\breset\b` + within + `--hard)`), "git reset --hard", 0},
	{backend.MarkAdmin, regexp.MustCompile(begins + `((?:sudo|doas)\s` + within + `)(?:$|[;|&\n)])`), "sudo", 0},
}
