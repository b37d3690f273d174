package permission

import (
	"path"
	"slices"
	"strings"
)

// readingsOf returns all commands that a line could run, for comparison with deny rules. These are the line itself and
// each simple command in it. Each simple command is included first as written, and then stripped of quotes, of the
// program's directory and of starters such as sudo.
func readingsOf(line string) []string {
	out := []string{line[:min(len(line), maxPiece)]}
	for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(forbidden+"{}", r) }) {
		piece = piece[:min(len(piece), maxPiece)]
		out = append(out, strings.Trim(piece, " \t"))
		piece = unquote.Replace(piece)
		out = append(out, calls(splitWords(piece))...)
		if strings.Contains(piece, `\`) { // an escape, or part of a Windows path
			out = append(out, calls(splitWords(strings.ReplaceAll(piece, `\`, "")))...)
		}
	}
	return out
}

// calls returns the commands that a simple command, given as its words, could run: the command itself, and each command
// that a starter at its beginning, such as sudo, could start.
func calls(all []string) (out []string) {
	for i, word := range all {
		if assigns(word) {
			continue
		}
		last := i
		if slices.Contains(starters, programOf(word)) {
			last = min(i+maxStarted, len(all)-1) // any of the following words could be the program it starts
		}
		for ; i <= last; i++ {
			out = append(out, strings.Join(append([]string{programOf(all[i])}, all[i+1:]...), " "))
		}
		break
	}
	return out
}

// maxStarted is the number of words after a starter that are checked. Each of these words could be the program that
// the starter runs. maxPiece is the maximum number of bytes checked per command. Both limit the time for checking a
// long command.
const (
	maxStarted = 32
	maxPiece   = 64 << 10
)

// unquote removes quotes and dollar signs.
var unquote = strings.NewReplacer(`"`, "", `'`, "", "$", "")

// starters are programs and shell keywords, such as sudo, that start the program whose name follows them.
var starters = []string{
	".", "bash", "builtin", "busybox", "cmd", "command", "dash", "do", "doas", "else", "env", "eval", "exec", "find", "fish",
	"if", "ionice", "ksh", "nice", "nohup", "parallel", "powershell", "pwsh", "setsid", "sh", "source", "stdbuf", "sudo", "then",
	"time", "timeout", "until", "watch", "while", "xargs", "zsh", "!",
}

// programOf returns the name of the program that a word calls, in lower case and without its folder.
func programOf(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	return strings.TrimSuffix(name, ".exe")
}

// assigns reports whether the word sets a variable for the command after it.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
