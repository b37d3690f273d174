// Package fakeagent is a scripted ACP agent for tests and benchmarks. The agent is the running program
// itself, started again: TestMain calls RunIfRequested first, and Command returns the path, arguments and
// environment of such a process.
//
// It reproduces the observed behavior of the GitHub Copilot CLI, including its faults: its request ids start
// with 0, commands run in separate process sessions, and ACP sessions are saved in COPILOT_HOME only after
// their first prompt. It formats its output lines without a library, so that it can also write lines that no
// library would.
package fakeagent

import (
	"encoding/json"
	"errors"
	"os"
	"time"
)

// scriptVar is the environment variable that holds the script as JSON.
const scriptVar = "VOXPILOT_FAKEAGENT"

// Script defines the behavior of the agent.
type Script struct {
	// Turns are played for the prompts in order, across all sessions and restarts with
	// the same COPILOT_HOME. Later prompts get Rest, or "ok" if that is empty.
	Turns []Turn `json:",omitempty"`
	Rest  Turn   `json:",omitempty"`
	// On maps prompt suffixes to turns, which take precedence over Turns.
	On map[string]Turn `json:",omitempty"`
	// Replay is the number of text chunks that session/load sends, as fast as possible, before the session's
	// history.
	Replay int `json:",omitempty"`
	// LoadAfter makes session/load wait until this file exists.
	LoadAfter string `json:",omitempty"`
	// HandleAfter maps methods to files: a request with such a method waits until the file exists.
	HandleAfter map[string]string `json:",omitempty"`
	// Version is the version that the agent reports; "" means the Copilot CLI's.
	Version string `json:",omitempty"`
	// Title is the name that the agent reports; "" means the Copilot CLI's.
	Title string `json:",omitempty"`
	// Stderr is the text that the process writes to its standard error when it starts.
	Stderr string `json:",omitempty"`
	// ExitAtOnce makes the agent exit with this code before it answers any request; 0 has no effect.
	ExitAtOnce int `json:",omitempty"`
	// Silent lists the methods that the agent never answers.
	Silent []string `json:",omitempty"`
	// Refuse maps methods to the error codes that the agent returns for them.
	Refuse map[string]int `json:",omitempty"`
	// RefuseUntil is a file that disables Refuse once it exists, as a sign-in would.
	RefuseUntil string `json:",omitempty"`
	// AuthMethods are the declared sign-in methods as JSON; "" for a single one. The method "key" succeeds if the
	// environment variable AGENT_KEY is "right-93ab1f", "never" isn't answered, "denied" fails, and all others succeed. A
	// success creates the file RefuseUntil, and logout removes it.
	AuthMethods string `json:",omitempty"`
	// Delay maps methods to the time before a request is handled; delayed requests wait in
	// parallel. A key with a session id, as in "session/load ABC", applies to that session only.
	Delay map[string]time.Duration `json:",omitempty"`
	// Answer maps methods to response JSON, in which $SESSION, $CWD and $NEW are replaced; $NEW is the id of a
	// session that the agent then creates. The field Before maps methods to updates that are sent before the
	// response.
	Answer map[string]string   `json:",omitempty"`
	Before map[string][]string `json:",omitempty"`
	// Declares is the JSON object with the modes and options that session/new and session/load return; ""
	// means an object like that of the Copilot CLI.
	Declares string `json:",omitempty"`
	// Capabilities are the agent's capabilities as JSON; "" means the Copilot CLI's.
	Capabilities string `json:",omitempty"`
	// Calls is a file to which every request and notification from the client is appended as a line of JSON.
	Calls string `json:",omitempty"`
	// Env is a file to which the environment is written at the start, one variable per line.
	Env string `json:",omitempty"`
	// NoSessions removes loading, listing and closing sessions from the agent's capabilities.
	NoSessions bool `json:",omitempty"`
	// ThroughClient makes the agent access files and run commands through the client's fs and terminal
	// methods, as agents other than the Copilot CLI do.
	ThroughClient bool `json:",omitempty"`
	// PageSize is the page length of session/list; 0 means 50.
	PageSize int `json:",omitempty"`
	// IgnoreEOF makes the agent ignore the end of its input, and IgnoreTERM makes it ignore SIGTERM.
	IgnoreEOF  bool `json:",omitempty"`
	IgnoreTERM bool `json:",omitempty"`
	// DeafAfter makes the agent stop reading after this many messages; 0 has no effect.
	DeafAfter int `json:",omitempty"`
}

// Turn is the agent's response to one prompt.
type Turn []Step

// Step is one action of the agent. Create steps with functions such as Say.
type Step struct {
	Do     string
	Text   string        `json:",omitempty"`
	Path   string        `json:",omitempty"`
	Old    string        `json:",omitempty"`
	New    string        `json:",omitempty"`
	ID     string        `json:",omitempty"`
	N      int           `json:",omitempty"`
	Every  time.Duration `json:",omitempty"`
	Steps  []Step        `json:",omitempty"`
	Signal string        `json:",omitempty"`
}

// Say sends one chunk of the answer. $PROMPT in it is replaced by the prompt.
func Say(text string) Step { return Step{Do: "say", Text: text} }

// Think sends one chunk of reasoning.
func Think(text string) Step { return Step{Do: "think", Text: text} }

// Chunks sends n chunks of the answer at the given interval; 0 means as fast as possible. $PROMPT in text is
// replaced by the prompt.
func Chunks(n int, text string, every time.Duration) Step {
	return Step{Do: "chunks", N: n, Text: text, Every: every}
}

// Edit requests permission to edit the file and edits it if allowed. The edit replaces one string with another. If
// the first string is empty, the edit creates the file with the second string as its content.
func Edit(path, old, text string) Step { return Step{Do: "edit", Path: path, Old: old, New: text} }

// EditOutside is like Edit, but creates a file outside the chat's folder. The agent asks twice: for access to the file,
// and for the edit.
func EditOutside(path, text string) Step { return Step{Do: "edit", Path: path, New: text, N: 2} }

// Run requests permission to run a command and runs it if allowed.
func Run(command string) Step { return Step{Do: "run", Text: command} }

// Together runs steps in parallel.
func Together(steps ...Step) Step { return Step{Do: "together", Steps: steps} }

// Plan sends a plan.
func Plan(entries ...string) Step {
	s := Step{Do: "plan"}
	for _, e := range entries {
		s.Steps = append(s.Steps, Step{Text: e})
	}
	return s
}

// Raw writes a line unchanged, except that $SESSION, $CWD, $COPILOT_HOME and $TERMINAL are replaced.
func Raw(line string) Step { return Step{Do: "raw", Text: line} }

// File writes the content of a file in the same way as Raw writes a line. Unlike Raw, it supports bytes that aren't
// valid text, and more data than fits in the environment.
func File(path string) Step { return Step{Do: "file", Path: path} }

// Update sends a session/update with the given JSON.
func Update(update string) Step { return Step{Do: "update", Text: update} }

// Ask sends a request with the given params to the client, and sends the JSON of the response as a message.
func Ask(method, params string) Step { return Step{Do: "ask", Path: method, Text: params} }

// Long writes a line of at least n bytes: a permission request for an edit ("ask"), a tool call's output ("tool"),
// unclosed nested arrays ("nested") or an invalid message ("garbage").
func Long(kind string, n int) Step { return Step{Do: "long", Text: kind, N: n} }

// Die exits the process with a code after writing text to its stderr.
func Die(code int, stderr string) Step { return Step{Do: "die", N: code, Text: stderr} }

// Leave ends the turn and the process at the same moment: the response to the prompt is
// the last line that the agent writes.
func Leave() Step { return Step{Do: "leave"} }

// Forget removes the session from the agent's memory after the response to the prompt.
func Forget() Step { return Step{Do: "forget"} }

// Usage sets the usage, given as JSON, that the response to the prompt reports.
func Usage(usage string) Step { return Step{Do: "usage", Text: usage} }

// Hang waits until the turn is canceled.
func Hang() Step { return Step{Do: "hang"} }

// Deaf waits forever and ignores cancellation.
func Deaf() Step { return Step{Do: "deaf"} }

// Undeterred runs the steps and ignores any cancellation of the turn while they run.
func Undeterred(steps ...Step) Step { return Step{Do: "undeterred", Steps: steps} }

// Stop ends the turn with a stop reason other than end_turn.
func Stop(reason string) Step { return Step{Do: "stop", Text: reason} }

// Answer ends the turn with the given line as the response to the prompt. $ID in it is replaced by the
// id of the request.
func Answer(line string) Step { return Step{Do: "answer", Text: line} }

// Fail ends the turn with an error.
func Fail(code int, message string) Step { return Step{Do: "fail", N: code, Text: message} }

// After runs the steps once the response to the prompt has been sent.
func After(steps ...Step) Step { return Step{Do: "after", Steps: steps} }

// WaitFor waits until the file exists, so that a test controls the timing.
func WaitFor(file string) Step { return Step{Do: "waitfor", Path: file} }

// Version is the version of the Copilot CLI that the agent emulates.
const Version = "1.0.102"

// scriptSuffix is appended to the path of a copy of this program. The result is the path of the file with the copy's
// script.
const scriptSuffix = ".script"

// Copy creates a copy of this program at the given path. The copy plays s. Copy is for systems on which
// a shell script can't serve as a program.
func Copy(program string, s Script) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	script, err := json.Marshal(s)
	if err != nil {
		return err
	}
	code, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(program+scriptSuffix, script, 0o600), os.WriteFile(program, code, 0o700))
}

// Command returns the command that plays s: this program, started again. env must be
// added to the environment.
func Command(s Script) (path string, args, env []string) {
	path, err := os.Executable()
	if err != nil {
		panic(err) // tests always run from a file
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	// A program built with -race would sleep for a second on exit.
	return path, nil, []string{scriptVar + "=" + string(b), "GORACE=atexit_sleep_ms=0"}
}
