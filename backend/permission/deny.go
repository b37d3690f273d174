package permission

import (
	"path"
	"slices"
	"strings"
)

// readings are all that a line may run, as a rule that denies reads it: the
// line itself, and each of its simple commands, with and without quotes, the
// folder of its program, and what only starts another program.
func readings(line string) []string {
	out := []string{line}
	for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(forbidden+"{}", r) }) {
		out = append(out, strings.Trim(piece, " \t"))
		all := words(unquote.Replace(piece))
		for i := 0; i < len(all); i++ {
			switch program := programOf(all[i]); {
			case assigns(all[i]):
				continue
			case slices.Contains(starters, program):
				// Any of the words after it may be the program that it starts.
				for j := i; j < len(all); j++ {
					out = append(out, command(all[j:]))
				}
			default:
				out = append(out, command(all[i:]))
			}
			break
		}
	}
	return out
}

// unquote takes quotes and escapes away.
var unquote = strings.NewReplacer(`"`, "", `'`, "", `\`, "", "$", "")

// starters are programs and words of shells that start the program named after
// them.
var starters = []string{
	"bash", "builtin", "busybox", "cmd", "command", "dash", "do", "doas", "else", "env", "eval", "exec", "find", "fish",
	"if", "ionice", "ksh", "nice", "nohup", "parallel", "powershell", "pwsh", "setsid", "sh", "stdbuf", "sudo", "then",
	"time", "timeout", "until", "watch", "while", "xargs", "zsh", "!",
}

// programOf is the name of the program that a word calls.
func programOf(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	return strings.TrimSuffix(name, ".exe")
}

// command is the simple command with its program by its name alone.
func command(words []string) string {
	return strings.Join(append([]string{programOf(words[0])}, words[1:]...), " ")
}

// assigns says whether the word sets a variable for the command after it.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
