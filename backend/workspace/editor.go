package workspace

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// EditorTarget describes how to open something in an external program.
type EditorTarget struct {
	// Editor is Settings.Editor: a program and its arguments with the placeholders
	// {file}, {line} and {folder}; "" selects the first known editor found by LookUp.
	Editor string
	Folder string // the chat's folder
	Line   int    // 1-based; 0 means none
	// LookUp returns the absolute path of a program, or "" if it isn't installed.
	LookUp func(program string) string
	Env    []string // complete environment
}

// OpenInEditor opens the file in the user's editor, to which it passes the file's absolute path. It never uses a shell
// or the system's file associations, which would execute some files. The editor continues after VoxPilot exits.
func OpenInEditor(ctx context.Context, p ResolvedPath, o EditorTarget) error {
	f, _, err := p.Open() // checks that it is a regular file
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return p.openError(err)
	}
	command, err := o.command(runtime.GOOS, p.Path)
	if err != nil {
		return err
	}
	return launch(ctx, command, o)
}

// OpenFolder shows the folder in the system's file manager.
func OpenFolder(ctx context.Context, path string, o EditorTarget) error {
	path, err := Resolve(path)
	if err != nil {
		return err
	}
	manager := map[string][]string{"darwin": {"open", "-R"}, "windows": {"explorer.exe"}}[runtime.GOOS]
	if manager == nil {
		manager = []string{"xdg-open"}
	}
	program := o.LookUp(manager[0])
	if program == "" {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't show the folder: %s isn't installed. The folder is %s.", manager[0], path)}
	}
	return launch(ctx, slices.Concat([]string{program}, manager[1:], []string{path}), o)
}

func launch(ctx context.Context, command []string, o EditorTarget) error {
	if err := Detach(ctx, command, o.Folder, o.Env); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't start %s.", command[0]), Detail: err.Error()}
	}
	return nil
}

// maxEditor is the maximum length of an editor command in characters.
const maxEditor = 1000

// CheckEditor returns a user-facing error if an editor command (Settings.Editor) isn't valid, for example because
// it doesn't contain {file} or might run a file instead of opening it. An empty command is valid.
func CheckEditor(command string) error {
	if strings.TrimSpace(command) == "" {
		return nil
	}
	words, err := split(command)
	if err != nil {
		return err
	}
	program := words[0]
	name := strings.TrimSuffix(strings.ToLower(base(program)), ".exe")
	switch {
	case !filepath.IsAbs(program) && strings.ContainsAny(program, `/\`):
		return backend.Invalid("Enter the editor's program name, such as code, or its full path.")
	case strings.Contains(program, "{"):
		return backend.Invalid("The editor command must start with a program, such as code.")
	case slices.Contains(shells, name), strings.HasSuffix(name, ".cmd"), strings.HasSuffix(name, ".bat"):
		return backend.Invalid("%s is a shell or command runner, not an editor. Enter the path to the editor's executable.", base(program))
	case slices.Contains(openers, name), name == "open" && !slices.ContainsFunc(words[1:], isChoice):
		return backend.Invalid("%s may run some files instead of opening them in an editor. Enter the path to the editor's executable.", base(program))
	case !slices.ContainsFunc(words[1:], func(w string) bool { return strings.Contains(w, "{file}") }):
		return backend.Invalid("The editor command must contain {file}, for example: code -g {file}:{line}")
	}
	return nil
}

// shells lists programs that run their arguments. openers lists programs that open a file according to its type
// and may therefore run it.
var (
	shells = []string{
		"sh", "bash", "zsh", "dash", "ksh", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh", "wscript", "cscript", "mshta", "rundll32",
		"env", "sudo", "doas", "nohup", "setsid", "xargs", "python", "python3", "perl", "ruby", "node", "osascript",
	}
	openers = []string{"xdg-open", "gio", "gnome-open", "kde-open", "kde-open5", "exo-open", "mimeopen", "start", "explorer"}
)

// isChoice reports whether word is an option that makes the macOS command "open" use a particular
// application or a text editor.
func isChoice(word string) bool { return slices.Contains([]string{"-a", "-b", "-e", "-t"}, word) }

// base returns the last element of a Windows or Unix path.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// split splits a command at spaces outside quotes.
func split(command string) (words []string, err error) {
	if utf8.RuneCountInString(command) > maxEditor {
		return nil, backend.Invalid("The editor command is too long. The limit is %d characters.", maxEditor)
	}
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range command {
		switch {
		case unicode.IsControl(r):
			return nil, backend.Invalid("The editor command must be a single line.")
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && unicode.IsSpace(r):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, backend.Invalid("The editor command has an unmatched quotation mark.")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// An editor is a known editor program and the arguments that make it open a file at a line.
type editor struct {
	program string
	args    []string
}

// known lists the editors to look for, in order of preference.
var known = func() (list []editor) {
	add := func(args string, programs ...string) {
		for _, p := range programs {
			list = append(list, editor{p, strings.Fields(args)})
		}
	}
	add("--goto {file}:{line}", "code", "cursor", "windsurf", "codium", "code-insiders", "code-oss")
	add("{file}:{line}", "zed", "zeditor", "subl")
	add("--line {line} {file}", "idea", "goland", "webstorm", "pycharm", "rustrover", "clion", "rider", "phpstorm", "rubymine", "studio")
	add("--line {line} {file}", "kate", "kwrite", "mousepad")
	add("+{line} {file}", "gedit", "gnome-text-editor", "xed", "pluma", "bbedit", "gvim", "mvim")
	add("-l {line} {file}", "mate")
	add("-n{line} {file}", "notepad++")
	return list
}()

// command returns the command that opens the file.
func (o EditorTarget) command(goos, file string) ([]string, error) {
	if strings.TrimSpace(o.Editor) != "" {
		if err := CheckEditor(o.Editor); err != nil {
			return nil, err
		}
		words, err := split(o.Editor)
		if err != nil {
			return nil, err
		}
		program := runnable(goos, o.LookUp(words[0]))
		if program == "" {
			return nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Can't find the editor %s. Enter another one in Settings, or clear the field to let VoxPilot find one.", words[0])}
		}
		return o.filled(program, words[1:], file), nil
	}
	for _, e := range known {
		program := runnable(goos, o.LookUp(e.program))
		if program == "" || e.program == "zed" && filepath.Base(filepath.Dir(program)) == "sbin" { // the ZFS event daemon
			continue
		}
		return o.filled(program, e.args, file), nil
	}
	last := map[string]editor{"darwin": {"open", []string{"-t", "{file}"}}, "windows": {"notepad.exe", []string{"{file}"}}}[goos]
	if program := runnable(goos, o.LookUp(last.program)); last.program != "" && program != "" {
		return o.filled(program, last.args, file), nil
	}
	return nil, &backend.Error{Code: backend.CodeNoEditor, Message: backend.Say("No editor found. Enter one in Settings > Agent.")}
}

// filled returns a command: the program followed by the arguments, with their placeholders replaced. {line} becomes 1
// if no line is set.
func (o EditorTarget) filled(program string, args []string, file string) []string {
	fill := strings.NewReplacer("{file}", file, "{line}", strconv.Itoa(cmp.Or(o.Line, 1)), "{folder}", o.Folder)
	command := []string{program}
	for _, a := range args {
		command = append(command, fill.Replace(a))
	}
	return command
}

// runnable returns the program to start, or "" if there is none. In place of a Windows batch file, which would
// pass the file name to a shell, it returns an executable: the .exe with the same name in the parent of the
// batch file's folder, or else in the same folder. Any other program is returned unchanged.
func runnable(goos, program string) string {
	ext := strings.ToLower(filepath.Ext(program))
	if goos != "windows" || ext != ".cmd" && ext != ".bat" {
		return program
	}
	name := strings.TrimSuffix(filepath.Base(program), filepath.Ext(program))
	for _, dir := range []string{filepath.Dir(filepath.Dir(program)), filepath.Dir(program)} {
		exe := filepath.Join(dir, name+".exe")
		if place, err := Locate(dir, exe); err == nil {
			if f, _, err := place.Open(); err == nil {
				_ = f.Close()
				return exe
			}
		}
	}
	return ""
}
