package request

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/cmdline"
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Run holds the commands of a permission request. If the request is allowed, VoxPilot may run one of Lines in the
// folder dir. The agent may add environment variables to this command only if they match inert.
type Run struct {
	Lines    []string
	dir      string            // with symbolic links resolved
	programs map[string]string // each line's program file at the time of the request
}

// RunOf returns the Run for a request to run the given command lines. The parameter folder is the session's folder. cwd
// is the folder named in the request; if it is "", the commands run in the session's folder.
func RunOf(folder, cwd string, lines []string) *Run {
	dir := folder
	if cwd != "" {
		dir = cwd
	}
	if place, err := workspace.Locate(folder, dir); err == nil {
		dir = place.Path
	}
	return &Run{Lines: slices.Clone(lines), dir: dir}
}

// Resolve records which program file each line would run at present. Covers compares this file with the one that the
// line would run later. env is the environment of the commands.
func (r *Run) Resolve(env []string) {
	r.programs = map[string]string{}
	for _, line := range r.Lines {
		r.programs[line] = programFile(line, r.dir, env)
	}
}

// Covers reports whether the permission covers the command that the terminal described by spec would run. The
// terminal's arguments, program file and folder must be those of the request. The terminal may add variables to env
// only if they match inert.
func (r *Run) Covers(spec terminal.Spec, place workspace.ResolvedPath, env []string) bool {
	if r.dir != place.Path || slices.ContainsFunc(spec.Env, func(kv string) bool { return !inert.MatchString(kv) }) {
		return false
	}
	return slices.ContainsFunc(r.Lines, func(line string) bool {
		return isSameCommand(spec, line, place, env) && programFile(line, r.dir, env) == r.programs[line]
	})
}

// inert matches the environment variables that some agents set for every command. These variables only identify the
// agent or affect the format of the output.
var inert = regexp.MustCompile(`^(?:CLAUDECODE=1|NO_COLOR=1?|FORCE_COLOR=[0-3]|(?:COLUMNS|LINES)=[0-9]{1,4}|TERM=(?:dumb|xterm|xterm-color|xterm-256color))$`)

// isSameCommand reports whether the terminal described by spec runs exactly the given command line.
func isSameCommand(spec terminal.Spec, line string, place workspace.ResolvedPath, env []string) bool {
	line = strings.TrimSpace(line)
	if len(spec.Args) == 0 {
		return strings.TrimSpace(spec.Command) == line
	}
	if len(spec.Args) == 2 && isShellFlag(spec.Args[0]) && isSystemShell(spec.Command, place.Path, env) {
		return strings.TrimSpace(spec.Args[1]) == line
	}
	words := append([]string{spec.Command}, spec.Args...)
	command, err := cmdline.Parse(line)
	if err != nil {
		return ShellLine(words) == line
	}
	return slices.EqualFunc(command, words, func(w cmdline.Word, word string) bool { return !w.Glob && w.Text == word })
}

func isShellFlag(arg string) bool {
	return slices.Contains([]string{"-c", "-lc", "-ic", "-lic", "/c", "-command"}, strings.ToLower(arg))
}

// isSystemShell reports whether name refers to one of the system's shells. It returns false for a program that
// merely has the name of a shell.
func isSystemShell(name, dir string, env []string) bool {
	switch strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".exe") {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh":
	default:
		return false
	}
	if runtime.GOOS == "windows" {
		return !strings.ContainsAny(name, `/\`) || strings.HasPrefix(strings.ToLower(name), strings.ToLower(os.Getenv("SystemRoot"))+`\`)
	}
	file := fileOf(name, dir, env)
	return slices.Contains([]string{"/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"}, filepath.Dir(file))
}

// programFile returns the program file that line runs, or "" if line isn't a single
// simple command or the file can't be determined.
func programFile(line, dir string, env []string) string {
	command, err := cmdline.Parse(line)
	if err != nil {
		return ""
	}
	return fileOf(command[0].Text, dir, env)
}

// fileOf returns the executable file that is run if a command in dir starts with the given program name. Symbolic links
// are resolved. If there is no such file, fileOf returns "".
func fileOf(name, dir string, env []string) string {
	candidates := []string{name}
	if !strings.ContainsAny(name, `/\`) {
		candidates = nil
		for _, d := range filepath.SplitList(valueOf(env, "PATH")) {
			candidates = append(candidates, filepath.Join(d, name))
		}
	}
	for _, file := range candidates {
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		info, err := os.Stat(file)
		if err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if real, err := filepath.EvalSymlinks(file); err == nil {
			return real
		}
	}
	return ""
}

// valueOf returns the value of the environment variable with the given name, or "" if env doesn't set it. If env sets
// the variable more than once, the last value wins.
func valueOf(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if n, value, _ := strings.Cut(kv, "="); process.SameVar(n, name) {
			return value
		}
	}
	return ""
}

// LineInFolder returns the command line that changes to dir and then runs line.
func LineInFolder(dir, line string) string { return "cd " + Quote(dir) + " && " + line }

// plainWord matches words that a POSIX shell leaves unchanged even without quotes.
var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// Quote quotes a word for a POSIX shell if necessary.
func Quote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ShellLine joins the words of a command into a command line for a shell.
func ShellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Quote(w)
	}
	return strings.Join(out, " ")
}

// LinesInFolder returns the commands unchanged if cwd is the session's folder. Otherwise, each returned line changes to
// cwd before it runs the command. A rule for an exact command then doesn't cover the same command in another folder.
func LinesInFolder(folder, cwd string, commands []string) []string {
	place, err := workspace.LocateNamed(folder, cwd)
	switch {
	case err != nil:
		place.Path = cwd
	case place.IsFolder():
		return commands
	}
	out := make([]string, len(commands))
	for i, line := range commands {
		out[i] = LineInFolder(place.Path, line)
	}
	return out
}

// CommandLines returns the complete commands in the input of a tool call. If the input contains a command as a list of
// words, CommandLines joins the words into one line.
func CommandLines(in gjson.Result) (out []string) {
	in.Get("commands").ForEach(func(_, c gjson.Result) bool {
		if c.Type == gjson.String && c.Str != "" {
			out = append(out, c.Str)
		} else if v := c.Get("command").String(); v != "" {
			out = append(out, v)
		}
		return true
	})
	// Include the whole command, if any: a rule must not cover less than what is run.
	switch c := in.Get("command"); {
	case c.Type == gjson.String && c.Str != "":
		if !slices.Contains(out, c.Str) {
			out = append(out, c.Str)
		}
	case len(out) == 0 && c.IsArray():
		var words []string
		for _, w := range c.Array() {
			words = append(words, w.String())
		}
		out = []string{ShellLine(words)}
	}
	return out
}

// Names returns the forms in which an agent may have written the command when it requested permission. These are the
// command line with quotes, the command line without quotes and, if the command starts a shell to run a line, that
// line. The first form is the one to display.
func Names(spec terminal.Spec) []string {
	names := []string{strings.TrimSpace(spec.Command)}
	if len(spec.Args) == 0 {
		return names
	}
	words := append([]string{spec.Command}, spec.Args...)
	names = []string{ShellLine(words), strings.Join(words, " ")}
	switch strings.TrimSuffix(strings.ToLower(filepath.Base(spec.Command)), ".exe") {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh":
		if len(spec.Args) < 2 {
			break
		}
		switch last := len(spec.Args) - 1; strings.ToLower(spec.Args[last-1]) {
		case "-c", "-lc", "-ic", "-lic", "/c", "-command":
			names = append(names, strings.TrimSpace(spec.Args[last]))
		}
	}
	return names
}

// SpecLine returns the command as a line for display. The line includes the command's environment
// variables, and its folder if that isn't the session's folder.
func SpecLine(spec terminal.Spec, place workspace.ResolvedPath) string {
	line := Names(spec)[0]
	for _, kv := range slices.Backward(spec.Env) {
		name, value, _ := strings.Cut(kv, "=")
		line = name + "=" + Quote(value) + " " + line
	}
	if !place.IsFolder() {
		line = LineInFolder(place.Path, line)
	}
	return line
}
