package cmdline

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Unknown stands for any number of words in a Call that can't be determined from the line.
const Unknown = "\x00"

// A Call holds the words of a command that a line may run. The first word is the program's name, in
// lower case and without its folder.
type Call []string

// Limits for one command line.
const (
	maxCalls = 4000 // number of calls
	maxTexts = 8    // nesting depth of shell code in other shell code
)

// Calls returns every command that a line may run, however the command is started. This includes commands
// in pipelines, lists, substitutions, functions and loops, commands started by programs such as sudo, env
// and xargs, and commands in text passed to a shell. Git commands are returned without git's global
// options. ok is false if the line can't be parsed completely or exceeds the limits; calls then holds the
// calls found so far.
func Calls(line string) (calls []Call, ok bool) {
	r := &reader{}
	ok = len(line) <= maxLine && r.text(line, 0)
	return r.calls, ok && len(r.calls) < maxCalls
}

// reader collects the calls of one line.
type reader struct{ calls []Call }

// text reads a shell script and adds its calls. It returns false if the script can't be parsed completely or is nested
// too deeply. depth is the number of scripts that contain this one.
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
				_ = r.text(n.Hdoc.Lit(), depth+1) // may be a shell script
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

// looseWord returns the text of a word without quotes, or Unknown if the shell expands the
// word or may split it into several. It returns nil for a nil node.
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

// withoutEscapes returns text without the backslashes that the shell removes. double
// is true if the text is in double quotes.
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

// hasPattern reports whether the shell may expand a word into file names.
func hasPattern(node *syntax.Word) bool {
	return slices.ContainsFunc(node.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(lit.Value, "*?[")
	})
}

// hasBraces reports whether the shell may expand braces in a word into several words.
func hasBraces(node *syntax.Word) bool {
	return slices.ContainsFunc(node.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && hasList(lit.Value)
	})
}

// call adds a call and the calls that it starts. The parameter depth is the nesting depth of the shell code that
// contains the call. call returns false if the call defines a git alias whose shell command can't be parsed. For other
// shell text that can't be parsed, it adds an unknown call.
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
		case strings.HasPrefix(name, "git-"): // a program in git's exec path, such as git-push
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
		// If an option is unknown, any earlier word may be the program.
		for i := 1; i < min(at, len(words), maxStarted*4); i++ {
			r.calls = append(r.calls, append(Call{programOf(words[i])}, words[i+1:]...))
		}
		if at == 0 || at >= len(words) {
			return true
		}
		words = words[at:]
		if name == "xargs" || name == "parallel" { // their input may replace any of the words
			if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ":::") }); i > 0 {
				words = words[:i]
			}
			words = append(filled(words, "{}", "%", "@"), Unknown)
		}
	}
	return true
}

// textFlags are the options through which a program receives a shell command to run.
var textFlags = f("-c --call --command -ex --eval-command")

// startedText reads the shell command that a program receives as one word: either the first of the given words or, if
// that word is an option, the next one.
func (r *reader) startedText(words Call, depth int) {
	if strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if len(words) > 0 && (words[0] == Unknown || !r.text(words[0], depth+1)) {
		_ = r.unread()
	}
}

// configures reports whether word, which is the name of a variable or an assignment, sets git configuration. Such
// configuration can define aliases of any name.
func configures(word string) bool { return strings.HasPrefix(word, "GIT_CONFIG") }

// filled returns a copy of words. In the copy, each word that contains one of the given signs is replaced by Unknown.
// The program that receives the words replaces these signs with its input.
func filled(words Call, signs ...string) Call {
	out := slices.Clone(words)
	for i, word := range out {
		if slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(word, sign) }) {
			out[i] = Unknown
		}
	}
	return out
}

// after returns the words that follow the first occurrence of one of the given names, or nil if none of them occurs.
func after(words Call, names ...string) Call {
	i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(names, w) })
	if i < 0 {
		return nil
	}
	return words[i+1:]
}

// isShell reports whether a program runs the text passed with -c.
func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "su", "script", "pwsh", "powershell", "cmd"}, name)
}

// shell reads the text passed to a shell. It records an unknown call if the text can't be read or the shell reads its
// standard input. It always returns true.
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
				ok = r.text(text, depth+1) && ok // options may come in between
			}
			return r.text(strings.Join(words[i+2:], " "), depth+1) && ok || r.unread()
		}
	}
	if !script && !slices.Contains(words, "--version") && !slices.Contains(words, "--help") {
		return r.unread() // the shell runs its standard input
	}
	return true
}

// unread records a call that can't be determined. It always returns true.
func (r *reader) unread() bool {
	r.calls = append(r.calls, Call{Unknown})
	return true
}

// texts reads the shell code in words, which are the arguments of the command with the given name. For alias, each word
// is read separately; for trap, only the first is read; for other commands, all words are joined. texts always returns
// true.
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
					r.calls[i] = append(r.calls[i], Unknown) // arguments of the alias
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

// git adds the call without git's global options, and the commands of aliases defined by those options. It
// returns false if such a command can't be parsed.
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

// programOf returns the name of the program that a word refers to, in lower case and without its folder and
// its Windows extension. Unknown stays Unknown.
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

// HasPrefix compares the call with words, ignoring case. certain reports whether the call starts with all the words.
// maybe reports whether the call may start with them, because it has an Unknown word that may stand for some of them.
func (c Call) HasPrefix(words []string) (certain, maybe bool) {
	for i, want := range words {
		if i >= len(c) {
			return false, false
		}
		if c[i] == Unknown {
			return false, true // it may match all remaining words
		}
		if !strings.EqualFold(c[i], want) {
			return false, false
		}
	}
	return len(words) > 0, false
}
