package cmdline

import (
	"slices"
	"strings"
)

// Outside returns the reason why the command, if run in folder, may do more than its permission rule allows, or "" if
// the rule covers the command. The function own reports whether the word at index i is part of the rule: the user wrote
// such words, so they aren't checked. If the parameter anywhere is true, paths may lead out of the folder.
func (c Command) Outside(folder string, anywhere bool, own func(i int) bool) string {
	w := &walker{folder: folder, anywhere: anywhere, remaining: maxPaths}
	return c.beyond(w, own, 0)
}

// beyond is like Outside. The parameter depth is the number of programs through which the line starts the command: for
// make in "sudo env make", it is 2.
func (c Command) beyond(w *walker, own func(i int) bool, depth int) string {
	if depth > maxStarted {
		return "starts too many programs"
	}
	name := c[0].Text
	if strings.Contains(name, "/") {
		if !own(0) {
			return "runs a program by its path"
		}
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	p := known(name)
	at := 0
	if p.starts != nil && len(c) > 1 {
		at = p.starts(c)
	}
	if at > 0 {
		for i := 1; i < min(at+1, len(c)); i++ {
			if !own(i) {
				return name + " starts another program"
			}
		}
		if at >= len(c) {
			return w.outside(c, own, p)
		}
		return c[at:].beyond(w, func(i int) bool { return own(i + at) }, depth+1)
	}
	words, ok := c.expanded(w, own)
	if !ok {
		return "has a pattern for too many files"
	}
	if why := p.refuses(words); why != "" {
		return name + ": " + why
	}
	return w.outside(c, own, p)
}

// known returns the entry in programs for a program name. It ignores a version at the end of the name. It returns the
// zero program if there is no entry.
func known(name string) program {
	name = strings.ToLower(name)
	if p, ok := programs[name]; ok {
		return p
	}
	return programs[strings.TrimRight(name, "0123456789.")]
}

// argument is a word of a command as the program may receive it.
type argument struct {
	text string
	own  bool // part of the rule
}

// expanded returns the words after the program's name, with patterns expanded to the files that currently match. ok is
// false if there are too many words or matching files.
func (c Command) expanded(w *walker, own func(i int) bool) (out []argument, ok bool) {
	for i, word := range c[1:] {
		names := []string{word.Text}
		if word.Glob {
			if names, ok = w.names(word.Text); !ok {
				return nil, false
			}
		}
		for _, name := range names {
			out = append(out, argument{name, own(i + 1)})
		}
	}
	return out, len(out) <= maxEntries
}

// outside returns the reason why the command c, which runs the program p, reaches outside the folder, or "" if it
// doesn't.
func (w *walker) outside(c Command, own func(i int) bool, p program) string {
	pattern := p.pattern != nil && p.pattern(c)
	for i, word := range c {
		if i == 0 || own(i) {
			continue
		}
		if p.scripts != nil && slices.Contains(p.lone, c[i-1].Text) && !word.Glob {
			continue // a script, which p.refuses has already checked
		}
		if pattern && !strings.HasPrefix(word.Text, "-") && !word.Glob {
			pattern = false // a search pattern isn't a path
			continue
		}
		names := []string{word.Text}
		if word.Glob {
			var ok bool
			if names, ok = w.names(word.Text); !ok {
				return "has a pattern for too many files"
			}
		}
		for _, name := range names {
			for _, path := range pathsIn(name, !p.single) {
				if w.leaves(path) {
					return "reaches outside the folder: " + path
				}
			}
		}
	}
	return ""
}

// program describes the options and words that make a program write, run or fetch more
// than its name suggests.
type program struct {
	// flags are the options that require permission: "--name", which may be abbreviated;
	// "-x", which may be combined with other letters; and "-name", with one or two dashes.
	flags []string
	// The field only, if set, lists harmless options. All options that are in neither only nor lone then require
	// permission.
	only []string
	// lone lists harmless options that match only as a whole word. Their letters can't be combined with other
	// options.
	lone []string
	// values are the letters of short options that take the rest of the word as their value.
	values string
	// single means that long options have one dash, so short options can't be combined.
	// oneDash means that long options may have one or two dashes.
	single, oneDash bool
	// before lists the options that require permission only in front of the subcommand. valueOptions lists the options
	// in front of the subcommand that take a separate value.
	before, valueOptions []string
	// colon means that words with a colon refer to another computer.
	colon bool
	// script means that the first word that isn't an option is a script. The words after it are the script's arguments
	// and aren't checked. dashes means that the words after "--" aren't checked.
	script, dashes bool
	// subs are the subcommands. If strict is set, any other subcommand requires permission.
	subs   map[string]program
	strict bool
	// If alone is set, permission is required unless the rule names the subcommand.
	alone bool
	// The field any means that every word that isn't part of the rule requires permission.
	any bool
	// The function words reports whether a word that isn't an option requires permission. The function scripts checks
	// all words together. It returns the word that requires permission, or "" if there is none.
	words   func(text string) bool
	scripts func(args []argument) string
	// starts returns the index in c of the program that the command starts. It returns len(c) if c doesn't name the
	// program, and 0 if c is to be checked as a command that starts no other program.
	starts func(c Command) int
	// pattern reports whether the first word that isn't an option is a search pattern.
	pattern func(c Command) bool
}

// refuses returns the word that makes the program do more than the rule allows, or "" if there is none.
func (p program) refuses(args []argument) string {
	if p.subs != nil {
		i := p.command(args)
		for _, a := range args[:max(0, i)] {
			if !a.own && p.isFlag(a.text, p.before) {
				return a.text
			}
		}
		if i >= 0 {
			sub, known := p.subs[args[i].text]
			if known && sub.alone && !args[i].own || !known && p.strict && !args[i].own {
				return args[i].text
			}
			if known {
				if why := sub.refuses(args[i+1:]); why != "" {
					return why
				}
			}
		}
	}
	if p.scripts != nil {
		if why := p.scripts(args); why != "" {
			return why
		}
	}
	for _, a := range args {
		if a.text == "--" && p.dashes {
			return ""
		}
		isOption := strings.HasPrefix(a.text, "-") && a.text != "-" && a.text != "--"
		switch {
		case a.own:
			if p.script && !isOption {
				return ""
			}
		case p.any, p.colon && strings.Contains(a.text, ":"):
			return a.text
		case !isOption:
			if p.words != nil && p.words(a.text) {
				return a.text
			}
			if p.script {
				if a.text == "-" {
					return a.text // the program runs code from standard input
				}
				return ""
			}
		case p.only != nil && !p.allowed(a.text), p.isFlag(a.text, p.flags):
			return a.text
		}
	}
	return ""
}

// command returns the index of the program's subcommand, or -1 if there is none. The
// subcommand is the first word that is neither an option nor the value of one. A word
// that belongs to the rule but isn't a known subcommand is assumed to be an option's
// value; if there is no better candidate, the first such word is returned.
func (p program) command(args []argument) int {
	first := -1
	for i, a := range args {
		_, known := p.subs[a.text]
		switch {
		case strings.HasPrefix(a.text, "-"), i > 0 && slices.Contains(p.valueOptions, args[i-1].text):
		case known || !a.own:
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

// allowed reports whether an option is harmless according to p.only and p.lone.
func (p program) allowed(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	if slices.Contains(p.only, name) || slices.Contains(p.lone, text) {
		return true
	}
	if strings.HasPrefix(text, "--") || p.single {
		return false
	}
	for _, letter := range text[1:] {
		if !slices.Contains(p.only, "-"+string(letter)) {
			return false
		}
		if strings.ContainsRune(p.values, letter) {
			return true
		}
	}
	return true
}

// isFlag reports whether an option may be one of the given flags, possibly abbreviated or combined with others.
func (p program) isFlag(text string, flags []string) bool {
	name, _, _ := strings.Cut(text, "=")
	for _, flag := range flags {
		switch {
		case strings.HasPrefix(flag, "--"):
			if len(name) > 2 && (strings.HasPrefix(flag, name) || p.oneDash && strings.HasPrefix(flag, "-"+name)) {
				return true
			}
		case len(flag) > 2 || p.single:
			if strings.TrimLeft(name, "-") == flag[1:] {
				return true
			}
		case !strings.HasPrefix(text, "--"):
			if at := strings.IndexByte(text, flag[1]); at > 0 && !strings.ContainsAny(text[1:at], p.values) {
				return true
			}
		}
	}
	return false
}
