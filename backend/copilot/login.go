package copilot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/process"
)

// maxLoginOutput is the maximum size in bytes of the reported output of a sign-in or an installer.
const maxLoginOutput = 4000

// limitLoginProgram is the time limit for an agent to return its sign-in method.
const limitLoginProgram = 60 * time.Second

// LoginProgram starts the agent program to get the path and the arguments of its sign-in program (terminal-auth method
// of initialize), and then stops the agent. agentArgs and env are the agent's arguments and environment. The error is a
// context error if ctx ends first or the agent takes longer than limitLoginProgram, and a *backend.Error otherwise.
func LoginProgram(ctx context.Context, program string, agentArgs, env []string) (path string, args []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limitLoginProgram)
	defer cancel()
	answer, err := askInitialize(ctx, program, agentArgs, env)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	if err != nil {
		return "", nil, loginFailed(backend.Say("Couldn't determine how to sign in to this agent. Sign in with the agent's own program in a terminal."), err)
	}
	for _, method := range answer.Get("authMethods").Array() {
		offered := method.Get("_meta.terminal-auth")
		if path = offered.Get("command").String(); path == "" {
			continue
		}
		for _, arg := range offered.Get("args").Array() {
			args = append(args, arg.String())
		}
		return path, args, nil
	}
	return "", nil, loginFailed(backend.Say("This agent doesn't provide a sign-in command. Sign in with the agent's own program in a terminal."), nil)
}

// askInitialize starts an agent and returns the result of its initialize request.
func askInitialize(ctx context.Context, path string, args, env []string) (gjson.Result, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	cmd, err := process.Helper(ctx, path, args...)
	if err != nil {
		return gjson.Result{}, err
	}
	cmd.Env, cmd.WaitDelay = process.Scrub(env), time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return gjson.Result{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return gjson.Result{}, err
	}
	runtime.LockOSThread() // the kernel kills the agent when the thread that started it exits
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return gjson.Result{}, err
	}
	answer, err := initializeBy(in, out)
	_ = in.Close()
	defer time.AfterFunc(process.GraceEOF, end).Stop()
	go func() { _, _ = io.Copy(io.Discard, out) }() // until Wait closes it
	if exit := cmd.Wait(); err != nil {
		err = errors.Join(err, exit)
	}
	if ctx.Err() != nil {
		process.SweepHelper(cmd)
	}
	return answer, err
}

func initializeBy(in io.Writer, out io.Reader) (gjson.Result, error) {
	ask, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": map[string]any{
		"protocolVersion":    1,
		"clientCapabilities": map[string]any{"_meta": map[string]any{"terminal-auth": true}},
	}})
	if err != nil {
		return gjson.Result{}, err
	}
	if _, err := in.Write(append(ask, '\n')); err != nil {
		return gjson.Result{}, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		answer := gjson.ParseBytes(lines.Bytes())
		if answer.Get("id").Int() != 1 || answer.Get("method").Exists() {
			continue
		}
		if failed := answer.Get("error.message"); failed.Exists() {
			return gjson.Result{}, errors.New(failed.String())
		}
		return answer.Get("result"), nil
	}
	if lines.Err() != nil {
		return gjson.Result{}, lines.Err()
	}
	return gjson.Result{}, backend.Problem("the agent exited without a response")
}

// Login runs an agent's sign-in program until it exits, and returns nil if the agent is then signed in. The
// function out receives the output so far: the last 4,000 bytes, without color codes. If ctx ends first, the
// program and its child processes, except the browser, are stopped, and ctx's error is returned. Any other error
// is a *backend.Error.
//
// The program gets neither a terminal nor input. With a terminal, the Copilot CLI would offer to write the token
// to a file if there is no keychain. On Linux, the program doesn't get a display either: the Copilot CLI 1.0.102
// would copy the code to the clipboard without asking. Meanwhile, it would discard its output, so the reason for a
// failure could be lost. The user must therefore be shown the address in the output.
func Login(ctx context.Context, path string, args, env []string, out func(text string)) error {
	written := &loginOutput{out: out}
	err := runLogin(ctx, path, args, withoutDisplay(process.Scrub(env)), written)
	var exit *exec.ExitError
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case !errors.As(err, &exit):
		return loginFailed(backend.Say("Couldn't start the sign-in."), err)
	case strings.Contains(written.text(), "the token was not saved"):
		return loginFailed(backend.Say("GitHub approved the sign-in, but the agent couldn't store it in the system keychain. Unlock the keychain, or sign in with a code or a token."), err)
	}
	return loginFailed(backend.Say("The agent couldn't sign in. See its output for details."), err)
}

// runLogin runs a program and captures its output. If ctx ends first, it stops the
// program and its child processes.
func runLogin(ctx context.Context, path string, args, env []string, written *loginOutput) error {
	cmd, err := process.Helper(ctx, path, args...)
	if err != nil {
		return err
	}
	cmd.Env, cmd.WaitDelay = env, time.Second
	cmd.Stdout, cmd.Stderr = written, written // exec writes both with a single goroutine
	runtime.LockOSThread()                    // the kernel kills the program when the thread that started it exits
	err = cmd.Run()
	runtime.UnlockOSThread()
	if ctx.Err() != nil {
		process.SweepHelper(cmd)
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) { // a child process still holds its output open
		return nil
	}
	return err
}

// Install runs an installer until it exits. The function out receives the output so far: the last 4,000 bytes,
// without color codes. If ctx ends first, the installer and its child processes are stopped.
func Install(ctx context.Context, path string, args, env []string, out func(text string)) error {
	return runLogin(ctx, path, args, process.Scrub(env), &loginOutput{out: out})
}

// withoutDisplay returns env without the display variables on Linux, and with BROWSER set to a program that does
// nothing. On other systems, it returns env unchanged.
func withoutDisplay(env []string) []string {
	if runtime.GOOS != "linux" {
		return env
	}
	env = slices.DeleteFunc(env, func(v string) bool {
		return strings.HasPrefix(v, "DISPLAY=") || strings.HasPrefix(v, "WAYLAND_DISPLAY=")
	})
	return append(env, "BROWSER=true") // xdg-open would try terminal browsers
}

func loginFailed(message backend.Message, err error) error {
	e := &backend.Error{Code: backend.CodeAuth, Message: message}
	if err != nil {
		e.Detail = err.Error()
	}
	return e
}

// loginOutput captures the output of a sign-in or an installer and passes its last part to out.
type loginOutput struct {
	out func(text string)

	mu  sync.Mutex
	raw []byte
}

func (o *loginOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	o.raw = append(o.raw, p...)
	if over := len(o.raw) - 4*maxLoginOutput; over > 0 {
		o.raw = append([]byte(nil), o.raw[over:]...)
	}
	o.mu.Unlock()
	o.out(o.text())
	return len(p), nil
}

var (
	// terminalCodes matches escape sequences: sequences that set titles or the clipboard (OSC), sequences
	// that set colors or move the cursor (CSI), short sequences, and an incomplete sequence at the end.
	terminalCodes = regexp.MustCompile(`\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*(?:[@-~]|$)|\x1b[ -/]*(?:[0-Z\\^-~]|$)`)
	lineEnds      = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

func (o *loginOutput) text() string {
	o.mu.Lock()
	b := terminalCodes.ReplaceAll(o.raw, nil)
	o.mu.Unlock()
	b = bytes.TrimSpace(b)
	if len(b) > maxLoginOutput {
		b = b[len(b)-maxLoginOutput:]
		if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)-1 {
			b = b[i+1:]
		}
	}
	return lineEnds.Replace(strings.ToValidUTF8(string(b), ""))
}

var (
	loginURL  = regexp.MustCompile(`https?://[^\s"'<>]+`)
	loginCode = regexp.MustCompile(`\b[A-Z0-9]{4}-[A-Z0-9]{4}\b`)
)

// LoginPrompt extracts the URL and the code from the output of a sign-in. The user enters the code at the URL.
// Either result is "" if the output doesn't contain it.
func LoginPrompt(text string) (code, url string) {
	url = strings.TrimRight(loginURL.FindString(text), ".,;:)")
	return loginCode.FindString(strings.Replace(text, url, "", 1)), url
}

// CLILogin returns the account of the Copilot CLI's own login according to the configuration in home, or "" if the
// CLI isn't logged in. If home is "", the CLI's default home is used. known is false if the configuration doesn't
// show whether the CLI is logged in. The account's token is in the system keychain, and may still be missing or
// revoked.
func CLILogin(home string) (login string, known bool) {
	b, err := os.ReadFile(filepath.Join(sessionfiles.HomeDir(home), "config.json"))
	if errors.Is(err, os.ErrNotExist) {
		_, err = os.Stat(sessionfiles.HomeDir(home))
		return "", errors.Is(err, os.ErrNotExist)
	}
	if err != nil {
		return "", false
	}
	// The CLI writes comments before the object.
	var lines []string
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines = append(lines, line)
		}
	}
	config := strings.Join(lines, "")
	if !gjson.Valid(config) {
		return "", false
	}
	for _, path := range []string{"lastLoggedInUser.login", "loggedInUsers.0.login", "last_logged_in_user.login", "logged_in_users.0.login"} {
		if login := gjson.Get(config, path).String(); login != "" {
			return login, true
		}
	}
	// Only an empty list means that there is no login: another version of the CLI may store its logins
	// differently.
	for _, path := range []string{"loggedInUsers", "logged_in_users"} {
		if list := gjson.Get(config, path); list.IsArray() && len(list.Array()) == 0 {
			return "", true
		}
	}
	return "", false
}
