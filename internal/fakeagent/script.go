// Package fakeagent is an ACP agent that does what a script says, for tests
// and benches. It is the running program itself, started again: TestMain calls
// RunIfRequested before anything else, and Command makes the path, arguments and
// environment of such a process.
//
// It behaves as the GitHub Copilot CLI was seen to behave, down to its faults:
// ids of its own requests begin with 0, commands run in sessions of their own,
// sessions are kept in COPILOT_HOME only once they had a prompt. It writes its
// lines by hand, so that it can also write what no library would.
package fakeagent

import (
	"encoding/json"
	"errors"
	"os"
	"time"
)

// scriptVar holds the script, as JSON.
const scriptVar = "VOXPILOT_FAKEAGENT"

// Script is what the agent does.
type Script struct {
	// Turns are what the prompts get, one after the other, over all sessions
	// and also over restarts with the same COPILOT_HOME. Prompts after the last
	// of them get Rest, or "ok" where there is none.
	Turns []Turn `json:",omitempty"`
	Rest  Turn   `json:",omitempty"`
	// On are what prompts that end with one of these get, whatever comes next.
	On map[string]Turn `json:",omitempty"`
	// Replay is how many pieces of text session/load replays before what the
	// session had, as a flood.
	Replay int `json:",omitempty"`
	// LoadAfter makes session/load wait until this file is there.
	LoadAfter string `json:",omitempty"`
	// Version is the agent's; "" is a present one.
	Version string `json:",omitempty"`
	// Title is the agent's name; "" is the Copilot CLI's.
	Title string `json:",omitempty"`
	// Stderr is written when the process starts.
	Stderr string `json:",omitempty"`
	// ExitAtOnce makes it exit with this code before it answers anything.
	ExitAtOnce int `json:",omitempty"`
	// Silent makes it never answer these methods.
	Silent []string `json:",omitempty"`
	// Refuse makes it answer these methods with an error of this code.
	Refuse map[string]int `json:",omitempty"`
	// RefuseUntil ends Refuse once this file exists: a sign-in.
	RefuseUntil string `json:",omitempty"`
	// Delay is how long these methods take, beside one another; a method and the
	// id of a session, as in "session/load ABC", is that of one session.
	Delay map[string]time.Duration `json:",omitempty"`
	// Answer is the JSON that these methods are answered with, $SESSION and $CWD
	// replaced, and Before the updates that are sent in front of the answer.
	Answer map[string]string   `json:",omitempty"`
	Before map[string][]string `json:",omitempty"`
	// Declares is what session/new, load, resume and fork answer beside the id, as
	// JSON; "" is what the Copilot CLI does.
	Declares string `json:",omitempty"`
	// Capabilities are the agent's, as JSON; "" is the Copilot CLI's.
	Capabilities string `json:",omitempty"`
	// Calls is a file that every request is appended to, as a line of JSON.
	Calls string `json:",omitempty"`
	// Env is a file that its environment is written to when it starts, a variable a line.
	Env string `json:",omitempty"`
	// NoSessions takes load, list and close from its capabilities.
	NoSessions bool `json:",omitempty"`
	// ThroughClient makes it read and write files and run commands by the
	// client's fs and terminal methods, as other agents than the Copilot CLI do.
	ThroughClient bool `json:",omitempty"`
	// PageSize is the length of a page of session/list; 0 is 50.
	PageSize int `json:",omitempty"`
	// IgnoreEOF and IgnoreTERM make it stay when it should go.
	IgnoreEOF  bool `json:",omitempty"`
	IgnoreTERM bool `json:",omitempty"`
	// DeafAfter makes it stop reading after so many messages.
	DeafAfter int `json:",omitempty"`
}

// Turn is what one prompt gets.
type Turn []Step

// Step is one thing that the agent does. Make them with the funcs below.
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

// Say is one piece of the answer. $PROMPT in it is what was asked.
func Say(text string) Step { return Step{Do: "say", Text: text} }

// Think is one piece of reasoning.
func Think(text string) Step { return Step{Do: "think", Text: text} }

// Chunks is n pieces of the answer, each text, one every so often. With no
// time between them they are a flood. $PROMPT in it is what was asked.
func Chunks(n int, text string, every time.Duration) Step {
	return Step{Do: "chunks", N: n, Text: text, Every: every}
}

// Edit asks for the permission to put text in the place of old in the file,
// which is made where old is empty, and does so where it was given.
func Edit(path, old, text string) Step { return Step{Do: "edit", Path: path, Old: old, New: text} }

// EditOutside is Edit of a file outside of the folder: it asks twice.
func EditOutside(path, text string) Step { return Step{Do: "edit", Path: path, New: text, N: 2} }

// Run asks for the permission to run a command, and runs it where it was given.
func Run(command string) Step { return Step{Do: "run", Text: command} }

// Together does steps at the same time.
func Together(steps ...Step) Step { return Step{Do: "together", Steps: steps} }

// Plan shows a plan.
func Plan(entries ...string) Step {
	s := Step{Do: "plan"}
	for _, e := range entries {
		s.Steps = append(s.Steps, Step{Text: e})
	}
	return s
}

// Raw writes a line as it is, with $SESSION, $CWD and $TERMINAL replaced.
func Raw(line string) Step { return Step{Do: "raw", Text: line} }

// File writes what is in the file as it is, with $SESSION and $CWD replaced: bytes
// that are no text, and more than an environment can hold.
func File(path string) Step { return Step{Do: "file", Path: path} }

// Update sends a session/update with this JSON.
func Update(update string) Step { return Step{Do: "update", Text: update} }

// Ask sends a request with these params and ends the turn with the answer's
// JSON as text.
func Ask(method, params string) Step { return Step{Do: "ask", Path: method, Text: params} }

// Long is a line of n bytes that is a permission request for an edit ("ask"),
// a tool call's output ("tool"), nested to its end ("nested") or no message at
// all ("garbage").
func Long(kind string, n int) Step { return Step{Do: "long", Text: kind, N: n} }

// Die ends the process with an exit code, after it wrote text to stderr.
func Die(code int, stderr string) Step { return Step{Do: "die", N: code, Text: stderr} }

// Leave ends the turn and the process in the same moment: the answer is the
// last thing it writes.
func Leave() Step { return Step{Do: "leave"} }

// Forget has the agent lose the session from its memory, once it has answered.
func Forget() Step { return Step{Do: "forget"} }

// Usage ends the turn with this JSON as what was used.
func Usage(usage string) Step { return Step{Do: "usage", Text: usage} }

// Hang waits until the turn is cancelled.
func Hang() Step { return Step{Do: "hang"} }

// Deaf waits and takes no notice of a cancel.
func Deaf() Step { return Step{Do: "deaf"} }

// Undeterred does steps without regard to a cancel of the turn.
func Undeterred(steps ...Step) Step { return Step{Do: "undeterred", Steps: steps} }

// Stop ends the turn with another stop reason than end_turn.
func Stop(reason string) Step { return Step{Do: "stop", Text: reason} }

// Answer ends the turn with this line as its answer, with $ID replaced.
func Answer(line string) Step { return Step{Do: "answer", Text: line} }

// Fail ends the turn with an error.
func Fail(code int, message string) Step { return Step{Do: "fail", N: code, Text: message} }

// After does steps once the prompt was answered.
func After(steps ...Step) Step { return Step{Do: "after", Steps: steps} }

// WaitFor waits until the file is there: a test decides when.
func WaitFor(file string) Step { return Step{Do: "waitfor", Path: file} }

// Version is that of the Copilot CLI which the agent stands in for.
const Version = "1.0.102"

// scriptSuffix is what the file with the script of a copy ends with.
const scriptSuffix = ".script"

// Copy makes program a copy of this one that plays s, where programs cannot be shell
// scripts.
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

// Command is the program that plays s: this one, started again. env is to be
// added to the environment.
func Command(s Script) (path string, args, env []string) {
	path, err := os.Executable()
	if err != nil {
		panic(err) // tests only run from a file
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	// A program built with -race would sleep for a second at its end.
	return path, nil, []string{scriptVar + "=" + string(b), "GORACE=atexit_sleep_ms=0"}
}
