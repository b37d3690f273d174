package danger

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/voxpilot/voxpilot/backend"
)

// walker processes shell text in execution order.
type walker struct {
	*reader
	text  string // the shell text being processed
	at    int    // offset of text in the command
	depth int    // nesting of text in other shell texts
	level int    // nesting of commands in words
	dir   string // working directory of the next command
}

// word is a word of a call. In its text, quotes are removed, and parts that aren't literal stay as written.
type word struct {
	text     string
	plain    bool // entirely literal, or $HOME followed by literal text
	from, to int  // byte offsets in the command
	node     *syntax.Word
}

func (w *walker) pos(p syntax.Pos) int { return w.at + int(p.Offset()) } //nolint:gosec // at most 64 KB

func (w *walker) statements(all []*syntax.Stmt) {
	for _, s := range all {
		w.statement(s)
	}
}

// statement processes a statement and its parts.
func (w *walker) statement(s *syntax.Stmt) {
	if s == nil {
		return
	}
	if _, coprocess := s.Cmd.(*syntax.CoprocClause); s.Background || coprocess {
		defer func() { w.jobs = true }()
	}
	for _, redirect := range s.Redirs {
		w.redirect(redirect)
	}
	switch cmd := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(cmd)
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			w.pipeline(s)
			return
		}
		w.statement(cmd.X)
		w.statement(cmd.Y)
	case *syntax.Subshell:
		dir, jobs := w.dir, w.jobs
		w.statements(cmd.Stmts)
		if w.dir = dir; w.effects != nil && w.jobs && !jobs {
			w.effects.Background = true // the shell around the subshell doesn't wait for its jobs
		}
	default:
		syntax.Walk(cmd, func(n syntax.Node) bool {
			if inner, ok := n.(*syntax.Stmt); ok {
				w.statement(inner)
				return false
			}
			return true
		})
	}
}

// redirect marks a redirection that overwrites a disk or that uses a file outside the folder.
func (w *walker) redirect(r *syntax.Redirect) {
	if r.Word == nil {
		return
	}
	to := w.word(r.Word)
	w.inside(to)
	if isDisk(to.text) && r.Op != syntax.RdrIn {
		w.add(to.from, to.to, backend.Mark{Kind: backend.MarkDisk, Part: "> " + to.text, Of: []string{to.text}})
		return
	}
	w.path(to)
	if r.Op != syntax.RdrIn && r.Op != syntax.DplIn && r.Op != syntax.DplOut && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc {
		w.writes(to)
	}
}

// inside processes the commands in the substitutions of a word, such as $(ls).
func (w *walker) inside(in word) {
	if in.node == nil || w.level > maxLevel {
		return
	}
	w.level++
	defer func() { w.level-- }()
	syntax.Walk(in.node, func(n syntax.Node) bool {
		if inner, ok := n.(*syntax.Stmt); ok {
			dir := w.dir
			w.statement(inner)
			w.dir = dir
			return false
		}
		return true
	})
}

// word converts a word of the parser. A leading $HOME becomes "~".
func (w *walker) word(node *syntax.Word) word {
	out := word{plain: true, from: w.pos(node.Pos()), to: w.pos(node.End()), node: node}
	var b strings.Builder
	var parts func(all []syntax.WordPart)
	parts = func(all []syntax.WordPart) {
		for _, part := range all {
			switch part := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescaped(part.Value))
			case *syntax.SglQuoted:
				b.WriteString(part.Value)
			case *syntax.DblQuoted:
				parts(part.Parts)
			case *syntax.ParamExp:
				if part.Param != nil && part.Param.Value == "HOME" && b.Len() == 0 {
					b.WriteString("~")
					continue
				}
				out.plain = false
				b.WriteString(w.raw(part))
			default:
				out.plain = false
				b.WriteString(w.raw(part))
			}
		}
	}
	parts(node.Parts)
	out.text = b.String()
	return out
}

func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, "\\\n", "", `\`, "").Replace(text)
}

// raw returns the text of a node as written.
func (w *walker) raw(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset()) //nolint:gosec // at most 64 KB
	if from > to || to > len(w.text) {
		return ""
	}
	return w.text[from:to]
}

// call processes a simple command.
func (w *walker) call(c *syntax.CallExpr) {
	var words []word
	for _, assign := range c.Assigns {
		if assign.Value != nil {
			w.inside(w.word(assign.Value))
		}
	}
	for _, arg := range c.Args {
		words = append(words, w.word(arg))
	}
	for _, one := range words {
		w.inside(one)
	}
	w.command(words)
}

// stages returns the statements of a pipeline.
func stages(s *syntax.Stmt) []*syntax.Stmt {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		return append(stages(b.X), stages(b.Y)...)
	}
	return []*syntax.Stmt{s}
}

// pipeline processes a pipeline and marks text that is piped to a shell or an
// interpreter, which runs it.
func (w *walker) pipeline(s *syntax.Stmt) {
	var source, host string // the program that may send text, and its host
	var from int
	for _, stage := range stages(s) {
		call, ok := stage.Cmd.(*syntax.CallExpr)
		var words []word
		if ok {
			for _, arg := range call.Args {
				words = append(words, w.word(arg))
			}
			words = startedCommand(words)
		}
		name := nameOf(words)
		switch {
		case slices.Contains(downloads, name):
			source, host, from = name, hostIn(words), w.pos(stage.Pos())
		case slices.Contains(decoders, name) && source == "":
			source, from = name, w.pos(stage.Pos())
		case readsProgram(words) && source != "" && slices.Contains(downloads, source):
			w.add(from, w.pos(stage.End()), backend.Mark{Kind: backend.MarkWebScript, Part: source + " … | " + name, Of: some(host)})
		case readsProgram(words) && source != "":
			w.add(from, w.pos(stage.End()), backend.Mark{Kind: backend.MarkUnread, Part: source + " | " + name})
		case readsProgram(words):
			w.add(w.pos(stage.Pos()), w.pos(stage.End()), backend.Mark{Kind: backend.MarkUnread, Part: "| " + name})
		}
		w.statement(stage)
	}
}

// Names of programs: downloads fetch files from the web, decoders decode text, and shells and languages
// (interpreters) run the text passed to them.
var (
	downloads = []string{"curl", "wget", "fetch", "http", "https", "aria2c"}
	decoders  = []string{"base64", "base32", "xxd", "openssl", "gunzip", "zcat", "gpg", "uudecode"}
	shells    = []string{"sh", "bash", "zsh", "dash", "ksh", "fish", "ash"}
	languages = []string{"python", "python2", "python3", "perl", "ruby", "node", "php"}
)

// readsProgram reports whether a call runs the text that it reads from its standard input.
func readsProgram(words []word) bool {
	name := nameOf(words)
	if !slices.Contains(shells, name) && !slices.Contains(languages, name) {
		return false
	}
	for _, one := range words[1:] {
		switch {
		case one.text == "-" || one.text == "-s":
			return true
		case one.text == "-c" || one.text == "-e" || !strings.HasPrefix(one.text, "-"):
			return false
		}
	}
	return true
}

// hostIn returns the host of the first web address among words, or "" if there is none.
func hostIn(words []word) string {
	for _, one := range words {
		if _, rest, ok := strings.Cut(one.text, "://"); ok {
			host, _, _ := strings.Cut(rest, "/")
			return host[strings.LastIndexByte(host, '@')+1:]
		}
	}
	return ""
}

func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// nameOf returns the name of the program that the first word refers to, in lower case and without its folder
// and ".exe". It returns "" if there are no words.
func nameOf(words []word) string {
	if len(words) == 0 {
		return ""
	}
	name := strings.ToLower(path.Base(filepath.ToSlash(words[0].text)))
	return strings.TrimSuffix(name, ".exe")
}

// starters are the programs that start another program, which follows them in the command. Each is mapped
// to the letters of its options that take a separate value.
var starters = map[string]string{
	"sudo": "ugpChDRrTtU", "doas": "uC", "env": "uSC", "nohup": "", "nice": "n", "ionice": "cnp", "time": "fo", "command": "",
	"exec": "a", "builtin": "", "xargs": "IiLnPsdaE", "timeout": "ks", "setsid": "", "stdbuf": "ioe", "busybox": "", "caffeinate": "tw",
}

// startedCommand returns the words of the program that a command finally starts. It skips the starters before that
// program, with their options and other arguments.
func startedCommand(words []word) []word {
	for len(words) > 1 {
		own, ok := starters[nameOf(words)]
		if !ok {
			return words
		}
		name := nameOf(words)
		words = words[1:]
		for len(words) > 1 {
			text := words[0].text
			switch {
			case text == "--":
				words = words[1:]
			case len(text) == 2 && text[0] == '-' && strings.IndexByte(own, text[1]) >= 0 && len(words) > 2:
				words = words[2:]
				continue
			case strings.HasPrefix(text, "-"), strings.Contains(text, "=") && name == "env" || strings.Contains(text, "=") && name == "sudo":
				words = words[1:]
				continue
			case name == "timeout" && text != "" && text[0] >= '0' && text[0] <= '9':
				words = words[1:]
				continue
			}
			break
		}
	}
	return words
}

// fromWeb marks a call, which runs its arguments as code, if one of the arguments is the output of a
// download. It reports whether there is such an argument.
func (w *walker) fromWeb(call, args []word) bool {
	looked := 0
	for _, arg := range args {
		var got []word
		syntax.Walk(arg.node, func(n syntax.Node) bool {
			if got != nil || looked > maxLevel {
				return false
			}
			if c, ok := n.(*syntax.CallExpr); ok {
				looked++
				var words []word
				for _, one := range c.Args {
					words = append(words, w.word(one))
				}
				if words = startedCommand(words); slices.Contains(downloads, nameOf(words)) {
					got = words
				}
			}
			return true
		})
		if got != nil {
			w.mark(call, backend.Mark{Kind: backend.MarkWebScript, Part: nameOf(call) + " " + nameOf(got), Of: some(hostIn(got))})
			return true
		}
	}
	return false
}
