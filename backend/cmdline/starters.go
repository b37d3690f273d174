package cmdline

import "strings"

// maxStarted is the maximum length of a chain of programs in a line, each of which starts the next.
const maxStarted = 8

// starters are the programs that start another program, which is named among their arguments. Each function
// returns the index of that program's name in a command (program.starts).
var starters = map[string]func(c Command) int{
	"env":     startsAfter("uSC", "", true, 0),
	"sudo":    startsAfter("ugpChDRrTtU", "", true, 0),
	"doas":    startsAfter("uC", "", false, 0),
	"nohup":   startsAfter("", "", false, 0),
	"nice":    startsAfter("n", "--adjustment", false, 0),
	"ionice":  startsAfter("cnpPu", "--class --classdata", false, 0),
	"time":    startsAfter("fo", "--format --output", false, 0),
	"timeout": startsAfter("ks", "--kill-after --signal", false, 1),
	"stdbuf":  startsAfter("ioe", "--input --output --error", false, 0),
	"setsid":  startsAfter("", "", false, 0),
	"command": startsByCommand,
	"exec":    startsAfter("a", "", false, 0),
	"builtin": startsAfter("", "", false, 0),
	".":       startsAfter("", "", false, 0),
	"source":  startsAfter("", "", false, 0),
	"busybox": startsAfter("", "", false, 0),
	"toybox":  startsAfter("", "", false, 0),
	"xargs":   startsAfter("IiLnPsdaE", "--replace --max-lines --max-args --max-procs --max-chars --delimiter --arg-file --eof", false, 0),
	"npx":     startsAfter("pc", "--package --call", false, 0),
	"watch":   startsAfter("nq", "--interval --equexit", false, 0),
	"chroot":  startsAfter("", "", false, 1),
	"unshare": startsAfter("", "", false, 0),
	"nsenter": startsAfter("t", "--target", false, 0),
	"flock":   startsAfter("wE", "--timeout", false, 1),
	"strace":  startsAfter("eopsuaEbIOPSX", "", false, 0),
	"ltrace":  startsAfter("eopsual", "", false, 0),
	"gdb":     startsAfter("", "", false, 0),
	"script":  startsAfter("cIOBT", "--command", false, 0),
	"su":      startsAfter("cgsT", "", false, 0),
	"runuser": startsAfter("cgsu", "", false, 0),
	"pkexec":  startsAfter("", "--user", false, 0),
	"runas":   startsAfter("", "", false, 0),

	"parallel": startsAfter("jINnLda", "", false, 0), "systemd-run": startsAfter("puGMEt", "", false, 0),
	"caffeinate": startsAfter("tw", "", false, 0), "setarch": startsAfter("", "", false, 0), "taskset": startsAfter("", "", false, 1),
	"chrt": startsAfter("", "", false, 1), "entr": startsAfter("", "", false, 0), "noglob": startsAfter("", "", false, 0),
	"nocorrect": startsAfter("", "", false, 0), "repeat": startsAfter("", "", false, 1), "-": startsAfter("", "", false, 0),
	"fakeroot": startsAfter("lsbi", "--lib --faked", false, 0), "fakechroot": startsAfter("", "", false, 0), "setpriv": startsAfter("", "", false, 0), "prlimit": startsAfter("p", "", false, 0),
	"numactl": startsAfter("iNCmpP", "", false, 0), "valgrind": startsAfter("", "", false, 0), "xvfb-run": startsAfter("efnpsw", "", false, 0), "dbus-run-session": startsAfter("", "", false, 0),
	"ssh-agent": startsAfter("aEOPt", "", false, 0), "unbuffer": startsAfter("", "", false, 0), "rlwrap": startsAfter("", "", false, 0), "firejail": startsAfter("", "", false, 0),
	"bwrap": startsAfter("", "", false, 0), "proot": startsAfter("rbqwvik", "", false, 0), "faketime": startsAfter("", "", false, 1), "hyperfine": startsAfter("wrmMSpcisnNu", "", false, 0),
	"perf": startsAfter("", "", false, 1), "winpty": startsAfter("", "", false, 0), "catchsegv": startsAfter("", "", false, 0), "gosu": startsAfter("", "", false, 1), "su-exec": startsAfter("", "", false, 1),
	"coproc": startsAfter("", "", false, 0), "then": startsAfter("", "", false, 0), "do": startsAfter("", "", false, 0),
}

// startsByCommand returns the index of the program started by the shell builtin "command". With -v or -V, the
// builtin only prints the path of a program, and startsByCommand returns 0.
func startsByCommand(c Command) int {
	if len(c) > 1 && (c[1].Text == "-v" || c[1].Text == "-V") {
		return 0
	}
	return startsAfter("", "", false, 0)(c)
}

// startsAfter returns a function that returns the index of the started program. It skips the starter's own words: its
// options, variable assignments (only if variables is true), and the given number of operands. The caller passes the
// short options (letters) and the long ones that may have their values in the next word, which is then skipped, too.
func startsAfter(letters, long string, variables bool, operands int) func(c Command) int {
	takes := f(long)
	return func(c Command) int {
		left := operands
		for i := 1; i < len(c); i++ {
			text := c[i].Text
			switch {
			case text == "--":
				if left == 0 {
					return i + 1
				}
			case text == "-":
			case strings.HasPrefix(text, "--"):
				for _, name := range takes {
					if name == text {
						i++
						break
					}
				}
			case strings.HasPrefix(text, "-"):
				if strings.IndexByte(letters, text[len(text)-1]) >= 0 && (len(text) == 2 || !strings.ContainsAny(text[1:len(text)-1], letters)) {
					i++
				}
			case variables && assigns(text):
			case left > 0:
				left--
			default:
				return i
			}
		}
		return len(c)
	}
}

// assigns reports whether a word sets an environment variable for the program that follows.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
