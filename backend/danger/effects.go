package danger

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/voxpilot/voxpilot/backend"
)

// Effects holds a command's effects beyond the files in its folder, as far as they are apparent from the command's
// text. Scripts and unknown programs may have other effects.
type Effects struct {
	Remote     bool // sends data to other computers, or changes data there
	Outside    bool // may write files outside the folder, other than temporary files
	Repository bool // changes Git's data: commits, branches, index or settings
	Background bool // starts a command that may still run after this one has ended
}

// EffectsOf returns the effects of a command run in folder. The command may be cut off at its end, for example after
// its first line. home is the user's home directory, or "" if unknown.
func EffectsOf(folder, home, command string) (e Effects) {
	command = completed(command[:min(len(command), maxRead)])
	r := &reader{folder: folder, home: home, text: command, effects: &e}
	r.parse(command, 0, 0, folder)
	r.match(command, 0)
	e.Background = e.Background || r.jobs || launchesOnWindows(command)
	e.Remote = e.Remote || slices.ContainsFunc(r.found, func(f found) bool {
		return f.Kind == backend.MarkPublish || f.Kind == backend.MarkOverwrite
	})
	return e
}

// completed returns a form of the command that can be parsed if the command is cut off: it removes an incomplete end or
// adds a missing one. If that isn't necessary or doesn't help, completed returns the command unchanged.
func completed(command string) string {
	parses := func(text string) bool {
		_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		return err == nil
	}
	document, _, _ := strings.Cut(command, "<<")
	for _, text := range []string{command, strings.TrimRight(command, `&|\ `), document} {
		for _, end := range []string{"", `"`, "'", ")", `)"`, "; done", "; fi", "; }"} {
			if parses(text + end) {
				return text + end
			}
		}
	}
	return command
}

// setOf splits a space-separated list into a set.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, one := range strings.Fields(list) {
		set[one] = true
	}
	return set
}

var (
	// senders are programs that always send data to other computers.
	senders = setOf("ssh scp sftp ftp mail mailx sendmail mutt nc ncat telnet rclone s3cmd")
	// sending maps programs to their subcommands that send data to other computers or change data on them. The map
	// supplements publishers. A nil value stands for all subcommands.
	sending = map[string]map[string]bool{
		"npm": setOf("access owner dist-tag"), "lerna": setOf("publish"), "goreleaser": setOf("release"),
		"docker": setOf("login logout"), "podman": setOf("login logout"), "helm": setOf("install upgrade uninstall push rollback"),
		"kubectl":   setOf("apply create delete patch scale replace edit rollout set annotate label expose run drain cordon uncordon taint exec cp"),
		"terraform": setOf("apply destroy import"), "tofu": setOf("apply destroy import"), "pulumi": setOf("up destroy"), "ansible-playbook": nil,
		"mvn": setOf("deploy"), "gradle": setOf("publish"), "gradlew": setOf("publish"), "dotnet": setOf("push"), "nuget": setOf("push"), "hub": setOf("push pull-request release"),
		"vercel": nil, "netlify": setOf("deploy"), "firebase": setOf("deploy"), "fly": setOf("deploy"), "flyctl": setOf("deploy"),
		"wrangler": setOf("deploy publish"), "serverless": setOf("deploy remove"), "svn": setOf("commit ci delete mkdir import"),
	}
	// clouds are the command-line clients of online services. A call to one of them may change data of the service,
	// unless it has a read-only subcommand: an entry of reads, or one that starts with such an entry and a hyphen.
	clouds = setOf("aws gcloud az doctl heroku gh glab")
	reads  = []string{"list", "ls", "get", "describe", "show", "view", "status", "help", "diff", "checks", "download", "search", "auth", "browse", "completion", "alias", "config", "clone", "checkout", "version"}
	// readers are programs that write no files, or only those that a redirection names.
	readers = setOf("cat less more head tail ls tree stat file wc diff cmp comm grep egrep fgrep zgrep rg ag ack fd test [ echo printf cd pushd popd pwd which whereis type " +
		"command realpath readlink dirname basename du df sort uniq cut tr awk gawk jq yq md5sum sha1sum sha256sum cksum xxd od hexdump strings nm objdump ldd column nl tac " +
		"source . export set unset env ps id whoami uname date true false sleep seq expr read exit return kill wait trap man bat nproc lsof")
	// copiers are programs that write only to their last argument, or to the argument after -t.
	copiers = setOf("cp install ln rsync scp")
	// repository lists Git's subcommands that always change its data. For the others, gitEffect also checks the arguments.
	repository = setOf("add am bisect checkout cherry-pick clone commit commit-graph fast-import fetch filter-branch filter-repo gc init merge mv prune pull read-tree " +
		"rebase repack replace reset revert rm sparse-checkout subtree switch update-index update-ref pack-refs maintenance clean-index")
	// listing maps subcommands of Git to the arguments that prevent them from changing anything.
	listing = map[string]map[string]bool{
		"branch": setOf("-a -r -v -vv -l --all --remotes --list --show-current --verbose --contains --merged --no-merged --points-at"), "tag": setOf("-l -n --list --contains --merged --points-at --verify -v"),
		"stash": setOf("list show"), "worktree": setOf("list"), "submodule": setOf("status summary"), "remote": setOf("-v show get-url --verbose"), "notes": setOf("list show"),
		"config": setOf("-l --list --get --get-all --get-regexp --get-urlmatch --show-origin --show-scope get list"), "reflog": setOf("show exists list"), "bundle": setOf("verify list-heads"),
	}
)

// effect adds the effects of a call to a program other than git.
func (w *walker) effect(name string, args []word) {
	if w.effects == nil || name == "" {
		return
	}
	opts, rest := options(args)
	first := ""
	if len(rest) > 0 {
		first = rest[0].text
	}
	if has(opts, "--help", "--dry-run") {
		return
	}
	is := func(subs map[string]bool) bool {
		return slices.ContainsFunc(rest, func(one word) bool { return subs[one.text] })
	}
	subs, sends := sending[name]
	switch {
	case senders[name], sends && (subs == nil || is(subs)):
		w.effects.Remote = true
	case clouds[name]:
		w.effects.Remote = w.effects.Remote || changesService(name, args, rest)
	case name == "rsync":
		w.effects.Remote = w.effects.Remote || slices.ContainsFunc(rest, func(one word) bool { return strings.Contains(one.text, ":") })
	case name == "curl" || name == "wget":
		w.effects.Remote = w.effects.Remote || uploads(args)
	case name == "npm" && first == "version", name == "jj":
		w.effects.Repository = true
	}
	if name == "gh" && len(rest) > 1 && (rest[1].text == "checkout" || rest[1].text == "clone") {
		w.effects.Repository = true
	}
	if !writesFiles(name, args, opts) {
		return
	}
	w.effects.Outside = w.effects.Outside || w.isOutside(".")
	for _, one := range written(name, args, rest) {
		w.writes(one)
	}
}

// writesFiles reports whether a call may write files other than those that a redirection names.
func writesFiles(name string, args []word, opts []string) bool {
	switch name {
	case "sed":
		return has(opts, "-i", "--in-place")
	case "find":
		return slices.ContainsFunc(args, func(one word) bool { return one.text == "-delete" || strings.HasPrefix(one.text, "-fprint") })
	}
	return !readers[name]
}

// writes adds the effect of writing to the path in a word. It does nothing if the word isn't a path.
func (w *walker) writes(one word) {
	if w.effects == nil {
		return
	}
	text := one.text
	if _, value, ok := strings.Cut(text, "="); ok {
		text = value
	}
	slashes := "/" + strings.ReplaceAll(text, `\`, "/") + "/"
	switch {
	case strings.Contains(slashes, "/.git/"):
		w.effects.Repository = true
	case strings.HasPrefix(text, "-"), strings.Contains(text, "://"), strings.ContainsAny(text, "\n"):
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "~"), strings.HasPrefix(text, ".."), strings.Contains(text, "/../"), filepath.IsAbs(text):
		w.effects.Outside = w.effects.Outside || w.isOutside(text)
	}
}

// isOutside reports whether a path is outside the folder, and not in a folder for temporary files.
func (w *walker) isOutside(path string) bool {
	at := path
	if !strings.HasPrefix(path, "~") && !filepath.IsAbs(path) && !strings.HasPrefix(path, "/") {
		if strings.HasPrefix(w.dir, "~") {
			at = w.dir + "/" + path
		} else {
			at = filepath.Join(w.dir, path)
		}
	}
	if !w.outside(w.dir, at) {
		return false
	}
	for _, temp := range []string{"/tmp", "/var/tmp", "/private/tmp", os.TempDir()} {
		if rel, err := filepath.Rel(temp, at); err == nil && filepath.IsLocal(rel) {
			return false
		}
	}
	return true
}

// written returns the arguments of a call that may name files that the program writes.
func written(name string, args, rest []word) []word {
	if !copiers[name] || len(rest) == 0 {
		return args
	}
	for i, one := range args {
		if (one.text == "-t" || one.text == "--target-directory") && i+1 < len(args) {
			return args[i+1 : i+2]
		}
		if strings.HasPrefix(one.text, "--target-directory=") {
			return []word{one}
		}
	}
	return rest[len(rest)-1:]
}

// changesService reports whether a call to a service's client may change the service's data.
func changesService(name string, args, rest []word) bool {
	if (name == "gh" || name == "glab") && len(rest) > 0 && rest[0].text == "api" {
		return slices.ContainsFunc(args, func(one word) bool {
			flag, value, _ := strings.Cut(one.text, "=")
			return strings.HasPrefix(flag, "-X") && !strings.EqualFold(strings.TrimPrefix(one.text, "-X"), "GET") || flag == "--method" && !strings.EqualFold(value, "GET") ||
				strings.HasPrefix(flag, "-f") || strings.HasPrefix(flag, "-F") || flag == "--field" || flag == "--raw-field" || flag == "--input"
		})
	}
	words := 4 // among which is the verb, such as in "gcloud compute instances list"
	if name == "gh" || name == "glab" {
		words = 2
	}
	return len(rest) > 0 && !slices.ContainsFunc(rest[:min(len(rest), words)], func(one word) bool {
		return slices.ContainsFunc(reads, func(read string) bool {
			return one.text == read || strings.HasPrefix(one.text, read+"-")
		})
	})
}

// uploads reports whether a call to curl or wget may send data or a request other than GET or HEAD.
func uploads(args []word) bool {
	for i, one := range args {
		flag, value, _ := strings.Cut(one.text, "=")
		switch {
		case flag == "-X" || flag == "--request" || flag == "--method":
			if value == "" && i+1 < len(args) {
				value = args[i+1].text
			}
			if !strings.EqualFold(value, "GET") && !strings.EqualFold(value, "HEAD") {
				return true
			}
		case strings.HasPrefix(flag, "-X"):
			if method := flag[2:]; !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD") {
				return true
			}
		case strings.HasPrefix(flag, "--data"), strings.HasPrefix(flag, "--form"), flag == "--json", flag == "--upload-file", strings.HasPrefix(flag, "--post-"), strings.HasPrefix(flag, "--body-"):
			return true
		case uploadsByLetter(flag, args[i+1:]):
			return true
		}
	}
	return false
}

// uploadsByLetter reports whether a group of curl's short options, such as -sSd, makes curl send data or a request
// other than GET or HEAD. next holds the arguments after the group.
func uploadsByLetter(group string, next []word) bool {
	if len(group) < 2 || group[0] != '-' || group[1] == '-' {
		return false
	}
	for i, letter := range group[1:] {
		switch {
		case strings.ContainsRune("dFT", letter):
			return true
		case letter == 'X':
			method := group[i+2:]
			if method == "" && len(next) > 0 {
				method = next[0].text
			}
			return !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD")
		case strings.ContainsRune("oHuAebcmKwxDQrtyYzCEU", letter): // the rest is its value
			return false
		}
	}
	return false
}

// gitEffect adds the effects of a call to git. args are the arguments after git's global options.
func (w *walker) gitEffect(args []word) {
	if w.effects == nil || len(args) == 0 {
		return
	}
	sub := args[0].text
	opts, rest := options(args[1:])
	if has(opts, "--help", "--dry-run") {
		return
	}
	switch {
	case sub == "push" && !has(opts, "-n"), sub == "send-email", sub == "svn" && len(rest) > 0 && rest[0].text == "dcommit":
		w.effects.Remote = true
	case repository[sub]:
		w.effects.Repository = true
	case sub == "restore":
		w.effects.Repository = w.effects.Repository || has(opts, "-S", "--staged")
	case sub == "apply":
		w.effects.Repository = w.effects.Repository || has(opts, "--index", "--cached")
	case sub == "symbolic-ref":
		w.effects.Repository = w.effects.Repository || len(rest) > 1 || has(opts, "-d", "--delete")
	case sub == "stash", sub == "submodule", sub == "bundle": // without arguments, stash stashes
		w.effects.Repository = w.effects.Repository || sub == "stash" && len(args) == 1 || len(args) > 1 && !listing[sub][args[1].text]
	case sub == "config":
		w.effects.Repository = w.effects.Repository || !lists(sub, args[1:]) && (len(rest) > 1 || len(opts) > 0 && len(rest) > 0)
	case listing[sub] != nil:
		w.effects.Repository = w.effects.Repository || len(args) > 1 && !lists(sub, args[1:])
	}
}

// lists reports whether a subcommand of Git with the given arguments only lists something.
func lists(sub string, args []word) bool {
	return slices.ContainsFunc(args, func(one word) bool {
		flag, _, _ := strings.Cut(one.text, "=")
		return listing[sub][flag]
	})
}
