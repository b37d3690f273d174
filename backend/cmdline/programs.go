package cmdline

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// f splits a space-separated list into words. It keeps the tables of programs short.
func f(list string) []string { return strings.Fields(list) }

// Entries for subcommands. The entry named asks is for a subcommand that requires permission unless a rule
// names it; the entry named fine is for one that requires none.
var (
	asks = program{alone: true}
	fine = program{}
)

// commands returns a table of subcommands. The subcommands in the space-separated list safe require no permission. The
// subcommands in the list alone require permission unless a rule names them. Entries in more take precedence.
func commands(safe, alone string, more map[string]program) map[string]program {
	out := map[string]program{}
	for _, name := range f(safe) {
		out[name] = fine
	}
	for _, name := range f(alone) {
		out[name] = asks
	}
	maps.Copy(out, more)
	return out
}

// programs describes, by name, the common programs that can write, run or fetch more than their names suggest. For
// any other program, only words that may be paths are checked.
var programs = table()

func table() map[string]program {
	all := map[string]program{
		"git": gitProgram(), "go": goProgram(), "docker": dockerProgram(), "kubectl": kubectlProgram(), "gh": ghProgram(),
		"npm": npmProgram(), "pnpm": pnpmProgram(), "yarn": yarnProgram(), "bun": bunProgram(), "cargo": cargoProgram(), "pip": pipProgram(),

		"tar": {
			flags:  f("-I -F -P -h -T -L -H --keep-directory-symlink --remove-files --recursive-unlink --use-compress-program --checkpoint-action --to-command --info-script --new-volume-script --rsh-command --rmt-command --absolute-names --dereference --files-from --index-file"),
			values: "fCbgKNXV", words: func(text string) bool {
				return oldTar.MatchString(text) && strings.ContainsAny(text, "cxtrudA") && strings.ContainsAny(text, "IFPhT")
			}, colon: true,
		},
		"find": {single: true, flags: f("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from -L -H -follow")},
		"fd":   {flags: f("-x -X -L --exec --exec-batch --follow"), values: "eEtdSj"},
		"sort": {flags: f("-o -T --output --temporary-directory --compress-program --files0-from --random-source"), values: "ktS"},
		"rg": {
			flags: f("-L -z -f --pre --hostname-bin --search-zip --follow --file --ignore-file"), values: "ABCEMdegjmrtT",
			pattern: without("-e", "-f", "--regexp", "--file", "--files", "--type-list"),
		},
		"grep": {flags: f("-R -S --dereference-recursive"), values: "ABCDdefm", pattern: without("-e", "-f", "--regexp", "--file", "--exclude-from")},
		"sed":  {only: f("-n -E -r -z -u -s --quiet --silent --regexp-extended --null-data --separate --debug --posix --sandbox --version --help"), lone: f("-e -ne -re -Ee"), scripts: scriptsOf("-e -ne -re -Ee", "", isSedScript), pattern: without("-e")},
		"awk":  {only: f("-F -v --field-separator --assign --version --help --posix"), values: "Fv", scripts: scriptsOf("", "-F -v --field-separator --assign", isAwkScript), pattern: always},
		"jq":   {flags: f("-f -L --from-file --library-path"), words: jqMore.MatchString, pattern: without("-f", "--from-file")},
		"yq":   {flags: f("-i -s -f --inplace --in-place --split-exp --from-file --security-enable-system-operator"), words: hasOneOf("load", "env", "ENV", "system", "import", "include")},
		"split": {
			flags: f("--filter"),
		},
		"uniq": {scripts: second}, "du": {flags: f("-L -D --dereference --dereference-args --files0-from --exclude-from")}, "wc": {flags: f("--files0-from")},
		"ls":   {flags: f("-L --dereference")},
		"zip":  {flags: f("-T -TT -O -b -r -R -m --recurse-paths --recurse-patterns --move --unzip-command --test --out")},
		"less": {any: true}, "more": {any: true}, "man": {any: true}, "open": {any: true}, "xdg-open": {any: true},
		"tmux": {any: true}, "screen": {any: true}, "at": {any: true}, "batch": {any: true}, "crontab": {any: true},
		"tree": {flags: f("-l -o -R")},
		"date": {flags: f("-s -f --set --file")},
		"file": {flags: f("-f -m -L -C --compile --files-from --magic-file --dereference")},
		"diff": {flags: f("-r -X --recursive --to-file --from-file")},
		"patch": {
			flags: f("-e -o -r --ed --output --reject-file --follow-symlinks"),
		},
		"tee": {}, "cp": {flags: f("-L -H --dereference")},

		"python": {
			only:   f("-u -B -E -I -s -S -O -OO -v -V -q -b -d -P --version --help -h -m"),
			script: true, starts: pythonModule,
		},
		"node": {
			only:   f("--test --test-only --check -c -v --version -h --help --no-warnings --trace-warnings --enable-source-maps --trace-deprecation --no-deprecation --watch"),
			script: true,
		},
		"perl": {only: f("-v -V --version -w"), script: true}, "ruby": {only: f("-v -w --version"), script: true}, "php": {only: f("-v -l --version"), script: true},
		"deno": {only: f("-V --version --help -q --quiet"), subs: commands("test check lint fmt info", "", nil), strict: true},
		"pytest": {
			flags: f("-p -c -o --rootdir --override-ini --basetemp --junitxml --junit-xml --log-file --pdbcls --confcutdir --config-file --cov-report --pastebin --debug --pyargs"), values: "kmnWr",
		},
		"make": {
			only:   f("-j -k -n -s -B -i -q -l -w --jobs --keep-going --dry-run --silent --quiet --always-make --question --no-print-directory --print-directory --output-sync --version --help -O"),
			values: "jlO", words: func(text string) bool { return strings.Contains(text, "=") },
		},
		"ninja": {only: f("-j -k -n -v -l --version --quiet"), values: "jkl"},

		"curl": {
			only:   f("-s -S -f -L -I -i -v -g -N -4 -6 -m --silent --show-error --fail --fail-with-body --location --head --include --verbose --max-time --connect-timeout --retry --compressed --http1.1 --http2 --no-progress-meter --version --help"),
			values: "m", words: otherScheme,
		},
		"wget": {
			only:  f("-q -S -nv -t -T -4 -6 --quiet --no-verbose --spider --server-response --timeout --tries --version --help"),
			words: otherScheme,
		},
		"ssh": {any: true}, "scp": {any: true}, "sftp": {any: true}, "telnet": {any: true}, "nc": {any: true}, "ncat": {any: true}, "socat": {any: true},
		"rsync": {
			flags: f("-e -L -k -K -T --rsh --rsync-path --files-from --daemon --config --log-file --write-batch --only-write-batch --read-batch --out-format --copy-links --copy-unsafe-links --copy-dirlinks --keep-dirlinks --temp-dir --backup-dir --partial-dir --password-file --exclude-from --include-from --remote-option -M -s --sockopts --protect-args --remove-source-files --remove-sent-files"),
			colon: true,
		},
	}
	for _, name := range f("eval trap alias set hash enable fc compgen complete bind emulate autoload zmodload zpty sched") {
		all[name] = program{any: true}
	}
	for _, name := range f("printf test [ read unset wait mapfile readarray print exit return shift kill getopts") {
		all[name] = program{words: hasOneOf("$", "`")} // in an index such as a[$(id)], which the shell evaluates
	}
	for _, name := range f("tsx ts-node rscript julia irb groovy scala") {
		all[name] = program{only: f("-v --version"), script: true}
	}
	for _, name := range f("vim vi nvim view ex ed emacs nano") {
		all[name] = program{only: []string{}, words: func(text string) bool { return strings.HasPrefix(text, "+") || text == "-" }}
	}
	for _, name := range f("sh bash zsh dash ksh ash fish mksh pwsh powershell cmd tclsh lua osascript expect") {
		all[name] = program{only: []string{}, script: true, words: func(text string) bool { return text == "-" }}
	}
	for name, start := range starters {
		all[name] = program{starts: start}
	}
	for alias, name := range map[string]string{
		"python2": "python", "python3": "python", "nodejs": "node", "gawk": "awk", "mawk": "awk", "nawk": "awk", "gmake": "make", "egrep": "grep", "fgrep": "grep", "zgrep": "grep",
		"podman": "docker", "nerdctl": "docker", "pip3": "pip", "bunx": "npx", "pnpx": "npx", "pypy": "python", "ipython": "python", "pythonw": "python", "bsdtar": "tar", "gtar": "tar", "gsed": "sed", "gfind": "find", "fdfind": "fd", "uv": "pip", "poetry": "pip", "pipx": "pip",
	} {
		all[alias] = all[name]
	}
	return all
}

// oldTar matches words that may be tar options without a dash, such as the first argument in tar xf.
var oldTar = regexp.MustCompile(`^[A-Za-z0-9]+$`)

// otherScheme reports whether an address has, or may have, a scheme other than HTTP or HTTPS. An address
// with braces or brackets may have one, because curl expands it into several addresses.
func otherScheme(text string) bool {
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
		return false
	}
	if strings.ContainsAny(text, "{}[]") {
		return true
	}
	scheme, _, ok := strings.Cut(text, ":")
	return ok && slices.Contains(f("file scp sftp smb dict gopher ldap ldaps telnet tftp ftp ftps smtp imap pop3 rtsp mqtt ws"), scheme) ||
		slices.ContainsFunc(f("ftp. dict. ldap. imap. smtp. pop3."), func(host string) bool { return strings.HasPrefix(text, host) })
}

// hasOneOf returns a function that reports whether a word contains one of the given strings.
func hasOneOf(texts ...string) func(string) bool {
	return func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(word, text) })
	}
}

// jqMore matches the parts of a jq script that read more than the input: other scripts and
// the environment.
var jqMore = regexp.MustCompile(`import|include|ENV|(?:^|[^.\w])env\b`)

// second returns the name of the program's output file: the first non-option word that isn't part of the
// rule and follows another non-option word. It returns "" if there is none.
func second(args []argument) string {
	before := false
	for _, a := range args {
		if strings.HasPrefix(a.text, "-") && a.text != "-" {
			continue
		}
		if before && !a.own {
			return a.text
		}
		before = true
	}
	return ""
}

// always is the pattern function for programs whose first non-option word is always a search pattern.
func always(Command) bool { return true }

// without returns the pattern function for a program that takes a search pattern as its first non-option
// word, unless one of the named options is present.
func without(names ...string) func(Command) bool {
	flags := program{flags: names}
	return func(c Command) bool {
		return !slices.ContainsFunc(c[1:], func(w Word) bool {
			return strings.HasPrefix(w.Text, "-") && flags.isFlag(w.Text, names)
		})
	}
}

// scriptsOf returns a function that checks a program's script arguments: the values of the given options or, if none of
// these options is present, the first word that is neither an option nor an option's value. All other options that have
// a value must be listed, too (takes). The function returns the first script that is neither harmless nor part of the
// rule, or "" if there is none.
func scriptsOf(options, takes string, harmless func(string) bool) func([]argument) string {
	before, values := f(options), f(takes)
	return func(args []argument) string {
		named := slices.ContainsFunc(args, func(a argument) bool { return slices.Contains(before, a.text) })
		for i := 0; i < len(args); i++ {
			a := args[i]
			switch {
			case slices.Contains(values, a.text):
				i++
			case slices.Contains(before, a.text):
				if i++; i < len(args) && !args[i].own && !harmless(args[i].text) {
					return args[i].text
				}
			case strings.HasPrefix(a.text, "-"), named:
			case a.own || harmless(a.text):
				return ""
			default:
				return a.text
			}
		}
		return ""
	}
}

// isSedScript reports whether a sed script only prints, deletes and replaces input,
// without writing files or running programs.
func isSedScript(text string) bool {
	for part := range strings.SplitSeq(text, ";") {
		if !sedCommand.MatchString(strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

// sedCommand matches a single sed command. Bracket expressions must not contain characters that end a
// pattern or start the next command, because versions of sed treat these differently.
var sedCommand = func() *regexp.Regexp {
	pattern := func(end string) string { return `(?:[^` + end + `\\\[]|\[[^` + end + `\\\[\];]+\])*` }
	address := `(?:\d+|\$|/` + pattern("/") + `/)`
	to := `(?:\+?\d+|\$|/` + pattern("/") + `/)`
	replace := func(end string) string {
		return `s` + regexp.QuoteMeta(end) + pattern(end) + regexp.QuoteMeta(end) + `[^` + end + `\\]*` + regexp.QuoteMeta(end) + `[gpI0-9]*`
	}
	return regexp.MustCompile(`^(?:` + address + `(?:,` + to + `)?!?)?(?:[pdq=]|` + replace("/") + `|` + replace("|") + `|` + replace(",") + `)?$`)
}()

// isAwkScript reports whether an awk script runs no programs, writes no files and reads
// only its input, not its environment.
func isAwkScript(text string) bool {
	return !strings.ContainsAny(text, "|>@<\\`") && !strings.Contains(text, "system") && !strings.Contains(text, "getline") &&
		!strings.Contains(text, "close") && !strings.Contains(text, "ARGV") && !strings.Contains(text, "ENVIRON") && !strings.Contains(text, "PROCINFO") && strings.ContainsAny(text, "{/$")
}

// pythonModule returns the index of the word that names the module to run with python -m, or 0 if there is none.
func pythonModule(c Command) int {
	for i := 1; i+1 < len(c); i++ {
		if c[i].Text == "-m" {
			return i + 1
		}
		if !strings.HasPrefix(c[i].Text, "-") {
			break
		}
	}
	return 0
}
