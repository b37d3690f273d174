package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

// hookArg is the first argument of a hook process. The next arguments are the event and the path of the key
// file.
const hookArg = "guard-hook"

// exitDenied is the exit code of a hook that denies a call. The CLI treats any failure of a hook as a denial.
const exitDenied = 2

// waitTime is the time after which a hook denies a call that VoxPilot hasn't decided on. It is an hour shorter than
// hookTimeout, after which the CLI would end the hook and run the tool. Tests change it.
var waitTime = (hookTimeout - 60*60) * time.Second

// dialTime is the time limit for reaching the running VoxPilot.
const dialTime = 10 * time.Second

// RunIfRequested calls RunHook if this process was started as a hook. It must be called at the start of
// main.
func RunIfRequested() {
	if len(os.Args) > 1 && os.Args[1] == hookArg {
		RunHook()
	}
}

// RunHook passes an event and the CLI's input, which it reads from standard input, to the running VoxPilot. It then
// prints the answer and exits. The arguments of the process are hookArg, the event and the path of the key file.
func RunHook() {
	time.AfterFunc(waitTime, func() {
		fmt.Fprintln(os.Stderr, "VoxPilot didn't decide on this call in time, so the call is denied.")
		os.Exit(exitDenied)
	})
	out, err := []byte(nil), errors.New("wrong arguments")
	if len(os.Args) == 4 && os.Args[1] == hookArg {
		out, err = ask(Event(os.Args[2]), os.Args[3], os.Stdin)
	}
	if err == nil {
		_, err = os.Stdout.Write(out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "VoxPilot didn't decide on this call, so the call is denied:", err)
		os.Exit(exitDenied)
	}
	os.Exit(0)
}

// ask sends the event and the CLI's input, which it reads from stdin, to the running VoxPilot. It returns the output
// for the CLI, which is empty if VoxPilot leaves the decision to the CLI.
func ask(event Event, keyPath string, stdin io.Reader) ([]byte, error) {
	file, err := os.ReadFile(keyPath)
	if err != nil {
		return nil, err
	}
	var key keyFile
	if err := json.Unmarshal(file, &key); err != nil {
		return nil, err
	}
	in, err := io.ReadAll(io.LimitReader(stdin, maxInput))
	if err != nil {
		return nil, err
	}
	r := request{Key: key.Key, Event: event, Input: in}
	if event == SessionStart {
		r.Parent = parentArgs()
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	conn, err := localsocket.Dial(ctx, key.Address)
	if err != nil {
		return nil, fmt.Errorf("VoxPilot isn't running: %w", err)
	}
	defer conn.Close()
	if !localsocket.SameUser(conn) {
		return nil, errors.New("the program answering in place of VoxPilot belongs to another user")
	}
	if _, err := conn.Write(line); err != nil {
		return nil, err
	}
	var answer response
	if err := json.NewDecoder(conn).Decode(&answer); err != nil {
		return nil, fmt.Errorf("no answer: %w", err)
	}
	if !answer.Answered {
		return nil, errors.New("not an answer")
	}
	return answer.Output, nil
}
