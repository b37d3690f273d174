//go:build unix

package environment

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/process"
)

// AskLoginShell runs the user's login shell to get its environment. It waits no longer than limit.
func AskLoginShell(ctx context.Context, limit time.Duration) LoginShell {
	shell := userShell()
	if shell == "" {
		return LoginShell{}
	}
	l := LoginShell{Program: shell}
	began := time.Now()
	program, err := process.ProgramPath()
	if err != nil {
		l.Problem = backend.MessageOf(err)
		return l
	}
	env, problem := askShell(ctx, limit, shell, program)
	l.Duration, l.Problem = time.Since(began), problem
	l.Path, l.Vars = readLogin(env, os.Getenv)
	return l
}

// userShell returns the user's login shell from SHELL or /etc/passwd, or "" if there is
// none or it allows no login.
func userShell() string {
	shell := os.Getenv("SHELL")
	if shell == "" {
		passwd, err := os.ReadFile("/etc/passwd")
		if err != nil {
			return ""
		}
		shell = shellIn(string(passwd), strconv.Itoa(os.Getuid()))
	}
	if !filepath.IsAbs(shell) || slices.Contains([]string{"nologin", "false", "true", "sync", "git-shell"}, filepath.Base(shell)) {
		return ""
	}
	return shell
}

// shellIn returns the login shell of the user with the given uid from the content of
// /etc/passwd, or "" if there is none.
func shellIn(passwd, uid string) string {
	for line := range strings.Lines(passwd) {
		if fields := strings.Split(strings.TrimSpace(line), ":"); len(fields) == 7 && fields[2] == uid {
			return fields[6]
		}
	}
	return ""
}

// loginVars are the variables taken from the login shell, in groups. If this process
// already has any variable of a group, the user set it on purpose, and the shell's
// values for the whole group are ignored.
var loginVars = [][]string{
	{"HTTP_PROXY", "http_proxy"},
	{"HTTPS_PROXY", "https_proxy"},
	{"ALL_PROXY", "all_proxy"},
	{"NO_PROXY", "no_proxy"},
	{"SSL_CERT_FILE"},
	{"SSL_CERT_DIR"},
	{"NODE_EXTRA_CA_CERTS"},
	{"GIT_SSL_CAINFO"},
	{"SSH_AUTH_SOCK"},
	{"LANG"},
}

// readLogin extracts the PATH and the variables in loginVars from env, the login shell's environment. The given
// function returns the value of a variable in this process.
func readLogin(env []string, own func(string) string) (path, vars []string) {
	values := map[string]string{}
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok {
			values[name] = value
		}
	}
	for _, line := range loginVars {
		if slices.ContainsFunc(line, func(name string) bool { return own(name) != "" }) {
			continue
		}
		if line[0] == "LANG" && own("LC_ALL") != "" {
			continue
		}
		for _, name := range line {
			if value := values[name]; value != "" {
				vars = append(vars, name+"="+value)
			}
		}
	}
	if p := values["PATH"]; p != "" {
		path = filepath.SplitList(p)
	}
	return path, vars
}

// shellArgs returns lists of arguments that make a shell run the given command as it would in a new terminal. If
// there are several lists, the best one comes first.
func shellArgs(shell, command string) [][]string {
	switch strings.TrimSuffix(filepath.Base(shell), ".exe") {
	case "csh", "tcsh": // they don't allow -l with other options
		return [][]string{{"-c", command}}
	default:
		return [][]string{{"-l", "-i", "-c", command}, {"-l", "-c", command}}
	}
}

// shellCommand returns a command line that all shells parse the same way. Only the program's path may need quotes, and
// Nushell needs a caret in front of them: otherwise Nushell treats the path as a string.
func shellCommand(shell, program string, words ...string) string {
	if strings.Trim(program, plainLetters) != "" {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
		if filepath.Base(shell) == "nu" {
			program = "^" + program
		}
	}
	return strings.Join(append([]string{program}, words...), " ")
}

const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

// envArg is the first argument of a process that prints its environment.
const envArg = "__env"

// PrintIfRequested prints the environment and exits if the process's arguments are `__env mark`. For all other
// arguments, it returns. The environment is printed between two marks, with each variable terminated by a NUL: a line
// break in a value can't be mistaken for the end of a variable, and output from the user's startup files stays outside
// the marks. main and TestMain call PrintIfRequested first.
func PrintIfRequested() {
	if len(os.Args) != 3 || os.Args[1] != envArg {
		return
	}
	mark := markOf(os.Args[2])
	var b bytes.Buffer
	b.Write(mark)
	for _, kv := range os.Environ() {
		b.WriteString(kv)
		b.WriteByte(0)
	}
	b.Write(mark)
	if _, err := os.Stdout.Write(b.Bytes()); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func markOf(id string) []byte { return []byte("\x00" + id + "\x00") }

// maxShellOutput is the maximum size in bytes of a login shell's environment.
const maxShellOutput = 8 << 20

// markReader captures the environment printed between two marks in its input and discards the rest.
type markReader struct {
	mark    []byte
	found   func() // called once, at the second mark
	buf     []byte
	isBegun bool
	env     []string // set before found is called
	done    bool
}

func (b *markReader) Write(p []byte) (int, error) {
	if b.done {
		return len(p), nil
	}
	b.buf = append(b.buf, p...)
	if !b.isBegun {
		_, after, ok := bytes.Cut(b.buf, b.mark)
		if !ok {
			b.buf = append([]byte(nil), b.buf[max(0, len(b.buf)-len(b.mark)):]...)
			return len(p), nil
		}
		b.isBegun, b.buf = true, append([]byte(nil), after...)
	}
	if env, _, ok := bytes.Cut(b.buf, b.mark); ok {
		b.env, b.buf, b.done = strings.Split(strings.TrimSuffix(string(env), "\x00"), "\x00"), nil, true
		b.found()
	} else if len(b.buf) > maxShellOutput {
		b.buf, b.done = nil, true
	}
	return len(p), nil
}

// askShell runs a login shell that prints its environment, and returns that environment. If that fails, it returns the
// reason as a message to show the user.
func askShell(ctx context.Context, limit time.Duration, shell, program string) (env []string, problem backend.Message) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	id := "voxpilot-" + backend.NewID()
	for _, args := range shellArgs(shell, shellCommand(shell, program, envArg, id)) {
		var err error
		if env, err = runShell(limited, shell, args, markOf(id)); env != nil {
			return env, backend.Message{}
		}
		switch {
		case ctx.Err() != nil:
			return nil, backend.Say("VoxPilot stopped waiting for the shell")
		case limited.Err() != nil:
			return nil, backend.Say("the shell didn't respond within %s", limit)
		case err != nil:
			problem = backend.MessageOf(err)
		default:
			problem = backend.Say("the shell didn't run the command")
		}
	}
	return nil, problem
}

// waitDelay is the time that a shell has to clean up after printing its environment.
const waitDelay = time.Second

func runShell(ctx context.Context, shell string, args []string, mark []byte) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &markReader{mark: mark, found: func() { time.AfterFunc(waitDelay, cancel) }}
	err := process.Run(ctx, b, shell, args...)
	return b.env, err
}
