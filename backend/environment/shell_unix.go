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

// AskLoginShell asks the user's login shell for its environment, and waits for it
// until limit has passed.
func AskLoginShell(ctx context.Context, limit time.Duration) LoginShell {
	shell := userShell()
	if shell == "" {
		return LoginShell{}
	}
	l := LoginShell{Program: shell}
	began := time.Now()
	program, err := process.Printer()
	if err != nil {
		l.Problem = backend.MessageOf(err)
		return l
	}
	env, problem := askShell(ctx, limit, shell, program)
	l.Duration, l.Problem = time.Since(began), problem
	l.Path, l.Vars = readLogin(env, os.Getenv)
	return l
}

// userShell is the user's login shell: that of the environment, else that of the
// system's list of users. One that refuses everybody is none.
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

// shellIn is the shell of the user with the id in the text of /etc/passwd.
func shellIn(passwd, uid string) string {
	for line := range strings.Lines(passwd) {
		if fields := strings.Split(strings.TrimSpace(line), ":"); len(fields) == 7 && fields[2] == uid {
			return fields[6]
		}
	}
	return ""
}

// loginVars are the variables that are taken over from the login shell. Where
// this process has one of a line, it was set for this process, and the shell's
// are left alone.
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

// readLogin takes from the login shell's environment what is wanted.
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

// shellArgs are the arguments with which a shell runs a command as it would in a
// new terminal, the best first.
func shellArgs(shell, command string) [][]string {
	switch strings.TrimSuffix(filepath.Base(shell), ".exe") {
	case "csh", "tcsh": // -l may not stand beside others
		return [][]string{{"-c", command}}
	default:
		return [][]string{{"-l", "-i", "-c", command}, {"-l", "-c", command}}
	}
}

// shellCommand is a command of words that every shell reads as they are. Only the
// program's path may need quotes, which Nushell takes for a text unless a caret
// stands before them.
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

// envArg is the first argument of a process that is to print its environment.
const envArg = "__env"

// PrintIfRequested prints the environment between marks, each variable ended by a
// zero, as `__env mark` asks for: no value can be taken for another line, and
// what the user's files print stands outside of the marks. It returns only where
// that was not asked for; main and TestMain call it before anything else.
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

// maxShellOutput bounds the environment of a login shell.
const maxShellOutput = 8 << 20

// markReader takes what stands between two marks out of what is written to it, and
// keeps no more than that.
type markReader struct {
	mark    []byte
	found   func() // called once, when the second mark came
	buf     []byte
	isBegun bool
	env     []string // set when found was called
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

// askShell has a login shell print its environment.
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
			return nil, backend.Say("VoxPilot didn't wait for it")
		case limited.Err() != nil:
			return nil, backend.Say("it didn't respond within %s", limit)
		case err != nil:
			problem = backend.MessageOf(err)
		default:
			problem = backend.Say("it didn't run the command")
		}
	}
	return nil, problem
}

// waitDelay is for how long a shell that has told its environment may put away what
// the user's files hold.
const waitDelay = time.Second

func runShell(ctx context.Context, shell string, args []string, mark []byte) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &markReader{mark: mark, found: func() { time.AfterFunc(waitDelay, cancel) }}
	err := process.Run(ctx, b, shell, args...)
	return b.env, err
}
