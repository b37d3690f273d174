package cmdline

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Unknown stands in a Call for words that nobody can read from the line: none, one
// or several.
const Unknown = "\x00"

// A Call is the words of a command that a line may run, the program's name first,
// without its folder and in lower case. Unknown stands for what can't be read.
type Call []string

// Bounds of what is read of one line.
const (
	maxCalls = 4000
	maxTexts = 8 // shells in the words of shells
)

// Calls returns every command that a line may run, whatever starts it: those of
// pipelines, lists, substitutions, functions and loops, what sudo, env, xargs and
// the like start, what a shell is told to run, and what git runs once its own
// options are left out. ok is false if the line can't be parsed.
func Calls(line string) (calls []Call, ok bool) {
	r := &reader{}
	ok = len(line) <= maxLine && r.text(line, 0)
	return r.calls, ok && len(r.calls) < maxCalls
}

// reader collects the calls of one line.
type reader struct{ calls []Call }

// text reads the text of a shell.
func (r *reader) text(text string, depth int) bool {
	if depth > maxTexts {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return false
	}
	ok := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			var words Call
			for _, arg := range n.Args {
				words = append(words, looseWord(arg)...)
			}
			for _, a := range n.Assigns {
				if a.Name != nil && configures(a.Name.Value) {
					r.calls = append(r.calls, Call{"git", Unknown})
				}
			}
			ok = r.call(words, depth) && ok
		case *syntax.DeclClause:
			words := Call{n.Variant.Value}
			for _, a := range n.Args {
				words = append(words, Unknown)
				if a.Name != nil && configures(a.Name.Value) {
					r.calls = append(r.calls, Call{"git", Unknown})
				}
			}
			ok = r.call(words, depth) && ok
		case *syntax.Redirect:
			if n.Hdoc != nil && n.Hdoc.Lit() != "" {
				_ = r.text(n.Hdoc.Lit(), depth+1) // it may be the text of a shell
			}
			if n.Op == syntax.WordHdoc {
				if text := looseWord(n.Word); len(text) == 1 && text[0] != Unknown {
					_ = r.text(text[0], depth+1)
				}
			}
		}
		return len(r.calls) < maxCalls
	})
	return ok
}

// looseWord returns the word without its quotes. One that the shell replaces is
// Unknown, and so is one that it may replace by several.
func looseWord(node *syntax.Word) []string {
	if node == nil {
		return nil
	}
	var b strings.Builder
	known := true
	var parts func(all []syntax.WordPart, double bool)
	parts = func(all []syntax.WordPart, double bool) {
		for _, part := range all {
			switch part := part.(type) {
			case *syntax.Lit:
				b.WriteString(withoutEscapes(part.Value, double))
			case *syntax.SglQuoted:
				if part.Dollar && strings.Contains(part.Value, `\`) {
					known = false
				}
				b.WriteString(part.Value)
			case *syntax.DblQuoted:
				parts(part.Parts, true)
			default:
				known = false
			}
		}
	}
	parts(node.Parts, false)
	text := b.String()
	if !known || strings.ContainsAny(text, "*?[") && hasPattern(node) || hasBraces(node) {
		return []string{Unknown}
	}
	return []string{text}
}

// withoutEscapes returns a text without the backslashes that the shell takes away.
func withoutEscapes(text string, double bool) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!double || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// hasPattern reports whether the shell may replace a word by names of files, and
// hasBraces whether it makes several words of it.
func hasPattern(node *syntax.Word) bool {
	return slices.ContainsFunc(node.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(lit.Value, "*?[")
	})
}

func hasBraces(node *syntax.Word) bool {
	return slices.ContainsFunc(node.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && hasList(lit.Value)
	})
}

// call adds a call and those that it makes. It is false if one of them can't be read.
func (r *reader) call(words Call, depth int) bool {
	for range maxStarted * 4 {
		if len(words) == 0 || len(r.calls) >= maxCalls {
			return true
		}
		name := programOf(words[0])
		words = append(Call{name}, words[1:]...)
		r.calls = append(r.calls, words)
		switch {
		case name == "git":
			return r.git(words, depth)
		case strings.HasPrefix(name, "git-"): // as in git's own folder of programs
			r.calls = append(r.calls, append(Call{"git", name[len("git-"):]}, words[1:]...))
		case name == "eval", name == "alias", name == "trap":
			return r.texts(words[1:], name, depth)
		case isShell(name):
			return r.shell(words, depth)
		case name == "find", name == "fd", name == "fdfind":
			words = filled(after(words, "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch"), "{}")
			continue
		}
		start, ok := starters[name]
		if !ok {
			return true
		}
		for i, word := range words[1:] { // flock x -c "…", npx -c "…", watch "…"
			if word == Unknown {
				continue
			}
			if len(r.calls) >= maxCalls {
				return true
			}
			if slices.Contains(textFlags, word) || strings.ContainsAny(word, " \t\n;") && !strings.HasPrefix(word, "-") {
				r.startedText(words[i+1:], depth)
			} else if option, text, glued := strings.Cut(word, "="); glued && slices.Contains(textFlags, option) {
				_ = r.text(text, depth+1)
			}
		}
		if name == "env" {
			if slices.ContainsFunc(words[1:], configures) {
				r.calls = append(r.calls, Call{"git", Unknown})
			}
			if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-S") || strings.HasPrefix(w, "--split") }); i >= 0 {
				return r.texts(words[i:], name, depth)
			}
		}
		c := make(Command, len(words))
		for i, word := range words {
			c[i].Text = word
		}
		at := start(c)
		// Any of the words before may be the program, if an option isn't known.
		for i := 1; i < min(at, len(words), maxStarted*4); i++ {
			r.calls = append(r.calls, append(Call{programOf(words[i])}, words[i+1:]...))
		}
		if at == 0 || at >= len(words) {
			return true
		}
		words = words[at:]
		if name == "xargs" || name == "parallel" { // what they read stands somewhere among the words
			if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ":::") }); i > 0 {
				words = words[:i]
			}
			words = append(filled(words, "{}", "%", "@"), Unknown)
		}
	}
	return true
}

// textFlags are the options by which programs that start others take the text of a
// shell.
var textFlags = f("-c --call --command -ex --eval-command")

// startedText reads what a program is told to start in one word: the word itself, or
// the one after an option.
func (r *reader) startedText(words Call, depth int) {
	if strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if len(words) > 0 && (words[0] == Unknown || !r.text(words[0], depth+1)) {
		_ = r.unread()
	}
}

// configures reports whether a variable, or what is set for one, is git's
// configuration: it can make another command of any name.
func configures(word string) bool { return strings.HasPrefix(word, "GIT_CONFIG") }

// filled returns the words, of which those with one of the signs are Unknown: what
// is found or read takes its place.
func filled(words Call, signs ...string) Call {
	out := slices.Clone(words)
	for i, word := range out {
		if slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(word, sign) }) {
			out[i] = Unknown
		}
	}
	return out
}

// after returns the words after the first of the names.
func after(words Call, names ...string) Call {
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(names, w) })
	if i < 0 {
		return nil
	}
	return words[i+1:]
}

// isShell reports whether a program runs the text that it is given with -c.
func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "su", "script", "pwsh", "powershell", "cmd"}, name)
}

// shell reads the text that a shell is given.
func (r *reader) shell(words Call, depth int) bool {
	script := false
	for i, word := range words[1:] {
		script = script || !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "+")
		switch {
		case word == Unknown:
			r.calls = append(r.calls, Call{Unknown})
		case strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.ContainsAny(word, "cC"), strings.EqualFold(word, "/c"), word == "--command":
			if i+2 < len(words) && words[i+2] == Unknown {
				r.calls = append(r.calls, Call{Unknown})
				return true
			}
			ok := true
			for _, text := range words[i+2:] {
				ok = r.text(text, depth+1) && ok // options may stand in between
			}
			return r.text(strings.Join(words[i+2:], " "), depth+1) && ok || r.unread()
		}
	}
	if !script && !slices.Contains(words, "--version") && !slices.Contains(words, "--help") {
		return r.unread() // it runs what it reads
	}
	return true
}

// unread notes that something runs which can't be read.
func (r *reader) unread() bool {
	r.calls = append(r.calls, Call{Unknown})
	return true
}

// texts reads words that together are the text of a shell, or each of them.
func (r *reader) texts(words Call, name string, depth int) bool {
	if slices.Contains(words, Unknown) {
		r.calls = append(r.calls, Call{Unknown})
	}
	if name == "alias" {
		for _, word := range words {
			if _, text, ok := strings.Cut(word, "="); ok {
				from := len(r.calls)
				_ = r.text(text, depth+1)
				for i := from; i < len(r.calls); i++ {
					r.calls[i] = append(r.calls[i], Unknown) // what follows the alias
				}
			}
		}
		return true
	}
	text := strings.Join(words, " ")
	if name == "env" {
		text = strings.TrimPrefix(strings.TrimPrefix(text, "-S"), "--split-string")
		text = strings.TrimLeft(text, "= ")
	}
	if name == "trap" && len(words) > 0 {
		text = words[0]
	}
	if strings.Contains(text, Unknown) || !r.text(text, depth+1) {
		return r.unread()
	}
	return true
}

// git adds the call without git's own options, and what an alias in them runs.
func (r *reader) git(words Call, depth int) bool {
	args, ok := words[1:], true
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		option, value, glued := strings.Cut(args[0], "=")
		takes := slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix", "--attr-source"}, option) && !glued
		if option == "-c" && len(args) > 1 {
			value = args[1]
		}
		args = args[1:]
		if takes && len(args) > 0 && option != "--exec-path" {
			args = args[1:]
		}
		if option == "--config-env" {
			r.calls = append(r.calls, Call{"git", Unknown})
		}
		if _, text, found := strings.Cut(value, "="); found && strings.HasPrefix(strings.ToLower(value), "alias.") {
			if command, runs := strings.CutPrefix(text, "!"); runs {
				ok = r.text(command, depth+1) && ok
			} else {
				r.calls = append(r.calls, append(append(Call{"git"}, strings.Fields(text)...), Unknown))
			}
		}
	}
	r.calls = append(r.calls, append(Call{"git"}, args...))
	return ok
}

// programOf is the name of the program that a word calls.
func programOf(word string) string {
	if word == Unknown {
		return word
	}
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".com"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// Begins reports whether the call begins with all the words, in any case of
// letters, and maybe whether it may do so, depending on what can't be read.
func (c Call) Begins(words []string) (certain, maybe bool) {
	for i, want := range words {
		if i >= len(c) {
			return false, false
		}
		if c[i] == Unknown {
			return false, true // and whatever may follow
		}
		if !strings.EqualFold(c[i], want) {
			return false, false
		}
	}
	return len(words) > 0, false
}
