package danger

import (
	"regexp"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// command examines a call and the program that the call finally starts, for example with sudo. words are
// the words of the call.
func (w *walker) command(words []word) {
	if len(words) == 0 {
		return
	}
	rest := words
	for range maxLevel {
		w.launch(rest)
		if name := nameOf(rest); slices.Contains([]string{"sudo", "doas", "runas", "pkexec", "su"}, name) {
			w.mark(rest, backend.Mark{Kind: backend.MarkAdmin, Part: name})
		}
		if _, ok := starters[nameOf(rest)]; !ok || len(rest) < 2 {
			break
		}
		if next := startedCommand(rest); len(next) == len(rest) {
			break
		}
		rest = nextCall(rest)
	}
	call := startedCommand(words)
	name, args := nameOf(call), call[1:]
	w.launch(call)
	w.paths(name, words)
	if name != "git" {
		w.effect(name, args)
	}
	switch {
	case slices.Contains(shells, name):
		w.shell(name, call, args)
	case name == "eval":
		w.eval(call, args)
	case name == "source" || name == ".":
		w.fromWeb(call, args)
	case name == "cd" || name == "pushd":
		if len(args) > 0 && args[0].plain {
			w.dir = joinPath(w.dir, args[0].text)
		}
	case name == "git":
		w.git(call, args)
	default:
		w.program(name, call, args)
	}
}

// nextCall returns the words from the next starter on or, if there is none, from the program that is finally started.
// words is a call to a starter, such as sudo.
func nextCall(words []word) []word {
	for i := 1; i < len(words); i++ {
		if _, ok := starters[nameOf(words[i:])]; ok {
			return words[i:]
		}
	}
	return startedCommand(words)
}

func joinPath(dir, path string) string {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") {
		return path
	}
	return dir + "/" + path
}

// mark adds a mark for the whole call.
func (w *walker) mark(call []word, m backend.Mark) {
	w.add(call[0].from, call[len(call)-1].to, m)
}

// options splits the arguments of a call into options and other words. All words after "--" count as other words.
func options(args []word) (opts []string, rest []word) {
	for i, one := range args {
		if one.text == "--" {
			return append(opts, "--"), append(rest, args[i+1:]...)
		}
		if strings.HasPrefix(one.text, "-") && one.text != "-" {
			opts = append(opts, one.text)
			continue
		}
		rest = append(rest, one)
	}
	return opts, rest
}

// has reports whether opts contains one of the named options, with or without a value. A
// single letter may be combined with others, as in -rf.
func has(opts []string, names ...string) bool {
	for _, opt := range opts {
		for _, name := range names {
			long, _, _ := strings.Cut(opt, "=")
			if long == name || len(name) == 2 && !strings.HasPrefix(opt, "--") && strings.Contains(opt[1:], name[1:]) {
				return true
			}
		}
	}
	return false
}

func texts(words []word) (out []string) {
	for _, one := range words {
		out = append(out, one.text)
	}
	return out
}

// program examines a call to a program for which there is no separate method.
func (w *walker) program(name string, call, args []word) {
	opts, rest := options(args)
	first := ""
	if len(rest) > 0 {
		first = rest[0].text
	}
	switch {
	case name == "rm" && has(opts, "-r", "-R", "-f", "--recursive", "--force"):
		w.mark(call, backend.Mark{Kind: backend.MarkDelete, Part: part(name, opts, "--"), Of: texts(rest)})
	case name == "shred" || name == "unlink" && len(rest) > 0:
		w.mark(call, backend.Mark{Kind: backend.MarkDelete, Part: name, Of: texts(rest)})
	case name == "find" && slices.Contains(opts, "-delete"):
		w.mark(call, backend.Mark{Kind: backend.MarkDelete, Part: "find -delete"})
	case name == "find" && slices.ContainsFunc([]string{"-exec", "-execdir", "-ok"}, func(o string) bool { return slices.Contains(opts, o) }):
		at := slices.IndexFunc(args, func(one word) bool { return strings.HasPrefix(one.text, "-exec") || one.text == "-ok" })
		if at >= 0 && at+1 < len(args) && w.level < maxLevel {
			w.level++
			w.command(args[at+1:])
			w.level--
		}
	case (name == "chmod" || name == "chown" || name == "chgrp") && has(opts, "-R", "--recursive"):
		kind := backend.MarkOwner
		if name == "chmod" {
			kind = backend.MarkRights
		}
		w.mark(call, backend.Mark{Kind: kind, Part: name + " -R", Of: texts(rest[min(1, len(rest)):])})
	case name == "dd":
		for _, one := range args {
			if to, ok := strings.CutPrefix(one.text, "of="); ok && isDisk(to) {
				w.mark(call, backend.Mark{Kind: backend.MarkDisk, Part: "dd of=" + to, Of: []string{to}})
			}
		}
	case name == "mkfs" || strings.HasPrefix(name, "mkfs.") || name == "wipefs" || name == "mkswap":
		w.mark(call, backend.Mark{Kind: backend.MarkDisk, Part: name, Of: texts(rest[max(0, len(rest)-1):])})
	case name == "diskutil" && strings.HasPrefix(strings.ToLower(first), "erase"):
		w.mark(call, backend.Mark{Kind: backend.MarkDisk, Part: "diskutil " + first, Of: texts(rest[max(0, len(rest)-1):])})
	case slices.Contains(languages, name):
		w.fromWeb(call, args)
	default:
		w.publishes(name, first, call, opts, rest)
	}
}

// publishers are the commands that publish or change remote data. Each is mapped to the service that it
// affects.
var publishers = map[string]string{
	"npm publish": "npm", "npm unpublish": "npm", "npm deprecate": "npm", "yarn publish": "npm", "yarn npm": "npm", "pnpm publish": "npm", "bun publish": "npm",
	"cargo publish": "crates.io", "cargo yank": "crates.io", "gem push": "RubyGems", "twine upload": "PyPI", "poetry publish": "PyPI", "uv publish": "PyPI",
	"docker push": "Docker", "podman push": "Docker", "gh release": "GitHub", "gh repo": "GitHub", "vsce publish": "Visual Studio Marketplace",
}

// readOnlyVerbs are verbs with which gh release isn't marked as publishing. gh repo is marked only with the verb
// delete.
var readOnlyVerbs = []string{"list", "view", "download", "clone", "fork", "set-default"}

// publishes marks a call if it publishes something or changes remote data. name is the program's name, and
// first is its first argument that isn't an option.
func (w *walker) publishes(name, first string, call []word, opts []string, rest []word) {
	at, ok := publishers[name+" "+first]
	if !ok || has(opts, "--dry-run", "--help") {
		return
	}
	part := name + " " + first
	switch part {
	case "gh release", "gh repo":
		if len(rest) < 2 || slices.Contains(readOnlyVerbs, rest[1].text) || first == "repo" && rest[1].text != "delete" {
			return
		}
		part += " " + rest[1].text
	case "yarn npm":
		if len(rest) < 2 || rest[1].text != "publish" {
			return
		}
		part += " publish"
	}
	w.mark(call, backend.Mark{Kind: backend.MarkPublish, Part: part, At: at})
}

// part returns a program's name followed by its options as written. It omits the given exceptions (without), and
// options that would start after 40 bytes.
func part(name string, opts []string, without ...string) string {
	out := name
	for _, opt := range opts {
		if !slices.Contains(without, opt) && len(out) < 40 {
			out += " " + opt
		}
	}
	return out
}

// isDisk reports whether a path may be a disk: any device that isn't known to be something else.
func isDisk(path string) bool {
	rest, ok := strings.CutPrefix(path, "/dev/")
	return ok && !slices.Contains([]string{"null", "zero", "stdout", "stderr", "stdin", "tty", "full", "random", "urandom"}, rest) && !strings.HasPrefix(rest, "fd/") && !strings.HasPrefix(rest, "tcp/") && !strings.HasPrefix(rest, "shm/")
}

// shell examines a call to the shell with the given name, including the text passed with -c.
func (w *walker) shell(name string, call, args []word) {
	w.fromWeb(call, args)
	for i, one := range args {
		if !strings.HasPrefix(one.text, "-") {
			return
		}
		if strings.HasPrefix(one.text, "--") || !strings.HasSuffix(one.text, "c") || i+1 >= len(args) {
			continue
		}
		text := args[i+1]
		if !text.plain {
			w.add(text.from, text.to, backend.Mark{Kind: backend.MarkUnread, Part: name + " -c"})
			return
		}
		w.parseText(text)
		return
	}
}

// parseText parses the text of a word as commands.
func (w *walker) parseText(in word) {
	at := in.from
	if raw := w.reader.text[min(in.from, len(w.reader.text)):min(in.to, len(w.reader.text))]; len(raw) == len(in.text)+2 && raw[1:len(raw)-1] == in.text {
		w.parse(in.text, at+1, w.depth+1, w.dir)
		return
	}
	// Mark the whole word, because offsets in its unquoted text differ from those in the command.
	inner := &reader{folder: w.folder, home: w.home, text: in.text, effects: w.effects}
	inner.parse(in.text, 0, w.depth+1, w.dir)
	for _, f := range inner.found {
		w.add(in.from, in.to, f.Mark)
	}
}

// eval examines a call to eval, which may run generated text.
func (w *walker) eval(call, args []word) {
	if w.fromWeb(call, args) {
		return
	}
	w.mark(call, backend.Mark{Kind: backend.MarkUnread, Part: "eval"})
	for _, one := range args {
		if one.plain {
			w.parseText(one)
		}
	}
}

// git examines a call to git.
func (w *walker) git(call, args []word) {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		takes := slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"}, args[0].text)
		args = args[1:]
		if takes && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return
	}
	w.gitEffect(args)
	sub := args[0].text
	opts, rest := options(args[1:])
	discards := func(part string) { w.mark(call, backend.Mark{Kind: backend.MarkDiscard, Part: part}) }
	switch sub {
	case "push":
		w.push(call, opts, rest)
	case "reset":
		if has(opts, "--hard") {
			discards("git reset --hard")
		}
	case "clean":
		if has(opts, "-f", "--force") && !has(opts, "-n", "--dry-run") {
			discards("git clean -f")
		}
	case "checkout":
		switch {
		case has(opts, "-f", "--force"):
			discards("git checkout -f")
		case slices.Contains(opts, "--") && len(rest) > 0:
			discards("git checkout --")
		case len(rest) > 0 && rest[len(rest)-1].text == ".":
			discards("git checkout .")
		}
	case "switch":
		if has(opts, "-f", "--force", "--discard-changes") {
			discards("git switch --discard-changes")
		}
	case "restore":
		if len(rest) > 0 && (!has(opts, "-S", "--staged") || has(opts, "-W", "--worktree")) {
			discards("git restore")
		}
	case "stash":
		if len(rest) > 0 && (rest[0].text == "drop" || rest[0].text == "clear") {
			discards("git stash " + rest[0].text)
		}
	case "filter-branch", "filter-repo":
		w.mark(call, backend.Mark{Kind: backend.MarkHistory, Part: "git " + sub})
	}
}

// push examines a call to git push. A push with --force-with-lease isn't marked: it first checks for
// pushes by others, so it overwrites only commits that the user has fetched.
func (w *walker) push(call []word, opts []string, rest []word) {
	if has(opts, "--dry-run", "-n") {
		return
	}
	remote := ""
	var refs []string
	forced, deletes := has(opts, "--force", "-f", "--mirror"), has(opts, "--delete", "-d")
	for i, one := range rest {
		if i == 0 {
			remote = one.text
			continue
		}
		ref, plus := strings.CutPrefix(one.text, "+")
		forced = forced || plus
		from, to, both := strings.Cut(ref, ":")
		deletes = deletes || both && from == ""
		if !both {
			to = from
		}
		refs = append(refs, strings.TrimPrefix(to, "refs/heads/"))
	}
	if forced {
		how := "--force"
		if !has(opts, "--force", "-f") {
			how = "+ref"
			if has(opts, "--mirror") {
				how = "--mirror"
			}
		}
		w.mark(call, backend.Mark{Kind: backend.MarkOverwrite, Part: "git push " + how, Of: refs, At: remote})
	}
	if deletes {
		w.mark(call, backend.Mark{Kind: backend.MarkPublish, Part: "git push --delete", Of: refs, At: remote})
	}
}

// paths marks each word of a call, except the first, that is a path outside the folder. name is the name of the program
// that the call finally starts. If that program takes a pattern or a text as its first argument, paths skips the first
// word that isn't an option, because it may look like a path.
func (w *walker) paths(name string, words []word) {
	skip := slices.Contains([]string{"sed", "awk", "grep", "rg", "egrep", "fgrep", "perl", "jq", "echo", "printf", "cmd"}, name)
	for _, one := range words[1:] {
		if skip && !strings.HasPrefix(one.text, "-") {
			skip = false
			continue
		}
		w.path(one)
	}
}

// flagOfCmd matches an option of a Windows program, such as /out:, which starts with a
// slash like a path.
var flagOfCmd = regexp.MustCompile(`^/\w+:`)

// path marks a word if it, or the option value in it, is a path outside the folder.
func (w *walker) path(one word) {
	text := one.text
	if strings.HasPrefix(text, "-") {
		_, value, ok := strings.Cut(text, "=")
		if !ok {
			return
		}
		text = value
	} else if _, value, ok := strings.Cut(text, "="); ok && (strings.HasPrefix(text, "of=") || strings.HasPrefix(text, "if=")) {
		text = value
	}
	looks := strings.HasPrefix(text, "/") && len(text) > 2 || text == "/" || strings.HasPrefix(text, "~") ||
		text == ".." || strings.HasPrefix(text, "../") || strings.Contains(text, "/../")
	if !looks || strings.Contains(text, "://") || flagOfCmd.MatchString(text) || strings.HasPrefix(text, "//") || strings.ContainsAny(text, "\n ") && !strings.HasPrefix(text, "/") {
		return
	}
	if strings.HasPrefix(w.dir, "~") || !w.outside(w.dir, text) {
		return
	}
	w.add(one.from, one.to, backend.Mark{Kind: backend.MarkOutside, Part: text, Of: []string{text}})
}
